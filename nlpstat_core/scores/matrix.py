"""ScoreMatrix: test items × systems, checked once at the border and trusted afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import ScoreError, shown
from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.notes import Note
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.grid import MOST_DECIMALS, Grid, grid_of
from nlpstat_core.scores.label_counts import LabelCounts
from nlpstat_core.scores.measured import Measured
from nlpstat_core.scores.ratings import Ratings
from nlpstat_core.scores.runs import Runs

if TYPE_CHECKING:
    import pandas as pd

_Scores = TypeVar("_Scores")  # a matrix, or a `Part`


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreMatrix:
    """Scores of several systems on the same items.

    Attributes
    ----------
    values : float array, shape (n_units, n_systems)
        Metric points; NaN where a system has no score for a unit. Read-only.
    systems : tuple of str, length n_systems
        Names, unique and not empty, in the file's column order.
    units : tuple of str, length n_units, or None
        Unit ids, unique; None when the file has none.
    labels : mapping of str to tuple of str
        Text columns (document, domain …), each of length n_units.
    lower_is_better : bool
        Direction of the metric.
    metric : str or None
        Name of the metric when the file says it.
    source : str
        File name the scores came from, for display only.
    reading : mapping
        What the reader understood, as keywords of `read_scores`.
    notes : tuple of Note
        What looked odd while reading.
    counts : Counts or None
        Counts that the scores are made of (`counts.accuracy_matrix`, `counts.f1_matrix`); `values` are then
        the units' own scores and systems are compared by their micro-averaged scores.
    runs : Runs or None
        Single runs behind the scores, where a system has several; `values` are then means over the runs.
    measured : Measured or None
        What a measure that is not a mean of item scores is made of; `values` are then pseudo-values of items
        (what each adds to the measure of its system), and systems are compared by the measure itself.
    ratings : Ratings or None
        Several people's ratings behind the scores, where the file names raters: `judge` takes their errors
        from them; every other procedure takes `values`, their means.
    label_counts : LabelCounts or None
        Where scores come from labels or tags beside gold: what reports tell of every label (type of span).
    costs : mapping of str to float array, shape (n_units, n_systems)
        What outputs cost (money, time, tokens, length), NaN where it isn't known: `score_against_cost` sets
        them against the scores; nothing else takes them.

    Raises
    ------
    ScoreError
        Shapes that don't fit, infinities, names that are empty or appear twice.
    AnalysisError
        More scores than fit into memory.

    Examples
    --------
    >>> scores = ScoreMatrix(values=[[0.5, 0.4], [0.7, 0.9]], systems=["A", "B"], units=["s1", "s2"])
    >>> scores.n_units, scores.systems, scores.fingerprint[:7]
    (2, ('A', 'B'), 'sha256:')
    """

    values: FloatArray
    systems: tuple[str, ...]
    units: tuple[str, ...] | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lower_is_better: bool = False
    metric: str | None = None
    source: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    counts: Counts | None = None
    runs: Runs | None = None
    measured: Measured | None = None
    ratings: Ratings | None = None
    label_counts: LabelCounts | None = None
    costs: Mapping[str, FloatArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = np.asarray(self.values)
        if given.ndim != 2:
            raise ScoreError(f"Scores need two dimensions (items × systems), not {given.ndim}.")
        if given.dtype != np.float64 or given.flags.writeable or not given.flags.owndata:
            what = f"{given.shape[0]:,} × {given.shape[1]:,} scores"
            refuse_beyond_memory(given.size * 8, what, "take fewer systems or items")
        values = _own_copy(np.asarray(given, dtype=np.float64))
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "systems", tuple(str(name) for name in self.systems))
        if self.units is not None:
            object.__setattr__(self, "units", tuple(str(unit) for unit in self.units))
        object.__setattr__(self, "labels", {key: tuple(column) for key, column in self.labels.items()})
        costs = {name: _frozen(np.asarray(cost, dtype=np.float64)) for name, cost in self.costs.items()}
        object.__setattr__(self, "costs", costs)
        self._check()

    def _check(self) -> None:
        n_units, n_systems = self.values.shape
        if len(self.systems) != n_systems:
            raise ScoreError(f"{len(self.systems)} system names for {n_systems} columns of scores.")
        if n_systems < 2:
            raise ScoreError(f"A comparison needs at least two systems; there is {n_systems}.")
        if any(not name.strip() for name in self.systems):
            raise ScoreError("A system has an empty name; give every column of scores a name.")
        twice = first_repeat(self.systems)
        if twice is not None:
            raise ScoreError(f"Two systems are called {shown(twice)}; give each its own name.")
        if self.units is not None:
            if len(self.units) != n_units:
                raise ScoreError(f"{len(self.units)} item ids for {n_units} rows of scores.")
            twice = first_repeat(self.units)
            if twice is not None:
                raise ScoreError(f"The item {shown(twice)} appears twice; item ids must be unique.")
        for name, column in self.labels.items():
            if len(column) != n_units:
                raise ScoreError(f"Label column {shown(name)} has {len(column)} entries for {n_units} items.")
        if np.isinf(self.values).any():
            row, column_index = np.argwhere(np.isinf(self.values))[0]
            system = shown(self.systems[column_index])
            raise ScoreError(f"System {system}, row {row + 1}: a score is infinite; scores must be finite.")
        counts = self.counts
        if counts is not None and not np.array_equal(counts.unit_scores(), self.values, equal_nan=True):
            raise ScoreError("The scores are not those of the counts; make the matrix from the counts alone.")
        if self.measured is not None and self.measured.present.shape != self.values.shape:
            raise ScoreError("The scores and the measure behind them are not of the same items and systems.")
        if self.label_counts is not None and self.label_counts.shape != self.values.shape:
            raise ScoreError("The scores and the labels behind them are not of the same items and systems.")
        for name, cost in self.costs.items():
            if cost.shape != self.values.shape or np.isinf(cost).any():
                raise ScoreError(f"The cost {shown(name)} needs one finite number, or none, for every score.")
        runs = self.runs
        if runs is not None and (runs.n_units, len(runs.values)) != self.values.shape:
            raise ScoreError(
                f"The runs are {runs.n_units} items × {len(runs.values)} systems and the scores "
                f"{n_units} × {n_systems}."
            )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        item: str | None = None,
        labels: Sequence[str] = (),
        systems: Sequence[str] | None = None,
        lower_is_better: bool = False,
        metric: str | None = None,
    ) -> ScoreMatrix:
        """Scores from a frame with one row an item and one column a system; nothing is guessed.

        Parameters
        ----------
        frame : data frame (pandas, polars, Arrow) or mapping of str to list
            An index of pandas that doesn't only count rows is the item ids.
        item : str, optional
            Column of the item ids.
        labels : sequence of str
            Columns of labels (document, domain …).
        systems : sequence of str, optional
            Columns of scores; all others where not given.
        lower_is_better : bool
        metric : str, optional

        Returns
        -------
        ScoreMatrix

        Raises
        ------
        ScoreError
            A column that isn't there, text or ids among the columns of scores, what no matrix may be.

        See Also
        --------
        read_scores : Takes frames, too, and finds ids and labels by name and content.

        Examples
        --------
        >>> frame = {"item": ["s1", "s2"], "doc": ["d1", "d1"], "A": [0.5, 0.7], "B": [0.4, None]}
        >>> scores = ScoreMatrix.from_frame(frame, item="item", labels=["doc"])
        >>> scores.systems, scores.units, dict(scores.labels)
        (('A', 'B'), ('s1', 's2'), {'doc': ('d1', 'd1')})
        """
        from nlpstat_core.scores.frames import wide_parts

        return cls(**wide_parts(frame, item, labels, systems), lower_is_better=lower_is_better, metric=metric)

    @classmethod
    def from_long(
        cls,
        frame: Any,
        *,
        system: str,
        item: str,
        score: str,
        labels: Sequence[str] = (),
        lower_is_better: bool = False,
        metric: str | None = None,
    ) -> ScoreMatrix:
        """Scores from a frame with one row per system and item.

        Parameters
        ----------
        frame : data frame (pandas, polars, Arrow) or mapping of str to list
        system, item, score : str
            Columns of the names of systems, of the item ids and of the scores.
        labels : sequence of str
            Columns of labels; the same for every system of an item.
        lower_is_better : bool
        metric : str, optional
            Name of the metric; the name of the column of scores where not given.

        Returns
        -------
        ScoreMatrix
            Systems and items in the order in which they come first; NaN where a system has no row.

        Raises
        ------
        ScoreError
            A column that isn't there, two rows of one system and item, labels that differ within an item.

        See Also
        --------
        read_scores : Takes frames, too, and knows runs, several metrics and data sets.

        Examples
        --------
        >>> frame = {"model": ["A", "A", "B"], "id": [1, 2, 1], "acc": [1, 0, 1]}
        >>> ScoreMatrix.from_long(frame, system="model", item="id", score="acc").values.tolist()
        [[1.0, 1.0], [0.0, nan]]
        """
        from nlpstat_core.scores.frames import long_parts

        return cls(
            **long_parts(frame, system, item, score, labels),
            lower_is_better=lower_is_better,
            metric=score if metric is None else metric,
        )

    def __repr__(self) -> str:
        named = f", {self.metric}" if self.metric else ""
        return f"<ScoreMatrix: {self.n_units:,} items × {self.n_systems:,} systems{named}>"

    @property
    def n_units(self) -> int:
        """Number of evaluation units (rows)."""
        return int(self.values.shape[0])

    @property
    def n_systems(self) -> int:
        """Number of systems (columns)."""
        return int(self.values.shape[1])

    @cached_property
    def present(self) -> BoolArray:
        """Where there is a score, or an output behind a measure, shape (n_units, n_systems)."""
        if self.measured is not None:
            return self.measured.present
        there: BoolArray = ~np.isnan(self.values)
        return there

    @cached_property
    def has_missing(self) -> bool:
        """Whether any cell has no score."""
        return not bool(self.present.all())

    @cached_property
    def n_scored(self) -> int:
        """Number of units for which some system has a score."""
        return int(np.count_nonzero(self.present.any(axis=1)))

    @cached_property
    def is_binary(self) -> bool:
        """Whether every score is 0 or 1; what items add to a measure is no score of theirs."""
        values = self.values
        if self.measured is not None:
            return False
        return bool(self.present.any() and np.all((values == 0) | (values == 1) | ~self.present))

    @property
    def solved_or_not(self) -> bool:
        """Whether every unit is either solved or not: 0/1 scores that stand for no counts."""
        return self.is_binary and self.counts is None

    @cached_property
    def decimals(self) -> Grid:
        """Decimals the scores were written with, at most 10: signs and ranks of differences use them.

        A score read from d decimals is the double nearest to k/10^d, which `round` reproduces exactly. Where
        none fits, scores that all are the single-precision numbers nearest to such decimals count as written
        with them: 0.1234 that passed through float32 is 0.12340000271797180.

        Scores that were printed from fractions, as 1/30 is to 0.033333, also have a common denominator: see
        `grid.Grid`.
        """
        if self.measured is not None:
            return Grid(MOST_DECIMALS, 0)
        return grid_of(self.values[self.present])

    @cached_property
    def canonical_order(self) -> IntArray:
        """Row numbers by sorted unit id, or the file's order without ids; random numbers follow it."""
        if self.units is None:
            return np.arange(self.n_units)
        return np.array(sorted(range(self.n_units), key=self.units.__getitem__), dtype=np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything that can change a number: names, units, labels, direction, scores."""
        digest = hashlib.sha256()

        def add(part: str | bytes) -> None:
            raw = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "little"))
            digest.update(raw)

        add(f"{self.n_units}×{self.n_systems}|lower:{self.lower_is_better}|ids:{self.units is not None}")
        for name in self.systems:
            add(name)
        for unit in self.units or ():
            add(unit)
        for key, column in sorted(self.labels.items()):
            add(key)
            for label in column:
                add(label)
        canonical = np.where(self.present, self.values, np.nan)  # one bit pattern for every NaN
        add(canonical.astype("<f8").tobytes())
        if self.counts is not None:
            add(self.counts.kind)
            for table in (self.counts.hits, self.counts.misses):
                add(np.where(self.present, table, np.nan).astype("<f8").tobytes())
        for told in () if self.measured is None else self.measured.told():
            add(told)
        for table in () if self.runs is None else self.runs.values:
            add(f"runs:{table.shape[1]}")
            add(np.where(np.isnan(table), np.nan, table).astype("<f8").tobytes())
        if self.ratings is not None:
            add("ratings")
            for places in (self.ratings.items, self.ratings.systems, self.ratings.raters):
                add(places.astype("<i8").tobytes())
            add(self.ratings.scores.astype("<f8").tobytes())
        for name, cost in self.costs.items():
            add(f"cost:{name}")
            add(np.where(np.isnan(cost), np.nan, cost).astype("<f8").tobytes())
        return f"sha256:{digest.hexdigest()}"

    @property
    def several(self) -> Mapping[str, list[str]]:
        """What the file has several of, with their names: metrics, datasets, sheets."""
        found = {what: self.reading.get(what, []) for what in ("metrics", "datasets", "sheets")}
        if self.counts is not None:
            found["metrics"] = []  # counts of one score, not scores of their own
        return {what: names for what, names in found.items() if len(names) > 1}

    def index(self, system: str) -> int:
        """Column of a system.

        Parameters
        ----------
        system : str

        Returns
        -------
        int

        Raises
        ------
        ScoreError
            No system has this name.
        """
        try:
            return self.systems.index(system)
        except ValueError:
            from nlpstat_core.errors import unknown

            raise ScoreError(unknown("system", system, self.systems)) from None

    def rows(self, keep: BoolArray | IntArray) -> ScoreMatrix:
        """The same systems on some of the units, in the order given.

        Parameters
        ----------
        keep : bool array of shape (n_units,) or row numbers

        Returns
        -------
        ScoreMatrix
        """
        return rows_of(self, np.flatnonzero(keep) if np.asarray(keep).dtype == bool else keep)

    def columns(self, chosen: Sequence[int]) -> ScoreMatrix:
        """The same units with some of the systems, in the order given.

        Parameters
        ----------
        chosen : sequence of int
            Columns.

        Returns
        -------
        ScoreMatrix
        """
        return columns_of(self, chosen)

    def unit_names(self, rows: Iterable[int]) -> list[str]:
        """Ids of units, or their row numbers from 1 where the file has none."""
        if self.units is None:
            return [f"row {row + 1}" for row in rows]
        return [self.units[row] for row in rows]

    def to_frame(self) -> pd.DataFrame:
        """The matrix as a pandas frame: unit ids as index, labels first, then one column per system."""
        import pandas as pd

        scores = pd.DataFrame(self.values, columns=list(self.systems), index=self.units)
        labels = pd.DataFrame({key: list(column) for key, column in self.labels.items()}, index=self.units)
        return pd.concat([labels, scores], axis=1)


def rows_of(scores: _Scores, rows: ArrayLike) -> _Scores:
    """The same systems on some of the units, in the order given: of a matrix or a file's part."""
    chosen = np.asarray(rows, dtype=np.int64)
    given: Any = scores
    taken: _Scores = replace(
        given,
        values=given.values[chosen],
        units=None if given.units is None else tuple(given.units[i] for i in chosen),
        labels={key: tuple(column[i] for i in chosen) for key, column in given.labels.items()},
        costs={name: cost[chosen] for name, cost in given.costs.items()},
        **{name: own.rows(chosen) for name, own in _behind(given).items()},
    )
    return taken


def columns_of(scores: _Scores, chosen: Sequence[int]) -> _Scores:
    """The same units with some of the systems, in the order given."""
    given: Any = scores
    taken: _Scores = replace(
        given,
        values=given.values[:, list(chosen)],
        systems=tuple(given.systems[i] for i in chosen),
        costs={name: cost[:, list(chosen)] for name, cost in given.costs.items()},
        **{name: own.columns(chosen) for name, own in _behind(given).items()},
    )
    return taken


def _behind(scores: Any) -> dict[str, Any]:
    """What the scores are made of, as far as it is there."""
    names = ("counts", "runs", "measured", "ratings", "label_counts")
    return {name: own for name in names if (own := getattr(scores, name, None)) is not None}


def check_matrix(given: object, what: str) -> None:
    """Refuse what is no score matrix. Raises TypeError."""
    if not isinstance(given, ScoreMatrix):
        raise TypeError(
            f"{what} takes a ScoreMatrix, not {type(given).__name__}; read_scores makes one of a file or a "
            "data frame."
        )


def first_repeat(names: Sequence[str]) -> str | None:
    """The first name that stands a second time, or None."""
    if len(set(names)) == len(names):
        return None
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _frozen(values: FloatArray) -> FloatArray:
    """An array that nobody can write to."""
    if values.flags.writeable:
        values = values.copy()
        values.setflags(write=False)
    return values


def _own_copy(values: FloatArray) -> FloatArray:
    """A copy with 0.0 for −0.0; an array that nobody can write to and that has none is taken as it is."""
    flags = values.flags
    if (
        flags.owndata
        and flags.c_contiguous
        and not flags.writeable
        and not np.signbit(values[values == 0]).any()
    ):
        return values
    copied: FloatArray = np.add(values, 0.0, order="C")
    return copied
