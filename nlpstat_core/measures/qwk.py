"""Quadratic weighted kappa, of labels that are numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import numbers_of
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """x, x² and xy; gold's y, y² and 1."""
    y, x, there = numbers_of(gold, outputs, METHOD.label)
    table = np.stack([x, x**2, x * y], axis=1) * there[:, None]
    return Encoded(gold=np.stack([y, y**2, np.ones(y.size)]), outputs=table.reshape(-1, y.size))


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """1 − Σ(y − x)²/(Σy² + Σx² − 2·Σy·Σx/n); undefined where all are the same number."""
    squares = gold[1] + own[1]
    below = squares - 2 * gold[0] * own[0] / gold[2]
    found: FloatArray = 1 - (squares - 2 * own[2]) / np.where(below > 0, below, np.nan)
    return found


METHOD = Measure(
    key="qwk",
    label="quadratic weighted kappa",
    kind="labels",
    bounds=(-1.0, 1.0),
    summary="Agreement of ratings beyond chance, by squared distance of the numbers themselves.",
    formula=r"1 - \frac{\sum (y - x)^2}{\sum y^2 + \sum x^2 - 2 \sum y \sum x / n}",
    encode=encode,
    law=Law(value=value),
    reference='scikit-learn\'s cohen_kappa_score (weights="quadratic") on consecutive ratings',
)
