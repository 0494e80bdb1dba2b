"""The items on which two systems gave different outputs, and how far each moves the measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Literal

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.submissions.by_label import spans_read
from nlpstat_core.engine.swaps.values import pseudo_values, values_of
from nlpstat_core.measures.record import Measure
from nlpstat_core.measures.spans import lenient_spans
from nlpstat_core.scores.submissions import Kind, Submissions

Right = Literal["a", "b", "both", "neither"]


@dataclass(frozen=True, eq=False, kw_only=True)
class DifferingItems:
    """Items with unlike outputs, the most influential first.

    rows: Their places on the board.
    gold, output_a, output_b: As people read them.
    right: Whose output is right; of numbers, whose is nearer ("both" where they are equally near).
    influence (float array): How far the difference of the pair goes down, times (n − 1), without the item.
    only_one: How many of all these items exactly one system has right.
    """

    rows: tuple[int, ...]
    items: tuple[str, ...]
    gold: tuple[str, ...]
    output_a: tuple[str, ...]
    output_b: tuple[str, ...]
    right: tuple[Right, ...]
    influence: FloatArray
    only_one: int


def differing_items(
    board: Submissions,
    a: str,
    b: str,
    influence: FloatArray,
    *,
    only_one: bool = False,
    most: int | None = None,
) -> DifferingItems:
    """The items on which a and b differ.

    influence (float array, shape (n_items,)): On the difference a − b.
    only_one: Keep those that exactly one of the two has right.
    """
    board = in_spans(board)
    outputs_a, outputs_b = board.outputs[a], board.outputs[b]
    rows = [
        row
        for row, (own, other) in enumerate(zip(outputs_a, outputs_b, strict=True))
        if own is not None and other is not None and own != other
    ]
    right = {row: whose(board.kind, board.gold[row], outputs_a[row], outputs_b[row]) for row in rows}
    one = [row for row in rows if right[row] in ("a", "b")]
    kept = one if only_one else rows
    size = np.nan_to_num(np.abs(influence), nan=-1.0)
    kept = sorted(kept, key=lambda row: (-size[row], row))[:most]
    words = words_of(board)
    texts = [
        tuple(as_text(board.kind, column[row], words[row]) for row in kept)
        for column in (board.gold, outputs_a, outputs_b)
    ]
    return DifferingItems(
        rows=tuple(kept),
        items=tuple(board.items[row] for row in kept),
        gold=texts[0],
        output_a=texts[1],
        output_b=texts[2],
        right=tuple(right[row] for row in kept),
        influence=np.asarray(influence, dtype=np.float64)[kept],
        only_one=len(one),
    )


def whose(kind: Kind, gold: Any, a: Any, b: Any) -> Right:
    """Whose output is right, or of two numbers nearer.

    >>> whose("labels", "yes", "yes", "no"), whose("numbers", 1, 0.2, 0.9), whose("texts", ("x",), "y", "z")
    ('a', 'b', 'neither')
    """
    if kind == "numbers":
        far_a, far_b = abs(a - gold), abs(b - gold)
        return "both" if far_a == far_b else "a" if far_a < far_b else "b"
    own, other = (output in gold if kind == "texts" else output == gold for output in (a, b))
    if own == other:
        return "both" if own else "neither"
    return "a" if own else "b"


def in_spans(board: Submissions) -> Submissions:
    """The board with tags as the spans that its measure reads, in IOB2, so that equal spans are equal."""
    if board.kind != "tags":
        return board
    read = spans_read(board)

    def written(tags: Sequence[str] | None) -> tuple[str, ...] | None:
        if tags is None:
            return None
        found = ["O"] * len(tags)
        for kind, first, last in read(tags):
            found[first : last + 1] = [f"B-{kind}", *[f"I-{kind}"] * (last - first)]
        return tuple(found)

    return replace(
        board,
        gold=tuple(map(written, board.gold)),
        outputs={name: tuple(map(written, column)) for name, column in board.outputs.items()},
    )


def words_of(board: Submissions) -> Sequence[Sequence[str] | None]:
    """The words of every item of tags or trees; None where they aren't known."""
    told = board.labels.get("tokens") if board.kind in ("tags", "trees") else None
    if told is None:
        return (None,) * board.n_items
    words = [text.split(" ") for text in told]
    pairs = zip(words, board.gold, strict=True)
    return [own if len(own) == len(tags) else None for own, tags in pairs]


def as_text(kind: Kind, answer: Any, words: Sequence[str] | None = None) -> str:
    """An output, or gold, as people read it.

    words: Of a sentence with tags or a tree.

    >>> as_text("tags", ("B-PER", "O", "I-LOC")), as_text("trees", ((2, "nsubj"), (0, "root")))
    ('1:B-PER 3:I-LOC', '1←2 nsubj, 2←0 root')
    >>> as_text("tags", ("B-PER", "I-PER", "O", "B-LOC"), ("Ada", "Lovelace", "in", "London"))
    'Ada Lovelace (PER), London (LOC)'
    >>> as_text("trees", ((2, "nsubj"), (0, "root")), ("I", "go"))
    '1 I ← 2 go (nsubj), 2 go (root)'
    """
    if kind == "numbers":
        return f"{answer:.6g}"
    if kind == "label-sets":
        return ", ".join(answer) or "–"
    if kind == "tags" and words is not None:
        spans = sorted(lenient_spans(answer), key=itemgetter(1))
        return (
            ", ".join(f"{' '.join(words[first : last + 1])} ({name})" for name, first, last in spans) or "O"
        )
    if kind == "tags":
        return " ".join(f"{place}:{tag}" for place, tag in enumerate(answer, 1) if tag != "O") or "O"
    if kind == "trees" and words is not None:
        return ", ".join(_arc(words, place, *arc) for place, arc in enumerate(answer, 1))
    if kind == "trees":
        return ", ".join(f"{place}←{head} {relation}" for place, (head, relation) in enumerate(answer, 1))
    return " / ".join(answer) if isinstance(answer, tuple) else str(answer)


def _arc(words: Sequence[str], place: int, head: int, relation: str) -> str:
    """A word with its number, that of its head, and the relation."""
    own = f"{place} {words[place - 1]}"
    return (
        f"{own} ← {head} {words[head - 1]} ({relation})" if 0 < head <= len(words) else f"{own} ({relation})"
    )


def influence(
    board: Submissions, a: str, b: str, measure: Measure, options: Mapping[str, Any]
) -> tuple[FloatArray, FloatArray]:
    """The measure of a and of b on the items that both have, and how far single items move the difference.

    Returns influence (float array, shape (n_items,)): a − b with all items, minus a − b without the item,
        times (n − 1); NaN for items that one of the two has no output for.
    """
    columns = (board.outputs[a], board.outputs[b])
    there = [
        row
        for row, both in enumerate(zip(*columns, strict=True))
        if both[0] is not None and both[1] is not None
    ]
    found = np.full(board.n_items, np.nan)
    if not there:
        return np.full(2, np.nan), found
    gold = [board.gold[row] for row in there]
    outputs = [[column[row] for row in there] for column in columns]
    measured = measure.measured(gold, outputs, **options)[0]
    values, pseudo = pseudo_values(values_of(measured), np.arange(len(there)))
    pulls = pseudo - values[:, None]
    found[there] = pulls[0] - pulls[1]
    return values, found
