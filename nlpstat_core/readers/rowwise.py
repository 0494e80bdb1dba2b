"""The way through a table that takes everything: record by record, and cell by cell where it has to."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import NoReturn

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.cells import is_flag, is_text, mostly_text, number, plain
from nlpstat_core.readers.columns import BadCell, Columns
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.table import Table
from nlpstat_core.readers.textlines import Skipped

DISTINCT_LABELS = 100_000
AT_ONCE = 2_000  # cells


class Pass:
    """One pass over the file with the columns of text settled beforehand.

    Parameters
    ----------
    table : Table
    limits : Limits
    text_columns : set of int
    """

    def __init__(self, table: Table, limits: Limits, text_columns: set[int]) -> None:
        self.table, self.head, self.limits = table, table.head, limits
        self.texts: dict[int, list[str]] = {column: [] for column in sorted(text_columns)}
        self.positions = [column for column in range(len(self.head.header)) if column not in text_columns]
        self.lines = array("q")
        self.bad: dict[int, BadCell] = {}
        self.bad_counts: Counter[int] = Counter()
        self.text_counts: Counter[int] = Counter()
        self.flag_counts: Counter[int] = Counter()
        self.skipped = Skipped()
        self._store = array("d")
        self._read()
        self.numbers: FloatArray = np.frombuffer(self._store).reshape(len(self.lines), len(self.positions))
        if np.isinf(self.numbers).any():
            self._find_infinite()

    def _read(self) -> None:
        width = len(self.head.header)
        most_rows = self.limits.max_cells // width
        pick = _picker(self.positions)
        same: dict[str, str] = {}  # labels repeat; keep one copy of each
        pending: list[str] = []
        for line, row in self.table.body(self.skipped):
            if len(row) != width:
                refuse_width(f"{self.head.where} {line}", len(row), width)
            if not any(row):
                continue  # spreadsheets end in rows of nothing but delimiters
            if len(self.lines) >= most_rows:
                raise ScoreFileError(
                    f"{self.head.where} {line}: the table has more than {self.limits.max_cells:,} cells; "
                    "split the file or raise max_cells."
                )
            self.lines.append(line)
            for column, cells in self.texts.items():
                cell = row[column].strip()
                cells.append(same.setdefault(cell, cell) if len(same) < DISTINCT_LABELS else cell)
            pending += pick(row)
            if len(pending) >= AT_ONCE:
                self._store_numbers(pending)
        self._store_numbers(pending)

    def _store_numbers(self, pending: list[str]) -> None:
        """Cells of whole rows to numbers: all at once, else row by row, else cell by cell."""
        if not self._extend(pending):
            width = len(self.positions)
            for start in range(0, len(pending), width):
                row = pending[start : start + width]
                if not self._extend(row):
                    line = self.lines[len(self._store) // width]
                    self._store.extend(self._cell_by_cell(line, row))
        pending.clear()

    def _extend(self, cells: Sequence[str]) -> bool:
        """Whether all cells are written plainly; then they are stored."""
        start = len(self._store)
        try:
            self._store.extend(map(float, plain(cells, self.head.decimal)))
        except ValueError:
            del self._store[start:]
            return False
        return True

    def _cell_by_cell(self, line: int, cells: Sequence[str]) -> list[float]:
        values = []
        for column, cell in zip(self.positions, cells, strict=True):
            value = number(cell, self.head.decimal)
            if value is None:
                self._note_bad(line, column, cell)
                value = math.nan
            elif value in (0.0, 1.0) and is_flag(cell):
                self.flag_counts[column] += 1
            values.append(value)
        return values

    def _note_bad(self, line: int, column: int, cell: str) -> None:
        self.bad.setdefault(column, BadCell(line, self.head.header[column], cell.strip(), self.head.where))
        self.bad_counts[column] += 1
        self.text_counts[column] += is_text(cell, self.head.decimal)

    def _find_infinite(self) -> None:
        """Name the numbers too large for a float: rare, so the file is gone through again."""
        rows = dict.fromkeys(np.flatnonzero(np.isinf(self.numbers).any(axis=1)).tolist())
        wanted = {self.lines[row] for row in rows}
        pick = _picker(self.positions)
        for line, row in self.table.body(Skipped()):
            if line in wanted:
                self._cell_by_cell(line, pick(row))

    def misjudged(self, forced: set[int]) -> set[int]:
        """Columns whose kind the whole file contradicts.

        Parameters
        ----------
        forced : set of int
            Columns that are text whatever they hold.

        Returns
        -------
        set of int
        """
        wrong = misjudged_texts(self.texts, forced, self.head.decimal)
        places = {column: i for i, column in enumerate(self.positions)}
        for column, texts in self.text_counts.items():
            empty = int(np.isnan(self.numbers[:, places[column]]).sum())
            present = len(self.lines) - empty + self.bad_counts[column]
            if 2 * texts > present:
                wrong.add(column)
        return wrong

    def _flags(self) -> frozenset[int]:
        """Columns in which every score is written as true or false."""
        places = {column: i for i, column in enumerate(self.positions)}
        return frozenset(
            column
            for column, flags in self.flag_counts.items()
            if flags == int((~np.isnan(self.numbers[:, places[column]])).sum())
        )

    def columns(self) -> Columns:
        """The result, or a complaint when there are no rows."""
        if not self.lines:
            raise ScoreFileError("there are no rows below the header; give one row per evaluation unit.")
        return Columns(
            header=self.head.header,
            lines=self.lines,
            texts=self.texts,
            numbers=self.numbers,
            positions=tuple(self.positions),
            bad=self.bad,
            flags=self._flags(),
            decimal=self.head.decimal,
            where=self.head.where,
            skipped=self.skipped,
        )


def misjudged_texts(texts: Mapping[int, list[str]], forced: set[int], decimal: str) -> set[int]:
    """Columns read as text, by the first rows, that are mostly numbers.

    Parameters
    ----------
    texts : mapping of int to list of str
        Columns of text by position.
    forced : set of int
        Columns that are text whatever they hold.
    decimal : {".", ","}

    Returns
    -------
    set of int
    """
    return {
        column for column, cells in texts.items() if column not in forced and not mostly_text(cells, decimal)
    }


def refuse_width(where: str, found: int, width: int) -> NoReturn:
    """Complain about a row that has not as many fields as the header.

    Parameters
    ----------
    where : str
        The row.
    found, width : int

    Raises
    ------
    ScoreFileError
    """
    kind = f"too many fields (more than {width})" if found > width else f"too few fields ({found})"
    raise ScoreFileError(
        f"{where} has {kind}; give every row the {width} fields of the header, "
        "and put cells that hold the delimiter in quotes."
    )


def _picker(positions: Sequence[int]) -> Callable[[list[str]], Sequence[str]]:
    """Function that takes the cells at some positions from a row."""
    if not positions:
        return lambda row: ()
    first, last = positions[0], positions[-1]
    if last - first + 1 == len(positions):
        return itemgetter(slice(first, last + 1))
    return itemgetter(*positions)
