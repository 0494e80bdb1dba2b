"""Log loss of probabilities."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.errors_of_items import OfChances
from nlpstat_core.measures.record import MEAN_LAW, Measure

_EPS = float(np.finfo(np.float64).eps)


def surprise(y: FloatArray, x: FloatArray) -> FloatArray:
    """−log of the probability of what happened, which is kept 2.2e-16 away from 0."""
    inside = np.clip(x, _EPS, 1 - _EPS)
    result: FloatArray = -np.where(y == 1, np.log(inside), np.log1p(-inside))
    return result


METHOD = Measure(
    key="log-loss",
    label="log loss",
    kind="chances",
    lower_is_better=True,
    bounds=(0.0, np.inf),
    is_mean=True,
    summary="The mean of −log of the probability given to what happened; 0 and 1 are moved inwards by "
    "2.2e-16.",
    formula=r"-\frac1n \sum \log x_i^{y_i} (1 - x_i)^{1 - y_i}",
    options={"positive": None},
    encode=OfChances(surprise, "Log loss"),
    law=MEAN_LAW,
    reference="scikit-learn's log_loss",
)
