"""Simultaneous intervals of a board's differences, where the settings name them."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray
from nlpstat_core.config import SIMULTANEOUS, AnalysisConfig
from nlpstat_core.methods.corrections.family import Comparisons
from nlpstat_core.methods.corrections.simultaneous import Simultaneous, simultaneous_intervals
from nlpstat_core.scores.matrix import ScoreMatrix

UNDEFINED = "simultaneous-undefined"


def simultaneous_method(units: ScoreMatrix, config: AnalysisConfig) -> Simultaneous:
    """Where the intervals come from: the resamples of max-T where it is the correction, else Bonferroni.

    units: Scores made of counts are micro-averaged, and measures are no means: max-T's resamples of units are
        not about these.
    """
    plain = units.counts is None and units.measured is None
    return "max-t" if config.correction == "max-t" and plain else "bonferroni"


def family_intervals(
    known: Comparisons, p_values: FloatArray, tests: CodeArray, *, family: int | None = None
) -> FloatArray | None:
    """Intervals that contain all differences of the family at once with the probability of their level.

    p_values: A pair without a p-value is not in the family and has no interval.
    family: Comparisons corrected together, where they go beyond these pairs.
    Returns float array, shape (n_pairs, 2), or None: None where the settings don't name them; NaN where
        undefined.
    """
    if SIMULTANEOUS not in known.config.intervals:
        return None
    inside = ~np.isnan(p_values)
    intervals = np.full((inside.shape[0], 2), np.nan)
    if inside.any():
        members = replace(known, left=known.left[inside], right=known.right[inside])
        method = simultaneous_method(known.units, known.config)
        intervals[inside] = simultaneous_intervals(members, method, tests=tests[inside], family=family)
    return intervals


def without_interval(intervals: FloatArray | None, p_values: FloatArray) -> BoolArray:
    """Pairs of the family that have no simultaneous interval although the settings name them.

    intervals (float array, shape (n_pairs, 2), or None): From `family_intervals`.
    """
    if intervals is None:
        return np.zeros(p_values.shape[0], dtype=bool)
    result: BoolArray = np.isnan(intervals).all(axis=1) & ~np.isnan(p_values)
    return result
