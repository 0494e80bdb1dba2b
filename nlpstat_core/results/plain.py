"""Frames as plain data for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def records_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """One mapping a row; undefined numbers are None."""
    columns = {
        str(name): [None if value != value else value for value in frame[name].tolist()] for name in frame
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def plain_numbers(named: Mapping[str, Any]) -> dict[str, Any]:
    """The same mapping; undefined numbers are None."""
    return {name: None if value != value else value for name, value in named.items()}
