"""Means of the items' errors: absolute, squared, of probabilities."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import chances_of, numbers_of
from nlpstat_core.measures.record import Column, Encoded

Error = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class OfNumbers:
    """Errors of numbers.

    error: From gold (n_items,) and outputs (n_systems, n_items) to errors of the same shape.
    """

    error: Error
    label: str

    def __call__(self, gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
        """The error of every item."""
        y, x, there = numbers_of(gold, outputs, self.label)
        return Encoded(gold=np.ones((1, y.size)), outputs=np.where(there, self.error(y, x), 0.0))


@dataclass(frozen=True)
class OfChances:
    """Errors of probabilities; see `OfNumbers`."""

    error: Error
    label: str

    def __call__(self, gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
        """The error of every item."""
        y, x, there = chances_of(gold, outputs, options, self.label)
        return Encoded(gold=np.ones((1, y.size)), outputs=np.where(there, self.error(y, x), 0.0))


def squared(y: FloatArray, x: FloatArray) -> FloatArray:
    """(x − y)²."""
    result: FloatArray = (x - y) ** 2
    return result
