"""Simultaneous intervals: with the chosen probability all pairs' mean differences lie in theirs."""

from dataclasses import replace
from typing import Literal

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.engine.columns.unit_block import column_means
from nlpstat_core.engine.distributions.tails import one_sided
from nlpstat_core.engine.resampling import one_blas_thread
from nlpstat_core.engine.resampling.joint import FlippedPairs, studentised_step_down
from nlpstat_core.engine.resampling.monte_carlo import critical_values
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.engine.resampling.studentised import used_systems
from nlpstat_core.engine.samples.crossed import crossed_interval
from nlpstat_core.engine.samples.independent import shift, shift_interval
from nlpstat_core.engine.samples.intervals import (
    block_interval,
    difference_interval,
    mean_interval,
    within_shares,
)
from nlpstat_core.methods.corrections.family import Comparisons
from nlpstat_core.methods.corrections.max_t import (
    SIDES,
    block_sums,
    complete_units,
    resamples_units,
    whole_batch,
)
from nlpstat_core.methods.significance.swap import jackknife
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix

Simultaneous = Literal["max-t", "bonferroni"]


def simultaneous_intervals(
    known: Comparisons,
    method: Simultaneous = "max-t",
    *,
    tests: CodeArray | None = None,
    family: int | None = None,
) -> FloatArray:
    """Intervals for the mean differences u − v of a family that hold together.

    known: The configuration gives level, alternative, test (bootstrap-mean or another), resamples and seed.
    method: From the joint distribution of all pairs' largest statistic, on the units every system has; or
        each pair's own interval on its own units at level 1 − (1 − level)/m: Student's t, of 0/1 scores the
        score interval, by block where blocks are named, Welch's (Student's) of independent samples.
    tests (int8 array, shape (n_pairs,), or None): Each pair's test, positions in `TESTS.keys`: "bonferroni"
        takes the interval of its design. None: all pairs are compared on shared units.
    family: m, where the family goes beyond these pairs.
    Returns float array, shape (n_pairs, 2): One-sided for one-sided alternatives. A pair that takes no part
        in the maximum has NaN. Differences of 0/1 scores are cut at −1 and 1.
    Raises AnalysisError: For max-T: fewer than two units that every system has.

    z̄ ± c·se. Bootstrap: c is the ⌈level·(B + 1)⌉-th smallest maximum of |t*|. Otherwise signs flip the
    centred differences e; their maximum's quantile q of |Σ εe|/√Σe² is c = q·√((n − 1)/(n − q²)) on the scale
    of t, because |t(θ)| ≤ c is the same as |Σ(z − θ)|/√Σ(z − θ)² ≤ q. Blocks named: signs and se by block.

    Source: Romano and Wolf (2005), doi:10.1198/016214504000000539.
    """
    if method == "bonferroni":
        return _bonferroni(known, tests, known.left.shape[0] if family is None else family)
    units, _ = complete_units(known)
    batch = whole_batch(known, units)
    with one_blas_thread():
        resampled = resamples_units(known.config.test)
        margin = _bootstrap_margin(known, batch) if resampled else _flipped_margin(known, units)
    ends = one_sided(batch.mean - margin, batch.mean + margin, known.config.alternative)
    shares = batch.units.binary[batch.left] & batch.units.binary[batch.right]
    return np.where(shares[:, None], within_shares(ends), ends)


def _bonferroni(known: Comparisons, tests: CodeArray | None, family: int) -> FloatArray:
    """Every pair's interval at one minus the family's error divided by its size."""
    n_pairs = known.left.shape[0]
    config = replace(known.config, confidence_level=1 - (1 - known.config.level) / family)
    codes = np.full(n_pairs, -1, dtype=np.int8) if tests is None else tests
    blocks = block_ids(known.units, config)
    independent = any(TESTS[TESTS.keys[code]].design == "unpaired" for code in np.unique(codes) if code >= 0)
    intervals = np.empty((n_pairs, 2))
    for chunk in chunks(known.units, known.left, known.right, block_ids=blocks, together=not independent):
        used = codes[chunk.positions]
        for code in np.unique(used):
            here = used == code
            test = TESTS.keys[code] if code >= 0 else None
            intervals[chunk.positions[here]] = _of_test(test, chunk.batch.take(here), config)
    return intervals


def _of_test(test: str | None, batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """The interval in closed form that stands beside a test, by blocks the test's own."""
    if test is not None and TESTS[test].design == "unpaired":
        found = shift(batch, equal_variances=TESTS[test].equal_variances)
        return shift_interval(found, config.level, config.alternative)
    if batch.units.measured is not None:
        return jackknife(batch, config, batch.units.measured)
    if batch.units.runs is not None:
        return crossed_interval(batch, config)
    if batch.units.blocks is not None:
        method = None if test is None else TESTS[test]
        if method is not None and method.interval is not None:
            own = method.interval(batch, config, method.run(batch, config)).interval
            return block_interval(batch, config) if own is None else own
        return block_interval(batch, config)
    if test == "t" and batch.units.counts is None:
        return mean_interval(batch, config)
    continuity = test != "mcnemar" or config.mcnemar in ("exact", "continuity")
    return difference_interval(batch, config, continuity=continuity)


def _members(order: IntArray, n_pairs: int) -> BoolArray:
    """The pairs in the maximum, as a mask."""
    inside = np.zeros(n_pairs, dtype=bool)
    inside[order] = True
    return inside


def _bootstrap_margin(known: Comparisons, batch: PairBatch) -> FloatArray:
    """c·se of every pair from the maxima of |t*|."""
    config = known.config
    steps, error = studentised_step_down(batch, SIDES[config.alternative], config.resamples, config.seed)
    margin = _quantile(steps, config) * error
    return np.where(_members(steps.order, batch.n_pairs), margin, np.nan)


def _flipped_margin(known: Comparisons, units: ScoreMatrix) -> FloatArray:
    """c·se of every pair from flips of the centred differences."""
    config, blocks = known.config, block_ids(units, known.config)
    values, left, right = used_systems(units.values, known.left, known.right)
    centred = values - column_means(values)
    pairs = FlippedPairs(
        columns=centred if blocks is None else block_sums(centred, blocks),
        shift=np.zeros(1),
        left=left,
        right=right,
        side=SIDES[config.alternative],
    )
    steps, g = pairs.step_down(config.resamples, config.seed), pairs.columns.shape[0]
    quantile = _quantile(steps, config)
    factor = quantile * np.sqrt((g - 1) / (g - quantile**2)) if quantile**2 < g else np.inf
    error = pairs.sums()[1] * np.sqrt(g / max(g - 1, 1)) / units.n_units
    margin = np.multiply(factor, error, where=error > 0, out=np.full(error.shape, np.nan))
    return np.where(_members(steps.order, error.shape[0]), margin, np.nan)


def _quantile(steps: StepDown, config: AnalysisConfig) -> float:
    """The largest statistic that a board reaches with the level's probability."""
    return float(critical_values(steps.maxima[np.newaxis], config.level)[0])
