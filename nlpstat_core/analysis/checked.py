"""Settings of analyses that are given as keywords: numbers that can be used, or one sentence."""

import math
import numbers
from typing import Any

from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.methods.corrections import CORRECTIONS


def checked_margin(margin: Any) -> float:
    """A margin of practical equivalence that can be used. Raises ConfigError."""
    if is_number(margin) and 0 <= float(margin) < math.inf:
        return float(margin)
    raise ConfigError(f"margin must be a number, 0 or more, not {shown(margin)}.")


def checked_level(alpha: Any) -> float:
    """A level of decisions, above 0 and below 1. Raises ConfigError."""
    level = above("alpha", alpha, 0)
    if level >= 1:
        raise ConfigError(f"alpha must be a number above 0 and below 1, not {shown(alpha)}.")
    return level


def correction_of_p_values(key: str, what: str, also: tuple[str, ...] = ()) -> str:
    """A correction that needs nothing but p-values.

    Raises ConfigError: No such correction, or one that needs the scores.
    """
    ready = [one.key for one in CORRECTIONS if one.p_values_only and not one.all_pairs_of_a_board]
    ready += also
    if key not in ready:
        raise ConfigError(unknown(f"correction of {what}", key, ready))
    return key


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
