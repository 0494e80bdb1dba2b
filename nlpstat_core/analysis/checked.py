"""Settings of analyses that are given as keywords: numbers that can be used, or one sentence."""

import math
import numbers
from typing import Any

from nlpstat_core.errors import ConfigError, shown


def checked_margin(margin: Any) -> float:
    """A margin of practical equivalence that can be used. Raises ConfigError."""
    if is_number(margin) and 0 <= float(margin) < math.inf:
        return float(margin)
    raise ConfigError(f"margin must be a number, 0 or more, not {shown(margin)}.")


def is_number(value: Any) -> bool:
    """Whether it is a number; true and false are none."""
    return not isinstance(value, bool) and isinstance(value, numbers.Real)


def above(name: str, value: Any, least: float) -> float:
    """A finite number above a bound; raises ConfigError."""
    if not is_number(value) or not least < float(value) < math.inf:
        raise ConfigError(f"{name} must be a number above {least:g}, not {shown(value)}.")
    return float(value)


def whole_number(name: str, value: Any, least: int) -> int:
    """A whole number from a bound on; raises ConfigError."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or int(value) < least:
        raise ConfigError(f"{name} must be a whole number, at least {least}, not {shown(value)}.")
    return int(value)
