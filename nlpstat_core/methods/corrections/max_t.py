"""Westfall and Young's step-down max-T: all pairs judged against one joint null distribution."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.engine.resampling import monte_carlo_p, one_blas_thread
from nlpstat_core.engine.resampling.joint import FlippedPairs, studentised_step_down
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.engine.resampling.studentised import used_systems
from nlpstat_core.engine.swaps.joint import joint_step_down
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.corrections.family import DIVIDED, Adjusted, Comparisons, Family
from nlpstat_core.records import Correction
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.grid import MOST_DECIMALS, parts_of
from nlpstat_core.scores.matrix import ScoreMatrix

SIDES = {"two-sided": 0, "greater": 1, "less": -1}
# Below this many units the joint law of skewed differences is far from its limit.
FEW_UNITS = 200
_EXACT = 2.0**53


def max_t(family: Family) -> Adjusted:
    """p-values adjusted by the step-down maximum over pairs.

    Null hypothesis, of every pair: the mean of u − v is δ.

    Parameters
    ----------
    family : Family
        With its scores; the test must be one that it fits.

    Returns
    -------
    Adjusted
        (C + 1)/(B + 1), never below the pair's own p. A pair of identical systems has p = 1 and is outside
        the maximum. Notes: "max-t-complete-units" where units that some system lacks were left out,
        "max-t-unlike-shapes" for skewed differences on fewer than 200 units.

    Raises
    ------
    AnalysisError
        Without the scores, or without two units that every system of the family has.

    Notes
    -----
    Statistic |Σ εz|/√Σz² under one shared random sign per unit (per block where blocks are named); for the
    bootstrap test |t*| in shared resamples; for the swap test |Δ(s)|/σ (`swaps.joint`). C counts the
    resamples whose maximum over the pair and all less significant ones reaches its statistic; p-values then
    rise with decreasing significance. Control of the family-wise error is asymptotic, exact where the null
    differences are jointly symmetric. Cost O(B·n·S) and O(B) per pair; for the bootstrap O(B·n) per pair.
    """
    known = family.comparisons
    if known is None:
        raise AnalysisError(
            "max-t resamples the scores, so it can't adjust p-values alone; "
            "use analyse with correction='max-t', or another correction."
        )
    units, complete = complete_units(known)
    resamples = known.config.resamples
    with one_blas_thread():
        counts = _step_down(known, units).counts()
    p_values = np.maximum(monte_carlo_p(counts, resamples), family.p_values)
    n_pairs = family.p_values.shape[0]
    notes = {
        "max-t-complete-units": np.full(n_pairs, not complete.all()),
        "max-t-unlike-shapes": _skewed(known, units),
    }
    return Adjusted(p_values=p_values, notes=notes)


def complete_units(known: Comparisons) -> tuple[ScoreMatrix, BoolArray]:
    """The units that every system of the family has, in canonical order.

    Raises AnalysisError: Fewer than two such units.
    """
    used = np.union1d(known.left, known.right)
    complete: BoolArray = np.asarray(known.units.present[:, used].all(axis=1))
    if np.count_nonzero(complete) < 2:
        raise AnalysisError(
            "max-t needs at least two items that every system has a score for; "
            "leave out a system, or choose another correction."
        )
    order = known.units.canonical_order
    return known.units.rows(order[complete[order]]), complete


def whole_batch(known: Comparisons, units: ScoreMatrix) -> PairBatch:
    """All pairs of the family on the complete units, as one batch."""
    first = next(chunks(units, known.left[:1], known.right[:1]))
    return PairBatch(first.batch.units, known.left, known.right, known.config.delta)


def flipped_pairs(known: Comparisons, units: ScoreMatrix) -> FlippedPairs:
    """What the shared signs flip: scores per unit, or their sums per block.

    Returns: On the scores' decimal grid as whole numbers where these are exact, so that ties are.
    """
    values, left, right = used_systems(units.values, known.left, known.right)
    parts = parts_of(units.decimals)
    gridded = parts > 0 or units.decimals < MOST_DECIMALS
    scale = (float(parts) or 10.0**units.decimals) if gridded else 1.0
    values = values * scale
    if gridded and np.abs(values).sum(axis=0).max() < _EXACT:
        values = np.rint(values)
    blocks = block_ids(units, known.config)
    sizes = np.ones(units.n_units)
    if blocks is not None:
        values, sizes = block_sums(values, blocks), np.bincount(blocks).astype(np.float64)
    return FlippedPairs(
        columns=values,
        shift=known.config.delta * scale * sizes,
        left=left,
        right=right,
        side=SIDES[known.config.alternative],
    )


def block_sums(values: FloatArray, blocks: IntArray) -> FloatArray:
    """Scores summed over the units of each block."""
    total = np.zeros((int(blocks.max()) + 1, values.shape[1]))
    np.add.at(total, blocks, values)
    return total


def _step_down(known: Comparisons, units: ScoreMatrix) -> StepDown:
    config = known.config
    if units.measured is not None:
        measured = MeasuredUnits(units.measured, block_ids(units, config))
        side = SIDES[config.alternative]
        return joint_step_down(
            measured, known.left, known.right, side, config.resamples, config.seed, known.progress
        )
    if resamples_units(config.test):
        batch = whole_batch(known, units)
        side = SIDES[config.alternative]
        return studentised_step_down(batch, side, config.resamples, config.seed, known.progress)[0]
    return flipped_pairs(known, units).step_down(config.resamples, config.seed, known.progress)


def resamples_units(test: str) -> bool:
    """Whether the joint null distribution comes from resampled units, as the test's own does."""
    return test in TESTS and TESTS[test].joint_null == "resamples"


def _skewed(known: Comparisons, units: ScoreMatrix) -> BoolArray:
    """Pairs of few units whose differences are skewed: the two systems' scores differ in shape."""
    skewed = np.zeros(known.left.shape[0], dtype=bool)
    if units.n_units >= FEW_UNITS or units.measured is not None:
        return skewed
    for chunk in chunks(units, known.left, known.right):
        skewed[chunk.positions] = np.abs(chunk.batch.skewness) >= known.config.skewness_limits[0]
    return skewed


METHOD = Correction(
    key="max-t",
    label="Westfall–Young max-T",
    summary="Compares every pair with the largest difference that chance gives among all pairs together. "
    "Asymptotic: on simulated boards at 5 %, its error rate was 3.6–8.7 % with 100 items or more, and up to "
    "10.8 % with fewer.",
    run=max_t,
    assumptions=("under the null the differences of all pairs are jointly symmetric, or items are many",),
    formula=r"\tilde p_{(i)} = \max_{j \le i} \frac{1 + \#\{\max_{k \ge j} T^*_{(k)} \ge T_{(j)}\}}{B + 1},"
    r"\quad T = \frac{|\sum z|}{\sqrt{\sum z^2}}",
    references=("westfall1993", "romano2005"),
    error_rate="family-wise error rate, asymptotically; exact for jointly symmetric differences",
    level_of_one=DIVIDED,
    hardest_step=True,
    p_values_only=False,
    fits=lambda test: bool(test.joint_null),
    resamples=True,
    notes=("max-t-complete-units", "max-t-unlike-shapes"),
)
