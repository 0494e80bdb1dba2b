"""Studentised bootstrap of whole blocks: t of every pair, its standard error recomputed in every resample."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import Blocks, all_degrees, clustered_errors, clustered_freedom
from nlpstat_core.engine.distributions.tails import t_of_other_freedom
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
    """Cluster-robust t statistics of the difference: those of the block t test.

    batch: Its units are in blocks.
    Returns: Without error and t below three degrees of freedom, but t = 0 where a pair has no spread and
        equals δ.
    """
    error = clustered_errors(batch)
    shift = batch.difference - batch.delta
    zero = (error == 0) & (np.abs(shift) <= 1e-12 * max(1.0, abs(batch.delta)))
    error = np.where(np.isnan(clustered_freedom(batch)), np.nan, error)
    spread = error > 0
    scale = np.where(spread, error, 1.0)
    t = np.where(spread, shift / scale, np.where(zero, 0.0, np.nan))
    magnitude = batch.units.contributions.magnitude
    tolerance = tie_tolerance(magnitude[batch.left] + magnitude[batch.right]) / scale * spread
    return ObservedT(shift=shift, standard_error=error, t=t, tolerance=tolerance)


def resampled_block_t(batch: PairBatch, resamples: int, seed: int) -> Iterator[tuple[slice, FloatArray]]:
    """t* of every pair in every resample of whole blocks; all pairs meet the same resamples.

    batch: At least two blocks.
    Yields which: Resamples of this chunk.
    Yields t (float array, shape (n_pairs, resamples in which)): NaN where the resample has no spread.

    G blocks are drawn with replacement, block g c_g times; N* = Σ c_g L_g units. With e_g the sum of z − z̄
    over a block: z̄* − z̄ = Σ c_g e_g/N* =: δ*, se*² = Σ c_g (e_g − δ*·L_g)²/(1 − L_g/N*)/N*² as observed (each
    copy is a block of its own), δ*/se* on the degrees of freedom of these copies, turned into t* on those
    observed (`t_of_other_freedom`): a resample without the largest block has far more of them than one with
    it. The square is Σ w e² − 2δ*·Σ w e L + δ*²·Σ w L², w = c/(1 − L/N*): sums of S systems, one product over
    pairs. Cost O(B·G·n_pairs). For counts the ratios of all systems are computed anew in every resample, pair
    by pair.
    """
    blocks, counts = batch.units.blocks, batch.units.counts
    if blocks is None:
        raise ValueError("A bootstrap of blocks needs items in blocks.")
    if counts is not None:
        return _resampled_ratios(batch, blocks, counts, resamples, seed)
    return _resampled_means(batch, blocks, resamples, seed)


def _resampled_means(
    batch: PairBatch, blocks: Blocks, resamples: int, seed: int
) -> Iterator[tuple[slice, FloatArray]]:
    n_pairs, freedom = batch.n_pairs, clustered_freedom(batch)[:, None]
    columns, left, right = used_systems(batch.units.block_parts.T, batch.left, batch.right)
    n_used, sizes = columns.shape[1], blocks.sizes / batch.n_units
    plain, sized = padded_rows(columns), padded_rows(columns * sizes[:, None])
    squared = padded_rows((columns[:, left] - columns[:, right]) ** 2)

    def t_of(drawn: FloatArray) -> FloatArray:
        units = (drawn * sizes).sum(axis=1)
        leverage = sizes / units[:, None]
        weights = (drawn / _rest(leverage, drawn)).T
        of_system, of_sized = sums(plain, drawn.T, n_used), sums(sized, weights, n_used)
        total = of_system[left] - of_system[right]
        squares = sums(squared, weights, n_pairs)
        shift = total / units
        about = squares - 2 * shift * (of_sized[left] - of_sized[right])
        about += shift**2 * (weights * sizes[:, None] ** 2).sum(axis=0)
        return _t(total, about, about <= _NO_SPREAD * squares, all_degrees(leverage, drawn), freedom)

    sent = plain.size + sized.size + squared.size
    yield from from_counts(t_of, blocks.n_blocks, resamples, seed, _STREAM, sent=sent)


def _resampled_ratios(
    batch: PairBatch, blocks: Blocks, counts: Counts, resamples: int, seed: int
) -> Iterator[tuple[slice, FloatArray]]:
    magnitude, freedom = batch.units.contributions.magnitude, clustered_freedom(batch)
    hits = blocks.sums(np.ascontiguousarray(counts.hits.T))
    weights = blocks.sums(np.ascontiguousarray(counts.weights.T))

    def t_of(drawn: FloatArray) -> FloatArray:
        t = np.empty((batch.n_pairs, drawn.shape[0]))
        units = blocks.sizes / (drawn * blocks.sizes).sum(axis=1)[:, None]
        for pair, (a, b) in enumerate(zip(batch.left, batch.right, strict=True)):
            stop_if_asked()
            score_a, parts_a, share_a = _ratios(hits[a], weights[a], drawn, units)
            score_b, parts_b, share_b = _ratios(hits[b], weights[b], drawn, units)
            leverage = (share_a + share_b) / 2
            about = (drawn / _rest(leverage, drawn) * (parts_a - parts_b) ** 2).sum(axis=1)
            flat = about <= blocks.n_blocks * (_ROUNDING * (magnitude[a] + magnitude[b])) ** 2
            total = score_a - score_b - batch.difference[pair]
            t[pair] = _t(total, about, flat, all_degrees(leverage, drawn), freedom[pair])
        return t

    sent = batch.units.values.size + hits.size + weights.size
    yield from from_counts(t_of, blocks.n_blocks, resamples, seed, _STREAM, sent=sent)


def _ratios(
    hits: FloatArray, weights: FloatArray, drawn: FloatArray, units: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A system's score in every resample; what a copy of each block adds to it, and its share in it.

    units (float array, shape (resamples, n_blocks)): A block's share of the units, where there is no weight.
    Returns: Shapes (resamples,), (resamples, n_blocks) twice.
    """
    whole = (drawn * weights).sum(axis=1)
    score = ratio((drawn * hits).sum(axis=1), whole)
    divisor, there = np.where(whole > 0, whole, 1.0)[:, None], whole[:, None] > 0
    parts = (hits - score[:, None] * weights) / divisor
    return score, parts, np.where(there, weights / divisor, units)


def _rest(leverage: FloatArray, drawn: FloatArray) -> FloatArray:
    """1 − h of the blocks that were drawn, 1 for the others; NaN where one copy is the whole."""
    return np.where(drawn > 0, np.where(leverage < 1 - 1e-12, 1 - leverage, np.nan), 1.0)


def _t(
    total: FloatArray, about: FloatArray, flat: BoolArray, freedom: FloatArray, wanted: FloatArray
) -> FloatArray:
    """total/√about as a t on `wanted` degrees of freedom, NaN where flat or where there is no error."""
    flat = flat | np.isnan(about) | np.isnan(freedom)
    t = np.where(flat, np.nan, total / np.sqrt(np.where(flat, 1.0, about)))
    return t_of_other_freedom(t, freedom, wanted)
