"""A measure of the units that pairs share: values, pseudo-values, and what two systems exchange."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.swaps.pair import Swapped, swapped_pair
from nlpstat_core.engine.swaps.routes import is_linear, is_smooth
from nlpstat_core.engine.swaps.values import Items, Sums, exchanged_of, pseudo_values, values_of
from nlpstat_core.scores.measured import Measured


@dataclass(frozen=True, eq=False)
class MeasuredUnits:
    """The measure behind a block of units, in canonical order.

    measured: Numbers of these units alone.
    block_ids (int array, shape (n_units,), or None): Number of the document of each unit: documents are then
        left out and exchanged as a whole.
    """

    measured: Measured
    block_ids: IntArray | None = None

    @property
    def n_units(self) -> int:
        """Number of units."""
        return self.measured.n_items

    @cached_property
    def groups(self) -> IntArray:
        """Number of each unit's document from 0 on; without documents its own."""
        if self.block_ids is None:
            return np.arange(self.n_units)
        return np.unique(self.block_ids, return_inverse=True)[1].astype(np.int64)

    @property
    def n_groups(self) -> int:
        """Number of documents, or of units."""
        return int(self.groups.max(initial=-1)) + 1

    @cached_property
    def by_unit(self) -> tuple[FloatArray, FloatArray]:
        """The measure of every system, and pseudo-values by unit; see `values.pseudo_values`."""
        return _jackknifed(self.measured, np.arange(self.n_units))

    @cached_property
    def by_group(self) -> tuple[FloatArray, FloatArray]:
        """The same by document where documents are named."""
        return self.by_unit if self.block_ids is None else _jackknifed(self.measured, self.groups)

    def errors(self, left: IntArray, right: IntArray) -> FloatArray:
        """Jackknife standard errors of pairs' differences, by document where named; see `intervals`.

        Returns float array, shape (n_pairs,): NaN with one unit (document), and where the measure is
            undefined without one. Degrees of freedom are `n_groups` − 1.
        """
        _, pseudo = self.by_group
        if self.n_groups < 2:
            return np.full(left.shape[0], np.nan)
        error: FloatArray = (pseudo[left] - pseudo[right]).std(axis=1, ddof=1) / np.sqrt(self.n_groups)
        return error

    @cached_property
    def exchangeable(self) -> Sums | Items:
        """The measure of outputs made comparable, so that two systems can exchange them."""
        return exchanged_of(self.measured)

    @property
    def linear(self) -> bool:
        """Whether exchanged outputs change the measure linearly, so that the exact engine takes it."""
        return is_linear(self.measured)

    @property
    def smooth(self) -> bool:
        """Whether it has no steps or kinks where outputs are exchanged; see `Law`."""
        return is_smooth(self.measured)

    def pair(self, a: int, b: int) -> Swapped:
        """Two systems that exchange outputs of units, or of whole documents."""
        return swapped_pair(self.exchangeable, a, b, self.groups)


def _jackknifed(measured: Measured, groups: IntArray) -> tuple[FloatArray, FloatArray]:
    if not measured.n_items:
        nothing = np.full(measured.n_systems, np.nan)
        return nothing, np.empty((measured.n_systems, 0))
    return pseudo_values(values_of(measured), groups)


def item_values(measured: Measured) -> FloatArray:
    """Pseudo-values of every system on the items it has an output for; NaN elsewhere."""
    values = np.full((measured.n_items, measured.n_systems), np.nan)
    for system in range(measured.n_systems):
        there = np.flatnonzero(measured.present[:, system])
        if there.size:
            own = values_of(measured.columns([system]).rows(there))
            values[there, system] = pseudo_values(own, np.arange(there.size))[1][0]
    return values


def by_presence(measured: Measured) -> list[tuple[IntArray, IntArray, Sums | Items]]:
    """Systems that have outputs for the same units, with these units and their measure.

    Returns systems (int array), units (int array) and measure of every group; none for systems without units.
    """
    patterns, pattern_of = np.unique(measured.present, axis=1, return_inverse=True)
    found = []
    for number in range(patterns.shape[1]):
        systems, rows = np.flatnonzero(pattern_of.ravel() == number), np.flatnonzero(patterns[:, number])
        if rows.size:
            found.append((systems, rows, values_of(measured.columns(systems.tolist()).rows(rows))))
    return found


def resampled_measures(
    parts: list[tuple[IntArray, IntArray, Sums | Items]], n_systems: int, weights: FloatArray
) -> FloatArray:
    """Measures of weighted units, each system's on those it has.

    parts: Of `by_presence`.
    weights (float array, shape (n_units, B)).
    Returns float array, shape (n_systems, B): NaN where undefined.
    """
    found = np.full((n_systems, weights.shape[1]), np.nan)
    for systems, rows, measure in parts:
        found[systems] = measure.weighted(weights if rows.size == weights.shape[0] else weights[rows])
    return found
