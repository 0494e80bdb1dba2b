"""What several boards say together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray, ObjectArray, names_of
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.notes import Note
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.version import VERSION

if TYPE_CHECKING:
    from nlpstat_core.readers.boards import Each

Combination = Literal["bonferroni", "fisher"]
BoardFamily = Literal["each", "all"]


@dataclass(frozen=True, eq=False, kw_only=True)
class CommonPairs:
    """All pairs that at least one of several boards compared.

    systems: Names of all boards, in the order of first appearance.
    left, right (int arrays, shape (n_pairs,)): Positions in `systems`; left before right, with a baseline the
        baseline is right.
    places: For every board the position here of each of its pairs.
    swapped: For every board whether its system a is `right`.
    """

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray
    places: tuple[IntArray, ...]
    swapped: tuple[BoolArray, ...]

    def __len__(self) -> int:
        return int(self.left.shape[0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement:
    """Decisions of several boards, pair by pair; all arrays have shape (n_pairs,).

    boards: Boards that compared the pair.
    for_a, for_b, neither: Boards that separate the pair in favour of a, of b, or not at all.
    """

    pairs: CommonPairs
    boards: IntArray
    for_a: IntArray
    for_b: IntArray
    neither: IntArray

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def system_a(self) -> ObjectArray:
        """Names of a."""
        return names_of(self.pairs.left, self.pairs.systems)

    @property
    def system_b(self) -> ObjectArray:
        """Names of b."""
        return names_of(self.pairs.right, self.pairs.systems)

    @property
    def alike(self) -> IntArray:
        """The largest number of boards that decide the pair in one way."""
        most: IntArray = np.max([self.for_a, self.for_b, self.neither], axis=0)
        return most

    @property
    def contradicting(self) -> BoolArray:
        """Whether one board separates the pair in favour of a and another in favour of b."""
        return np.asarray((self.for_a > 0) & (self.for_b > 0))


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledData:
    """What all data sets say together, each data set counting once."""

    analysis: AnalysisData
    everywhere: tuple[str, ...]
    omnibus: Omnibus | None
    ranks: AverageRanks | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Replicability:
    """Both directions of every pair; arrays have one entry per statement "better beats worse".

    alpha: A single statement is wrong with at most this probability; so are all of them together where
        "together" is said.
    better, worse (int arrays, shape (n_statements,)): Positions in `systems`.
    p_values (float array, shape (n_datasets, n_statements)): One-sided; NaN where a data set lacks one of the
        systems.
    n_datasets (int array, shape (n_statements,)): Data sets that compare the two.
    p_at_least (float array, shape (n_datasets, n_statements)): Partial conjunction p-values for 1, 2, … data
        sets.
    at_least, at_least_together (int arrays, shape (n_statements,)): In at least so many data sets better
        beats worse: each statement alone, and all of them together.
    named, named_together (bool arrays, shape (n_datasets, n_statements)): The data sets themselves, by Holm's
        correction over the data sets.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    method: Combination
    alpha: float
    better: IntArray
    worse: IntArray
    p_values: FloatArray
    n_datasets: IntArray
    p_at_least: FloatArray
    at_least: IntArray
    at_least_together: IntArray
    named: BoolArray
    named_together: BoolArray

    def __len__(self) -> int:
        return int(self.better.shape[0])

    def matrix(self, together: bool) -> FloatArray:
        """Row beats column in at least so many data sets.

        together: Counts that hold for all pairs together.
        Returns float array, shape (n_systems, n_systems); NaN where no data set compares the two.
        """
        counts = np.full((len(self.systems), len(self.systems)), np.nan)
        counts[self.better, self.worse] = self.at_least_together if together else self.at_least
        return counts


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BoardsData:
    """Several analyses with equal settings, and what they say together."""

    config: AnalysisConfig
    each: Each
    family: BoardFamily
    combination: Combination
    analyses: Mapping[str, AnalysisData]
    agreement: Agreement
    pooled: PooledData | None
    replicability: Replicability | None
    notes: tuple[Note, ...]
    reading: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.analyses)

    @property
    def family_size(self) -> int | None:
        """p-values corrected together over all boards; None where every board is a family of its own."""
        return next(iter(self.analyses.values())).family_size if self.family == "all" else None

    @property
    def signature(self) -> str:
        """One line that names the settings."""
        text = f"each:{self.each}|family:{self.family}"
        if self.replicability is not None:
            text += f"|combination:{self.combination}"
        return f"{text}|{self.config.signature}"

    @property
    def version(self) -> str:
        """Version of the software."""
        return VERSION

    def __repr__(self) -> str:
        named = ", ".join(list(self.analyses)[:5]) + (", …" if len(self.analyses) > 5 else "")
        return f"<Boards: {len(self.analyses):,} by {self.each}: {named}>"
