"""What correlations with gold share: numbers as they are, and sums of z-scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import chances_of, numbers_of
from nlpstat_core.measures.record import Column, Encoded


@dataclass(frozen=True)
class Numbers:
    """Gold and outputs as they are."""

    label: str

    def __call__(self, gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
        """Gold (1, n_items) and outputs (n_systems, n_items)."""
        y, x, _ = numbers_of(gold, outputs, self.label)
        return Encoded(gold=y[None], outputs=x)


@dataclass(frozen=True)
class Scored:
    """Gold of 0 and 1, and outputs on any scale."""

    label: str

    def __call__(self, gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
        """Gold (1, n_items) and outputs (n_systems, n_items)."""
        y, x, _ = chances_of(gold, outputs, options, self.label, within=False)
        return Encoded(gold=y[None], outputs=x)


def z_scores(values: FloatArray) -> FloatArray:
    """Values (n,) about their mean over their standard deviation; 0 where all are the same."""
    if values.size == 0 or values.max() == values.min():
        return np.zeros(values.shape)
    about = values / np.abs(values).max() if np.abs(values).max() > 1e100 else values
    about = about - about.mean()
    scores: FloatArray = about / np.sqrt((about**2).mean())
    return scores


def standardised(gold: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(y, y², 1) and (x, x², xy) of z-scores: a correlation doesn't depend on scales, a swap would."""
    y, x = z_scores(gold[0]), z_scores(own[0])
    return np.stack([y, y**2, np.ones(y.size)]), np.stack([x, x**2, x * y])


def correlation(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Pearson's r from sums; undefined where a side is constant."""
    n = gold[2]
    spread_y, spread_x = gold[1] - gold[0] ** 2 / n, own[1] - own[0] ** 2 / n
    defined = (spread_y > 1e-13 * gold[1]) & (spread_x > 1e-13 * own[1])
    product = np.where(defined, spread_y * spread_x, np.nan)
    found: FloatArray = np.clip((own[2] - gold[0] * own[0] / n) / np.sqrt(product), -1.0, 1.0)
    return found
