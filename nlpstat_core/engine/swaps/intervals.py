"""Interval of a difference in a measure: the delete-one jackknife, by items or by whole documents."""

import math

from scipy import special

from nlpstat_core.arrays import IntArray
from nlpstat_core.engine.swaps.values import pseudo_values, values_of
from nlpstat_core.scores.measured import Measured


def jackknife_interval(measured: Measured, groups: IntArray, level: float) -> tuple[float, float, float]:
    """Δ of the first two systems, with Δ ± t(G − 1)·√((G − 1)/G·Σ(Δ₋g − Δ̄)²).

    groups (int array, shape (n_items,)): Number of what is left out: each item, or its whole document, from
        gold and both outputs.
    Returns difference, low, high: Ends are NaN with a single group, or where the measure is undefined without
        one.

    The root is the standard error of a mean of the differences of pseudo-values.

    Source: Efron and Tibshirani (1993), chapter 11.
    """
    value, pseudo = pseudo_values(values_of(measured), groups)
    difference = float(value[0] - value[1])
    apart = pseudo[0] - pseudo[1]
    n_groups = apart.size
    if n_groups < 2:
        return difference, math.nan, math.nan
    error = float(apart.std(ddof=1)) / math.sqrt(n_groups)
    margin = float(special.stdtrit(n_groups - 1, (1 + level) / 2)) * error
    return difference, difference - margin, difference + margin
