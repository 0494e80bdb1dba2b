"""Tables as text with sort keys: what every report format renders."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A column.

    numbers: Aligned to the right, sorted by value.
    """

    label: str
    numbers: bool = False


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
class Table:
    """A table.

    remark: Sentences to stand under it; "" for none.
    lines: After how many rows a line is drawn.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remark: str = ""
    lines: tuple[int, ...] = ()
