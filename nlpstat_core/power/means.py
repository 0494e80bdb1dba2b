"""Smallest detectable differences of tests of a mean: what resamples of the pair's own units say."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, ObjectArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.resampling import one_blas_thread
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power.binomial import detectable_surplus
from nlpstat_core.power.draws import drawn_counts
from nlpstat_core.power.effects import model_of, things
from nlpstat_core.power.flip_moves import (
    FEWEST_EFFECTIVE,
    MOST_DOCUMENTS,
    drawn_one_by_one,
    limits_of_flips,
    moves_needed,
    moves_of_flips,
    resamples_of,
    swaps_found,
)
from nlpstat_core.power.levels import detectable_noncentrality, one_direction
from nlpstat_core.power.standardised import standardised
from nlpstat_core.power.thresholds import half_step

SWAPPED, MOVED, NONCENTRAL, BINOMIAL = "swap-means", "resampled-shift", "noncentral-t", "swap-binomial"
WITHHELD = "few-documents"
# Resamples for the swap, whose directions are averaged without drawing them, and for moved differences.
_SWAPPED, _MOVED, _FEWER_MOVED = 256, 4096, 2048
# Above so many differences the fewer ones.
_MANY = 200_000
# The noncentral t stands where resamples find this much of the power it promises.
_HONEST = 0.015
# Few documents make power jump; where no difference is found with nearly the power, none is told.
_JUMP = 0.05
_HALVINGS = 24
# Strengths that are looked at: λ times the root mean square of the differences, as a logarithm.
_WEAKEST, _STRONGEST = -12.0, 12.0


def detectable_means(
    batch: PairBatch, config: AnalysisConfig, power: float, level: float
) -> tuple[FloatArray, ObjectArray]:
    """The difference of means (scores) that a test of the mean finds with a power, from resamples.

    power: In (level, 1).
    Returns size: Metric points, without sign; infinity where not reachable, NaN without spread or where it is
        withheld.
    Returns model: "swap-means", "swap-binomial", "resampled-shift", "noncentral-t", or "few-documents":
        withheld.

    Pairs with ties or a coarse scale: the logistic swap of units, or of whole documents. The flipped sum
    T = Σ s·|w| of a resample has mean Σ|w|·tanh(λ|w|) and variance Σw²·(1 − tanh²(λ|w|)) given which units
    were drawn; P(T ≥ c) is normal with them, averaged over 256 resamples; c from Student's t, or for flips
    from Cornish and Fisher's expansion and half a step of the scale. λ by bisection. If all differences are
    of one size: the exact binomial.
    Others: 4,096 resamples (2,048 of many differences), each with the difference from which on it is rejected
    when all of its units are moved; their quantile, with two sides that of the harder direction (skewed
    differences are found less often on one side). Where the noncentral t agrees with them to 0.015 in power,
    it is used. All pairs of a batch share the resamples, each with its units in the order of their size:
    neither the order of rows nor of systems matters. Cost O(B·n) per pair.
    Flips of up to twelve documents: all patterns (`few_documents`). Withheld where power jumps by more than
    0.05 past the one asked for, as few documents drawn with replacement make it, and for more documents that
    weigh like fewer than five equal ones.

    Source: Cornish and Fisher (1938), doi:10.2307/1400905; Bloom (1995), doi:10.1177/0193841X9501900504.
    """
    size, model = np.full(batch.n_pairs, np.nan), np.full(batch.n_pairs, NONCENTRAL, dtype=object)
    rows = things(batch, config)
    if rows.shape[1] < 2:
        return size, model
    kinds = np.array([model_of(batch, config.test, pair) for pair in range(batch.n_pairs)])
    spread = np.any(rows != rows[:, :1], axis=1) | np.any(rows != 0, axis=1)
    seen = standardised(batch, config)
    if TESTS[config.test].design == "blocks" and not seen.df > 0:
        model[spread] = WITHHELD
        return size, model
    with one_blas_thread():
        swapped = np.flatnonzero((kinds == "swap") & spread)
        if swapped.size:
            size[swapped], model[swapped] = _by_swaps(
                rows[swapped], seen.error[swapped], seen.df, batch, config, power, level
            )
        moved = np.flatnonzero((kinds != "swap") & spread)
        if moved.size:
            size[moved], model[moved] = _by_moves(
                rows[moved], seen.error[moved], seen.df, batch, config, power, level
            )
    return size, model


def _tail(config: AnalysisConfig, level: float) -> float:
    return level / 2 if config.alternative == "two-sided" else level


def _lengths(batch: PairBatch, config: AnalysisConfig) -> FloatArray | None:
    """Units of each document over their mean, for tests whose documents weigh differently."""
    blocks = batch.units.blocks
    if blocks is None or TESTS[config.test].design != "blocks":
        return None
    return blocks.sizes * (blocks.n_blocks / max(batch.n_units, 1))


def _drawn(n: int, resamples: int) -> FloatArray:
    """Counts of the resamples, shape (resamples, n): always the same ones."""
    return np.concatenate([np.asarray(part, dtype=float) for part in drawn_counts(n, n, resamples, 0)])


def _factor(rows: FloatArray, lengths: FloatArray, error: FloatArray) -> FloatArray:
    """Variance of the mean as the test has it, over the mean square of what documents add to it.

    Resamples of documents are then tested with the test's own standard error.
    """
    away = rows - rows.mean(axis=1)[:, None] * lengths
    square = np.sum(away**2, axis=1) / rows.shape[1] ** 2
    return np.where(square > 0, error**2 / np.where(square > 0, square, 1.0), 1.0)


def _by_swaps(
    rows: FloatArray,
    error: FloatArray,
    df: float,
    batch: PairBatch,
    config: AnalysisConfig,
    power: float,
    level: float,
) -> tuple[FloatArray, ObjectArray]:
    """The logistic swap, for rows of what is swapped."""
    tail, n = _tail(config, level), rows.shape[1]
    factor = np.full(rows.shape[0], n / (n - 1))
    found, model = np.full(rows.shape[0], np.inf), np.full(rows.shape[0], SWAPPED, dtype=object)
    lengths = _lengths(batch, config)
    if lengths is not None:
        factor = _factor(rows, lengths, error)
    rows = np.abs(rows)
    few = _few(batch, config)
    if lengths is None or TESTS[config.test].sign_flips:
        rows, lengths = np.sort(rows, axis=1), None
    most = rows.max(axis=1)
    least = np.where(rows > 1e-12 * most[:, None], rows, np.inf).min(axis=1)
    alike: BoolArray = most - least <= 1e-9 * most
    single = alike if TESTS[config.test].sign_flips else np.zeros(most.shape, dtype=bool)
    for row in np.flatnonzero(single):
        decided = int(np.count_nonzero(rows[row]))
        surplus = detectable_surplus(n, decided, power, level, config.alternative == "two-sided")
        found[row], model[row] = surplus * most[row] * decided / n, BINOMIAL
    rest = np.flatnonzero(~single)
    if few and n > MOST_DOCUMENTS:
        found[rest], model[rest] = np.nan, WITHHELD
    elif few:
        chosen = drawn_one_by_one(_drawn(n, resamples_of(n)))
        for row in rest:
            reached = swaps_found(rows[row], chosen, tail)
            found[row] = _weakest(rows[row][None, :], reached, power)[0]
    elif rest.size:
        reached = _swaps_reached(rows[rest], lengths, factor[rest], df, config, tail)
        found[rest] = _weakest(rows[rest], reached, power)
    return found, model


def _few(batch: PairBatch, config: AnalysisConfig) -> bool:
    """Whether documents are flipped that are too few, or too unequal, for approximations of the limit."""
    blocks, record = batch.units.blocks, TESTS[config.test]
    if blocks is None or record.design != "blocks" or not record.sign_flips:
        return False
    return blocks.n_blocks <= MOST_DOCUMENTS or blocks.effective < FEWEST_EFFECTIVE


def _swaps_reached(
    sizes: FloatArray,
    lengths: FloatArray | None,
    factor: FloatArray,
    df: float,
    config: AnalysisConfig,
    tail: float,
) -> Callable[[FloatArray], FloatArray]:
    """Power of all rows from their strengths: normal given which units were drawn."""
    from scipy import special

    n = sizes.shape[1]
    drawn = _drawn(n, _SWAPPED)
    squares = drawn @ (sizes**2).T
    there = squares > 0
    whole = np.where(there, squares, 1.0)
    root = np.sqrt(whole)
    weight = np.ones(n) if lengths is None else lengths
    units, own_squares = (drawn @ weight)[:, None], (drawn @ weight**2)[:, None]
    of_flips = TESTS[config.test].sign_flips
    if of_flips:
        limit = limits_of_flips(sizes, drawn, tail) * root + half_step(sizes)
    else:
        t_squared = factor * float(special.stdtrit(df, tail)) ** 2

    def reached(strengths: FloatArray) -> FloatArray:
        pull = np.tanh(strengths[:, None] * sizes)
        towards = sizes * pull
        mean, variance = drawn @ towards.T, drawn @ (sizes**2 * (1 - pull**2)).T
        if of_flips:
            bound = limit
        else:
            typical = drawn @ (towards * weight).T / np.maximum(mean, 1e-300)
            share = 1 + t_squared * (2 * typical / units - own_squares / units**2)
            bound = np.sqrt(t_squared / np.maximum(share, 1e-12)) * root
        spread = np.sqrt(np.maximum(variance, 1e-24 * whole))
        found = np.where(there, special.ndtr((mean - bound) / spread), 0.0)
        result: FloatArray = found.mean(axis=0)
        return result

    return reached


def _weakest(sizes: FloatArray, reached: Callable[[FloatArray], FloatArray], power: float) -> FloatArray:
    """Mean difference under the weakest strength that reaches the power, by bisection; infinity if none."""
    rms = np.sqrt(np.mean(sizes**2, axis=1))
    low, high = np.full(rms.shape, _WEAKEST), np.full(rms.shape, _STRONGEST)
    possible = reached(np.exp(high) / rms) >= power
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        enough = reached(np.exp(middle) / rms) >= power
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    size = np.mean(sizes * np.tanh((np.exp(high) / rms)[:, None] * sizes), axis=1)
    return np.where(possible, size, np.inf)


def _by_moves(
    rows: FloatArray,
    error: FloatArray,
    df: float,
    batch: PairBatch,
    config: AnalysisConfig,
    power: float,
    level: float,
) -> tuple[FloatArray, ObjectArray]:
    """Differences moved alike, for rows of what is swapped."""
    tail, n = _tail(config, level), rows.shape[1]
    turns = (1.0, -1.0) if config.alternative == "two-sided" else (1.0,)
    lengths = _lengths(batch, config)
    weight = np.ones(n) if lengths is None else lengths
    centre = rows.mean(axis=1)
    away = rows - centre[:, None] * weight
    towards = _direction(centre, away, config)
    away = away * towards[:, None]
    if lengths is None:
        away.sort(axis=1)
    else:
        order = np.lexsort((np.broadcast_to(weight, away.shape), away), axis=1)
        away = np.take_along_axis(away, order, axis=1)
    weights = np.broadcast_to(weight, away.shape) if lengths is None else weight[order]
    model = np.full(rows.shape[0], MOVED, dtype=object)
    few = _few(batch, config)
    if few and n > MOST_DOCUMENTS:
        return np.full(rows.shape[0], np.nan), np.full(rows.shape[0], WITHHELD, dtype=object)
    if few:
        chosen = drawn_one_by_one(_drawn(n, resamples_of(n)))
        both = [moves_needed(*each, chosen, tail) for each in zip(away, weights, strict=True)]
        needed = np.stack(both, axis=2)[: len(turns)]
    else:
        drawn = _drawn(n, _MOVED if away.size <= _MANY else _FEWER_MOVED)
        if TESTS[config.test].sign_flips:
            needed = moves_of_flips(away, weights, drawn, tail, power, turns)
        else:
            factor = np.full(rows.shape[0], n / (n - 1)) if lengths is None else _factor(rows, lengths, error)
            needed = _t_needed(away, weights, drawn, tail, df, factor, turns)
    size = np.quantile(needed, power, axis=1, method="higher").max(axis=0)
    found = np.mean(needed <= size, axis=1).min(axis=0)
    if TESTS[config.test].design == "blocks":
        jumps = np.isfinite(size) & (found > power + _JUMP)
        size[jumps], model[jumps] = np.nan, WITHHELD
    if not TESTS[config.test].sign_flips:
        side = one_direction(config.alternative)
        closed = detectable_noncentrality(power, df, level, side) * error
        honest = (np.abs(np.mean(needed <= closed, axis=1) - power) <= _HONEST).all(axis=0)
        size, model[honest] = np.where(honest, closed, size), NONCENTRAL
    return size, model


def _direction(centre: FloatArray, away: FloatArray, config: AnalysisConfig) -> FloatArray:
    """+1 or −1: where the true difference is taken to be."""
    if config.alternative != "two-sided":
        return np.full(centre.shape, 1.0 if config.alternative == "greater" else -1.0)
    # Without any difference the harder direction, so that exchanging the systems changes nothing.
    skewed = np.sign(np.sum(away**3, axis=1))
    towards = np.where(centre == 0, skewed, np.sign(centre))
    return np.where(towards == 0, 1.0, towards)


def _t_needed(
    away: FloatArray,
    weights: FloatArray,
    drawn: FloatArray,
    tail: float,
    df: float,
    factor: FloatArray,
    turns: tuple[float, ...],
) -> FloatArray:
    """From which difference on the t test rejects each resample, shape (directions, resamples, n_pairs)."""
    from scipy import special

    total, squares = drawn @ away.T, drawn @ (away**2).T
    units, products, own_squares = drawn @ weights.T, drawn @ (away * weights).T, drawn @ (weights**2).T
    mean = total / units
    about = squares - 2 * mean * products + mean**2 * own_squares
    error = np.sqrt(np.maximum(about, 0.0) * factor) / units
    limit = -float(special.stdtrit(df, tail))
    constant = about <= 1e-12 * squares
    return np.stack([np.where(constant, np.inf, limit * error - turn * mean) for turn in turns])
