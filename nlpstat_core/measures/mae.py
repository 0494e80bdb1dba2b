"""Mean absolute error."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.errors_of_items import OfNumbers
from nlpstat_core.measures.record import MEAN_LAW, Measure


def absolute(y: FloatArray, x: FloatArray) -> FloatArray:
    """|x − y|."""
    result: FloatArray = np.abs(x - y)
    return result


METHOD = Measure(
    key="mae",
    label="MAE",
    kind="numbers",
    lower_is_better=True,
    bounds=(0.0, np.inf),
    is_mean=True,
    summary="The mean absolute error.",
    formula=r"\frac1n \sum |x_i - y_i|",
    encode=OfNumbers(absolute, "MAE"),
    law=MEAN_LAW,
    reference="scikit-learn's mean_absolute_error",
)
