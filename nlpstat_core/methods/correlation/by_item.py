"""Correlations of systems within each item, to be averaged over items."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.correlation.columns import (
    centred_correlation,
    kendall_of_orders,
    order_of,
    rank_sums,
)
from nlpstat_core.records import Procedure


def pearson_by_item(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Pearson's r over the systems of every item.

    metric, human (float arrays, shape (n_units, n_systems)): NaN where missing, in the same cells.
    Returns float array, shape (n_units,): NaN where either is constant within the item.
    """
    return centred_correlation(metric, human, axis=1)


def spearman_by_item(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Spearman's ρ over the systems of every item; as `pearson_by_item`."""
    n = metric.shape[1]
    x, y = (np.where(np.isnan(side), np.nan, rank_sums(order_of(side), n)) for side in (metric, human))
    return centred_correlation(x, y, axis=1)


def kendall_by_item(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Kendall's τ-b over the systems of every item; as `pearson_by_item`.

    Parameters
    ----------
    metric, human : float arrays, shape (n_units, n_systems)
        NaN where missing, in the same cells.

    Returns
    -------
    float array, shape (n_units,)
        NaN where either is constant within the item.

    Notes
    -----
    Cost O(n·S²) a metric at most, S the number of systems.
    """
    return kendall_of_orders(order_of(metric), order_of(human))


METHOD = Procedure(
    key="by-item",
    label="Correlation grouped by item",
    summary="The correlation over the systems of one item, averaged over the items where it is defined.",
    run=kendall_by_item,
    assumptions=("items whose systems all tie, for people or for the metric, are left out",),
    formula=r"\frac{1}{|I|} \sum_{i \in I} \tau_b(m_{i\cdot}, h_{i\cdot})",
    references=("deutsch2023",),
)
