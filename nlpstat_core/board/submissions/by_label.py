"""Precision, recall and F1 of every label (type of span), with intervals, for systems and for a pair."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.measures.spans import SPAN_F1_STRICT, Span, lenient_spans, strict_spans
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
    share (float array, shape (n_labels,)): The difference over the number of labels: they sum to macro-F1's.
    """

    labels: tuple[str, ...]
    support: IntArray
    f1_a: FloatArray
    f1_b: FloatArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    share: FloatArray


@dataclass(frozen=True, eq=False)
class _Counts:
    """Sums by label and group, each of shape (n_labels, n_groups)."""

    hits: FloatArray
    given: FloatArray
    gold: FloatArray

    def f1(self) -> FloatArray:
        """Of all items, shape (n_labels,)."""
        return _f1(*(table.sum(axis=1) for table in (self.hits, self.given, self.gold)))

    def f1_without(self) -> FloatArray:
        """Without each group, shape (n_labels, n_groups)."""
        tables = (self.hits, self.given, self.gold)
        return _f1(*(table.sum(axis=1, keepdims=True) - table for table in tables))


def label_scores(board: Submissions, level: float, groups: IntArray | None = None) -> LabelScores:
    """Precision, recall and F1 of every label; of tags of every type of span.

    board: With labels, or with tags, whose spans are those of its official measure (conlleval's or strict).
    level: Of the intervals: delete-one jackknife of F1 with Student's t.
    groups (int array, shape (n_items,)): The document of every item, left out as a whole; None for items.
    Raises AnalysisError: Outputs of another kind.
    """
    if board.kind == "tags":
        labels, counted = _of_spans(board, groups)
    elif board.kind == "labels":
        labels = board.gold_labels
        counted = [_counts(board, system, (system,), groups) for system in board.systems]
    else:
        raise AnalysisError(f"F1 by label is there for labels and tags only, and these are {board.kind}.")
    f1 = np.array([counts.f1() for counts in counted])
    half = np.array([_half_width(counts.f1_without(), level) for counts in counted])
    hits, given, gold = (
        np.array([getattr(counts, name).sum(axis=1) for counts in counted])
        for name in ("hits", "given", "gold")
    )
    return LabelScores(
        labels=labels,
        systems=board.systems,
        support=_support(board) if board.kind == "labels" else _support_of_spans(board, labels),
        precision=_share(hits, given),
        recall=_share(hits, gold),
        f1=f1,
        low=np.maximum(f1 - half, 0.0),
        high=np.minimum(f1 + half, 1.0),
    )


def labels_told(board: Submissions) -> tuple[str, ...]:
    """What a board is told by, sorted: labels, or of tags types of spans, that gold has."""
    if board.kind != "tags":
        return board.gold_labels
    spans_of = _spans_of(board)
    return tuple(sorted({kind for tags in board.gold for kind, _, _ in spans_of(tags)}))


def label_differences(
    board: Submissions, a: str, b: str, level: float, groups: IntArray | None = None
) -> LabelDifferences:
    """F1 of every label of a and of b on the items that both have; see `label_scores`."""
    own, other = (_counts(board, system, (a, b), groups) for system in (a, b))
    f1_a, f1_b = own.f1(), other.f1()
    half = _half_width(own.f1_without() - other.f1_without(), level)
    difference = f1_a - f1_b
    return LabelDifferences(
        labels=board.gold_labels,
        support=_support(board),
        f1_a=f1_a,
        f1_b=f1_b,
        difference=difference,
        low=difference - half,
        high=difference + half,
        share=difference / len(board.gold_labels),
    )


def _support(board: Submissions) -> IntArray:
    place = {label: row for row, label in enumerate(board.gold_labels)}
    return np.bincount([place[label] for label in board.gold], minlength=len(place))


def _counts(board: Submissions, system: str, shared: tuple[str, ...], groups: IntArray | None) -> _Counts:
    """Counts on the items for which all of `shared` have an output."""
    place = {label: row for row, label in enumerate(board.gold_labels)}
    there = np.array([all(row) for row in zip(*(_has(board, name) for name in shared), strict=True)])
    gold = np.array([place[label] for label in board.gold])[there]
    output = np.array([place.get(label, -1) for label in board.outputs[system]])[there]
    kept = np.flatnonzero(there) if groups is None else groups[there]
    group = np.unique(kept, return_inverse=True)[1]
    n_groups = int(group.max()) + 1 if group.size else 0

    def table(label: IntArray, among: FloatArray | IntArray) -> FloatArray:
        chosen = np.asarray(among, dtype=bool)
        cells = label[chosen] * n_groups + group[chosen]
        found = np.bincount(cells, minlength=len(place) * n_groups)
        return found.reshape(len(place), n_groups).astype(np.float64)

    every = np.ones(gold.size, dtype=np.int64)
    return _Counts(table(gold, gold == output), table(output, output >= 0), table(gold, every))


def _of_spans(board: Submissions, groups: IntArray | None) -> tuple[tuple[str, ...], list[_Counts]]:
    """Types of gold's spans, and right, given and gold's spans of each type by system."""
    spans_of, types = _spans_of(board), labels_told(board)
    right = [spans_of(tags) for tags in board.gold]
    place = {kind: row for row, kind in enumerate(types)}
    counted = []
    for column in board.outputs.values():
        there = np.array([tags is not None for tags in column])
        kept = np.flatnonzero(there) if groups is None else groups[there]
        group = np.unique(kept, return_inverse=True)[1]
        tables = np.zeros((3, len(types), int(group.max(initial=-1)) + 1))
        for item, where in zip(np.flatnonzero(there).tolist(), group.tolist(), strict=True):
            given = spans_of(column[item])
            for table, spans in zip(tables, (given & right[item], given, right[item]), strict=True):
                for kind, _, _ in spans:
                    if kind in place:
                        table[place[kind], where] += 1
        counted.append(_Counts(*tables))
    return types, counted


def _support_of_spans(board: Submissions, types: tuple[str, ...]) -> IntArray:
    spans_of = _spans_of(board)
    counts = Counter(kind for tags in board.gold for kind, _, _ in spans_of(tags))
    return np.array([counts[kind] for kind in types], dtype=np.int64)


def _spans_of(board: Submissions) -> Callable[[Sequence[str]], set[Span]]:
    return strict_spans if board.measures[:1] == (SPAN_F1_STRICT.key,) else lenient_spans


def _has(board: Submissions, system: str) -> list[bool]:
    return [output is not None for output in board.outputs[system]]


def _f1(hits: FloatArray, given: FloatArray, gold: FloatArray) -> FloatArray:
    return _share(2 * hits, given + gold)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _half_width(without: FloatArray, level: float) -> FloatArray:
    """t(G − 1)·√((G − 1)/G·Σ(θ₋ᵢ − mean)²) by label; NaN where there is nothing to leave out."""
    n_groups = without.shape[1]
    if n_groups < _FEWEST:
        return np.full(without.shape[0], np.nan)
    spread = ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    quantile = float(special.stdtrit(n_groups - 1, (1 + level) / 2))
    half: FloatArray = quantile * np.sqrt((n_groups - 1) / n_groups * spread)
    return half
