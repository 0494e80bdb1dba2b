"""Units in blocks (documents): sums by block, cluster-robust standard errors, design effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from nlpstat_core.engine.columns.batch import PairBatch

VERY_FEW_BLOCKS = 10
FEW_BLOCKS = 20
# Below this part of what was summed, a deviation of a block is rounding.
_ROUNDING = 1e-13
# With fewer degrees of freedom no standard error by document is used.
FEWEST_DEGREES = 3.0


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which units form which block.

    order (int array, shape (n_units,)): Units block by block, in their own order within a block.
    starts (int array, shape (n_blocks,)): Where each block begins in `order`.
    sizes (float array, shape (n_blocks,)): Units of each block, L.
    """

    order: IntArray
    starts: IntArray
    sizes: FloatArray

    @property
    def n_blocks(self) -> int:
        """Number of blocks, G."""
        return int(self.starts.shape[0])

    @property
    def effective(self) -> float:
        """(ΣL)²/ΣL²: how many blocks of equal size would weigh as much; 0 without units."""
        squares = float(np.sum(self.sizes**2))
        return float(np.sum(self.sizes)) ** 2 / squares if squares else 0.0

    @property
    def leverage(self) -> FloatArray:
        """Share of each block in a mean over all units, L/N, shape (1, n_blocks)."""
        return shares(self.sizes[None, :])

    def sums(self, rows: FloatArray) -> FloatArray:
        """Sums over the units of each block.

        rows (float array, shape (k, n_units)).
        Returns float array, shape (k, n_blocks).
        """
        if self.n_blocks == 0:
            return np.zeros((rows.shape[0], 0))
        ordered = np.ascontiguousarray(rows[:, self.order])
        result: FloatArray = np.add.reduceat(ordered, self.starts, axis=1)
        return result


def blocks_of(ids: IntArray) -> Blocks:
    """Blocks from the number of the block of each unit.

    ids (int array, shape (n_units,)): Numbers that name blocks; numbers without units are no blocks.
    Returns: In rising order of their numbers.

    >>> blocks = blocks_of(np.array([7, 2, 7]))
    >>> blocks.sizes.tolist(), blocks.sums(np.array([[1.0, 2.0, 3.0]])).tolist()
    ([1.0, 2.0], [[2.0, 4.0]])
    """
    order = np.argsort(ids, kind="stable")
    _, starts, sizes = np.unique(ids[order], return_index=True, return_counts=True)
    return Blocks(order, starts, sizes.astype(float))


def adjusted_errors(parts: FloatArray, leverage: FloatArray) -> FloatArray:
    """Standard errors of sums of independent contributions, each adjusted for its weight in the whole (CR2).

    parts (float array, shape (k, n_blocks)): What each block adds to the deviation of an estimate, metric
        points; rows sum to 0.
    leverage (float array, shape (k, n_blocks) or (1, n_blocks)): Share of each block in the whole, h: for a
        mean L/N.
    Returns float array, shape (k,); NaN where one block is the whole.

    √Σ_g parts_g²/(1 − h_g): unbiased where units are independent, and the usual √(G/(G − 1)·Σ parts²) for
    blocks of equal size, which is far too small where one block is large.

    Source: Bell and McCaffrey (2002), Survey Methodology 28, 169–181;
    Imbens and Kolesár (2016), doi:10.1162/REST_a_00552.
    """
    rest = np.where(leverage < 1 - 1e-12, 1 - leverage, np.nan)
    errors: FloatArray = np.sqrt((parts * parts / rest).sum(axis=1))
    return errors


def degrees_of_freedom(leverage: FloatArray) -> FloatArray:
    """Bell and McCaffrey's degrees of freedom of `adjusted_errors`.

    leverage (float array, shape (k, n_blocks)): As there; rows sum to 1.
    Returns float array, shape (k,): NaN below three: no error of so few, or so unequal, blocks can be
        trusted.

    Source: Bell and McCaffrey (2002), Survey Methodology 28, 169–181.

    >>> degrees_of_freedom(np.array([[0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1]])).tolist()
    [3.0, nan]
    """
    freedom = all_degrees(leverage, np.ones_like(leverage))
    return np.where(freedom >= FEWEST_DEGREES, freedom, np.nan)


def all_degrees(leverage: FloatArray, times: FloatArray) -> FloatArray:
    """Bell and McCaffrey's degrees of freedom, few ones too, where a block may stand several times.

    leverage (float array, shape (k, n_blocks)): Share h of one copy of each block in the whole.
    times (float array of the same shape): How often each block stands there; rows of leverage·times sum to 1.
    Returns float array, shape (k,); NaN where one block is the whole.

    With M_gh = (h_g·1[g = h] − h_g h_h)/√((1 − h_g)(1 − h_h)), (tr M)²/tr(M²). Its trace is 1, so that this
    is 1/(Σ h² + (Σ q)² − Σ q²) with q = h²/(1 − h): G − 1 for equal blocks.
    """
    q = leverage**2 / np.where(leverage < 1 - 1e-12, 1 - leverage, np.where(times > 0, np.nan, 1.0))
    squares = (times * leverage**2).sum(axis=1)
    below = squares + (times * q).sum(axis=1) ** 2 - (times * q**2).sum(axis=1)
    freedom = 1 / np.where(below > 0, below, np.nan)
    whole = np.rint(freedom)
    return np.where(np.abs(freedom - whole) <= 1e-9 * whole, whole, freedom)


def clustered_errors(batch: PairBatch) -> FloatArray:
    """Cluster-robust standard error of the difference of every pair.

    batch: Its units are in blocks.
    Returns float array, shape (n_pairs,): Metric points; exactly 0 where no block deviates, NaN below two
        blocks or without blocks.

    se² = Σ_g e_g²/(1 − L_g/N)/N², e_g = Σ_{i in g} (z_i − z̄) (`adjusted_errors`); for counts the
    contributions to the ratio take the place of (z_i − z̄)/N. Cost O(N·S) once and O(G) per pair.

    Source: Bell and McCaffrey (2002), Survey Methodology 28, 169–181.
    """
    if batch.units.blocks is None:
        return np.full(batch.n_pairs, np.nan)
    return adjusted_errors(block_deviations(batch), block_leverage(batch, batch.units.blocks))


def clustered_freedom(batch: PairBatch) -> FloatArray:
    """Degrees of freedom of the cluster-robust standard error of every pair.

    batch: Its units are in blocks.
    Returns float array, shape (n_pairs,); NaN below three, or without blocks.
    """
    if batch.units.blocks is None:
        return np.full(batch.n_pairs, np.nan)
    found = degrees_of_freedom(block_leverage(batch, batch.units.blocks))
    return np.broadcast_to(found, (batch.n_pairs,)).copy()


def block_leverage(batch: PairBatch, blocks: Blocks) -> FloatArray:
    """Share of each block in the scores of every pair.

    blocks: Of its units.
    Returns float array, shape (1, n_blocks), or (n_pairs, n_blocks) for counts: Of the units; for counts of
        what the score is divided by, the mean of the two systems.
    """
    of_units, counts = blocks.leverage, batch.units.counts
    if counts is None:
        return of_units
    by_system = shares(blocks.sums(np.ascontiguousarray(counts.weights.T)))
    by_system = np.where(np.isnan(by_system), of_units, by_system)
    return np.asarray((by_system[batch.left] + by_system[batch.right]) / 2)


def shares(sizes: FloatArray) -> FloatArray:
    """Rows divided by their sums; NaN where there is nothing to share.

    sizes (float array, shape (k, n_blocks)).
    Returns float array, shape (k, n_blocks).
    """
    whole = sizes.sum(axis=1, keepdims=True)
    return np.asarray(sizes / np.where(whole > 0, whole, np.nan))


def block_deviations(batch: PairBatch) -> FloatArray:
    """What each block adds to the deviation of the difference of every pair: e_g/N.

    batch: Its units are in blocks.
    Returns float array, shape (n_pairs, n_blocks): Exactly 0 where a pair has nothing but rounding.
    """
    by_system, magnitude = batch.units.block_parts, batch.units.contributions.magnitude
    deviations: FloatArray = by_system[batch.left] - by_system[batch.right]
    largest = np.abs(deviations).max(axis=1, initial=0.0)
    deviations[largest <= _ROUNDING * (magnitude[batch.left] + magnitude[batch.right])] = 0.0
    return deviations


def block_notes(batch: PairBatch) -> dict[str, BoolArray]:
    """Notes on the number and the sizes of the blocks, the same for all pairs of a batch.

    batch: Its units are in blocks.
    Returns mapping of str to bool array of shape (n_pairs,): "very-few-blocks" under 10, "few-blocks" under
        20, "unequal-blocks" where (ΣL)²/ΣL² is below G/2, "few-effective-blocks" where it is below 20
        although there are more, below 10 although there are so many, or below G/2 where G is below 20.
    """
    blocks = batch.units.blocks
    if blocks is None:
        return {}
    n_blocks, effective = blocks.n_blocks, blocks.effective
    unequal = effective < n_blocks / 2
    found = {
        "very-few-blocks": n_blocks < VERY_FEW_BLOCKS,
        "few-blocks": VERY_FEW_BLOCKS <= n_blocks < FEW_BLOCKS,
        "unequal-blocks": unequal,
        "few-effective-blocks": effective < FEW_BLOCKS <= n_blocks
        or effective < VERY_FEW_BLOCKS <= n_blocks
        or (unequal and effective < FEW_BLOCKS),
    }
    return {code: np.full(batch.n_pairs, holds) for code, holds in found.items()}


def pair_design_effects(batch: PairBatch) -> FloatArray:
    """Design effect of the blocks on the difference of every pair.

    Returns float array, shape (n_pairs,): (cluster-robust standard error / standard error over units)²; NaN
        without blocks, below two of them, or where the difference has no spread.

    Source: Kish (1965), Survey Sampling, section 5.4.
    """
    return _ratio(clustered_errors(batch), batch.score_error)


def clustered_score_errors(
    parts: FloatArray, sizes: FloatArray, block_ids: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Cluster-robust standard errors of scores, with missing cells or made of counts.

    parts (float array, shape (n_systems, n_units)): From `contributions`.
    sizes (float array, shape (n_systems, n_units)): What each unit adds to the score's divisor: for means 1
        where the system has the unit, else 0.
    block_ids (int array, shape (n_units,)).
    Returns errors (float array, shape (n_systems,)): Metric points.
    Returns freedom (float array, shape (n_systems,)): Their degrees of freedom; NaN below three.
    """
    blocks = blocks_of(block_ids)
    leverage = shares(blocks.sums(sizes))
    return adjusted_errors(blocks.sums(parts), leverage), degrees_of_freedom(leverage)


def _ratio(clustered: FloatArray, by_unit: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        effect: FloatArray = np.where(by_unit > 0, (clustered / by_unit) ** 2, np.nan)
    return effect
