"""Several runs behind every score: items × systems × runs, ragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import RunsKind
from nlpstat_core.errors import ScoreError


@dataclass(frozen=True, eq=False, kw_only=True)
class Runs:
    """The scores of single runs; a run of one system has nothing to do with a run of another.

    values (tuple of float arrays, one a system, shape (n_units, R_s)): NaN where the run lacks the unit.
        Read-only.
    names: Names of each system's runs, in the order of the columns.
    column: What told the runs apart: a column's name, or "file names" and the like; empty for arrays.
    proposal: What the name of the column suggests they are; None where it says neither.
    pooled: Give a system of one run the variance of the other systems' runs.
    Raises ScoreError: Tables of other lengths, infinite scores, or a system without runs.

    >>> runs = Runs(values=([[1.0, 0.5], [0.0, 0.5]], [[1.0], [1.0]]), names=(("13", "42"), ("1",)))
    >>> runs.numbers.tolist(), runs.means.tolist()
    ([2, 1], [[0.75, 1.0], [0.25, 1.0]])
    """

    values: tuple[FloatArray, ...]
    names: tuple[tuple[str, ...], ...]
    column: str = ""
    proposal: RunsKind | None = None
    pooled: bool = False

    def __post_init__(self) -> None:
        tables = []
        for given in self.values:
            table = np.array(given, dtype=np.float64, order="C") + 0.0
            table.setflags(write=False)
            tables.append(table)
        object.__setattr__(self, "values", tuple(tables))
        object.__setattr__(self, "names", tuple(tuple(map(str, names)) for names in self.names))
        if len({table.shape[0] for table in tables}) != 1 or any(table.ndim != 2 for table in tables):
            raise ScoreError("Runs need one table of items × runs for every system, all with the same items.")
        wide = [table.shape[1] for table in tables]
        if wide != [len(names) for names in self.names] or 0 in wide:
            raise ScoreError("Every system needs one run or more, each with its name.")
        if any(np.isinf(table).any() for table in tables):
            raise ScoreError("A score of a run is infinite; scores must be finite.")

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.values[0].shape[0])

    @cached_property
    def numbers(self) -> IntArray:
        """Runs of every system, shape (n_systems,)."""
        return np.array([table.shape[1] for table in self.values], dtype=np.int64)

    @cached_property
    def means(self) -> FloatArray:
        """Means over the runs that have the unit, shape (n_units, n_systems)."""
        return np.stack([means_over_runs(table) for table in self.values], axis=1)

    def rows(self, chosen: IntArray) -> Runs:
        """The runs on some of the units, in the order given."""
        return replace(self, values=tuple(table[chosen] for table in self.values))

    def columns(self, chosen: Sequence[int]) -> Runs:
        """The runs of some of the systems, in the order given."""
        return replace(
            self, values=tuple(self.values[i] for i in chosen), names=tuple(self.names[i] for i in chosen)
        )

    def joined(self, groups: Sequence[IntArray], *, median: bool) -> Runs:
        """Rows joined into units by their mean or median; a run that lacks one of the rows lacks the unit."""
        of = np.median if median else np.mean
        values = tuple(np.stack([of(table[group], axis=0) for group in groups]) for table in self.values)
        return replace(self, values=values)


def means_over_runs(table: FloatArray) -> FloatArray:
    """Means along the rows of (n_units, R) over the cells that are there; NaN where none is."""
    there = ~np.isnan(table)
    counts = there.sum(axis=1)
    sums = np.where(there, table, 0.0).sum(axis=1)
    means: FloatArray = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return means
