"""Decisions of the sign-flip test on resamples, most of them without running it.

A test set is far from the critical value of its own flipped sums, or near it. Far from it an expansion and
then a saddlepoint approximation decide, each only where its own error can't matter; near it the test is run.
"""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power.resampled import ResampledBatch, resampled_batch
from nlpstat_core.power.thresholds import expansion_doubt, flip_limit, half_step

# What the limit may be off by, in standard deviations: beside 1.5 times its last terms (0.8 times at most
# over normal, exponential, lognormal, t and beta weights from 20 on), and in parts of half a step.
_MARGIN, _TERMS, _STEPS = 0.005, 1.5, 0.25
# The saddlepoint's log p may be off by so much, and by so much per part of the largest weight.
_LOG_MARGIN, _LOG_PER_WEIGHT = 0.05, 1.0
_NEWTON, _CELLS = 12, 2**21
_FEWEST = 20


def decides_without_running(batch: PairBatch | ResampledBatch) -> bool:
    """Whether the approximations suit these test sets: few units and 0/1 scores are quicker tested."""
    return batch.n_units >= _FEWEST and not batch.is_binary


def flip_decisions(batch: PairBatch | ResampledBatch, config: AnalysisConfig, level: float) -> BoolArray:
    """Which test sets the permutation test of the mean rejects.

    batch: Test sets drawn anew, one a pair, or resamples of one.
    Returns bool array, shape (n_resamples,): p ≤ level.

    u = (Σz − half a step)/√Σz² against Cornish and Fisher's limit with κ₄ and κ₆ of the resample; within
    1.5 times the last terms of it against Lugannani and Rice's p-value; near the level also of that, the test
    itself. Cost O(n) per resample for all but a few in a hundred.

    Source: Lugannani and Rice (1980), doi:10.2307/1426607; Cornish and Fisher (1938), doi:10.2307/1400905.
    """
    two_sided = config.alternative == "two-sided"
    tail = level / 2 if two_sided else level
    if isinstance(batch, ResampledBatch):
        z = batch.source.grid
        sums = batch.weights @ np.stack([z, z**2, z**4, z**6], axis=1)
        half = float(half_step(np.sort(np.abs(z))[None, :])[0])
    else:
        z, half = np.ascontiguousarray(batch.shifted.T), 0.0  # real numbers: sums have no steps
        sums = np.stack([(z**power).sum(axis=1) for power in (1, 2, 4, 6)], axis=1)
    total, squares = sums[:, 0], sums[:, 1]
    total = np.abs(total) if two_sided else total if config.alternative == "greater" else -total
    there = squares > 0
    spread = np.where(there, squares, 1.0)
    fourth, sixth = sums[:, 2] / spread**2, sums[:, 3] / spread**3
    limit = flip_limit(tail, fourth, sixth)
    doubt = _MARGIN + _TERMS * expansion_doubt(tail, fourth, sixth) + _STEPS * half / np.sqrt(spread)
    at = (total - half) / np.sqrt(spread)
    rejected = there & (at >= limit)
    open_ = np.flatnonzero(there & (np.abs(at - limit) <= doubt))
    for start in range(0, open_.size, step := max(1, _CELLS // max(z.shape[-1], 1))):
        some = open_[start : start + step]
        if isinstance(batch, ResampledBatch):
            sizes, times = np.abs(z), batch.weights[some]
        else:
            sizes, times = np.abs(z[some]), np.ones((some.size, z.shape[-1]))
        log_p, off = _saddlepoint(sizes, times, total[some] - half)
        rejected[some] = log_p <= np.log(tail)
        near = some[~(np.abs(log_p - np.log(tail)) > off)]
        if near.size:
            rejected[near] = TESTS[config.test].run(_those(batch, near), config).p_value <= level
    return rejected


def _those(batch: PairBatch | ResampledBatch, chosen: IntArray) -> PairBatch | ResampledBatch:
    """Some of the test sets."""
    if isinstance(batch, ResampledBatch):
        return resampled_batch(batch.source, batch.drawn[chosen], batch.n_units)
    return batch.take(chosen)


def _saddlepoint(sizes: FloatArray, times: FloatArray, total: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lugannani and Rice's log P(T ≥ total), and how far off it may be; NaN where they don't apply."""
    from scipy import special

    squares = (times * sizes**2).sum(axis=1)
    most = (times * sizes).sum(axis=1)
    share = np.where(times > 0, sizes, 0.0).max(axis=1) / np.sqrt(squares)
    inside = (total > 0.05 * np.sqrt(squares)) & (total < 0.98 * most)
    aim = np.where(inside, total, np.sqrt(squares) / 2)
    tilt = aim / squares
    for _ in range(_NEWTON):
        pull = np.tanh(sizes * tilt[:, None])
        slope = np.einsum("ij,ij->i", times, sizes**2 * (1 - pull**2))
        short = aim - np.einsum("ij,ij->i", times, sizes * pull)
        tilt = tilt + np.clip(short / np.maximum(slope, 1e-300), -0.5 * tilt, tilt)
    tilted = sizes * tilt[:, None]
    pull = np.tanh(tilted)
    slope = np.einsum("ij,ij->i", times, sizes**2 * (1 - pull**2))
    growth = np.einsum("ij,ij->i", times, np.logaddexp(tilted, -tilted) - np.log(2.0))
    root = np.sqrt(np.maximum(2 * (tilt * aim - growth), 1e-300))
    scaled = tilt * np.sqrt(slope)
    density = np.exp(-(root**2) / 2) / np.sqrt(2 * np.pi)
    p = special.ndtr(-root) + density * (1 / scaled - 1 / root)
    solved = inside & (np.abs(np.einsum("ij,ij->i", times, sizes * pull) - aim) <= 1e-9 * most) & (p > 0)
    log_p = np.where(solved, np.log(np.where(p > 0, p, 1.0)), np.nan)
    return log_p, _LOG_MARGIN + _LOG_PER_WEIGHT * share
