"""Tables as text with sort keys: what every report format renders."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes
    ----------
    label : str
    numbers : bool
        Aligned to the right, sorted by value.
    """

    label: str
    numbers: bool = False


@dataclass(frozen=True)
class Cell:
    """One entry.

    Attributes
    ----------
    text : str
        As people read it; not escaped.
    key : float or None
        What sorting goes by where that is not the text; NaN comes last.
    name : bool
        A name from the user's file.
    """

    text: str
    key: float | None = None
    name: bool = False


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    title : str
    columns : tuple of Column
    rows : tuple of tuple of Cell
    remark : str
        Sentences to stand under it; "" for none.
    lines : tuple of int
        After how many rows a line is drawn.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remark: str = ""
    lines: tuple[int, ...] = ()
