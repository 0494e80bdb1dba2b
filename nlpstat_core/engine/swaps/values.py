"""Values of a measure: of all items, of weighted ones (resamples), and without each item or document."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.scores.measured import Law, Measured, Value

# Numbers of one array of weights of left-out items (16 MB).
_MOST_CELLS = 2**21
# Numbers of a sparse table that is kept with its zeros as well (64 MB).
_MOST_FILLED = 2**23


@dataclass(frozen=True, eq=False)
class Sums:
    """A measure that only sees sums over items.

    gold (float array, shape (g, n_items)).
    outputs (float array or sparse matrix, shape (n_systems·k, n_items)).
    k: Numbers of an item and system.
    value: From sums; see `Law`.
    """

    gold: FloatArray
    outputs: Any
    k: int
    value: Value

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return int(self.outputs.shape[0]) // self.k

    def of_system(self, system: int) -> FloatArray:
        """One system's numbers, shape (k, n_items)."""
        outputs = self._filled
        part = outputs[system * self.k : (system + 1) * self.k]
        return np.asarray(part.toarray() if hasattr(part, "toarray") else part)

    @cached_property
    def totals(self) -> FloatArray:
        """Sums of every system's numbers, shape (n_systems, k)."""
        return np.stack([self.of_system(system).sum(axis=1) for system in range(self.n_systems)])

    @cached_property
    def gold_total(self) -> FloatArray:
        """Sums of gold's numbers, shape (g,)."""
        total: FloatArray = self.gold.sum(axis=1)
        return total

    @cached_property
    def _filled(self) -> Any:
        """Numbers with the zeros where these fit into little memory: every pair looks up two systems."""
        small = self.outputs.shape[0] * self.outputs.shape[1] <= _MOST_FILLED
        return self.outputs.toarray() if small and hasattr(self.outputs, "toarray") else self.outputs

    def by_system(self, sums: FloatArray) -> FloatArray:
        """Sums (n_systems·k, B) as (k, n_systems, B)."""
        return sums.reshape(self.n_systems, self.k, -1).transpose(1, 0, 2)

    def weighted(self, weights: FloatArray) -> FloatArray:
        """Values on weighted items.

        weights (float array, shape (n_items, B)).
        Returns float array, shape (n_systems, B).
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.value((self.gold @ weights)[:, None], self.by_system(self.outputs @ weights))

    def without(self, system: int, groups: IntArray) -> FloatArray:
        """A system's values without each group of items; see `without_each`."""
        gold, own = (group_sums(table, groups) for table in (self.gold, self.of_system(system)))
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.value(gold.sum(axis=1, keepdims=True) - gold, own.sum(axis=1, keepdims=True) - own)


@dataclass(frozen=True, eq=False)
class Items:
    """A measure that sees how items are ordered.

    gold (float array, shape (n_items,)).
    outputs (float array, shape (n_systems, n_items)).
    value: From gold (n,), outputs (n,) and weights (n, B) to values (B,).
    """

    gold: FloatArray
    outputs: FloatArray
    value: Value

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return int(self.outputs.shape[0])

    def weighted(self, weights: FloatArray) -> FloatArray:
        """Values on weighted items; see `Sums.weighted`."""
        return np.stack([self.value(self.gold, row, weights) for row in self.outputs])

    def without(self, system: int, groups: IntArray) -> FloatArray:
        """A system's values without each group of items; see `without_each`."""
        n_groups = int(groups.max()) + 1
        step, found = max(1, _MOST_CELLS // groups.size), []
        for first in range(0, n_groups, step):
            left_out = np.arange(first, min(first + step, n_groups))
            weights = (groups[:, None] != left_out).astype(np.float64)
            found.append(self.value(self.gold, self.outputs[system], weights))
        return np.concatenate(found)


def values_of(measured: Measured) -> Sums | Items:
    """The measure of items as they are."""
    return _under(measured.law, measured)


def exchanged_of(measured: Measured) -> Sums | Items:
    """The measure of outputs that two systems can exchange: made comparable first."""
    law = measured.law if measured.law.exchange is None else measured.law.exchange
    if law.exchanged == "mid-ranks":
        from scipy import stats  # which costs as long to load as the app's first page may take

        ranks = stats.rankdata(measured.outputs, axis=1)
        gold = stats.rankdata(measured.gold, axis=1) if law.of_sums else measured.gold
        return _under(law, measured, gold, ranks)
    return _under(law, measured)


def _under(
    law: Law, measured: Measured, gold: FloatArray | None = None, outputs: FloatArray | None = None
) -> Sums | Items:
    gold = measured.gold if gold is None else gold
    outputs = measured.outputs if outputs is None else outputs
    if not law.of_sums:
        return Items(gold[0], outputs, law.value)
    if law.expand is None:
        return Sums(gold, outputs, measured.k, law.value)
    expanded = [law.expand(gold, row[None]) for row in outputs]
    return Sums(
        expanded[0][0], np.concatenate([own for _, own in expanded]), expanded[0][1].shape[0], law.value
    )


def without_each(measure: Sums | Items, groups: IntArray) -> FloatArray:
    """Values without each item or document.

    groups (int array, shape (n_items,)): The group of every item, from 0 on, each with an item.
    Returns float array, shape (n_systems, n_groups).
    """
    return np.stack([measure.without(system, groups) for system in range(measure.n_systems)])


def pseudo_values(measure: Sums | Items, groups: IntArray) -> tuple[FloatArray, FloatArray]:
    """The measure of every system, and the jackknife's pseudo-values G·θ − (G − 1)·θ₋g.

    groups: As in `without_each`.
    Returns value (float array, shape (n_systems,)).
    Returns pseudo-values (float array, shape (n_systems, n_groups)): Of a mean, the items' own scores. Where
        one is undefined, so is what is made of them.

    Source: Tukey (1958); Efron and Tibshirani (1993), chapter 11.
    """
    n_groups = int(groups.max()) + 1
    value = measure.weighted(np.ones((groups.size, 1)))[:, 0]
    return value, n_groups * value[:, None] - (n_groups - 1) * without_each(measure, groups)


def group_sums(table: FloatArray, groups: IntArray) -> FloatArray:
    """Sums of columns by group.

    table (float array, shape (k, n_items)).
    Returns float array, shape (k, n_groups).
    """
    if each_alone(groups):
        return table
    n_groups = int(groups.max(initial=-1)) + 1
    return np.stack([np.bincount(groups, weights=row, minlength=n_groups) for row in table])


def each_alone(groups: IntArray) -> bool:
    """Whether every item is a group of its own, numbered in their order."""
    return bool(groups.size == 0 or groups[-1] == groups.size - 1) and np.array_equal(
        groups, np.arange(groups.size)
    )
