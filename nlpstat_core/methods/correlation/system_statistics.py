"""Agreement of scores by system, for many sets of scores at once."""

from collections.abc import Mapping

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.correlation.columns import (
    centred_correlation,
    kendall_of_orders,
    order_of,
    pairs_of,
    rank_sums,
)
from nlpstat_core.methods.correlation.pairwise_accuracy import accuracy_of_orders

SYSTEM_STATISTICS = ("system-accuracy", "system-pearson", "system-spearman", "system-kendall")


def system_statistics(metric: FloatArray, human: FloatArray) -> Mapping[str, FloatArray]:
    """Pairwise accuracy, Pearson, Spearman and Kendall τ-b along the last axis.

    metric, human (float arrays, broadcastable, shape (..., n_systems)): Higher is better; NaN where missing.
    Returns mapping of str to float array, shape (...): NaN where undefined.
    """
    metric, human = np.broadcast_arrays(metric, human)
    missing = np.isnan(metric) | np.isnan(human)
    if missing.any():
        metric, human = np.where(missing, np.nan, metric), np.where(missing, np.nan, human)
    n = metric.shape[-1]
    x, y = order_of(metric), order_of(human)
    ranked = [np.where(missing, np.nan, rank_sums(order, n)) for order in (x, y)]
    return {
        "system-accuracy": accuracy_of_orders(x, y),
        "system-pearson": centred_correlation(metric, human, axis=-1),
        "system-spearman": centred_correlation(ranked[0], ranked[1], axis=-1),
        "system-kendall": kendall_of_orders(x, y),
    }


def complete_statistics(metric: FloatArray, human: FloatArray) -> dict[str, FloatArray]:
    """`system_statistics` of many sets of scores without missing ones, held against one, by products.

    metric (float array, shape (..., n_systems)): On a scale where 1e-12 is rounding, such as that of
        standardised scores.
    Returns mapping of str to float array, shape (...): NaN where undefined.
    """
    n = human.size
    left, right = pairs_of(n)
    design = np.zeros((n, left.size))
    design[left, np.arange(left.size)] = 1.0
    design[right, np.arange(left.size)] = -1.0
    people = order_of(human)
    apart = metric @ design
    order = ((apart > 1e-12).astype(np.int8) - (apart < -1e-12)).astype(np.float32)
    decided = order * order
    products = (order @ people.astype(np.float32)).astype(np.float64)
    both = (decided @ np.abs(people).astype(np.float32)).astype(np.float64)
    of_metric = decided.sum(axis=-1).astype(np.float64)
    of_people = float(np.abs(people).sum())
    tied_both = left.size - of_metric - of_people + both
    ranked = (order @ design.T.astype(np.float32)).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "system-accuracy": ((both + products) / 2 + tied_both) / left.size,
            "system-pearson": _against_one(metric, human),
            "system-spearman": _against_one(ranked, rank_sums(people, n)),
            "system-kendall": products / np.sqrt(of_metric * of_people),
        }


def _against_one(x: FloatArray, y: FloatArray) -> FloatArray:
    """Pearson's r along the last axis with one set of scores."""
    deviations, wanted = x - x.mean(axis=-1, keepdims=True), y - y.mean()
    squares = np.einsum("...i,...i->...", deviations, deviations)
    rounding = 1e-24 * x.shape[-1]
    constant = (squares <= rounding) | (float(wanted @ wanted) <= rounding)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = deviations @ wanted / np.sqrt(squares * float(wanted @ wanted))
    found: FloatArray = np.where(constant, np.nan, r)
    return found
