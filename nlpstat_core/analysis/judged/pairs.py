"""Corrected means of systems and of pairs, adjusted together, and what their labels are worth."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import special

from nlpstat_core.analysis.judged.sides import Sides
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.judged.corrected import (
    FEWEST_LABELS,
    CorrectedMeans,
    corrected_means,
    stratified_means,
)
from nlpstat_core.methods.judged.max_t import RESAMPLES, DocumentSigns, RetunedSigns, Signed, max_t_p_values
from nlpstat_core.methods.judged.raters import rater_variance
from nlpstat_core.results.judge import PairsOfBoard

MOST_CELLS = 4_000_000  # of one chunk of pairs
LABELS_AT_MOST = 1_000_000
WITH_POWER = 0.8
MORE = 20  # labels, of which it is told what they would bring
# Pairs (or systems), rows of the judge's items, people's scores, the judge's, which have labels, the means.
Seen = Callable[[IntArray, IntArray, FloatArray, FloatArray, BoolArray, CorrectedMeans], None]


def corrected_pairs(
    sides: Sides,
    left: IntArray,
    right: IntArray | None,
    alpha: float,
    seen: Seen | None = None,
) -> tuple[PairsOfBoard, FloatArray]:
    """Corrected means of systems, or of differences of pairs, with what more labels would make smaller.

    Systems with labels on the same items are computed together.

    seen: Called with what each group of means was computed from.
    """
    n = left.size
    labelled = sides.labelled
    names = ("difference", "error", "lower", "upper", "p_value")
    found = {name: np.full(n, np.nan) for name in names}
    counts, of_labels = np.zeros(n, dtype=np.int64), np.full(n, np.nan)
    known_kinds: dict[bytes, int] = {}
    kinds = np.array([known_kinds.setdefault(one.tobytes(), len(known_kinds)) for one in labelled.T])
    keys = kinds[left] * len(known_kinds) + (0 if right is None else kinds[right])
    deep = 1 if sides.ratings is None else sides.ratings.shape[2]
    step = max(1, MOST_CELLS // (labelled.shape[0] * deep))
    for key in np.unique(keys):
        group = np.flatnonzero(keys == key)
        first = group[0]
        both = labelled[:, left[first]] & (True if right is None else labelled[:, right[first]])
        labels = int(both.sum())
        counts[group] = labels
        known = labels if sides.documents is None else np.unique(sides.documents[both]).size
        if min(labels, known) < FEWEST_LABELS:
            continue
        judge_there = ~np.isnan(sides.judge[:, left[first]])
        if right is not None:
            judge_there &= ~np.isnan(sides.judge[:, right[first]])
        for start in range(0, group.size, step):
            some = group[start : start + step]
            y, f = sides.people[both][:, left[some]], sides.judge[judge_there][:, left[some]]
            if right is not None:
                y, f = y - sides.people[both][:, right[some]], f - sides.judge[judge_there][:, right[some]]
            codes = None if sides.documents is None else sides.documents[judge_there]
            if sides.strata is None:
                mean = corrected_means(y, f, both[judge_there], codes, with_influence=seen is not None)
                if seen is not None:
                    seen(some, np.flatnonzero(judge_there), y, f, both[judge_there], mean)
            else:
                sizes = np.bincount(sides.strata)
                if np.bincount(sides.strata[both], minlength=sizes.size).min() < FEWEST_LABELS:
                    continue
                mean = stratified_means(y, f, both[judge_there], sides.strata[judge_there], sizes)
            if sides.ratings is not None:
                chosen = left[some], None if right is None else right[some]
                mean = _with_raters(mean, sides.ratings[both], chosen)
            margin = special.stdtrit(mean.freedom, 1 - alpha / 2) * mean.error
            with np.errstate(divide="ignore", invalid="ignore"):
                t = np.abs(mean.estimate / mean.error)
            p = np.where(mean.error > 0, 2 * special.stdtr(mean.freedom, -t), np.nan)
            values = (mean.estimate, mean.error, mean.estimate - margin, mean.estimate + margin, p)
            for name, value in zip(names, values, strict=True):
                found[name][some] = value
            of_labels[some] = mean.of_labels
    never = np.zeros(n, dtype=bool)
    return (
        PairsOfBoard(**found, p_adjusted=found["p_value"], significant=never, n_items=counts),
        of_labels,
    )


def _with_raters(
    mean: CorrectedMeans, ratings: FloatArray, chosen: tuple[IntArray, IntArray | None]
) -> CorrectedMeans:
    """With what raters add to the squared errors, and Satterthwaite's degrees of freedom.

    ratings: Of the items that count.
    chosen: Systems, or the first and second ones of pairs.
    """
    of = ratings[:, chosen[0]] - (0.0 if chosen[1] is None else ratings[:, chosen[1]])
    of = np.swapaxes(of, 1, 2)
    raters = rater_variance(of, ~np.isnan(of[:, :, 0]))
    items = mean.error**2
    variance = items + raters.added
    parts = items**2 / mean.freedom + raters.untruncated**2 / max(raters.freedom, 1)
    freedom = np.ones_like(variance)
    np.divide(variance**2, parts, out=freedom, where=parts > 0)
    return replace(mean, error=np.sqrt(variance), freedom=np.maximum(freedom, 1.0))


def adjusted_pairs(pairs: PairsOfBoard, correction: str, alpha: float) -> PairsOfBoard:
    """The pairs with adjusted p-values, and which are found to differ."""
    adjusted = adjust_p_values(pairs.p_value, correction)
    return replace(pairs, p_adjusted=adjusted, significant=adjusted <= alpha)


def turned_back(pairs: PairsOfBoard) -> PairsOfBoard:
    """The pairs of scores that were turned round, in the scores' own direction."""
    return replace(pairs, difference=-pairs.difference, lower=-pairs.upper, upper=-pairs.lower)


def means_of(values: FloatArray) -> FloatArray:
    """Means of columns over what is there."""
    there = ~np.isnan(values)
    return np.asarray(np.where(there, values, 0).sum(axis=0) / there.sum(axis=0))


def more_labels(
    rank: IntArray, left: IntArray, right: IntArray, pairs: PairsOfBoard, of_labels: FloatArray, level: float
) -> int | None:
    """Labels with which the first two would be told apart, at today's difference and spread.

    level: Of one pair, after correction over all.
    """
    first, second = np.argsort(rank, kind="stable")[:2]
    row = int(np.flatnonzero((left == min(first, second)) & (right == max(first, second)))[0])
    n, gap, error = int(pairs.n_items[row]), abs(float(pairs.difference[row])), float(pairs.error[row])
    if pairs.significant[row] or not (gap > 0 and error > 0):
        return None
    rest = error**2 - float(of_labels[row]) ** 2 / n
    wanted = float(special.stdtrit(n - 1, 1 - level / 2) + special.ndtri(WITH_POWER))
    room = (gap / wanted) ** 2 - rest
    needed = math.ceil(float(of_labels[row]) ** 2 / room) if room > 0 else LABELS_AT_MOST
    return needed if n < needed < LABELS_AT_MOST else None


def narrower_by(
    pairs: PairsOfBoard, of_labels: FloatArray, n_items: int, alpha: float, more: int = MORE
) -> float:
    """What so many more labelled items leave of the width of the median pair's interval; NaN without room.

    of_labels: As `corrected_pairs` gives it.
    """
    n = pairs.n_items
    room = (n >= FEWEST_LABELS) & (n + more <= n_items) & (pairs.error > 0)
    if not room.any():
        return float("nan")
    own, error, count = of_labels[room] ** 2, pairs.error[room], n[room]
    later = np.sqrt(np.maximum(error**2 - own / count, 0) + own / (count + more))
    level = 1 - alpha / 2
    ratio = special.stdtrit(count + more - 1, level) * later / (special.stdtrit(count - 1, level) * error)
    return float(np.median(ratio))


def pairs_by_max_t(
    sides: Sides, left: IntArray, right: IntArray, alpha: float, resamples: int = RESAMPLES
) -> PairsOfBoard:
    """The pairs with p-values adjusted by signs of items, or of documents, that all pairs share."""
    pairs, signed = (
        _by_item(sides, left, right, alpha)
        if sides.documents is None
        else _by_document(sides, left, right, alpha)
    )
    statistic = np.full(left.size, np.nan)
    np.divide(np.abs(pairs.difference), pairs.error, out=statistic, where=~np.isnan(pairs.p_value))
    adjusted = max_t_p_values(statistic, pairs.p_value, signed, resamples)
    return replace(pairs, p_adjusted=adjusted, significant=adjusted <= alpha)


def _by_item(sides: Sides, left: IntArray, right: IntArray, alpha: float) -> tuple[PairsOfBoard, Signed]:
    """Items with a label come first, so that what is about these only has no other rows."""
    labelled = sides.labelled.any(axis=1)
    place = np.empty(labelled.size, dtype=np.int64)
    place[np.argsort(~labelled, kind="stable")] = np.arange(labelled.size)
    signed = RetunedSigns.empty(labelled.size, int(labelled.sum()), left.size)

    def seen(
        some: IntArray, rows: IntArray, y: FloatArray, f: FloatArray, of: BoolArray, mean: CorrectedMeans
    ) -> None:
        signed.fill(some, place[rows], y, f, of)

    return corrected_pairs(sides, left, right, alpha, seen)[0], signed


def _by_document(sides: Sides, left: IntArray, right: IntArray, alpha: float) -> tuple[PairsOfBoard, Signed]:
    """What the items of a document add together."""
    assert sides.documents is not None
    codes = sides.documents
    influence, counts = (np.zeros((int(codes.max()) + 1, left.size)) for _ in range(2))

    def seen(
        some: IntArray, rows: IntArray, y: FloatArray, f: FloatArray, of: BoolArray, mean: CorrectedMeans
    ) -> None:
        np.add.at(influence, np.ix_(codes[rows], some), mean.influence)
        np.add.at(counts, np.ix_(codes[rows[of]], some), 1.0)

    pairs, _ = corrected_pairs(sides, left, right, alpha, seen)
    return pairs, DocumentSigns(influence, counts > 0)
