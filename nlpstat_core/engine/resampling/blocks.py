"""Studentised bootstrap of whole blocks: t of every pair, its standard error recomputed in every resample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import Blocks, block_deviations
from nlpstat_core.engine.columns.contributions import standard_errors
from nlpstat_core.engine.resampling.monte_carlo import tie_tolerance
from nlpstat_core.engine.resampling.products import padded_rows, sums
from nlpstat_core.engine.resampling.streams import from_counts
from nlpstat_core.engine.resampling.studentised import ObservedT, used_systems
from nlpstat_core.scores.counts import Counts, ratio
from nlpstat_core.stopping import stop_if_asked

# Of a resample's sum of squares; less than this about its mean is rounding, so it has no spread.
_NO_SPREAD = 1e-12
# Of what was added up; contributions below this are rounding.
_ROUNDING = 1e-13
_STREAM = "block-bootstrap"


def observed_block_t(batch: PairBatch) -> ObservedT:
    """Cluster-robust t statistics of the difference, by the standard error of the resamples: G/(G − 1)·Σ e².

    batch: Its units are in blocks.
    """
    deviations = block_deviations(batch)
    error = standard_errors(deviations, deviations.shape[1])
    shift = batch.difference - batch.delta
    spread = error > 0
    zero = ~spread & (np.abs(shift) <= 1e-12 * max(1.0, abs(batch.delta)))
    scale = np.where(spread, error, 1.0)
    t = np.where(spread, shift / scale, np.where(zero, 0.0, np.nan))
    magnitude = batch.units.contributions.magnitude
    tolerance = tie_tolerance(magnitude[batch.left] + magnitude[batch.right]) / scale * spread
    return ObservedT(shift=shift, standard_error=error, t=t, tolerance=tolerance)


def resampled_block_t(batch: PairBatch, resamples: int, seed: int) -> Iterator[tuple[slice, FloatArray]]:
    """t* of every pair in every resample of whole blocks; all pairs meet the same resamples.

    batch: At least two blocks.
    resamples: B.
    Yields which: Resamples of this chunk.
    Yields t (float array, shape (n_pairs, resamples in which)): NaN where the resample has no spread.

    G blocks are drawn with replacement, block g c_g times; N* = Σ c_g L_g units. With e_g the sum of z − z̄
    over a block: z̄* − z̄ = Σ c_g e_g/N* =: δ*, se*² = G/(G − 1)·Σ c_g (e_g − δ*·L_g)²/N*², t* = δ*/se*. The
    square is Σ c e² − 2δ*·Σ c e L + δ*²·Σ c L²: sums of S systems, one product over pairs, one over sizes.
    Cost O(B·G·n_pairs). For counts the ratios of all systems are computed anew in every resample, pair by
    pair.
    """
    blocks, counts = batch.units.blocks, batch.units.counts
    if blocks is None:
        raise ValueError("A bootstrap of blocks needs units in blocks.")
    if counts is not None:
        return _resampled_ratios(batch, blocks, counts, resamples, seed)
    return _resampled_means(batch, blocks, resamples, seed)


def _resampled_means(
    batch: PairBatch, blocks: Blocks, resamples: int, seed: int
) -> Iterator[tuple[slice, FloatArray]]:
    n_blocks, n_pairs = blocks.n_blocks, batch.n_pairs
    columns, left, right = used_systems(batch.units.block_parts.T, batch.left, batch.right)
    n_used, sizes = columns.shape[1], blocks.sizes / batch.n_units
    plain, sized = padded_rows(columns), padded_rows(columns * sizes[:, None])
    squared = padded_rows((columns[:, left] - columns[:, right]) ** 2)
    by_size = padded_rows(sizes[:, None] ** np.array([1.0, 2.0]))

    def t_of(drawn: FloatArray) -> FloatArray:
        weights = drawn.T
        of_system, of_sized = sums(plain, weights, n_used), sums(sized, weights, n_used)
        units, squares_of_sizes = sums(by_size, weights, 2)
        total = of_system[left] - of_system[right]
        squares = sums(squared, weights, n_pairs)
        shift = total / units
        about = squares - 2 * shift * (of_sized[left] - of_sized[right]) + shift**2 * squares_of_sizes
        return _t(total, about, about <= _NO_SPREAD * squares, n_blocks)

    yield from from_counts(t_of, n_blocks, resamples, seed, _STREAM)


def _resampled_ratios(
    batch: PairBatch, blocks: Blocks, counts: Counts, resamples: int, seed: int
) -> Iterator[tuple[slice, FloatArray]]:
    n_blocks, magnitude = blocks.n_blocks, batch.units.contributions.magnitude
    hits = blocks.sums(np.ascontiguousarray(counts.hits.T))
    weights = blocks.sums(np.ascontiguousarray(counts.weights.T))

    def t_of(drawn: FloatArray) -> FloatArray:
        t = np.empty((batch.n_pairs, drawn.shape[0]))
        for pair, (a, b) in enumerate(zip(batch.left, batch.right, strict=True)):
            stop_if_asked()
            score_a, parts_a = _ratios(hits[a], weights[a], drawn)
            score_b, parts_b = _ratios(hits[b], weights[b], drawn)
            about = np.einsum("ij,ij->i", drawn, (parts_a - parts_b) ** 2)
            flat = about <= n_blocks * (_ROUNDING * (magnitude[a] + magnitude[b])) ** 2
            t[pair] = _t(score_a - score_b - batch.difference[pair], about, flat, n_blocks)
        return t

    yield from from_counts(t_of, n_blocks, resamples, seed, _STREAM)


def _ratios(hits: FloatArray, weights: FloatArray, drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A system's score in every resample, and what each block adds to it, shape (resamples, n_blocks)."""
    whole = (drawn * weights).sum(axis=1)
    score = ratio((drawn * hits).sum(axis=1), whole)
    return score, (hits - score[:, None] * weights) / np.where(whole > 0, whole, 1.0)[:, None]


def _t(total: FloatArray, about: FloatArray, flat: FloatArray, n_blocks: int) -> FloatArray:
    """total / √(G/(G − 1)·about), NaN where flat."""
    safe = np.where(flat, 1.0, about) * (n_blocks / (n_blocks - 1))
    t: FloatArray = np.where(flat, np.nan, total / np.sqrt(safe))
    return t
