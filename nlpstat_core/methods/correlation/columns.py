"""What correlations share: columns held against one, signs of pairs, exchanges, the record of a test."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.monte_carlo import monte_carlo_p
from nlpstat_core.engine.resampling.step_down import StepDown


@dataclass(frozen=True, eq=False)
class Exchanged:
    """Differences of one statistic between the metrics of every pair.

    observed (float array, shape (n_pairs,)): Absolute; NaN where undefined.
    drawn (float array, shape (n_pairs, resamples)): Absolute, after the same exchanges for all pairs;
        infinite where undefined.
    tie: Differences so far below the observed one tie with it.
    """

    observed: FloatArray
    drawn: FloatArray
    tie: float

    def p_values(self) -> FloatArray:
        """Two-sided p of every pair, (C + 1)/(B + 1); NaN where undefined."""
        extreme = np.count_nonzero(self.drawn >= (self.observed - self.tie)[:, None], axis=1)
        return np.where(np.isnan(self.observed), np.nan, monte_carlo_p(extreme, self.drawn.shape[1]))

    def adjusted(self) -> FloatArray:
        """p of every pair adjusted over all by Westfall and Young's step-down maximum; NaN where undefined.

        Differences are divided by their root mean square over the exchanges, so that pairs of similar and of
        unlike metrics are on one scale. The smallest value is 1/(B + 1) for any number of pairs.
        """
        resamples = self.drawn.shape[1]
        finite = np.where(np.isfinite(self.drawn), self.drawn, 0.0)
        scale = np.sqrt(np.mean(finite**2, axis=1))
        known = ~np.isnan(self.observed)
        divisor = np.where(scale > 0, scale, 1.0)
        observed = np.where(known, self.observed, 0.0) / divisor
        walk = StepDown(observed, self.tie / divisor, resamples, known)
        for place, pair in enumerate(walk.order):
            one = (self.drawn[pair] / divisor[pair])[None]
            walk.add(slice(place, place + 1), slice(0, resamples), one)
        return np.where(known, monte_carlo_p(walk.counts(), resamples), np.nan)


def joined(parts: list[tuple[IntArray, Exchanged]], n_pairs: int, resamples: int) -> Exchanged:
    """The pairs of several groups as one family; pairs of no group are undefined."""
    observed, drawn = np.full(n_pairs, np.nan), np.full((n_pairs, resamples), np.inf, dtype=np.float64)
    for pairs, part in parts:
        observed[pairs], drawn[pairs] = part.observed, part.drawn
    return Exchanged(observed, drawn, max((part.tie for _, part in parts), default=0.0))


FEWEST = 3  # with two points every correlation is −1, 0 or +1


def columns(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Columns and the one they are held against, NaN wherever either is missing."""
    wide = np.broadcast_to(y[:, None] if y.ndim == 1 else y, x.shape)
    missing = np.isnan(x) | np.isnan(wide)
    return np.where(missing, np.nan, x), np.where(missing, np.nan, wide)


def centred_correlation(x: FloatArray, y: FloatArray, axis: int = 0) -> FloatArray:
    """Pearson's correlation along an axis of arrays that are missing the same entries.

    x, y (float arrays of equal shape): NaN where missing.
    Returns: NaN where one side is constant (its spread is nothing but rounding) or nothing is there.
    """
    there = ~np.isnan(x)
    n = np.maximum(there.sum(axis=axis, keepdims=True), 1)
    parts = []
    constant = np.zeros(np.sum(there, axis=axis).shape, dtype=bool)
    for side in (x, y):
        filled = np.where(there, side, 0.0)
        deviations = np.where(there, filled - filled.sum(axis=axis, keepdims=True) / n, 0.0)
        squares = np.sum(deviations**2, axis=axis)
        scale = np.max(np.abs(filled), axis=axis, initial=0.0)
        constant |= squares <= (1e-13 * scale) ** 2 * n.squeeze(axis)
        parts.append((deviations, squares))
    (a, a2), (b, b2) = parts
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.sum(a * b, axis=axis) / (np.sqrt(a2) * np.sqrt(b2))
    found: FloatArray = np.where(constant, np.nan, np.clip(r, -1.0, 1.0))
    return found


@dataclass(frozen=True, kw_only=True)
class CorrelationTest:
    """A test of one correlation, or of two.

    test: Key of the procedure.
    estimate: The correlation, or the difference of the two.
    p_value: NaN where the test is undefined.
    lower, upper: Interval of the estimate; NaN where the procedure has none.
    n: Units, or systems, that entered.
    exact: Whether p counts all arrangements.
    """

    test: str
    estimate: float
    statistic: float
    p_value: float
    lower: float
    upper: float
    n: int
    exact: bool = False


def pairs_of(n: int) -> tuple[IntArray, IntArray]:
    """Positions of both sides of every pair of n systems, in the order of itertools.combinations."""
    left, right = np.triu_indices(n, 1)
    return left.astype(np.int64), right.astype(np.int64)


def order_of(scores: FloatArray) -> FloatArray:
    """Sign of every pair's difference.

    scores (float array, shape (..., n_systems)): NaN where missing.
    Returns float array, shape (..., n_pairs): −1, 0 or +1; NaN where one of the two is missing. Differences
        within 1e-12 of the larger score are ties: they are the rounding of sums.
    """
    left, right = pairs_of(scores.shape[-1])
    a, b = scores[..., left], scores[..., right]
    difference = a - b
    dust = np.abs(difference) <= 1e-12 * np.maximum(np.abs(a), np.abs(b))
    found: FloatArray = np.where(dust, 0.0, np.sign(difference))
    return found


def kendall_of_orders(x: FloatArray, y: FloatArray) -> FloatArray:
    """τ-b along the last axis from the signs of pairs.

    x, y (float arrays, broadcastable, shape (..., n_pairs)): NaN where a pair is missing on that side.
    Returns float array, shape (...): NaN where every pair ties on one side.
    """
    known = ~(np.isnan(x) | np.isnan(y))
    a, b = np.where(known, x, 0.0), np.where(known, y, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = np.sum(a * b, axis=-1) / np.sqrt(np.sum(a * a, axis=-1) * np.sum(b * b, axis=-1))
    return found


def rank_sums(order: FloatArray, n: int) -> FloatArray:
    """Twice the centred average ranks of systems, from the signs of their pairs.

    order (float array, shape (..., n_pairs)): From `order_of`; NaN counts as no pair.
    """
    left, right = pairs_of(n)
    design = np.zeros((left.size, n))
    design[np.arange(left.size), left] = 1.0
    design[np.arange(left.size), right] = -1.0
    found: FloatArray = np.nan_to_num(order) @ design
    return found
