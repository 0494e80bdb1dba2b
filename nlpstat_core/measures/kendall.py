"""Kendall's tau-b with gold."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.correlations import Numbers
from nlpstat_core.measures.ordered import untied_pairs
from nlpstat_core.measures.record import Law, Measure

# Rows of the table of all pairs of items that are held at a time (32 MB of signs at 4,000 items).
_ROWS = 512


def value(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """(concordant − discordant)/√(pairs untied in gold × pairs untied in outputs), of weighted items.

    gold, own (float arrays, shape (n_items,)).
    weights (float array, shape (n_items, B)).

    Cost O(n²·B) in products of matrices.
    """
    concordant = np.zeros(weights.shape[1])
    for first in range(0, gold.size, _ROWS):
        part = slice(first, first + _ROWS)
        table = np.sign(gold[part, None] - gold) * np.sign(own[part, None] - own)
        concordant += (weights[part] * (table @ weights)).sum(axis=0)
    untied = untied_pairs(gold, weights) * untied_pairs(own, weights)
    tau: FloatArray = concordant / np.sqrt(np.where(untied > 0, untied, np.nan))
    return tau


METHOD = Measure(
    key="kendall",
    label="Kendall correlation",
    kind="numbers",
    bounds=(-1.0, 1.0),
    summary="Kendall's tau-b with gold; undefined where a side is constant. Mid-ranks are exchanged.",
    formula=r"\tau_b = \frac{C - D}{\sqrt{(n_0 - n_1)(n_0 - n_2)}}",
    encode=Numbers("The Kendall correlation"),
    law=Law(
        value=value,
        of_sums=False,
        exchanged="raw",
        exchange=Law(value=value, of_sums=False, exchanged="mid-ranks"),
    ),
    reference="SciPy's kendalltau",
)
