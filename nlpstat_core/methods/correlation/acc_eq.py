"""Pairwise accuracy of segments with ties (acc*eq), and the tie threshold that serves a metric best."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.correlation.columns import order_of, pairs_of
from nlpstat_core.records import Procedure


@dataclass(frozen=True, eq=False, kw_only=True)
class TieCalibrated:
    """acc*eq of one metric.

    accuracy: At the best threshold; NaN without a pair.
    threshold: Scores no further apart than this tie, metric points.
    by_item (float array, shape (n_units,)): Accuracy within each item at that threshold; NaN for items with
        fewer than two systems.
    """

    accuracy: float
    threshold: float
    by_item: FloatArray


def acc_eq(metric: FloatArray, human: FloatArray) -> TieCalibrated:
    """Share of pairs of systems within an item that metric and people order, or tie, alike.

    Parameters
    ----------
    metric, human : float arrays, shape (n_units, n_systems)
        NaN where missing, in the same cells.

    Returns
    -------
    TieCalibrated

    Notes
    -----
    Of all thresholds (0 and every difference of two scores of an item) the one with the largest accuracy,
    averaged over items; the smallest of equal ones. Every metric gets its own. Cost O(P log P) for P pairs
    within items.

    Examples
    --------
    >>> import numpy as np
    >>> found = acc_eq(np.array([[0.50, 0.51, 0.9]]), np.array([[1.0, 1.0, 2.0]]))
    >>> found.accuracy, round(found.threshold, 2)
    (1.0, 0.01)
    """
    left, right = pairs_of(metric.shape[1])
    difference = metric[:, left] - metric[:, right]
    people = order_of(human)
    known = ~np.isnan(difference + people)
    pairs = known.sum(axis=1)
    items = int(np.count_nonzero(pairs))
    if items == 0:
        return TieCalibrated(accuracy=np.nan, threshold=np.nan, by_item=np.full(metric.shape[0], np.nan))
    weight = np.broadcast_to((1.0 / np.maximum(pairs, 1))[:, None], known.shape)[known] / items
    apart, wanted = np.abs(difference[known]), people[known]
    tied = wanted == 0
    right_way = (order_of(metric)[known] == wanted) & ~tied
    order = np.argsort(apart, kind="stable")
    edges = apart[order]
    gained = np.cumsum((weight * (tied.astype(float) - right_way))[order])
    # Differences that are equal but for rounding are one threshold: the last of them.
    last = np.append(np.diff(edges) > 1e-12 * np.max(np.abs(np.nan_to_num(metric)), initial=0.0), True)
    thresholds = np.concatenate([[0.0], edges[last]])
    values = np.concatenate([[0.0], gained[last]])
    if edges[last][0] <= 1e-12 * np.max(np.abs(np.nan_to_num(metric)), initial=0.0):
        thresholds, values = thresholds[1:], values[1:]
    best = int(np.argmax(values >= values.max() - 1e-12))
    threshold = float(thresholds[best])
    called = np.where(np.abs(difference) <= threshold, 0.0, order_of(metric))
    with np.errstate(divide="ignore", invalid="ignore"):
        by_item = np.sum((called == people) & known, axis=1) / pairs
    return TieCalibrated(accuracy=float(np.nanmean(by_item)), threshold=threshold, by_item=by_item)


METHOD = Procedure(
    key="acc-eq",
    label="Pairwise accuracy with tie calibration (acc*eq)",
    summary="The share of pairs of systems within an item that the metric orders, or ties, as people do.",
    run=acc_eq,
    assumptions=("the tie threshold of each metric is the one that serves it best on these data",),
    formula=r"\frac{C + T_{hm}}{C + D + T_h + T_m + T_{hm}}",
    references=("deutsch2023",),
)
