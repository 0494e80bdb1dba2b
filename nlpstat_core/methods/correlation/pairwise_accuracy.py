"""Pairwise accuracy: the share of pairs of systems that a metric orders as people do."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.correlation.columns import order_of
from nlpstat_core.records import Procedure


def pairwise_accuracy(x: FloatArray, y: FloatArray) -> FloatArray:
    """Share of pairs of systems whose scores two columns order alike.

    Parameters
    ----------
    x : float array, shape (n_systems, k)
        Higher is better; NaN where missing.
    y : float array, shape (n_systems,) or (n_systems, k)

    Returns
    -------
    float array, shape (k,)
        A tie on both sides agrees, a tie on one side doesn't; NaN without a pair.

    Examples
    --------
    >>> import numpy as np
    >>> pairwise_accuracy(np.array([[1.0], [3.0], [2.0]]), np.array([1.0, 2.0, 3.0])).round(3).tolist()
    [0.667]

    Notes
    -----
    Cost O(S²) a metric, S the number of systems.
    """
    wide = np.broadcast_to(y[:, None] if y.ndim == 1 else y, x.shape)
    return accuracy_of_orders(order_of(x.T), order_of(wide.T))


def accuracy_of_orders(x: FloatArray, y: FloatArray) -> FloatArray:
    """Share of equal signs along the last axis, over the pairs both sides have."""
    known = ~(np.isnan(x) | np.isnan(y))
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = np.sum((x == y) & known, axis=-1) / np.sum(known, axis=-1)
    return found


METHOD = Procedure(
    key="pairwise-accuracy",
    label="Pairwise accuracy",
    summary="The share of pairs of systems that the metric orders as people do.",
    run=pairwise_accuracy,
    formula=r"\frac{1}{\binom{S}{2}} \sum_{a<b} "
    r"[\operatorname{sign}(m_a - m_b) = \operatorname{sign}(h_a - h_b)]",
    references=("kocmi2021",),
)
