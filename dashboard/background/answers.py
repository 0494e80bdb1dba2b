"""What worker processes tell of the outputs of systems beside gold. No Streamlit in here.

Each function takes its arguments, then `progress(done, total)` and `should_stop()`, as those of `tasks.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.background.outputs import (
    MOST_LABELS,
    ItemOutputs,
    PairOutputs,
    chosen_options,
    cut,
)
from dashboard.background.submissions import unpacked
from nlpstat_core.errors import AnalysisError

if TYPE_CHECKING:
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.arrays import IntArray
    from nlpstat_core.board.submissions.by_label import LabelScores
    from nlpstat_core.board.submissions.differing import DifferingItems
    from nlpstat_core.scores.submissions import Kind, Submissions

MOST_ITEMS = 2_000  # that a table of a pair lists
MOST_LABEL_CELLS = 20_000_000  # of tables by label


def pair(
    packed: bytes,
    key: str,
    options: Mapping[str, Any],
    a: str,
    b: str,
    level: float,
    block_column: str | None,
    progress: Progress,
    should_stop: ShouldStop,
) -> PairOutputs:
    """What a and b answered, as a − b. `block_column`: Documents that are left out as wholes."""
    from nlpstat_core.board.submissions.by_label import confusions, label_differences, labels_told
    from nlpstat_core.board.submissions.differing import differing_items, in_spans, influence
    from nlpstat_core.measures import measure_named
    from nlpstat_core.stopping import stoppable

    board = unpacked(packed)
    board = in_spans(replace(board, measures=(key, *(one for one in board.measures if one != key))))
    measure, fixed = measure_named(key)
    options = {**chosen_options(measure.options, options), **fixed}
    with stoppable(should_stop):
        values, pulls = influence(board, a, b, measure, options)
        differing = differing_items(board, a, b, pulls, most=MOST_ITEMS)
        one = differing_items(board, a, b, pulls, only_one=True, most=MOST_ITEMS)
        labels = None
        if board.kind in ("labels", "tags") and _few(len(labels_told(board)), board):
            labels = label_differences(board, a, b, level, _groups(board, block_column))
    n_shared = int(np.count_nonzero(_shared(board, a, b)))
    right = _rights(board, a, b)
    points = None
    if board.kind == "numbers":
        table = (board.gold, board.outputs[a], board.outputs[b])
        points = np.array([row for row in zip(*table, strict=True) if None not in row], dtype=np.float64).T
    listed = sorted({*differing.rows, *one.rows})
    return PairOutputs(
        kind=board.kind,
        title=measure.label_with(options),
        lower_is_better=measure.lower_is_better,
        values=values,
        items=_cut(differing),
        only_one=_cut(one),
        n_shared=n_shared,
        n_differing=len(right),
        only_a=right.count("a"),
        only_b=right.count("b"),
        texts={name: {row: cut(column[row]) for row in listed} for name, column in board.labels.items()},
        confusions=tuple(confusions(board, (a, b))) if board.kind == "labels" else (),
        labels=labels,
        points=points,
    )


def items(packed: bytes, progress: Progress, should_stop: ShouldStop) -> ItemOutputs:
    """Every item over the systems."""
    from nlpstat_core.board.submissions.differing import as_text, in_spans, words_of

    board = in_spans(unpacked(packed))
    kind, words = board.kind, words_of(board)
    rows = [[one for one in row if one is not None] for row in zip(*board.outputs.values(), strict=True)]
    right = None
    if kind != "numbers":
        found = (
            sum(one in gold if kind == "texts" else one == gold for one in row)
            for gold, row in zip(board.gold, rows, strict=True)
        )
        right = np.fromiter(found, dtype=np.int64, count=len(rows))
    return ItemOutputs(
        items=tuple(cut(item) for item in board.items),
        gold=tuple(cut(as_text(kind, gold, own)) for gold, own in zip(board.gold, words, strict=True)),
        right=right,
        usual=tuple(cut(_usual(kind, row, own)) for row, own in zip(rows, words, strict=True)),
        texts={name: tuple(cut(cell) for cell in cells) for name, cells in board.labels.items()},
    )


def _usual(kind: Kind, answers: Sequence[Any], words: Sequence[str] | None) -> str:
    """What most systems answered; of numbers from where to where they go."""
    from nlpstat_core.board.submissions.differing import as_text

    if not answers:
        return ""
    if kind == "numbers":
        ends = (as_text(kind, end) for end in (min(answers), max(answers)))
        return " to ".join(dict.fromkeys(ends))
    return as_text(kind, Counter(answers).most_common(1)[0][0], words)


def by_label(
    packed: bytes, level: float, block_column: str | None, progress: Progress, should_stop: ShouldStop
) -> LabelScores:
    """Every system on every label of gold. Raises AnalysisError: More labels than can be read."""
    from nlpstat_core.board.submissions.by_label import label_scores, labels_told
    from nlpstat_core.stopping import stoppable

    board = unpacked(packed)
    told = labels_told(board)
    if not _few(len(told), board):
        one = "types of spans" if board.kind == "tags" else "labels"
        raise AnalysisError(f"Gold has {len(told):,} {one} on {board.n_items:,} items: too many for a table.")
    with stoppable(should_stop):
        return label_scores(board, level, _groups(board, block_column))


def _shared(board: Submissions, a: str, b: str) -> list[bool]:
    both = zip(board.outputs[a], board.outputs[b], strict=True)
    return [first is not None and second is not None for first, second in both]


def _rights(board: Submissions, a: str, b: str) -> list[str]:
    """Whose output is right, for all items on which both differ."""
    from nlpstat_core.board.submissions.differing import whose

    rows = zip(board.gold, board.outputs[a], board.outputs[b], _shared(board, a, b), strict=True)
    return [whose(board.kind, gold, own, other) for gold, own, other, both in rows if both and own != other]


def _few(many: int, board: Submissions) -> bool:
    return 0 < many <= MOST_LABELS and many * board.n_items <= MOST_LABEL_CELLS


def _groups(board: Submissions, block_column: str | None) -> IntArray | None:
    if block_column not in board.labels:
        return None
    return np.unique(np.array(board.labels[str(block_column)]), return_inverse=True)[1].astype(np.int64)


def _cut(items: DifferingItems) -> DifferingItems:
    """The same with long cells cut."""
    texts = {
        name: tuple(cut(text) for text in getattr(items, name))
        for name in ("items", "gold", "output_a", "output_b")
    }
    return replace(items, **texts)  # type: ignore[arg-type]
