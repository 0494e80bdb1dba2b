"""R²: the share of gold's variance that the outputs explain."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import numbers_of
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """(x − y)²; gold's y, y² and 1, about its mean."""
    y, x, there = numbers_of(gold, outputs, METHOD.label)
    about = y - y.mean()
    parts = np.stack([about, about**2, np.ones(y.size)])
    return Encoded(gold=parts, outputs=np.where(there, (x - y) ** 2, 0.0))


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """1 − Σ(x − y)²/Σ(y − ȳ)²; undefined for constant gold."""
    whole = gold[1] - gold[0] ** 2 / gold[2]
    found: FloatArray = 1 - own[0] / np.where(whole > 1e-14 * gold[1], whole, np.nan)
    return found


METHOD = Measure(
    key="r2",
    label="R²",
    kind="numbers",
    bounds=(-np.inf, 1.0),
    summary="The share of gold's variance that the outputs explain; undefined for constant gold.",
    formula=r"1 - \frac{\sum (x_i - y_i)^2}{\sum (y_i - \bar y)^2}",
    encode=encode,
    law=Law(value=value, linear=True),
    reference="scikit-learn's r2_score",
)
