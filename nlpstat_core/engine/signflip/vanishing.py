"""Proof that φ of whole-number weights is negligible up to the end of its period, or how small it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfft

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.moduli import squared_sech
from nlpstat_core.engine.signflip.rows import rows_of
from nlpstat_core.stopping import stop_if_asked

# The smallest weights, up to these shares of all, that may be asked at a stage.
SHARES = np.geomspace(0.1, 1.0, 8)
# Relative errors that a proof aims at, the first that seems within reach.
AIMS = (1e-12, 1e-7)
# Standard deviations that a sum of cosines is expected to exceed its mean by, somewhere among thousands.
LIKELY_PEAK = 4.5
MOST_BINS = 1 << 15
BINS_AT_ONCE = 1 << 19
# Of the sum of the weights' shares: far more than single precision is wrong by.
SINGLE = 1e-5
TINY = 1e-300
# Of what G may be above what is likely: how much is left to the distance of nodes.
SPENT = 0.7


@dataclass(frozen=True)
class _Pairs:
    """Some pairs; arrays of shape (n_pairs,), or (n_pairs, n_weights).

    weights, share: w_i and c_i, 0 for weights that aren't asked.
    begin: Where the stretch begins.
    log_scale: log of what |φ| is multiplied by to be a relative error.
    """

    weights: FloatArray
    share: FloatArray
    begin: FloatArray
    log_scale: FloatArray

    def spacings(self, columns: NDArray[np.intp], aim: float) -> FloatArray:
        """How far apart nodes may stand if the first so many columns are asked; 0 if in vain."""
        bend = self.share * self.weights
        bend *= self.weights
        total, bend = _running(self.share, columns), _running(bend, columns)
        n = np.maximum(_running((self.share > 0.0).astype(np.float64), columns), 1.0)
        free = total + 2.0 * n * np.expm1(2.0 * (math.log(aim) - self.log_scale[:, None]) / n)
        # Small weights have hardly turned where the stretch begins.
        free[total - 2.0 * self.begin[:, None] ** 2 * bend > free] = 0.0
        free -= LIKELY_PEAK * np.sqrt(total / 2.0)
        return np.sqrt(2.0 * SPENT * np.maximum(free, 0.0) / np.where(bend > 0.0, bend, np.inf))

    def of(self, rows: NDArray[np.intp], asked: BoolArray) -> _Pairs:
        """Some pairs, and of their weights those asked."""
        share = np.where(asked, self.share[rows], 0.0)
        return _Pairs(self.weights[rows], share, self.begin[rows], self.log_scale[rows])

    def bound_at(self, bins: int) -> FloatArray:
        """Bound of the error from `begin` on, by G at nodes π/bins apart."""
        n_pairs, total = self.begin.size, self.share.sum(axis=1)
        place = self.weights.astype(np.int64) & (bins - 1)
        place += bins * np.arange(n_pairs)[:, None]
        table = np.bincount(place.ravel(), self.share.ravel(), bins * n_pairs).astype(np.float32)
        wave = rfft(table.reshape(n_pairs, bins), axis=1).real
        before = np.arange(wave.shape[1]) < np.floor(self.begin * (bins / np.pi))[:, None]
        wave[before] = -np.inf
        bend = np.einsum("ij,ij,ij->i", self.share, self.weights, self.weights)
        largest = wave.max(axis=1) + (np.pi / bins) ** 2 * bend / 2.0 + SINGLE * total
        n = np.maximum(np.count_nonzero(self.share, axis=1), 1)
        lost = np.maximum(total - largest, 0.0) / (2.0 * n)
        return np.asarray(np.exp(0.5 * n * np.log1p(-lost) + self.log_scale), dtype=np.float64)


def left_to_the_period(
    multiples: FloatArray, tau: FloatArray, begin: FloatArray, log_share: FloatArray
) -> FloatArray:
    """Bound of the relative error by what φ of whole-number weights adds from `begin` on.

    multiples (ndarray, shape (n_pairs, n_weights)): Whole-number weights with greatest common divisor 1, 0
        for absent ones, ascending in each row.
    tau, begin (ndarray, shape (n_pairs,)): Tilts, and where the stretch begins.
    log_share (ndarray, shape (n_pairs,)): log of the probability minus the peak.
    Returns ndarray, shape (n_pairs,): Infinite where a proof would take too long, or seems out of reach.

    |φ(y)|² = Π(1 − c_i(1 − cos 2yw_i)/2) with c_i = sech²(τw_i). By the inequality of the means any n of the
    factors make at most (1 − (A − G(y))/2n)^n, G(y) = Σ c_i cos 2yw_i and A = Σ c_i, and one real FFT gives G
    at nodes h apart; where G is largest its slope is 0, so between nodes it is at most h²·Σ c_i w_i²/2 larger
    than at one of them. The smallest weights need fewer nodes than all, as long as they turn in time. The
    kernel of the integral is at most π/2y, or 2 beyond π/4.
    """
    bound = np.where(begin >= np.pi / 2.0, 0.0, np.inf)
    short, rows = np.flatnonzero(bound), max(1, BINS_AT_ONCE // max(1, multiples.shape[1]))
    for start in range(0, short.size, rows):
        part = short[start : start + rows]
        own = rows_of(multiples, part)
        share = np.where(own > 0.0, squared_sech(tau[part], own), 0.0)
        kernel = (1.0 + np.log(np.maximum(np.pi / (4.0 * begin[part]), 1.0))) / 2.0
        bound[part] = _by_few_nodes(_Pairs(own, share, begin[part], np.log(kernel) - log_share[part]))
    return bound


def _by_few_nodes(pairs: _Pairs) -> FloatArray:
    """The bound by those weights that need the fewest nodes, or by all where that is too large."""
    columns = np.unique(np.ceil(SHARES * pairs.weights.shape[1]).astype(np.intp))
    asked, spacing = np.zeros(pairs.begin.shape, dtype=np.intp), np.zeros(pairs.begin.shape)
    for aim in AIMS:
        spacings = pairs.spacings(columns, aim)
        fresh = spacing == 0.0
        asked = np.where(fresh, columns[np.argmax(spacings, axis=1)], asked)
        spacing = np.where(fresh, spacings.max(axis=1), spacing)
    bound = _bounds(pairs, asked, spacing)
    again = np.flatnonzero((bound > AIMS[0]) & (spacings[:, -1] > 0.0) & (asked < columns[-1]))
    rest = pairs.of(again, np.ones((again.size, 1), dtype=np.bool_))
    more = _bounds(rest, np.full(again.size, columns[-1]), spacings[again, -1])
    bound[again] = np.minimum(bound[again], more)
    return bound


def _bounds(pairs: _Pairs, asked: NDArray[np.intp], spacing: FloatArray) -> FloatArray:
    """Of pairs whose first so many columns are asked; infinite where too many nodes would be needed."""
    wanted = np.pi / np.maximum(spacing, TINY)
    bins_of = np.where(wanted <= MOST_BINS, 2.0 ** np.ceil(np.log2(wanted)), 0.0).astype(np.int64)
    bound = np.full(spacing.shape, np.inf)
    for bins in np.unique(bins_of[bins_of > 0]).tolist():
        same, rows = np.flatnonzero(bins_of == bins), max(1, BINS_AT_ONCE // bins)
        for start in range(0, same.size, rows):
            stop_if_asked()
            own = same[start : start + rows]
            used = np.arange(pairs.weights.shape[1]) < asked[own, None]
            bound[own] = pairs.of(own, used).bound_at(bins)
    return bound


def _running(values: FloatArray, columns: NDArray[np.intp]) -> FloatArray:
    """Sums of the first so many columns, for each of several numbers of them, ascending."""
    return np.asarray(np.cumsum(np.add.reduceat(values, np.append(0, columns[:-1]), axis=1), axis=1))
