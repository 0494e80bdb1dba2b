"""A result as a table, before any format: columns of text that know their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from nlpstat_core.arrays import FloatArray
from nlpstat_core.formatting import common_decimals, format_fixed, format_fixed_interval, format_p


@dataclass(frozen=True)
class Cell:
    """One entry.

    text: As people read it; not escaped.
    key: What sorting goes by where that is not the text; NaN comes last.
    name: A name from the user's file.
    """

    text: str
    key: float | None = None
    name: bool = False


@dataclass(frozen=True)
class Column:
    """A column.

    numbers: Aligned to the right, sorted by value.
    decimals: Of numbers that a frame may hold as numbers; None where the text is more than the number.
    """

    label: str
    cells: tuple[Cell, ...]
    numbers: bool = False
    decimals: int | None = None


@dataclass(frozen=True)
class Table:
    """A table.

    remark: Sentences to stand under it; "" for none.
    lines: After how many rows a line is drawn.
    """

    kind: ClassVar[str] = "table"
    title: str
    columns: tuple[Column, ...]
    remark: str = ""
    lines: tuple[int, ...] = ()

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells of every row."""
        return tuple(zip(*(column.cells for column in self.columns), strict=True))

    def row(self, place: int) -> Table:
        """One row as a table of its own."""
        columns = tuple(replace(column, cells=(column.cells[place],)) for column in self.columns)
        return replace(self, columns=columns, lines=())

    def first(self, most: int, file: str) -> Table:
        """The first rows; a remark says how many pairs are left out, and the file that holds all."""
        more = len(self.rows) - most
        if more <= 0:
            return self
        columns = tuple(replace(column, cells=column.cells[:most]) for column in self.columns)
        return replace(self, columns=columns, remark=f"{more:,} more pairs are in {file}.")

    def under(self, heads: Mapping[str, str] | Iterable[str]) -> Table:
        """Some columns alone, those that are there, in this order; under other heads where given."""
        named = {column.label: column for column in self.columns}
        told = heads if isinstance(heads, Mapping) else {label: label for label in heads}
        chosen = (replace(named[label], label=head) for label, head in told.items() if label in named)
        return replace(self, columns=tuple(chosen))


def names(label: str, values: Iterable[str]) -> Column:
    """Names from the user's file."""
    return Column(label, tuple(Cell(value, name=True) for value in values))


def words(label: str, values: Iterable[str]) -> Column:
    """Words of our own."""
    return Column(label, tuple(map(Cell, values)))


def counts(label: str, values: Iterable[Any], form: str = "{:,}") -> Column:
    """Whole numbers."""
    cells = (Cell(form.format(int(value)), float(value)) for value in values)
    return Column(label, tuple(cells), numbers=True, decimals=0)


def fixed(
    label: str, values: Iterable[Any], decimals: int | None = None, *, undefined: str = "undefined"
) -> Column:
    """Numbers that share their decimals. `decimals`: none shows four digits of a typical value."""
    plain = [float(value) for value in values]
    shared = common_decimals(plain, 4) if decimals is None else decimals
    cells = (Cell(undefined if math.isnan(value) else format_fixed(value, shared), value) for value in plain)
    return Column(label, tuple(cells), numbers=True, decimals=shared)


def intervals(label: str, ends: FloatArray, decimals: int, *, undefined: str = "undefined") -> Column:
    """Intervals that share their decimals."""
    cells = (
        Cell(undefined if math.isnan(low) else format_fixed_interval(low, high, decimals), low)
        for low, high in ends.tolist()
    )
    return Column(label, tuple(cells), numbers=True)


def ranges(label: str, ends: Iterable[Sequence[int]], most: int) -> Column:
    """Intervals of ranks 1 to `most`, one number where it is one; a narrow one sorts before a wide one."""
    both = ((int(low), int(high)) for low, high in ends)
    cells = (
        Cell(f"{low}" if low == high else f"{low}–{high}", low + high / (most + 1)) for low, high in both
    )
    return Column(label, tuple(cells), numbers=True)


def p_values(
    label: str, values: Iterable[float], alpha: float | None, log10_p: Iterable[float] | None = None
) -> Column:
    """p-values, each on its side of alpha; sorted by their logarithms where these are given."""
    plain = [float(value) for value in values]
    logs = [None] * len(plain) if log10_p is None else [float(log) for log in log10_p]
    cells = (
        Cell(format_p(p, log, alpha=alpha), p if log is None else log)
        for p, log in zip(plain, logs, strict=True)
    )
    return Column(label, tuple(cells), numbers=True)


def written(label: str, texts: Iterable[str], keys: Iterable[float], decimals: int | None = None) -> Column:
    """Numbers (`keys`) with a text of their own; `decimals` where a frame may hold them without it."""
    cells = (Cell(text, float(key)) for text, key in zip(texts, keys, strict=True))
    return Column(label, tuple(cells), numbers=True, decimals=decimals)
