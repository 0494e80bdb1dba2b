"""Which tests of a mean rest on a few units: the skewness of the difference that they compare."""

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import block_deviations
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.quantities import MEAN

NOTE = "skewed-few-units"
# Units that a test of a mean wants per squared skewness of the differences (Cochran 1977, section 2.15).
PER_SQUARED_SKEWNESS = 25


def skewness_of_means(batch: PairBatch, codes: CodeArray) -> FloatArray:
    """Skewness of the difference that each pair's test of a mean compares.

    Returns: NaN where the test isn't about the mean, where nothing varies, and for 0/1 scores under a test
        that is exact for these.

    A mean of n independent parts with skewness g1 has skewness g1/√n. The parts are the differences of the
    shared units, what each document adds to the deviation of the difference, or, of independent samples, the
    scores of both sides: (κ_a − κ_b)/(v_a + v_b)^1.5 with third moments κ and variances v of the two means.
    0/1 scores: equal means make differences of −1, 0 and 1 symmetric, so that random signs are exact whatever
    few units decide.
    """
    if batch.units.measured is not None:
        return of_measure(batch.units.measured, batch.left, batch.right)
    of_means = np.array([*(test.quantity == MEAN for test in TESTS), False])[codes]
    if not of_means.any():
        return np.full(batch.n_pairs, np.nan)
    designs = np.array([*(test.design for test in TESTS), ""])[codes]
    exact = np.array([*(test.exact_for_shares for test in TESTS), False])[codes]
    unpaired, paired = designs == "unpaired", designs == "paired"
    found = batch.skewness / np.sqrt(max(batch.n_units, 1))
    if batch.units.blocks is not None and not (unpaired | paired).all():
        found = np.where(paired, found, of_documents(batch))
    if unpaired.any():
        of_board = np.array([*(test.of_board_scores for test in TESTS), False])[codes]
        found = np.where(unpaired, of_samples(batch, of_board), found)
    binary = batch.units.binary[batch.left] & batch.units.binary[batch.right] & (batch.delta == 0)
    return np.where(of_means & ~(binary & exact), found, np.nan)


def skewness_of_scores(batch: PairBatch, unpaired: BoolArray) -> FloatArray:
    """Skewness of the difference of the board's scores, whatever compares them. NaN where nothing varies."""
    units = batch.units
    if units.blocks is not None:
        found = of_documents(batch)
    elif units.counts is not None:
        found = skewness_of_sums(
            units.contributions.parts[batch.left] - units.contributions.parts[batch.right]
        )
    else:
        found = batch.skewness / np.sqrt(max(batch.n_units, 1))
    if unpaired.any():
        found = np.where(unpaired, of_samples(batch, np.ones(batch.n_pairs, dtype=bool)), found)
    return found


def of_documents(batch: PairBatch) -> FloatArray:
    """Skewness of every pair's difference as a sum of what the documents add.

    Returns float array, shape (n_pairs,): NaN where no document deviates.
    """
    return skewness_of_sums(block_deviations(batch))


def of_measure(measured: MeasuredUnits, left: IntArray, right: IntArray) -> FloatArray:
    """Skewness of every pair's difference in a measure, from differences of the jackknife's pseudo-values.

    Returns float array, shape (n_pairs,): NaN where they are undefined or nothing varies.
    """
    pseudo = measured.by_group[1]
    if not pseudo.shape[1]:
        return np.full(left.shape[0], np.nan)
    apart = pseudo[left] - pseudo[right]
    return skewness_of_sums(apart - apart.mean(axis=1, keepdims=True))


def of_samples(batch: PairBatch, of_board: BoolArray) -> FloatArray:
    """Skewness of every pair's difference of two independent means.

    of_board: Of counts, whether the linearised ratio is compared, or the units' own scores.
    Returns: NaN where neither side varies or one has no unit.
    """
    own, a, b = batch.units.own, batch.left, batch.right
    found = []
    for sides in (own.of_board, own.of_units):
        cubes, squares = sides.cubes[a] - sides.cubes[b], sides.squares[a] + sides.squares[b]
        found.append(_ratio(cubes, squares))
    return np.where(of_board, *found)


def rests_on_few(skewness: FloatArray) -> BoolArray:
    """Where a difference is too skewed for a test of a mean: n < 25·g1², which is |skewness| > 1/5."""
    result: BoolArray = wanted(skewness, 1.0) > 1.0
    return result


def wanted(skewness: FloatArray, n: FloatArray | IntArray | float) -> FloatArray:
    """Units (or documents) that differences so skewed want, where there are n.

    Returns float array of the same shape: 25·g1².
    """
    return PER_SQUARED_SKEWNESS * n * skewness**2


def skewness_of_sums(parts: FloatArray) -> FloatArray:
    """Skewness of sums of independent parts that add up to 0.

    parts (float array, shape (k, n)).
    Returns float array, shape (k,): NaN where all parts are 0.
    """
    largest = np.abs(parts).max(axis=1, initial=0.0, keepdims=True)
    scaled = parts / np.where(largest > 0, largest, 1.0)  # cubes of tiny scores underflow
    squares = scaled * scaled
    return _ratio(np.einsum("ij,ij->i", squares, scaled), squares.sum(axis=1))


def _ratio(cubes: FloatArray, squares: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        result: FloatArray = np.where(squares > 0, cubes / squares**1.5, np.nan)
    return result
