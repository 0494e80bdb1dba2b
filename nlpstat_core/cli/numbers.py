"""Numbers that options give."""

import math

from nlpstat_core.errors import ConfigError, shown


def whole_number(option: str, text: str, most: int | None = None, *, least: int = 1) -> int:
    """A whole number from an option.

    least, most: The smallest and the largest that are taken.
    Raises ConfigError.
    """
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise ConfigError(f"{option} must be a whole number, at least {least}, not {shown(text)}.")
    if most is not None and value > most:
        raise ConfigError(f"{option} must be a whole number, at most {most:,}, not {shown(text)}.")
    return value


def real_number(option: str, text: str) -> float:
    """A finite number from an option. Raises ConfigError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigError(f"{option} must be a finite number, not {shown(text)}.")
    return value
