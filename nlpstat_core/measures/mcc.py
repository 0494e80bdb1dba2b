"""Matthews correlation coefficient, of any number of labels."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.agreement import encode
from nlpstat_core.measures.record import Law, Measure


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """(n·right − Σ p g)/√((n² − Σp²)(n² − Σg²)), 0 where a side has one label only."""
    n, predicted = gold.sum(axis=0), own[1:]
    upper = n * own[0] - (predicted * gold).sum(axis=0)
    spread = (n**2 - (predicted**2).sum(axis=0)) * (n**2 - (gold**2).sum(axis=0))
    there = spread > 0
    found: FloatArray = np.where(there, upper / np.sqrt(np.where(there, spread, 1.0)), 0.0)
    return found


METHOD = Measure(
    key="mcc",
    label="MCC",
    kind="labels",
    bounds=(-1.0, 1.0),
    summary="Matthews correlation coefficient: the correlation of labels with gold's, 0 where a side has one "
    "label only.",
    formula=r"\frac{n\,tp - \sum_c p_c g_c}{\sqrt{(n^2 - \sum_c p_c^2)(n^2 - \sum_c g_c^2)}}",
    encode=encode,
    law=Law(value=value),
    reference="scikit-learn's matthews_corrcoef",
)
