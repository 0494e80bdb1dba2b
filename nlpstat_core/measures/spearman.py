"""Spearman's rank correlation with gold.

Its swap test exchanges mid-ranks that were made once of each system's own outputs: Δ(s) is a difference of
Pearson's correlations of gold's mid-ranks with the exchanged ones, which are not ranked again.
"""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.correlations import Numbers, correlation, standardised
from nlpstat_core.measures.ordered import weighted_ranks
from nlpstat_core.measures.record import Law, Measure


def value(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's correlation of mid-ranks of weighted items; ranks are made anew for all weights.

    gold, own (float arrays, shape (n_items,)).
    weights (float array, shape (n_items, B)).
    """
    y, x = weighted_ranks(gold, weights), weighted_ranks(own, weights)
    n = weights.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        y, x = ((ranks - (weights * ranks).sum(axis=0) / n) / n for ranks in (y, x))
        sums_y = np.stack([(weights * part).sum(axis=0) for part in (y, y**2)])
        sums_x = np.stack([(weights * part).sum(axis=0) for part in (x, x**2, x * y)])
        return correlation(np.concatenate([sums_y, n[None]]), sums_x)


METHOD = Measure(
    key="spearman",
    label="Spearman correlation",
    kind="numbers",
    bounds=(-1.0, 1.0),
    summary="Pearson's correlation of mid-ranks with gold's; undefined where a side is constant. Mid-ranks "
    "are exchanged, and not ranked again.",
    formula=r"r\bigl(\operatorname{rank} x, \operatorname{rank} y\bigr)",
    encode=Numbers("The Spearman correlation"),
    law=Law(
        value=value,
        of_sums=False,
        exchange=Law(value=correlation, expand=standardised, exchanged="mid-ranks"),
    ),
    reference="SciPy's spearmanr",
)
