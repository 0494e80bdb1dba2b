"""Root of the mean squared error."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.errors_of_items import OfNumbers, squared
from nlpstat_core.measures.record import Law, Measure


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """√(Σ(x − y)²/n)."""
    root: FloatArray = np.sqrt(np.maximum(own[0], 0.0) / gold[0])
    return root


METHOD = Measure(
    key="rmse",
    label="RMSE",
    kind="numbers",
    lower_is_better=True,
    bounds=(0.0, np.inf),
    summary="The root of the mean squared error.",
    formula=r"\sqrt{\frac1n \sum (x_i - y_i)^2}",
    encode=OfNumbers(squared, "RMSE"),
    law=Law(value=value),
    reference="scikit-learn's root_mean_squared_error",
)
