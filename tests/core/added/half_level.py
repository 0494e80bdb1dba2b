"""Benjamini and Hochberg's correction at half the level."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.corrections.family import Level, on_p_values
from nlpstat_core.records import Correction


def doubled(p_values: FloatArray) -> FloatArray:
    """Benjamini and Hochberg's adjusted p-values with twice the family."""
    m = p_values.shape[0]
    order = np.argsort(p_values)[::-1]
    steps = np.minimum.accumulate(2 * m / np.arange(m, 0, -1) * p_values[order])
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


METHOD = Correction(
    key="half-level",
    label="Half-level",
    summary="Benjamini and Hochberg's steps at half the level.",
    run=on_p_values(doubled),
    error_rate="false discovery rate under positive dependence, at half the level",
    controls="false-discovery",
    assumptions=("positive dependence between the tests is assumed",),
    positive_dependence=True,
    hardest_step=True,
    level_of_one=Level(lambda alpha, m: alpha / (2 * m), lambda level, m: 2 * m * level),
    formula=r"\tilde p_{(i)} = \min_{j \ge i} \min(1, \tfrac{2m}{j} p_{(j)})",
    references=("benjamini1995",),
)
