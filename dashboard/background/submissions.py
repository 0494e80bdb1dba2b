"""What worker processes do with gold and the outputs of systems. No Streamlit in here.

Each function takes its arguments, then `progress(done, total)` and `should_stop()`, as those of `tasks.py`.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.background.looks import File, Read
from dashboard.background.outputs import (
    POSITIVE,
    SHOWN,
    Files,
    ItemOutputs,
    Outputs,
    PairOutputs,
    ReadOutputs,
)
from nlpstat_core.errors import AnalysisError, Sentence

if TYPE_CHECKING:
    from dashboard.background.given import BoardsChoice
    from dashboard.background.workers import Progress, ShouldStop
    from nlpstat_core.analysis.several_boards import Boards
    from nlpstat_core.arrays import FloatArray, IntArray
    from nlpstat_core.board.submissions.by_label import LabelScores
    from nlpstat_core.board.submissions.differing import DifferingItems
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.measures.record import Measure
    from nlpstat_core.scores.matrix import ScoreMatrix
    from nlpstat_core.scores.submissions import Submissions

FIRST_ITEMS, FIRST_SYSTEMS, LONGEST_CELL = 8, 12, 1_000
MOST_ITEMS = 2_000  # that a table of a pair lists
MOST_LABELS, MOST_LABEL_CELLS = 200, 20_000_000  # of tables by label


def read(
    named: File,
    choices: Mapping[str, Any],
    files: Files,
    progress: Progress,
    should_stop: ShouldStop,
) -> ReadOutputs:
    """Gold and outputs, their measures, and the board of the one that is shown.

    named: Stands for the files where a name is needed; holds nothing.
    choices: Keywords of `read_submissions`, POSITIVE and SHOWN.
    """
    from nlpstat_core.analysis.reading_submissions import read_submissions
    from nlpstat_core.readers.open.memory import memory_at_most
    from nlpstat_core.stopping import stoppable

    told = {name: value for name, value in choices.items() if name not in (POSITIVE, SHOWN)}
    with memory_at_most(), stoppable(should_stop):
        gold: Any = files.gold[0] if len(files.gold) == 1 else list(files.gold)
        if files.gold:
            board = read_submissions(gold, files.outputs, **told)
        else:
            assert files.outputs is not None
            board = read_submissions(files.outputs, **told)
        return _told(board, choices)


def boards(
    packed: bytes,
    keys: tuple[str, ...],
    positive: str | None,
    chosen: BoardsChoice,
    config: AnalysisConfig,
    progress: Progress,
    should_stop: ShouldStop,
) -> Boards:
    """Every measure of the same submissions, or one measure on the data sets that a column names.

    keys: Measures; the first is that of the data sets.
    """
    from nlpstat_core.analysis.several_boards import analyse_boards
    from nlpstat_core.measures import measure_named

    board = _unpacked(packed)
    found: dict[str, ScoreMatrix] = {}
    if chosen.each == "metric":
        for key in keys:
            measure = measure_named(key)[0]
            found[measure.label_with(_options(measure, positive))] = _matrix(board, key, positive)
    else:
        column = board.labels[str(chosen.column)]
        for value in dict.fromkeys(column):
            rows = [row for row, cell in enumerate(column) if cell == value]
            found[value or "(empty)"] = _matrix(board.rows(rows), keys[0], positive)
    return analyse_boards(
        found,
        config,
        each=chosen.each,
        family=chosen.family,
        combination=chosen.combination,
        progress=progress,
        should_stop=should_stop,
    )


def pair(
    packed: bytes,
    key: str,
    positive: str | None,
    a: str,
    b: str,
    level: float,
    block_column: str | None,
    progress: Progress,
    should_stop: ShouldStop,
) -> PairOutputs:
    """What a and b answered, as a − b.

    level: Of intervals.
    block_column: Documents that are left out as wholes.
    """
    from nlpstat_core.board.submissions.by_label import label_differences
    from nlpstat_core.board.submissions.confusion import confusions
    from nlpstat_core.board.submissions.differing import differing_items
    from nlpstat_core.board.submissions.influence import influence
    from nlpstat_core.measures import measure_named
    from nlpstat_core.stopping import stoppable

    board = _unpacked(packed)
    measure, fixed = measure_named(key)
    options = {**_options(measure, positive), **fixed}
    with stoppable(should_stop):
        values, pulls = influence(board, a, b, measure, options)
        differing = differing_items(board, a, b, pulls, most=MOST_ITEMS)
        one = differing_items(board, a, b, pulls, only_one=True, most=MOST_ITEMS)
        labels = None
        if _few_labels(board):
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
        texts={
            name: {row: column[row][:LONGEST_CELL] for row in listed} for name, column in board.labels.items()
        },
        confusions=tuple(confusions(board, (a, b))) if board.kind == "labels" else (),
        labels=labels,
        points=points,
    )


def items(packed: bytes, progress: Progress, should_stop: ShouldStop) -> ItemOutputs:
    """Every item over the systems."""
    from nlpstat_core.board.submissions.differing import as_text

    board = _unpacked(packed)
    kind = board.kind
    rows = [[one for one in row if one is not None] for row in zip(*board.outputs.values(), strict=True)]
    counted = [[] for _ in rows] if kind == "numbers" else [Counter(row).most_common(1) for row in rows]
    right = None
    if kind != "numbers":
        found = (
            sum(one in gold if kind == "texts" else one == gold for one in row)
            for gold, row in zip(board.gold, rows, strict=True)
        )
        right = np.fromiter(found, dtype=np.int64, count=len(rows))
    return ItemOutputs(
        items=tuple(item[:LONGEST_CELL] for item in board.items),
        gold=tuple(as_text(kind, gold)[:LONGEST_CELL] for gold in board.gold),
        right=right,
        usual=tuple(as_text(kind, most[0][0])[:LONGEST_CELL] if most else "" for most in counted),
        texts={name: tuple(cell[:LONGEST_CELL] for cell in cells) for name, cells in board.labels.items()},
    )


def by_label(
    packed: bytes, level: float, block_column: str | None, progress: Progress, should_stop: ShouldStop
) -> LabelScores:
    """Every system on every label of gold.

    Raises AnalysisError: More labels than can be read.
    """
    from nlpstat_core.board.submissions.by_label import label_scores
    from nlpstat_core.stopping import stoppable

    board = _unpacked(packed)
    if not _few_labels(board):
        raise AnalysisError(
            f"Gold has {len(board.gold_labels):,} labels on {board.n_items:,} items: too many for a table."
        )
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


def _told(board: Submissions, choices: Mapping[str, Any]) -> ReadOutputs:
    from dashboard.background.readings import facts_of
    from nlpstat_core.measures import MEASURES, measure_named

    positive = choices.get(POSITIVE)
    measures = [measure_named(key)[0] for key in board.measures]
    shown = choices.get(SHOWN)
    if shown not in board.measures:
        shown = board.measures[0]
    titles = {one.key: one.label for one in MEASURES.values() if _fits(board, one)}
    titles |= {
        key: one.label_with(_options(one, positive))
        for key, one in zip(board.measures, measures, strict=True)
    }
    missing = {
        system: gone
        for system, column in board.outputs.items()
        if (gone := sum(one is None for one in column))
    }
    scores, problem = None, Sentence()
    try:
        scores = _matrix(board, shown, positive)
    except AnalysisError as error:
        if len(board.systems) > 1:
            raise
        problem = error.sentence
    outputs = Outputs(
        packed=_packed(board),
        fingerprint=board.fingerprint,
        kind=board.kind,
        reason=str(board.reading["reason"]),
        n_items=board.n_items,
        systems=board.systems,
        gold_labels=board.gold_labels[:MOST_LABELS],
        label_columns=tuple(board.labels),
        measures=board.measures,
        shown=shown,
        titles=titles,
        positives=tuple(one.key for one in MEASURES.values() if POSITIVE in one.options),
        values=np.stack([_values(board, key, positive, scores, shown) for key in board.measures], axis=1),
        lower=tuple(one.lower_is_better for one in measures),
        by_order=tuple(board.reading["by_order"]),
        missing=missing,
        head=_head(board),
        source=board.source,
    )
    if scores is None:
        return ReadOutputs(outputs, None, problem)
    if len(measures) > 1:
        names = [titles[key] for key in board.measures]
        scores = replace(scores, reading={**scores.reading, "metrics": names})
    return ReadOutputs(outputs, Read(scores, facts_of(scores)))


def _values(
    board: Submissions, key: str, positive: str | None, scores: ScoreMatrix | None, shown: str
) -> FloatArray:
    """One measure of every system, shape (n_systems,).

    scores: The board of the measure `shown`: what it is made of isn't counted again.
    """
    from nlpstat_core.analysis.submissions import measure_values
    from nlpstat_core.engine.swaps.values import values_of
    from nlpstat_core.measures import measure_named

    if scores is not None and key == shown and not board.has_missing:
        if scores.measured is None:
            means: FloatArray = scores.values.mean(axis=0)
            return means
        return values_of(scores.measured).weighted(np.ones((board.n_items, 1)))[:, 0]
    alone = replace(board, measures=(key,))
    return measure_values(alone, **_options(measure_named(key)[0], positive))[:, 0]


def _matrix(board: Submissions, key: str, positive: str | None) -> ScoreMatrix:
    """The board of one measure; raises AnalysisError where it can't be compared."""
    from nlpstat_core.analysis.submissions import submission_scores
    from nlpstat_core.measures import measure_named

    return submission_scores(replace(board, measures=(key,)), **_options(measure_named(key)[0], positive))


def _options(measure: Measure, positive: str | None) -> dict[str, Any]:
    return {POSITIVE: positive} if positive and POSITIVE in measure.options else {}


def _fits(board: Submissions, measure: Measure) -> bool:
    from nlpstat_core.analysis.submissions import fits

    return fits(board, measure)


def _few_labels(board: Submissions) -> bool:
    many = len(board.gold_labels)
    return 0 < many <= MOST_LABELS and many * board.n_items <= MOST_LABEL_CELLS


def _groups(board: Submissions, block_column: str | None) -> IntArray | None:
    if block_column not in board.labels:
        return None
    return np.unique(np.array(board.labels[str(block_column)]), return_inverse=True)[1].astype(np.int64)


def _head(board: Submissions) -> dict[str, tuple[str, ...]]:
    """The first items as they were understood."""
    from nlpstat_core.board.submissions.differing import as_text

    def cells(column: tuple[Any, ...]) -> tuple[str, ...]:
        found = ("" if one is None else as_text(board.kind, one) for one in column[:FIRST_ITEMS])
        return tuple(text[:LONGEST_CELL] for text in found)

    columns = {"Item": tuple(item[:LONGEST_CELL] for item in board.items[:FIRST_ITEMS])}
    columns["Gold"] = cells(board.gold)
    return columns | {
        f"system {system}": cells(board.outputs[system]) for system in board.systems[:FIRST_SYSTEMS]
    }


def _cut(items: DifferingItems) -> DifferingItems:
    """The same with long cells cut."""
    texts = {
        name: tuple(text[:LONGEST_CELL] for text in getattr(items, name))
        for name in ("items", "gold", "output_a", "output_b")
    }
    return replace(items, **texts)  # type: ignore[arg-type]


def _packed(board: Submissions) -> bytes:
    import zlib

    return zlib.compress(pickle.dumps(board, protocol=pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(packed: bytes) -> Submissions:
    import zlib

    found: Submissions = pickle.loads(zlib.decompress(packed))
    return found
