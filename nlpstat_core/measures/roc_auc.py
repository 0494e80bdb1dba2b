"""Area under the ROC curve."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.correlations import Scored
from nlpstat_core.measures.ordered import running_sums, tie_groups
from nlpstat_core.measures.record import Law, Measure


def value(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """Chance that a positive item scores above a negative one, ties half; undefined without both.

    gold, own (float arrays, shape (n_items,)).
    weights (float array, shape (n_items, B)).
    """
    order, ends = tie_groups(own)
    right, ordered = gold[order, None], weights[order]
    yes, _ = running_sums(ordered * right, ends)
    no, up_to = running_sums(ordered * (1 - right), ends)
    pairs = yes.sum(axis=0) * up_to[-1]
    area: FloatArray = (yes * (up_to - no / 2)).sum(axis=0) / np.where(pairs > 0, pairs, np.nan)
    return area


METHOD = Measure(
    key="roc-auc",
    label="area under ROC",
    kind="chances",
    bounds=(0.0, 1.0),
    summary="The chance that a positive item scores above a negative one; undefined without both. Mid-ranks "
    "are exchanged.",
    formula=r"\frac{1}{n_+ n_-} \sum_{i+,\,j-} \bigl([x_i > x_j] + \tfrac12 [x_i = x_j]\bigr)",
    options={"positive": None},
    encode=Scored("The area under ROC"),
    law=Law(value=value, of_sums=False, exchange=Law(value=value, of_sums=False, exchanged="mid-ranks")),
    reference="scikit-learn's roc_auc_score",
)
