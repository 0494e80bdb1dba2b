"""Every label (type of span) alone: precision, recall, F1 with intervals, and which is taken for which."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from scipy import special

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.measures.spans import SPAN_F1_STRICT, Span, lenient_spans, strict_spans
from nlpstat_core.scores.label_counts import LabelCounts
from nlpstat_core.scores.submissions import Submissions

_FEWEST = 2  # groups that can be left out


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelScores:
    """Every system on every label of gold; 0/0 is 0, as in F1 of the measures.

    labels: Sorted; of tags the types of gold's spans.
    support (int array, shape (n_labels,)): Items with this gold label; of tags gold's spans of this type.
    precision, recall, f1, low, high (float arrays, shape (n_systems, n_labels)): low and high bound F1.
    """

    labels: tuple[str, ...]
    systems: tuple[str, ...]
    support: IntArray
    precision: FloatArray
    recall: FloatArray
    f1: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelDifferences:
    """F1 of every label of two systems, and what it adds to the difference in macro-F1.

    difference, low, high (float arrays, shape (n_labels,)): F1 of a − F1 of b.
    share (float array, shape (n_labels,)): The difference over the number of labels: they sum to macro-F1's,
        or to that of the mean F1 over types.
    """

    labels: tuple[str, ...]
    support: IntArray
    f1_a: FloatArray
    f1_b: FloatArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    share: FloatArray


def label_scores(board: Submissions, level: float, groups: IntArray | None = None) -> LabelScores:
    """Precision, recall and F1 of every label; of tags of every type of span.

    board: With labels, or with tags, whose spans are those of its official measure (conlleval's or strict).
    level: Of the intervals: delete-one jackknife of F1 with Student's t.
    groups (int array, shape (n_items,)): The document of every item, left out as a whole; None for items.
    Raises AnalysisError: Outputs of another kind.
    """
    present = np.array([_has(board, system) for system in board.systems]).T
    return scores_by_label(label_counts(board), board.systems, present, level, groups)


def scores_by_label(
    counts: LabelCounts,
    systems: tuple[str, ...],
    present: BoolArray,
    level: float,
    groups: IntArray | None = None,
) -> LabelScores:
    """The same of counts, every system on the items it has."""
    f1, half, sums = [], [], []
    for system in range(len(systems)):
        parts = counts.of_system(system, _among(present[:, system], groups))
        f1.append(_f1(*(part.sum(axis=1) for part in parts)))
        half.append(_half_width(_f1_without(parts), level))
        sums.append([part.sum(axis=1) for part in parts])
    hits, given, gold = np.array(sums).transpose(1, 0, 2)
    value, margin = np.array(f1), np.array(half)
    return LabelScores(
        labels=counts.names,
        systems=systems,
        support=counts.support,
        precision=_share(hits, given),
        recall=_share(hits, gold),
        f1=value,
        low=np.maximum(value - margin, 0.0),
        high=np.minimum(value + margin, 1.0),
    )


def label_differences(
    board: Submissions, a: str, b: str, level: float, groups: IntArray | None = None
) -> LabelDifferences:
    """F1 of every label (type) of a and of b on the items that both have; see `label_scores`."""
    counts = label_counts(
        replace(board, outputs={name: board.outputs[name] for name in dict.fromkeys((a, b))})
    )
    both = np.array(_has(board, a)) & np.array(_has(board, b))
    among = _among(both, groups)
    own = counts.of_system(0, among)
    other = own if a == b else counts.of_system(1, among)
    f1_a, f1_b = (_f1(*(part.sum(axis=1) for part in parts)) for parts in (own, other))
    half = _half_width(_f1_without(own) - _f1_without(other), level)
    difference = f1_a - f1_b
    return LabelDifferences(
        labels=counts.names,
        support=counts.support,
        f1_a=f1_a,
        f1_b=f1_b,
        difference=difference,
        low=difference - half,
        high=difference + half,
        share=difference / max(1, len(counts.names)),
    )


def labels_told(board: Submissions) -> tuple[str, ...]:
    """What a board is told by, sorted: labels, or of tags types of spans, that gold has."""
    if board.kind != "tags":
        return board.gold_labels
    spans_of = spans_read(board)
    return tuple(sorted({kind for tags in board.gold for kind, _, _ in spans_of(tags)}))


def label_counts(board: Submissions) -> LabelCounts:
    """What is counted of every item; raises AnalysisError for outputs that are neither labels nor tags."""
    if board.kind not in ("labels", "tags"):
        raise AnalysisError(f"F1 by label is there for labels and tags only, and these are {board.kind}.")
    names = labels_told(board)
    found = _of_labels(board, names) if board.kind == "labels" else _of_spans(board, names)
    n_lines = [len(names), *2 * [len(names) * len(board.systems)]]
    gold, hits, given = (
        cells.matrix(many, board.n_items) for cells, many in zip(found, n_lines, strict=True)
    )
    one = "type" if board.kind == "tags" else "label"
    return LabelCounts(names=names, one=one, gold=gold, hits=hits, given=given)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Where a sparse matrix counts one more."""

    lines: IntArray
    items: IntArray

    def matrix(self, n_lines: int, n_items: int) -> sp.csr_matrix:
        """Those of one line and item summed."""
        cells = (np.ones(self.lines.size, dtype=np.int32), (self.lines, self.items))
        return sp.coo_matrix(cells, shape=(n_lines, n_items)).tocsr()


def _of_labels(board: Submissions, names: tuple[str, ...]) -> tuple[_Cells, _Cells, _Cells]:
    """Gold's, right and given labels."""
    place = {name: row for row, name in enumerate(names)}
    gold = np.array([place[label] for label in board.gold])
    tables = [np.array([place.get(one, -1) for one in column]) for column in board.outputs.values()]
    outputs = np.array(tables)
    systems, items = np.nonzero(outputs >= 0)
    given = _Cells(systems * len(names) + outputs[systems, items], items)
    right = outputs[systems, items] == gold[items]
    return _Cells(gold, np.arange(gold.size)), _Cells(given.lines[right], items[right]), given


def _of_spans(board: Submissions, names: tuple[str, ...]) -> tuple[_Cells, _Cells, _Cells]:
    """Gold's, right and given spans by type."""
    spans_of, place = spans_read(board), {name: row for row, name in enumerate(names)}
    right = [spans_of(tags) for tags in board.gold]
    found: tuple[tuple[list[int], list[int]], ...] = (([], []), ([], []), ([], []))

    def add(which: int, system: int, item: int, spans: set[Span]) -> None:
        for kind, _, _ in spans:
            if kind in place:
                found[which][0].append(system * len(place) + place[kind])
                found[which][1].append(item)

    for item, spans in enumerate(right):
        add(0, 0, item, spans)
    for system, column in enumerate(board.outputs.values()):
        for item, tags in enumerate(column):
            if tags is not None:
                own = spans_of(tags)
                add(1, system, item, own & right[item])
                add(2, system, item, own)
    gold, hits, given = (
        _Cells(np.array(lines, dtype=np.int64), np.array(items, dtype=np.int64)) for lines, items in found
    )
    return gold, hits, given


def spans_read(board: Submissions) -> Callable[[Sequence[str]], set[Span]]:
    """The spans in tags as the official measure reads them: conlleval's, or strict ones."""
    return strict_spans if board.measures[:1] == (SPAN_F1_STRICT.key,) else lenient_spans


def _has(board: Submissions, system: str) -> list[bool]:
    return [output is not None for output in board.outputs[system]]


def _among(there: BoolArray, groups: IntArray | None) -> IntArray:
    """Groups of the items that are there, from 0 without gaps; −1 for the others."""
    found = np.full(there.size, -1, dtype=np.int64)
    kept = np.flatnonzero(there) if groups is None else groups[there]
    found[there] = np.unique(kept, return_inverse=True)[1]
    return found


def _f1_without(parts: Sequence[FloatArray]) -> FloatArray:
    """F1 without each group, shape (n_labels, n_groups)."""
    return _f1(*(part.sum(axis=1, keepdims=True) - part for part in parts))


def _f1(hits: FloatArray, given: FloatArray, gold: FloatArray) -> FloatArray:
    return _share(2 * hits, given + gold)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _half_width(without: FloatArray, level: float) -> FloatArray:
    """t(G − 1)·√((G − 1)/G·Σ(θ₋ᵢ − mean)²) by label; NaN where nothing can be left out, or nothing changes.

    Without one right answer F1 is 0 whichever item is left out: that says nothing of other items.
    """
    n_groups = without.shape[1]
    if n_groups < _FEWEST:
        return np.full(without.shape[0], np.nan)
    spread = ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    quantile = float(special.stdtrit(n_groups - 1, (1 + level) / 2))
    half: FloatArray = quantile * np.sqrt((n_groups - 1) / n_groups * spread)
    return np.where(without.max(axis=1) > without.min(axis=1), half, np.nan)


MOST_LABELS = 30  # rows that can still be read
OTHER = "other"


@dataclass(frozen=True, eq=False, kw_only=True)
class Confusion:
    """Items by gold label and output.

    gold: Labels of the rows, the most frequent first.
    given: Labels of the columns: gold's, then "other" where outputs have labels that aren't shown.
    """

    gold: tuple[str, ...]
    given: tuple[str, ...]
    counts: IntArray


def confusions(board: Submissions, systems: tuple[str, ...]) -> list[Confusion]:
    """The matrix of each of some systems, all with the same rows and columns; items without output left out.

    Of more than 30 gold labels the most frequent are shown, the rest together as "other".
    """
    frequent = [label for label, _ in sorted(Counter(board.gold).items(), key=lambda one: (-one[1], one[0]))]
    shown = frequent[:MOST_LABELS]
    place = {label: row for row, label in enumerate(shown)}
    rest = len(shown)
    tables = []
    for system in systems:
        counts = np.zeros((rest + 1, rest + 1), dtype=np.int64)
        for right, output in zip(board.gold, board.outputs[system], strict=True):
            if output is not None:
                counts[place.get(right, rest), place.get(output, rest)] += 1
        tables.append(counts)
    rows = rest + (len(frequent) > rest)
    columns = rest + any(counts[:, rest].any() for counts in tables)
    gold = (*shown, OTHER)[:rows]
    given = (*shown, OTHER)[:columns]
    return [Confusion(gold=gold, given=given, counts=counts[:rows, :columns]) for counts in tables]
