"""Errors of numbers and of probabilities, item by item: absolute, squared, by their logarithm, in bins."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ConfigError
from nlpstat_core.measures.encoding import chances_of, numbers_of
from nlpstat_core.measures.record import MEAN_LAW, Column, Encoded, Law, Measure

Error = Callable[[FloatArray, FloatArray], FloatArray]
_EPS = float(np.finfo(np.float64).eps)


def of_numbers(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, error: Error, label: str
) -> Encoded:
    """The error of every item, from gold (n_items,) and outputs (n_systems, n_items) that are numbers."""
    y, x, there = numbers_of(gold, outputs, label)
    return Encoded(gold=np.ones((1, y.size)), outputs=np.where(there, error(y, x), 0.0))


def of_chances(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, error: Error, label: str
) -> Encoded:
    """The error of every item where outputs are probabilities."""
    y, x, there = chances_of(gold, outputs, options, label)
    return Encoded(gold=np.ones((1, y.size)), outputs=np.where(there, error(y, x), 0.0))


def squared(y: FloatArray, x: FloatArray) -> FloatArray:
    """(x − y)²."""
    result: FloatArray = (x - y) ** 2
    return result


def root(gold: FloatArray, own: FloatArray) -> FloatArray:
    """√(Σ(x − y)²/n)."""
    root: FloatArray = np.sqrt(np.maximum(own[0], 0.0) / gold[0])
    return root


RMSE = Measure(
    key="rmse",
    label="RMSE",
    kind="numbers",
    lower_is_better=True,
    bounds=(0.0, np.inf),
    summary="The root of the mean squared error.",
    formula=r"\sqrt{\frac1n \sum (x_i - y_i)^2}",
    encode=partial(of_numbers, error=squared, label="RMSE"),
    law=Law(value=root),
    reference="scikit-learn's root_mean_squared_error",
)


def absolute(y: FloatArray, x: FloatArray) -> FloatArray:
    """|x − y|."""
    result: FloatArray = np.abs(x - y)
    return result


MAE = Measure(
    key="mae",
    label="MAE",
    kind="numbers",
    lower_is_better=True,
    bounds=(0.0, np.inf),
    is_mean=True,
    summary="The mean absolute error.",
    formula=r"\frac1n \sum |x_i - y_i|",
    encode=partial(of_numbers, error=absolute, label="MAE"),
    law=MEAN_LAW,
    reference="scikit-learn's mean_absolute_error",
)


def beside_spread(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """(x − y)²; gold's y, y² and 1, about its mean."""
    y, x, there = numbers_of(gold, outputs, R2.label)
    about = y - y.mean()
    parts = np.stack([about, about**2, np.ones(y.size)])
    return Encoded(gold=parts, outputs=np.where(there, (x - y) ** 2, 0.0))


def explained(gold: FloatArray, own: FloatArray) -> FloatArray:
    """1 − Σ(x − y)²/Σ(y − ȳ)²; undefined for constant gold."""
    whole = gold[1] - gold[0] ** 2 / gold[2]
    found: FloatArray = 1 - own[0] / np.where(whole > 1e-14 * gold[1], whole, np.nan)
    return found


R2 = Measure(
    key="r2",
    label="R²",
    kind="numbers",
    bounds=(-np.inf, 1.0),
    summary="The share of gold's variance that the outputs explain; undefined for constant gold.",
    formula=r"1 - \frac{\sum (x_i - y_i)^2}{\sum (y_i - \bar y)^2}",
    encode=beside_spread,
    law=Law(value=explained, linear=True),
    reference="scikit-learn's r2_score",
)


BRIER = Measure(
    key="brier",
    label="Brier score",
    kind="chances",
    lower_is_better=True,
    bounds=(0.0, 1.0),
    is_mean=True,
    summary="The mean squared error of probabilities.",
    formula=r"\frac1n \sum (x_i - y_i)^2",
    options={"positive": None},
    encode=partial(of_chances, error=squared, label="The Brier score"),
    law=MEAN_LAW,
    reference="scikit-learn's brier_score_loss",
)


def surprise(y: FloatArray, x: FloatArray) -> FloatArray:
    """−log of the probability of what happened, which is kept 2.2e-16 away from 0."""
    inside = np.clip(x, _EPS, 1 - _EPS)
    result: FloatArray = -np.where(y == 1, np.log(inside), np.log1p(-inside))
    return result


LOG_LOSS = Measure(
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
    encode=partial(of_chances, error=surprise, label="Log loss"),
    law=MEAN_LAW,
    reference="scikit-learn's log_loss",
)


def in_bins(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """x − y in the bin of x; a probability on an edge belongs to the bin above it, 1 to the last."""
    n_bins = options["bins"]
    if not isinstance(n_bins, int) or not 1 <= n_bins <= 1000:
        raise ConfigError(f"bins must be a whole number from 1 to 1,000, not {n_bins!r}.")
    y, x, there = chances_of(gold, outputs, options, "The calibration error")
    edges = np.linspace(0.0, 1.0, n_bins + 1)[1:-1]
    bins = np.searchsorted(edges, x, side="right")
    table = np.where((bins[:, None] == np.arange(n_bins)[:, None]) & there[:, None], (x - y)[:, None], 0.0)
    return Encoded(gold=np.ones((1, y.size)), outputs=table.reshape(-1, y.size))


def off_in_bins(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Σ over bins |Σ(x − y)|/n."""
    found: FloatArray = np.abs(own).sum(axis=0) / gold[0]
    return found


CALIBRATION_ERROR = Measure(
    key="calibration-error",
    label="calibration error",
    kind="chances",
    lower_is_better=True,
    bounds=(0.0, 1.0),
    summary="Expected calibration error: in bins of equal width, how far probabilities lie from how often it "
    "happened.",
    formula=r"\frac1n \sum_b \Bigl|\sum_{i \in b} (x_i - y_i)\Bigr|",
    options={"positive": None, "bins": 10},
    encode=in_bins,
    law=Law(value=off_in_bins, smooth=False),
    reference="its definition, bin by bin",
)
