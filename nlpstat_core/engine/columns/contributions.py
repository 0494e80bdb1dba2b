"""What each unit adds to a system's score: one linear form for means of scores and ratios of counts."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.scores.counts import Counts


@dataclass(frozen=True, eq=False, kw_only=True)
class Contributions:
    """Scores of systems and how far each unit pulls them; systems are rows here.

    score (float array, shape (n_systems,)): Mean of the units' scores, or the micro-averaged score of counts;
        NaN without any unit.
    n_units (int array, shape (n_systems,)): Units that the system has.
    parts (float array, shape (n_systems, n_units)): What each unit adds to the score's deviation, metric
        points; a row sums to 0. 0 where the system lacks the unit.
    magnitude (float array, shape (n_systems,)): Size of what was added up: deviations below 1e-13 of it are
        rounding.
    """

    score: FloatArray
    n_units: IntArray
    parts: FloatArray
    magnitude: FloatArray


def contributions(values: FloatArray, counts: Counts | None = None) -> Contributions:
    """Scores of systems with the contributions of their units.

    values (float array, shape (n_units, n_systems)): Scores, metric points; NaN where missing.
    counts: Counts behind the scores; the score is then micro-averaged.

    Every score is a ratio of sums R = Σh/Σw: h a score and w = 1, or h the hits and w = hits + κ·misses. To
    first order a unit adds (h − R·w)/Σw, for a mean (x − x̄)/n exactly, so that R has the standard error
    √(n/(n − 1)·Σ parts²), or by blocks √(G/(G − 1)·Σ_g (Σ_{i in g} parts)²). A system whose Σw is 0 has score
    0 and parts 0. Cost O(n·S).

    Source: Cochran (1977), Sampling Techniques, chapter 6.
    """
    rows = np.ascontiguousarray(values.T)
    there = ~np.isnan(rows)
    upper = np.where(there, rows if counts is None else counts.hits.T, 0.0)
    lower = there.astype(float) if counts is None else np.where(there, counts.weights.T, 0.0)
    whole = lower.sum(axis=1)
    divisor = np.where(whole > 0, whole, 1.0)
    n_units = np.count_nonzero(there, axis=1)
    score = np.where(n_units > 0, upper.sum(axis=1) / divisor, np.nan)
    fitted = np.where(n_units > 0, score, 0.0)[:, None] * lower
    magnitude = np.maximum(np.abs(upper), np.abs(fitted)).sum(axis=1) / divisor
    return Contributions(
        score=score, n_units=n_units, parts=(upper - fitted) / divisor[:, None], magnitude=magnitude
    )


def standard_errors(parts: FloatArray, n: IntArray | int) -> FloatArray:
    """Standard errors of sums of independent contributions that sum to 0.

    parts (float array, shape (k, n_units or n_blocks)): Contributions of units, or of blocks when the errors
        are to be cluster-robust.
    n (int, or int array of shape (k,)): How many contributions are not absent.
    Returns float array, shape (k,); NaN below two.

    √(n/(n − 1)·Σ parts²): for a mean over units exactly s/√n, by blocks the sandwich estimate
    G/(G − 1)·Σ e_g²/N².

    Source: Liang and Zeger (1986), doi:10.1093/biomet/73.1.13.
    """
    n = np.broadcast_to(n, parts.shape[:1])
    factor = np.where(n > 1, n / np.maximum(n - 1, 1), np.nan)
    errors: FloatArray = np.sqrt(factor * (parts * parts).sum(axis=1))
    return errors
