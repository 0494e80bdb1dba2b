"""Average precision."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.correlations import Scored
from nlpstat_core.measures.ordered import running_sums, tie_groups
from nlpstat_core.measures.record import Law, Measure


def value(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """Σ (recall gained at a threshold) × precision there; 0 without positive items.

    gold, own (float arrays, shape (n_items,)).
    weights (float array, shape (n_items, B)).
    """
    order, ends = tie_groups(-own)
    yes, found_yes = running_sums(weights[order] * gold[order, None], ends)
    _, above = running_sums(weights[order], ends)
    precision = found_yes / np.where(above > 0, above, 1.0)
    every = found_yes[-1]
    found: FloatArray = (yes * precision).sum(axis=0) / np.where(every > 0, every, 1.0)
    return found


METHOD = Measure(
    key="average-precision",
    label="average precision",
    kind="chances",
    bounds=(0.0, 1.0),
    summary="The mean precision over the thresholds at which positive items are found; 0 without any.",
    formula=r"\sum_k (R_k - R_{k-1}) P_k",
    options={"positive": None},
    encode=Scored("Average precision"),
    law=Law(value=value, of_sums=False),
    reference="scikit-learn's average_precision_score",
)
