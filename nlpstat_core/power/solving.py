"""Solving a power function for a number, a size or a level: one search for each, whatever the design."""

import math
from collections.abc import Callable

MOST_UNITS = 10**12
_STEPS = 2000
# A first step from what an approximation says, as a part of it.
_PARTS = 32


def smallest_units(
    enough: Callable[[int], bool], low: int = 2, *, most: int = MOST_UNITS, near: float | None = None
) -> int | None:
    """Smallest whole number that is enough, for a criterion that rises with the number; None above `most`.

    low: Where to begin, at least 1.
    near: About the answer, if known: numbers around it are asked first.
    """
    if enough(low):
        return low
    high = 2 * low
    if near is not None and low < near < most:
        low, high = _around(enough, low, math.ceil(near), most)
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def counted_down(enough: Callable[[int], bool], last: int | None) -> int | None:
    """From a number with which, as with all larger ones, it is enough: down to the last that falls short."""
    while last is not None and last > 2 and enough(last - 1):
        last -= 1
    return last


def _around(enough: Callable[[int], bool], low: int, near: int, most: int) -> tuple[int, int]:
    """A number that is not enough, `low` at worst, and one that may be, in growing steps from `near`."""
    step = max(1, near // _PARTS)
    if enough(near):
        while near - step > low and enough(near - step):
            near, step = near - step, 2 * step
        return max(near - step, low), near
    while near + step < most and not enough(near + step):
        near, step = near + step, 2 * step
    return near, near + step


def smallest_size(
    enough: Callable[[float], bool], first: float = 1.0, *, most: float = math.inf, relative: float = 0.0
) -> float | None:
    """Smallest size of an effect that is enough, for a criterion that rises from 0; None above `most`.

    first: Where to begin; doubled until it is enough.
    relative: How near the answer has to be, as a part of it; 0: as near as floats go.
    """
    low, high = 0.0, first
    while not enough(high):
        if 2 * high > most:
            return None
        low, high = high, 2 * high
    return bisected(enough, low, high, relative=relative)


def bisected(
    enough: Callable[[float], bool],
    low: float,
    high: float,
    *,
    steps: int = _STEPS,
    relative: float = 0.0,
    absolute: float = 0.0,
) -> float:
    """The smallest float that is enough, for a rising criterion that `low` misses and `high` meets.

    steps: Halvings at most; fewer where the answer is as near as asked for.
    """
    for _ in range(steps):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if enough(middle) else (middle, high)
        if high - low <= max(absolute, relative * high):
            break
    return high
