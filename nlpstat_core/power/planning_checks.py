"""What every plan asks of its numbers: which one is missing, and that the others can be planned with."""

from typing import get_args

from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError, shown, unknown


def left_out(known: str, last: str, many: str, **given: float | None) -> str:
    """The one name that has no value.

    known, last, many: How many are given, which one is computed, and how many there are, in words.
    """
    missing = [name for name, value in given.items() if value is None]
    if len(missing) != 1:
        raise ConfigError(
            f"Give {known} of {', '.join(given)}; the {last} is computed. "
            + (f"Missing: {', '.join(missing)}." if missing else f"All {many} are given.")
        )
    return missing[0]


def check_alternative(alternative: str) -> None:
    """Refuse a word that is no alternative."""
    if alternative not in get_args(Alternative):
        raise ConfigError(unknown("alternative", alternative, get_args(Alternative)))


def check_whole(name: str, value: int | None, most: int) -> None:
    """Refuse a number that isn't whole or out of range."""
    if value is not None and (isinstance(value, bool) or not 2 <= value <= most or value != int(value)):
        raise ConfigError(f"{name} must be a whole number from 2 to {most:,}, not {shown(value)}.")


def check_power(power: float | None) -> None:
    """Refuse what is no probability between 0 and 1."""
    if power is not None and not 0 < power < 1:
        raise ConfigError(f"power must be a number above 0 and below 1, not {shown(power)}.")


def check_direction(size: float, alternative: Alternative, numbers: str, what: str) -> None:
    """Refuse an effect that the alternative doesn't look for."""
    if {"two-sided": size == 0, "greater": size <= 0, "less": size >= 0}[alternative]:
        raise ConfigError(
            f"No number of {numbers} finds {what} of {size:g}: "
            + ("there is nothing to find." if size == 0 else f"it is not {alternative}.")
        )


def check_above(power: float, level: float, what: str) -> None:
    """Refuse a power that every test of the level has."""
    if power <= level:
        raise ConfigError(
            f"Power {power:g} is not above the level {level:g}: no {what} at all is needed for it."
        )


def family_alpha(level: float, correction: str, comparisons: int, instead: str) -> float:
    """The level of the family whose single comparison has this level.

    instead: What else to ask for where there is none below 1.
    """
    whole = CORRECTIONS[correction].level_of_one.of_family(level, comparisons)
    if whole >= 1:
        raise ConfigError(f"No level below 1 gives this family so much power; ask for {instead}.")
    return whole
