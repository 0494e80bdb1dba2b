"""A table by columns: texts, numbers, and the cells that are neither."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import is_flag, is_infinite, is_missing, number, plain
from nlpstat_core.readers.textlines import Skipped


@dataclass(frozen=True)
class BadCell:
    """A cell of a column of numbers that holds no finite number.

    Attributes
    ----------
    line : int
    column : str
    cell : str
    where : str
        What `line` counts.
    """

    line: int
    column: str
    cell: str
    where: str = "line"

    @property
    def message(self) -> str:
        """Where it is, what it is, what to do."""
        where = f"{self.where} {self.line}, column {shown(self.column)}: {shown(self.cell)}"
        if is_infinite(self.cell):
            return f"{where} is infinite; scores must be finite, so correct it or leave the cell empty."
        return f"{where} is no number; correct it, leave the cell empty or make the column a label."


@dataclass(frozen=True)
class Columns:
    """A table by columns.

    Attributes
    ----------
    header : tuple of str
    lines : sequence of int
        The line each row begins on.
    texts : dict of int to list of str
        Columns of text by position, without white space around the cells.
    numbers : float array, shape (n_rows, number of columns of numbers)
    positions : tuple of int
        Which column of the file each column of `numbers` is.
    bad : dict of int to BadCell
        First bad cell of each column of numbers that has one; the cell is NaN in `numbers`.
    flags : set of int
        Columns of numbers all written as true and false.
    decimal : {".", ","}
    where : str
        What `lines` count.
    skipped : Skipped
        Lines left out as comments.
    """

    header: tuple[str, ...]
    lines: Sequence[int]
    texts: dict[int, list[str]]
    numbers: FloatArray
    positions: tuple[int, ...]
    bad: dict[int, BadCell]
    flags: frozenset[int] = frozenset()
    decimal: str = "."
    where: str = "line"
    skipped: Skipped = field(default_factory=Skipped)

    @cached_property
    def places(self) -> dict[int, int]:
        """Where in `numbers` each column of numbers of the file is."""
        return {column: i for i, column in enumerate(self.positions)}

    def labels(self, columns: Sequence[int]) -> dict[str, list[str]]:
        """Columns of labels by name; true and false are words there.

        Parameters
        ----------
        columns : sequence of int

        Returns
        -------
        dict of str to list of str
        """
        return {self.header[i]: self._label(i) for i in columns}

    def _label(self, column: int) -> list[str]:
        words = {1.0: "true", 0.0: "false"}
        if column not in self.texts:
            return [words.get(value, "") for value in self.numbers[:, self.places[column]].tolist()]
        cells = self.texts[column]
        if not all(is_flag(cell) or is_missing(cell) for cell in cells):
            return cells
        return [cell.lower() if is_flag(cell) else "" for cell in cells]

    def values(self, columns: Sequence[int]) -> FloatArray:
        """Scores of some columns of the file, shape (n_rows, len(columns)).

        Parameters
        ----------
        columns : sequence of int

        Returns
        -------
        float array

        Raises
        ------
        ScoreFileError
            The first bad cell among them.
        """
        place = self.places
        if not any(column in self.texts or column in self.bad for column in columns):
            wanted = [place[column] for column in columns]
            if wanted == list(range(self.numbers.shape[1])):
                return self.numbers
            chosen: FloatArray = self.numbers[:, wanted]
            return chosen
        found = [self.bad[column] for column in columns if column in self.bad]
        converted = []
        for column in columns:
            if column in self.texts:
                scores, bad = self._numbers(column)
                converted.append(scores)
                found += bad
            else:
                converted.append(self.numbers[:, place[column]])
        if found:
            raise ScoreFileError(min(found, key=lambda bad: bad.line).message)
        return np.column_stack(converted) if converted else np.empty((len(self.lines), 0))

    def _numbers(self, column: int) -> tuple[FloatArray, list[BadCell]]:
        """The numbers in a column of text, with its first bad cell."""
        texts = self.texts[column]
        try:
            quick = np.array(list(map(float, plain(texts, self.decimal))))
            if not np.isinf(quick).any():
                return quick, []
        except ValueError:
            pass  # a cell isn't written plainly, so each is looked at
        cells = [number(cell, self.decimal) for cell in texts]
        bad = []
        if None in cells:
            row = cells.index(None)
            bad.append(BadCell(self.lines[row], self.header[column], texts[row], self.where))
        return np.array([math.nan if cell is None else cell for cell in cells]), bad


def comment_notes(columns: Columns) -> tuple[Note, ...]:
    """Say how many lines were left out as comments.

    Parameters
    ----------
    columns : Columns

    Returns
    -------
    tuple of Note
    """
    many, first = columns.skipped.comments, columns.skipped.first_comment
    if not many:
        return ()
    lines = f"line {first} begins" if many == 1 else f"{many:,} lines (the first is line {first}) begin"
    text = (
        f"{lines} with # and was left out as a comment."
        if many == 1
        else f"{lines} with # and were left out."
    )
    return (Note("comment-lines", "info", text),)
