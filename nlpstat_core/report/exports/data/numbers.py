"""Numbers as JSON holds them: undefined and infinite ones are null."""

from __future__ import annotations

import math
from typing import Any


def number(value: Any) -> float | None:
    """A number as JSON may hold it: None where it is undefined or infinite."""
    plain = float(value)
    return plain if math.isfinite(plain) else None


def interval(ends: Any) -> list[float | None] | None:
    """An interval as JSON may hold it: None for an open end, None as a whole where it is undefined."""
    low, high = float(ends[0]), float(ends[1])
    return None if math.isnan(low) and math.isnan(high) else [number(low), number(high)]
