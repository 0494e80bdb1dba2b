"""Numbers as JSON holds them: undefined and infinite ones are null."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def number(value: Any) -> float | None:
    """A number as JSON may hold it: None where it is undefined or infinite."""
    plain = float(value)
    return plain if math.isfinite(plain) else None


def interval(ends: Any) -> list[float | None] | None:
    """An interval as JSON may hold it: None for an open end, None as a whole where it is undefined."""
    low, high = float(ends[0]), float(ends[1])
    return None if math.isnan(low) and math.isnan(high) else [number(low), number(high)]


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON may hold them: `x_low` and `x_high` are one interval, that of ranks `rank_interval`."""
    columns: dict[str, list[Any]] = {}
    for name in frame.columns:
        values = frame[name].tolist()
        if name.endswith("_low"):
            of = name.removesuffix("_low")
            both = zip(values, frame[f"{of}_high"].tolist(), strict=True)
            columns["rank_interval" if of == "rank" else of] = [
                list(ends) if of == "rank" else interval(ends) for ends in both
            ]
        elif not name.endswith("_high"):
            columns[name] = [number(value) if isinstance(value, float) else value for value in values]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
