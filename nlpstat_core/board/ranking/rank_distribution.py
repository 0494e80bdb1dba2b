"""How ranks vary from sample to sample: the board ranked anew in every bootstrap resample."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.pairs.track_parts import TRACK
from nlpstat_core.board.ranking.additive import additive_fit, same_units
from nlpstat_core.board.ranking.system_scores import run_shifts
from nlpstat_core.engine.columns.blocks import blocks_of
from nlpstat_core.engine.resampling import one_blas_thread, stratified_chunks
from nlpstat_core.engine.resampling.products import padded_rows, sums
from nlpstat_core.engine.swaps.units import MeasuredUnits, by_presence, resampled_measures
from nlpstat_core.errors import AnalysisError
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.ranks import ROUNDING, RankDistribution
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.documents import block_ids as blocks_named
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.measured import Measured
from nlpstat_core.stopping import ShouldStop, stoppable

_STREAM = "rank-distribution"
# Scores closer than this, relative to the largest, differ by rounding only.
_TIE = 1e-12


def rank_distribution(
    scores: ScoreMatrix,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    block_ids: IntArray | None = None,
    own_units: bool = False,
    should_stop: ShouldStop | None = None,
) -> RankDistribution:
    """Share of bootstrap resamples in which each system takes each rank.

    block_ids (int array, shape (n_units,), or None): Number of the block (document) of each unit: whole
        blocks are then drawn.
    own_units: Score every system over its own units also where systems have different ones; otherwise these
        have the scores of the additive fit, as on the leaderboard.
    Returns: Systems with equal scores share their ranks in equal parts. A system none of whose units was
        drawn stands last in that resample. Systems that no unit connects are ranked in groups of their own.
    Raises AnalysisError: No units, or fewer than one resample.

    Every system's score is computed anew from sums: Σ c·h/Σ c·w, c the times a unit is drawn, h the score and
    w = 1, or for counts h the hits and w the items. Items of a composite are drawn within their tracks. All
    systems meet the same resamples, which depend on the seed and the canonical order of the units only. The
    additive fit is resampled to first order, h what a unit adds to its scores (`AdditiveFit.unit_values`).
    Training runs are drawn with replacement as well (`run_shifts`). The Monte Carlo error of a share q is
    √(q(1 − q)/B). Cost O(B·(n·S + S·log S)).

    Source: Efron (1979), doi:10.1214/aos/1176344552.
    """
    if scores.n_units < 1 or resamples < 1:
        raise AnalysisError("A distribution of ranks needs at least one item and one resample.")
    if scores.measured is not None:
        return _of_measure(scores, scores.measured, resamples, seed, block_ids, should_stop)
    upper, lower, groups = summands(scores, block_ids, own_units)
    n_systems, n_drawn = scores.n_systems, upper.shape[0]
    strata = drawn_strata(scores, block_ids)
    plain = bool((lower == 1).all())
    above, below = padded_rows(upper), None if plain and block_ids is None else padded_rows(lower)
    steps = np.zeros((n_systems, n_systems + 1))
    sign = -advantage(1.0, scores.lower_is_better)  # ranks count from the smallest
    with one_blas_thread(), stoppable(should_stop):
        shifts = run_shifts(scores, resamples, seed, _STREAM)
        for which, drawn in stratified_chunks(strata, resamples, seed, _STREAM):
            total = sums(above, drawn.T, n_systems)
            weight = np.full_like(total, n_drawn) if below is None else sums(below, drawn.T, n_systems)
            there = weight > 0
            score = np.where(there, sign * total / np.where(there, weight, 1.0), np.inf)
            if shifts is not None:
                score = score + sign * shifts[:, which]
            if scores.counts is not None:
                score = np.where(there, score, 0.0)
            for group in groups:
                found = rank_steps(score[group]).reshape(group.size, -1)
                steps[group, : group.size + 1] += found
    return _distribution(scores, steps, resamples, block_ids)


def _distribution(
    scores: ScoreMatrix, steps: FloatArray, resamples: int, block_ids: IntArray | None
) -> RankDistribution:
    shares = np.cumsum(steps, axis=1)[:, :-1] / resamples
    shares[shares < ROUNDING] = 0.0
    return RankDistribution(
        systems=scores.systems,
        shares=shares,
        resamples=resamples,
        resampled="units" if block_ids is None else "blocks",
        runs=scores.runs is not None,
    )


def _of_measure(
    scores: ScoreMatrix,
    measured: Measured,
    resamples: int,
    seed: int,
    block_ids: IntArray | None,
    should_stop: ShouldStop | None,
) -> RankDistribution:
    """The same by a measure that is no mean: made anew of the drawn units, as often as each was drawn.

    A system whose measure is undefined in a resample stands last there.
    """
    n_systems, order = scores.n_systems, scores.canonical_order
    units = MeasuredUnits(measured.rows(order), None if block_ids is None else block_ids[order])
    parts = by_presence(units.measured)
    steps = np.zeros((n_systems, n_systems + 1))
    sign = -advantage(1.0, scores.lower_is_better)
    with one_blas_thread(), stoppable(should_stop):
        for _, drawn in stratified_chunks(drawn_strata(scores, block_ids), resamples, seed, _STREAM):
            score = resampled_measures(parts, n_systems, drawn.T[units.groups])
            steps += rank_steps(np.where(np.isnan(score), np.inf, sign * score)).reshape(steps.shape)
    return _distribution(scores, steps, resamples, block_ids)


def board_rank_distribution(
    analysis: AnalysisData, *, should_stop: ShouldStop | None = None
) -> RankDistribution:
    """The rank distribution of an analysis: its units or blocks, its resamples and seed."""
    config = analysis.config
    return rank_distribution(
        analysis.units,
        resamples=config.resamples,
        seed=config.seed,
        block_ids=blocks_named(analysis.units, config),
        own_units=bool(analysis.pairs.unpaired.any()),
        should_stop=should_stop,
    )


def drawn_strata(scores: ScoreMatrix, block_ids: IntArray | None) -> IntArray:
    """The strata within which units or blocks are drawn: the tracks of a composite, else one.

    Returns int array, shape (n_drawn,), from 0 on: In the canonical order of units, or that of blocks. Where
        a block belongs to several tracks, all is one stratum.
    """
    order = scores.canonical_order
    tracks = scores.labels.get(TRACK) if "composite" in scores.reading else None
    if tracks is None:
        return np.zeros(scores.n_units if block_ids is None else np.unique(block_ids).size, dtype=np.int64)
    strata = np.unique(np.array(tracks), return_inverse=True)[1].astype(np.int64)[order]
    if block_ids is None:
        return strata
    _, first, block = np.unique(block_ids[order], return_index=True, return_inverse=True)
    whole = strata[first]
    return whole if np.array_equal(whole[block], strata) else np.zeros_like(whole)


def summands(
    scores: ScoreMatrix, block_ids: IntArray | None, own_units: bool
) -> tuple[FloatArray, FloatArray, list[IntArray]]:
    """What scores are ratios of sums of.

    Returns upper, lower (float arrays, shape (n_drawn, n_systems)): Numerators and denominators by drawn unit
        or block.
    Returns groups: Systems that can be ranked together.
    """
    order = scores.canonical_order
    groups = [np.arange(scores.n_systems)]
    upper, lower = scores.values[order], scores.present[order].astype(float)
    if not own_units and not same_units(scores):
        fit = additive_fit(scores)
        upper, lower = fit.unit_values, (~np.isnan(fit.unit_values)).astype(float)
        groups = [np.flatnonzero(fit.group == number) for number in np.unique(fit.group)]
    elif scores.counts is not None:
        upper, lower = (table[order] for table in (scores.counts.hits, scores.counts.weights))
        lower = np.where(scores.present[order], lower, 0.0)
    upper = np.nan_to_num(upper)
    if block_ids is None:
        return upper, lower, groups
    blocks = blocks_of(block_ids[order])
    return blocks.sums(upper.T).T, blocks.sums(lower.T).T, groups


def rank_steps(keys: FloatArray) -> FloatArray:
    """Changes along the ranks of how often each system has them.

    keys (float array, shape (n_systems, resamples)): Smallest first; t tied systems have each of their t
        ranks 1/t times.
    Returns float array, flat (n_systems, n_systems + 1).
    """
    n_systems, n_resamples = keys.shape
    order = np.argsort(keys, axis=0, kind="stable")
    ordered = np.take_along_axis(keys, order, axis=0)
    finite = np.where(np.isinf(ordered), 0.0, np.abs(ordered))
    starts = np.ones(ordered.shape, dtype=bool)
    with np.errstate(invalid="ignore"):
        starts[1:] = np.diff(ordered, axis=0) > _TIE * finite.max(axis=0)
    flat = np.flatnonzero(starts.T.ravel())
    sizes = np.diff(np.append(flat, n_systems * n_resamples))
    first = np.repeat(flat % n_systems, sizes)
    share = np.repeat(1.0 / sizes, sizes)
    system = order.T.ravel() * (n_systems + 1)
    width = n_systems * (n_systems + 1)
    end = first + np.repeat(sizes, sizes)
    steps: FloatArray = np.zeros(width)
    steps += np.bincount(system + first, weights=share, minlength=width)
    steps -= np.bincount(system + end, weights=share, minlength=width)
    return steps
