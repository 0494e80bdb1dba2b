"""Units in blocks (documents): sums by block, cluster-robust standard errors, design effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.columns.contributions import standard_errors

if TYPE_CHECKING:
    from nlpstat_core.engine.columns.batch import PairBatch

VERY_FEW_BLOCKS = 10
FEW_BLOCKS = 20
# Below this part of what was summed, a deviation of a block is rounding.
_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which units form which block.

    Attributes
    ----------
    order : int array, shape (n_units,)
        Units block by block, in their own order within a block.
    starts : int array, shape (n_blocks,)
        Where each block begins in `order`.
    sizes : float array, shape (n_blocks,)
        Units of each block, L.
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

    def sums(self, rows: FloatArray) -> FloatArray:
        """Sums over the units of each block.

        Parameters
        ----------
        rows : float array, shape (k, n_units)

        Returns
        -------
        float array, shape (k, n_blocks)
        """
        if self.n_blocks == 0:
            return np.zeros((rows.shape[0], 0))
        ordered = np.ascontiguousarray(rows[:, self.order])
        result: FloatArray = np.add.reduceat(ordered, self.starts, axis=1)
        return result


def blocks_of(ids: IntArray) -> Blocks:
    """Blocks from the number of the block of each unit.

    Parameters
    ----------
    ids : int array, shape (n_units,)
        Numbers that name blocks; numbers without units are no blocks.

    Returns
    -------
    Blocks
        In rising order of their numbers.

    Examples
    --------
    >>> blocks = blocks_of(np.array([7, 2, 7]))
    >>> blocks.sizes.tolist(), blocks.sums(np.array([[1.0, 2.0, 3.0]])).tolist()
    ([1.0, 2.0], [[2.0, 4.0]])
    """
    order = np.argsort(ids, kind="stable")
    _, starts, sizes = np.unique(ids[order], return_index=True, return_counts=True)
    return Blocks(order, starts, sizes.astype(float))


def clustered_errors(batch: PairBatch) -> FloatArray:
    """Cluster-robust standard error of the difference of every pair.

    Parameters
    ----------
    batch : PairBatch
        Its units are in blocks.

    Returns
    -------
    float array, shape (n_pairs,)
        Metric points; exactly 0 where no block deviates, NaN below two blocks or without blocks.

    Notes
    -----
    se² = G/(G − 1)·Σ_g e_g²/N², e_g = Σ_{i in g} (z_i − z̄); for counts the contributions to the ratio take
    the place of (z_i − z̄)/N. Cost O(N·S) once and O(G) per pair.

    References
    ----------
    Liang and Zeger (1986), doi:10.1093/biomet/73.1.13; Cameron and Miller (2015), doi:10.3368/jhr.50.2.317.
    """
    if batch.units.blocks is None:
        return np.full(batch.n_pairs, np.nan)
    deviations = block_deviations(batch)
    return standard_errors(deviations, deviations.shape[1])


def block_deviations(batch: PairBatch) -> FloatArray:
    """What each block adds to the deviation of the difference of every pair: e_g/N.

    Parameters
    ----------
    batch : PairBatch
        Its units are in blocks.

    Returns
    -------
    float array, shape (n_pairs, n_blocks)
        Exactly 0 where a pair has nothing but rounding.
    """
    by_system, magnitude = batch.units.block_parts, batch.units.contributions.magnitude
    deviations: FloatArray = by_system[batch.left] - by_system[batch.right]
    largest = np.abs(deviations).max(axis=1, initial=0.0)
    deviations[largest <= _ROUNDING * (magnitude[batch.left] + magnitude[batch.right])] = 0.0
    return deviations


def block_notes(batch: PairBatch) -> dict[str, BoolArray]:
    """Notes on the number and the sizes of the blocks, the same for all pairs of a batch.

    Parameters
    ----------
    batch : PairBatch
        Its units are in blocks.

    Returns
    -------
    mapping of str to bool array of shape (n_pairs,)
        "very-few-blocks" under 10, "few-blocks" under 20, "unequal-blocks" where (ΣL)²/ΣL² is below G/2,
        "few-effective-blocks" where it is below 20 although there are more.
    """
    blocks = batch.units.blocks
    if blocks is None:
        return {}
    found = {
        "very-few-blocks": blocks.n_blocks < VERY_FEW_BLOCKS,
        "few-blocks": VERY_FEW_BLOCKS <= blocks.n_blocks < FEW_BLOCKS,
        "unequal-blocks": blocks.effective < blocks.n_blocks / 2,
        "few-effective-blocks": blocks.effective < FEW_BLOCKS <= blocks.n_blocks,
    }
    return {code: np.full(batch.n_pairs, holds) for code, holds in found.items()}


def pair_design_effects(batch: PairBatch) -> FloatArray:
    """Design effect of the blocks on the difference of every pair.

    Parameters
    ----------
    batch : PairBatch

    Returns
    -------
    float array, shape (n_pairs,)
        (cluster-robust standard error / standard error over units)²; NaN without blocks, below two of them,
        or where the difference has no spread.

    References
    ----------
    Kish (1965), Survey Sampling, section 5.4.
    """
    return _ratio(clustered_errors(batch), batch.score_error)


def clustered_score_errors(
    parts: FloatArray, there: BoolArray, block_ids: IntArray
) -> tuple[FloatArray, IntArray]:
    """Cluster-robust standard errors of scores with missing cells.

    Parameters
    ----------
    parts : float array, shape (n_systems, n_units)
        From `contributions`.
    there : bool array, shape (n_systems, n_units)
        Where the system has the unit.
    block_ids : int array, shape (n_units,)

    Returns
    -------
    errors : float array, shape (n_systems,)
        Metric points.
    n_blocks : int array, shape (n_systems,)
        Blocks in which the system has a unit.
    """
    blocks = blocks_of(block_ids)
    n_blocks = np.count_nonzero(blocks.sums(there.astype(float)), axis=1)
    return standard_errors(blocks.sums(parts), n_blocks), n_blocks


def _ratio(clustered: FloatArray, by_unit: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        effect: FloatArray = np.where(by_unit > 0, (clustered / by_unit) ** 2, np.nan)
    return effect
