"""Expected calibration error of probabilities."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ConfigError
from nlpstat_core.measures.encoding import chances_of
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """x − y in the bin of x; a probability on an edge belongs to the bin above it, 1 to the last."""
    n_bins = options["bins"]
    if not isinstance(n_bins, int) or not 1 <= n_bins <= 1000:
        raise ConfigError(f"bins must be a whole number from 1 to 1,000, not {n_bins!r}.")
    y, x, there = chances_of(gold, outputs, options, "The calibration error")
    edges = np.linspace(0.0, 1.0, n_bins + 1)[1:-1]
    bins = np.searchsorted(edges, x, side="right")
    table = np.where((bins[:, None] == np.arange(n_bins)[:, None]) & there[:, None], (x - y)[:, None], 0.0)
    return Encoded(gold=np.ones((1, y.size)), outputs=table.reshape(-1, y.size))


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Σ over bins |Σ(x − y)|/n."""
    found: FloatArray = np.abs(own).sum(axis=0) / gold[0]
    return found


METHOD = Measure(
    key="calibration-error",
    label="calibration error",
    kind="chances",
    lower_is_better=True,
    bounds=(0.0, 1.0),
    summary="Expected calibration error: in bins of equal width, how far probabilities lie from how often it "
    "happened.",
    formula=r"\frac1n \sum_b \Bigl|\sum_{i \in b} (x_i - y_i)\Bigr|",
    options={"positive": None, "bins": 10},
    encode=encode,
    law=Law(value=value, smooth=False),
    reference="its definition, bin by bin",
)
