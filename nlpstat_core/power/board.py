"""What a board could tell apart: the smallest detectable difference of every pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray, ObjectArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.effects import EFFECTS
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.pairs.batch import PairBatch, on_grid
from nlpstat_core.pairs.pairing import chunks
from nlpstat_core.power.binomial import detectable_shares
from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.models import NONCENTRAL_T, SIGNED_RANK, PowerModel, nearest_model
from nlpstat_core.power.planning import plan
from nlpstat_core.power.ranks import wilcoxon_detectable
from nlpstat_core.power.reachable import smallest_p
from nlpstat_core.power.standardised import standardised
from nlpstat_core.power.student import detectable_noncentrality
from nlpstat_core.preparation import block_ids
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

# Up to so many pairs Wilcoxon's detectable difference is found from each pair's own differences.
MOST_OWN_SHAPES = 3_000
# Pairs between two questions whether the work is still wanted.
_AT_ONCE = 256


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardPower:
    """What every pair of an analysis could have shown; arrays have shape (n_pairs,) in its pairs' order.

    Attributes
    ----------
    power : float
        Probability with which the detectable difference is found.
    comparison_alpha : float
        Level of one comparison under the analysis's correction.
    comparisons : int
        Size of the family.
    detectable : float array
        Smallest difference found with that power, metric points, without sign; infinity where not even the
        largest one is, NaN where the pair has no spread to go by.
    model : object array
        How it was computed: "noncentral-t", "signed-rank-own" or
        "signed-rank-beta", "exact-binomial"; None without a test.
    smallest_p : float array
        Smallest p-value the test could give with as many units and ties.
    unreachable : bool array
        smallest_p above comparison_alpha: not significant by itself, however large the difference.
    impossible : bool array
        smallest_p above α: not significant under any correction.
    """

    power: float
    comparison_alpha: float
    comparisons: int
    detectable: FloatArray
    model: ObjectArray
    smallest_p: FloatArray
    unreachable: BoolArray
    impossible: BoolArray


def board_power(
    analysis: Analysis,
    power: float = 0.8,
    *,
    rows: IntArray | None = None,
    should_stop: ShouldStop | None = None,
) -> BoardPower:
    """Smallest detectable difference of every pair under the test and correction of the analysis.

    Parameters
    ----------
    analysis : Analysis
    power : float
        In (α, 1).
    rows : int array or None
        Rows of the pair table to look at; the others stay undefined. None takes all.
    should_stop : callable or None
        Asked between parts of the work.

    Returns
    -------
    BoardPower

    Raises
    ------
    ConfigError
        A power that is not above the level or not below 1.
    Cancelled
        `should_stop` said so.

    Notes
    -----
    Means and scores: λ·se, λ the noncentrality with this power at the pair's degrees of freedom; se over
    units, over documents for block tests, linearised for counts. Wilcoxon: the shift of the pair's own
    differences, by the mean and variance of W⁺ they give (`wilcoxon_detectable`); above 3,000 pairs of normal
    differences with their spread. Signs and medians: Cohen's
    g of the exact binomial at the decided units, and the shift that gives the pair's own differences that
    share of wins; McNemar: 2g·ψ. Ties stay ties. Corrections in steps are taken at their hardest step. Cost:
    one walk over the differences; Wilcoxon O(n log n) per pair, some milliseconds for 1,000 units.

    References
    ----------
    Bloom (1995), doi:10.1177/0193841X9501900504; Cohen (1988).
    """
    config, pairs = analysis.config, analysis.pairs
    if not config.alpha < power < 1:
        raise ConfigError(f"power must be above {config.alpha:g} and below 1, not {shown(power)}.")
    level = comparison_alpha(config.alpha, config.correction, max(1, analysis.family_size))
    detectable, least = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    model = np.full(len(pairs), None, dtype=object)
    own_shape = (len(pairs) if rows is None else len(rows)) <= MOST_OWN_SHAPES
    with stoppable(should_stop):
        for here, batch, single in batches_by_test(analysis, rows):
            form = nearest_model(single.test)
            for part in _parts(batch.n_pairs):
                stop_if_asked()
                some = batch.take(part)
                detectable[here[part]] = _detectable(some, single, form, power, level, own_shape)
                least[here[part]] = smallest_p(some, single)
            model[here] = "signed-rank-own" if form is SIGNED_RANK and own_shape else form.key
    if config.correction == "max-t":
        least = np.maximum(least, 1 / (config.resamples + 1))
        limit = config.alpha
    else:
        limit = level
    return BoardPower(
        power=float(power),
        comparison_alpha=level,
        comparisons=analysis.family_size,
        detectable=detectable,
        model=model,
        smallest_p=least,
        unreachable=~(least <= limit),
        impossible=~(least <= config.alpha),
    )


def batches_by_test(
    analysis: Analysis, rows: IntArray | None = None
) -> Iterator[tuple[IntArray, PairBatch, AnalysisConfig]]:
    """The pairs of an analysis in batches that share units and test.

    Parameters
    ----------
    analysis : Analysis
    rows : int array or None
        Rows of the pair table; None takes all.

    Yields
    ------
    rows : int array
    batch : PairBatch
    config : AnalysisConfig
        Of the analysis, with the test these pairs got. Pairs without a test are left out.
    """
    pairs, config = analysis.pairs, analysis.config
    at = np.arange(len(pairs)) if rows is None else rows
    blocks = block_ids(analysis.units, config)
    work = chunks(analysis.units, pairs.left[at], pairs.right[at], delta=config.delta, block_ids=blocks)
    for chunk in work:
        here = at[chunk.positions]
        codes = pairs.test_code[here]
        for code in np.unique(codes[codes >= 0]):
            same = np.flatnonzero(codes == code)
            key = pairs.tests[code]
            yield here[same], chunk.batch.take(same), replace(config, test=key, correction="none")


def _parts(n_pairs: int) -> Iterator[IntArray]:
    for start in range(0, n_pairs, _AT_ONCE):
        yield np.arange(start, min(start + _AT_ONCE, n_pairs))


def one_direction(alternative: Alternative) -> Alternative:
    """The alternative for an effect whose sign has been dropped.

    Parameters
    ----------
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    {"two-sided", "greater"}
    """
    return "two-sided" if alternative == "two-sided" else "greater"


def _detectable(
    batch: PairBatch, config: AnalysisConfig, form: PowerModel, power: float, level: float, own_shape: bool
) -> FloatArray:
    side = one_direction(config.alternative)
    if form is NONCENTRAL_T:
        seen = standardised(batch, config)
        return np.where(
            seen.error > 0, detectable_noncentrality(power, seen.df, level, side) * seen.error, np.nan
        )
    if form is SIGNED_RANK and not own_shape:
        try:
            size = plan(
                units=batch.n_units, power=power, alpha=level, test="wilcoxon", alternative=side
            ).effect
        except ConfigError:
            size = np.inf
        return np.where(batch.sd > 0, size * np.where(batch.sd > 0, batch.sd, 1.0), np.nan)
    if form is SIGNED_RANK:
        return _shift_for_ranks(batch, config, power, level)
    decided = batch.wins + batch.losses
    size_of = detectable_shares(decided, power, level, side == "two-sided")
    if config.test == "mcnemar":
        shift: FloatArray = 2 * size_of * np.maximum(decided, 1) / max(batch.n_units, 1)
    else:
        shift = _shift_for_wins(batch, size_of)
    return np.where(decided > 0, shift, np.nan)


def _shift_for_ranks(batch: PairBatch, config: AnalysisConfig, power: float, level: float) -> FloatArray:
    """How far the differences, centred at their pseudo-median, must move to be found by ranks."""
    shift = np.full(batch.n_pairs, np.nan)
    centre = EFFECTS["hodges-lehmann"].run(batch, config, False).value - batch.delta
    for part, rows in batch.rows():
        grid = np.sort(on_grid(rows, batch.units.decimals, batch.delta), axis=1)
        for place, z in enumerate(grid, start=part.start):
            z = z[z != 0]  # ties stay ties
            if z.size:
                about = z - centre[place]
                shift[place] = wilcoxon_detectable(about, power, level, config.alternative == "two-sided")
    return shift


def _shift_for_wins(batch: PairBatch, size: FloatArray) -> FloatArray:
    """How far the differences, centred at their median, must move for a share ½ + g to be positive."""
    shift = np.full(batch.n_pairs, np.inf)
    for part, rows in batch.rows():
        grid = np.sort(on_grid(rows, batch.units.decimals, batch.delta), axis=1)
        for place, z in enumerate(grid, start=part.start):
            z = z[z != 0]  # ties stay ties: a shift would make wins of them all
            if np.isfinite(size[place]) and z.size:
                middle, low = np.quantile(z, [0.5, 0.5 - size[place]])
                shift[place] = middle - low
    return shift
