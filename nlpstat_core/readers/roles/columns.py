"""A table's columns as numbers or as text, each decided by all of its cells."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import Remedy, ScoreFileError, Sentence, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_flag, is_infinite, is_missing, is_text, number, plain
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.statistics import is_called_statistic
from nlpstat_core.readers.roles.written import (
    MEASURED,
    SAID,
    VERDICT,
    may_be_thousands,
    said_right,
    shows_groups,
    written_numbers,
)

FEW_ROWS = 2_000  # below, Python's own numbers are faster
# How numbers begin, and how numbers, true and false, and the words for a missing score do (or nothing).
_NUMERIC = frozenset("0123456789+-.,iI")
_STARTS = _NUMERIC | frozenset("nNtTfF#<\u2212\u2013\u2014") | {""}


@dataclass(frozen=True)
class BadCell:
    """A cell of a column of numbers that holds no finite number, and where it stands."""

    line: int
    column: str
    cell: str
    where: str = "line"

    def said(self, row: Sentence) -> Sentence:
        """Where it is, what it is, what to do, with what is known of its row."""
        where = f"{self.where} {self.line}, column {shown(self.column)}: {shown(self.cell)}"
        missing = Remedy("bad_cells", "missing", cell=self.cell)
        label = Remedy("label_columns", self.column, "unsaid")
        if may_be_thousands(self.cell, ".") or may_be_thousands(self.cell, ","):
            text = f"{where} is ambiguous: thousands or decimals? Write it without that separator."
            return Sentence(text, replace(missing, form="unsaid"), label)
        if is_infinite(self.cell):
            text = f"{where} is infinite; scores must be finite, so correct it or leave the cell empty."
            return Sentence(text)
        if row:
            return Sentence(f"{where} isn't a number, and ", row, ".", replace(missing, form="unsaid"))
        measured = MEASURED.fullmatch(self.cell)
        why = f": the unit of measurement, {shown(measured['unit'])}, is in the way" if measured else ""
        text = f"{where} isn't a number{why}. Correct it, leave the cell empty, or "
        return Sentence(text, missing, "; if the column holds no scores, make it a label.", label)


def _about_row(cells: Sequence[str], header: Sequence[str]) -> Sentence:
    """What a row of a refused cell is instead of scores, and that it can be left out; empty for others."""
    word = next((cell for cell in cells if cell and "," not in cell and number(cell) is None), "")
    again = [cell for cell in cells if cell] == [name for name in header if name]
    if not word or not (again or is_called_statistic(word)):
        return Sentence()
    what = "repeats the header" if again else f"{shown(word)} seems to sum up the others"
    return Sentence(f"the row {what}: leave such rows out, ", Remedy("drop_rows", word))


@dataclass(frozen=True)
class Numbers:
    """A column read as numbers.

    values: NaN where there is no score.
    bad: The first cell that is no finite number.
    text: Whether most cells that say something are text.
    flags: Whether every score is written as true or false.
    written: How the numbers are written where signs around them were understood (a key of SAID), else empty.
    n_bad: How many cells are no finite number.
    """

    values: FloatArray
    bad: BadCell | None = None
    text: bool = False
    flags: bool = False
    written: str = ""
    n_bad: int = 0


@dataclass(frozen=True, eq=False)
class Columns:
    """A table whose columns are converted when they are asked for, once."""

    table: Table
    _texts: dict[int, list[str]] = field(default_factory=dict)

    @property
    def _parsed(self) -> dict[int, Numbers]:
        return self.table.converted

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.table.header

    @property
    def lines(self) -> Sequence[int]:
        """Where each row stands."""
        return self.table.lines

    @property
    def where(self) -> str:
        """What `lines` count."""
        return self.table.where

    def texts(self, column: int) -> list[str]:
        """The cells of a column as text."""
        if column not in self._texts:
            self._texts[column] = self.table.texts(column)
        return self._texts[column]

    def parsed(self, column: int) -> Numbers:
        """A column as numbers, as far as it holds any."""
        if column not in self._parsed:
            self._parsed[column] = self._parse(column)
        return self._parsed[column]

    def is_text(self, column: int) -> bool:
        """Whether most cells that say something are text."""
        return self.parsed(column).text

    def is_flags(self, column: int) -> bool:
        """Whether every score is written as true or false."""
        return self.parsed(column).flags

    def is_verdicts(self, column: int) -> bool:
        """Whether every score is written as pass or fail, right or wrong, a tick or a cross."""
        return self.parsed(column).written == VERDICT

    def is_whole(self, column: int, *, gaps: bool = False) -> bool:
        """Whether every cell holds a whole number; with gaps every cell that holds anything."""
        found = self.parsed(column)
        values = found.values
        if gaps and found.bad is None and not found.text:
            values = values[~np.isnan(values)]
        whole = values.size > 0 and np.isfinite(values).all() and (values == np.rint(values)).all()
        return bool(whole) and not self.is_flags(column)

    def is_empty(self, column: int) -> bool:
        """Whether no cell holds anything."""
        found = self.parsed(column)
        return found.bad is None and not found.text and bool(np.isnan(found.values).all())

    def rows_alike(self, columns: Sequence[int]) -> IntArray:
        """A number for every row, the same for rows alike in some columns."""
        known = np.zeros(len(self.table), dtype=np.int64)
        for column in columns:
            own = codes(self.texts(column))[1]
            known = np.unique(known * (int(own.max()) + 1) + own, return_inverse=True)[1]
        return known

    def labels(self, columns: Sequence[int]) -> dict[str, list[str]]:
        """Columns of labels by name; true and false are words there."""
        return {self.header[i]: self._label(i) for i in columns}

    def _label(self, column: int) -> list[str]:
        cells = self.texts(column)
        if not all(is_flag(cell) or is_missing(cell) for cell in set(cells)):
            return cells
        return [cell.lower() if is_flag(cell) else "" for cell in cells]

    def values(self, columns: Sequence[int]) -> FloatArray:
        """Scores of some columns, shape (n_rows, len(columns)); raises ScoreFileError for a bad cell."""
        bad = [found for column in columns if (found := self.parsed(column).bad) is not None]
        if bad and not self.table.bad_missing:
            first = min(bad, key=lambda cell: cell.line)
            if self.table.quote_problem and '"' in first.cell:
                raise ScoreFileError(self.table.quote_problem)
            row = self.lines.index(first.line)
            odd = _about_row([self.texts(i)[row] for i in range(len(self.header))], self.header)
            raise ScoreFileError(first.said(odd))
        values = np.empty((len(self.table), len(columns)), order="F")
        for place, column in enumerate(columns):
            values[:, place] = self.parsed(column).values
            if len(columns) > 100 and self._parsed[column].bad is None:
                self._parsed.pop(column)  # all columns twice would be too much memory
        return values

    def sign_notes(self, columns: Sequence[int]) -> tuple[Note, ...]:
        """Say which columns were written with signs around the numbers."""
        notes = []
        for kind, (severity, text) in SAID.items():
            names = [self.header[i] for i in columns if i in self._parsed and self._parsed[i].written == kind]
            if names:
                notes.append(Note(kind, severity, f"{text} ({some_shown(names, 3)})."))
        return (*notes, *self._bad_notes(columns))

    def _bad_notes(self, columns: Sequence[int]) -> tuple[Note, ...]:
        """Say how many cells of text count as no score, where the user wanted that."""
        found = [self._parsed[i] for i in columns if i in self._parsed and self._parsed[i].bad is not None]
        if not found or not self.table.bad_missing:
            return ()
        many = sum(numbers.n_bad for numbers in found)
        first = min((numbers.bad for numbers in found if numbers.bad), key=lambda cell: cell.line)
        what = (
            "1 cell holds no number and counts" if many == 1 else f"{many:,} cells hold no number and count"
        )
        text = (
            f"{what} as missing, as requested (first: {first.where} {first.line}, "
            f"column {shown(first.column)}: {shown(first.cell)})."
        )
        return (Note("bad-cells-missing", "caution", text),)

    def _parse(self, column: int) -> Numbers:
        cells, decimal = self.table.columns[column], self.table.decimal
        if isinstance(cells, np.ndarray):
            return self._checked(column, cells)
        quick = _quick(cells, decimal)
        if quick is not None:
            return Numbers(quick)
        texts = self.table.texts(column)
        try:
            values = np.array(list(map(float, plain(texts, decimal))))
            if not np.isinf(values).any():
                return Numbers(values)
        except ValueError:
            pass  # a cell isn't written plainly, so each is looked at
        times = Counter(texts)
        known = {cell: number(cell, decimal) if cell[:1] in _STARTS else None for cell in times}
        found = None
        if None in known.values():
            tells_right = says(Kind.CORRECT, self.header[column])
            found = said_right(known) if tells_right else None
            found = found or written_numbers(known, times, decimal, lambda: self._groups_beside(column))
        known = known if found is None else dict(found.values)
        values = np.array([math.nan if (value := known[cell]) is None else value for cell in texts])
        odd = {cell for cell, value in known.items() if value is None}
        bad, n_bad = None, sum(times[cell] for cell in odd)
        if odd:
            row = next(i for i, cell in enumerate(texts) if cell in odd)
            bad = BadCell(self.lines[row], self.header[column], texts[row], self.where)
        there = [cell for cell, value in known.items() if value is None or value == value]
        is_verdict = found is not None and found.kind == VERDICT
        flags = is_verdict or (bool(there) and all(map(is_flag, there)))
        texts_there = sum(times[cell] for cell in odd if _is_text(cell, decimal))
        text = 2 * texts_there > sum(times[cell] for cell in there)
        return Numbers(values, bad, text, flags, found.kind if found else "", n_bad)

    def _groups_beside(self, column: int) -> bool:
        """Whether another column shows that signs group thousands in this table."""
        decimal = self.table.decimal
        for place, cells in enumerate(self.table.columns):
            if place != column and not isinstance(cells, np.ndarray):
                known = {cell: number(cell, decimal) for cell in set(self.texts(place))}
                if shows_groups(known, decimal):
                    return True
        return False

    def _checked(self, column: int, values: FloatArray) -> Numbers:
        """Numbers of JSON and Parquet, which may be infinite."""
        infinite = np.isinf(values)
        if not infinite.any():
            return Numbers(values)
        row = int(np.flatnonzero(infinite)[0])
        bad = BadCell(self.lines[row], self.header[column], str(values[row]), self.where)
        return Numbers(np.where(infinite, np.nan, values), bad, n_bad=int(infinite.sum()))


def _quick(cells: object, decimal: str) -> FloatArray | None:
    """Arrow's texts as numbers, where all are written plainly."""
    if isinstance(cells, list) or decimal != "." or len(cells) < FEW_ROWS:  # type: ignore[arg-type]
        return None
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        empty = pc.equal(pc.binary_length(cells), pa.scalar(0, pa.int32()))
        found = pc.if_else(empty, pa.scalar(None, pa.string()), cells).cast(pa.float64())
        values = np.asarray(found.to_numpy(), dtype=np.float64)
    except pa.ArrowException:
        return None
    good = np.isfinite(values).sum() == len(values) - (pc.sum(empty).as_py() or 0)
    return values if good else None


def _is_text(cell: str, decimal: str) -> bool:
    return cell[0] not in _NUMERIC or (is_text(cell, decimal) and not may_be_thousands(cell, decimal))
