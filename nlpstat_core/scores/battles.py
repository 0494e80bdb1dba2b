"""Battles: which of two systems was preferred, checked once at the border and trusted afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import CodeArray, IntArray, ObjectArray
from nlpstat_core.errors import ScoreError, shown, some_shown
from nlpstat_core.notes import Note

NO_BATTLE = "There is no battle; every battle names two systems and which one was better."
# The column that says which battles come from one ranked list.
LIST = "ranked_list"
# Columns that say what battles are independent of each other, by name or as an array; two for both at once.
Clusters = str | ArrayLike | None
TwoClusters = Clusters | tuple[Clusters, ...]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Battles:
    """Comparisons of two systems each, as `read_battles` gives them.

    Attributes
    ----------
    systems : tuple of str
        Names, unique and not empty, in the order in which they first appear.
    left, right : integer arrays, shape (n_battles,)
        Positions in `systems` of the two systems, as they were shown.
    outcome : integer array, shape (n_battles,)
        1 where the left one was preferred, −1 where the right one was, 0 for a tie.
    labels : mapping of str to array-like of length n_battles
        Further columns: prompt, rater, category …
    source : str
        File name the battles came from, for display only.
    notes : tuple of Note
        What was left out while reading.

    Raises
    ------
    ScoreError
        Fewer than two systems, no battle, a system against itself, or columns of unlike length.

    Examples
    --------
    >>> from nlpstat_core.scores.battle_tables import as_battles
    >>> found = as_battles([("A", "B", "A"), ("B", "C", "tie")])
    >>> found.systems, found.outcome.tolist()
    (('A', 'B', 'C'), [1, 0])
    """

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray
    outcome: CodeArray
    labels: Mapping[str, Sequence[object] | ObjectArray] = field(default_factory=dict)
    source: str = ""
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if self.n_battles == 0:
            raise ScoreError(NO_BATTLE)
        if any(not name.strip() for name in self.systems):
            raise ScoreError("A system has an empty name; give every system of a battle a name.")
        alone = np.flatnonzero(self.left == self.right)
        if alone.size:
            name = shown(self.systems[int(self.left[alone[0]])])
            raise ScoreError(
                f"Battle {int(alone[0]) + 1}: {name} is compared with itself; leave such battles out."
            )
        for name, column in self.labels.items():
            if len(column) != self.n_battles:
                raise ScoreError(
                    f"Column {shown(name)} has {len(column):,} entries for {self.n_battles:,} battles."
                )

    def __repr__(self) -> str:
        return f"<Battles: {self.n_battles:,} of {len(self.systems):,} systems>"

    @property
    def n_battles(self) -> int:
        """Number of battles."""
        return int(self.outcome.size)

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.systems)

    def take(self, rows: ArrayLike) -> Battles:
        """Some of the battles, of the systems that are in them.

        rows: Positions, or one truth value a battle.
        Raises ScoreError: No battle is left.
        """
        kept = np.arange(self.n_battles)[np.asarray(rows)]
        if not kept.size:
            raise ScoreError(NO_BATTLE)
        left, right = self.left[kept], self.right[kept]
        there = np.union1d(left, right)
        return replace(
            self,
            systems=tuple(self.systems[place] for place in there),
            left=np.searchsorted(there, left),
            right=np.searchsorted(there, right),
            outcome=self.outcome[kept],
            labels={name: np.asarray(column, dtype=object)[kept] for name, column in self.labels.items()},
        )

    def only(self, column: str, entry: str) -> Battles:
        """The battles whose column has this entry, which a note says.

        Raises ScoreError: No such column or entry.
        """
        here = np.array([str(cell) == entry for cell in np.asarray(self._column(column), dtype=object)])
        if not here.any():
            raise ScoreError(f"No battle has {shown(entry)} in its column {shown(column)}.")
        text = (
            f"Only the {int(here.sum()):,} of {self.n_battles:,} battles whose {shown(column)} is "
            f"{shown(entry)}."
        )
        return replace(self.take(here), notes=(*self.notes, Note("some-battles", "info", text)))

    def position(self, name: object) -> int:
        """Place of a system in `systems`.

        Raises ScoreError: No battle has a system of this name.
        """
        if str(name) not in self.systems:
            raise ScoreError(f"No battle has a system {shown(name)}; there are {some_shown(self.systems)}.")
        return self.systems.index(str(name))

    def clusters(self, given: Clusters) -> tuple[IntArray, int]:
        """Which battles belong together: a code from 0 on for every battle, and the number of codes.

        given: Name of a column, an array with one entry a battle, or None where every battle stands alone.
        Raises ScoreError: An unknown column, another length, an empty entry, or fewer than two clusters.
        """
        if given is None:
            codes, number = np.arange(self.n_battles, dtype=np.int64), self.n_battles
            what = "battle"
        else:
            what = f"cluster of {shown(given)}" if isinstance(given, str) else "cluster"
            codes, kinds = coded(self._column(given), "Clusters")
            number = len(kinds)
            if codes.size != self.n_battles:
                raise ScoreError(f"Clusters have {codes.size:,} entries for {self.n_battles:,} battles.")
            lacking = np.flatnonzero(codes < 0)
            if lacking.size:
                raise ScoreError(f"Battle {int(lacking[0]) + 1} has no {what}; name one for every battle.")
        if number < 2:
            raise ScoreError(f"There is one {what} only, and nothing says how much another would differ.")
        return codes, number

    def _column(self, given: str | ArrayLike) -> ArrayLike:
        if not isinstance(given, str):
            return given
        if given not in self.labels:
            there = some_shown(list(self.labels)) if self.labels else "none"
            raise ScoreError(f"Battles have no column {shown(given)}; other columns: {there}.")
        return np.asarray(self.labels[given], dtype=object)


def coded(values: object, what: str) -> tuple[IntArray, ObjectArray]:
    """A code for every entry, in the order of first appearance, −1 for an empty one; and what was coded.

    Raises ScoreError: Entries that are lists or tables.
    """
    import pandas as pd  # half a second, of which a gate of scores needs nothing

    try:
        column = np.asarray(values)
        codes, kinds = pd.factorize(column if column.ndim == 1 else np.asarray(values, dtype=object))
    except (TypeError, ValueError):
        raise ScoreError(f"{what} must be one row of names or numbers, one entry per battle.") from None
    return np.asarray(codes, dtype=np.int64), np.asarray(kinds, dtype=object)
