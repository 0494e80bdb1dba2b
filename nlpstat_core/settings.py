"""The record of a setting: its check, the command line, files, links and the sidebar are made from it."""

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, TypeVar

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.errors import ConfigError, shown, unknown

Default = TypeVar("Default")
Kind = Literal["choice", "choices", "flag", "system", "column", "number", "probability", "whole", "limits"]
Group = Literal["main", "comparison", "units", "effects", "details"]

# What levels and differences are computed with stays far from the ends of what a number can hold.
SMALLEST, LARGEST, NEAREST = 1e-100, 1e100, 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """Everything that the rest of the house has to know of a setting.

    name: Field of AnalysisConfig, key of files and links; with hyphens the option of the command line.
    default: None where a setting may be empty.
    kind: What it holds, which says how it is checked and which widget it has: one of several choices, several
        of them; a flag, off by default; the name of a system or of a label column of the scores; a number,
        one between 0 and 1, a whole one, two rising ones.
    label: What the sidebar calls it.
    help: What it is, in half a sentence: the help of its option.
    hint: Whole sentences that the sidebar says besides.
    group: The part of the sidebar that it stands in.
    words: Choices with what people read for them; of a name, the values that name nothing.
    catalogue: Procedures that can be chosen, after those of `words`.
    bounds: Least and most of a whole number; what a number lies between.
    parts: Of two numbers, the name of each in links with its label.
    empty: What the sidebar shows where nothing is chosen.
    formerly: Its names in NLPStatTest's settings files.
    """

    name: str = ""
    default: Any = None
    kind: Kind
    label: str
    help: str
    hint: str = ""
    group: Group = "details"
    words: Mapping[Any, str] = field(default_factory=dict)
    catalogue: Catalogue[Any] | None = None
    bounds: tuple[float, float] = (-math.inf, math.inf)
    parts: Mapping[str, str] = field(default_factory=dict)
    empty: str = ""
    formerly: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[Any, ...]:
        """What can be chosen, in the order of the menu."""
        return (*self.words, *(() if self.catalogue is None else self.catalogue.keys))

    @property
    def labels(self) -> Mapping[str, str]:
        """The name of each of its widgets with its label."""
        return self.parts or {self.name: self.label}

    @property
    def sentence(self) -> str:
        """What it is, as a sentence."""
        return f"{self.help[:1].upper()}{self.help[1:]}."

    @property
    def is_name(self) -> bool:
        """Whether it names something of the scores, or nothing."""
        return self.kind in ("system", "column")

    def says_none(self, value: object) -> bool:
        """Whether a menu or an option says None by the word for it, because None isn't the default."""
        return "none" in self.words and str(value).lower() == "none"

    def text(self, value: object) -> str:
        """What people read for a value, or for one of several."""
        if self.catalogue is not None and value not in self.words:
            return str(self.catalogue[str(value)].label)
        if isinstance(value, bool):
            return str(value).lower()
        return self.words.get(value, "none" if value is None else str(value))

    def from_text(self, value: Any) -> Any:
        """What arrived as text in its own type, lists as tuples; what can't be told is left to `checked`."""
        if isinstance(value, list):
            return tuple(value)
        if not isinstance(value, str):
            return value
        if self.kind == "choices":
            return tuple(part.strip() for part in value.split(",") if part.strip())
        number = {"whole": int, "number": float, "probability": float}.get(self.kind, str)
        try:
            return number(value)
        except ValueError:
            return value

    def checked(self, value: Any) -> Any:
        """The value as it is kept. Raises ConfigError: It can't be used; the sentence says what can."""
        if value is None and (self.default is None or self.is_name):
            return None
        return _CHECKS[self.kind](self, value)


def setting(default: Default, **record: Any) -> Default:
    """A field of AnalysisConfig with its record: attributes of `Setting` without name and default."""
    return field(default=default, metadata={"setting": Setting(default=default, **record)})


def settings_of(config: type[Any]) -> dict[str, Setting]:
    """The records of a configuration's fields by their names."""
    return _named(fields(config))


@cache
def _named(items: tuple[Field[Any], ...]) -> dict[str, Setting]:
    return {item.name: replace(item.metadata["setting"], name=item.name) for item in items}


def attributes_of(config: type[Any]) -> str:
    """The settings as the docstring of their class lists them."""
    records, lines = settings_of(config), []
    for item in fields(config):
        record = records[item.name]
        listed = ", ".join(f'"{value}"' for value in record.words)
        kind = f"{{{listed}}}" if record.kind == "choice" and record.catalogue is None else item.type
        lines += [f"    {item.name} : {kind}", f"        {record.sentence}"]
    return "\n".join(lines).strip()


def _choice(record: Setting, value: Any) -> str:
    if not isinstance(value, str) or value not in record.choices:
        kind = record.name if record.catalogue is None else record.catalogue.kind
        raise ConfigError(unknown(kind, value, record.choices))
    return value


def _choices(record: Setting, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(key, str) for key in value):
        raise ConfigError(f"{record.name} must be a list of names, not {shown(value)}.")
    return tuple(dict.fromkeys(_choice(record, key) for key in value))


def _plain(record: Setting, value: Any) -> Any:
    kind, words = (bool, "true or false") if record.kind == "flag" else (str, "a name or nothing")
    if not isinstance(value, kind):
        raise ConfigError(f"{record.name} must be {words}, not {shown(value)}.")
    return value


def _is_real(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:  # a whole number beyond every float
        return False


def _probability(record: Setting, value: Any) -> float:
    if not _is_real(value) or not 0 < float(value) < 1:
        raise ConfigError(f"{record.name} must be a number above 0 and below 1, not {shown(value)}.")
    if not SMALLEST <= float(value) <= 1 - NEAREST:
        bounds = f"from {SMALLEST:g} to 1 − {NEAREST:g}"
        raise ConfigError(f"{record.name} must be a number {bounds}, not {shown(value)}.")
    return float(value)


def _number(record: Setting, value: Any) -> float:
    if not _is_real(value):
        raise ConfigError(f"{record.name} must be a finite number, not {shown(value)}.")
    number, (least, most) = float(value), record.bounds
    if number != 0 and not SMALLEST <= abs(number) <= LARGEST:
        bounds = f"between ±{SMALLEST:g} and ±{LARGEST:g}"
        raise ConfigError(f"{record.name} must be a number {bounds}, not {shown(value)}.")
    if not least < number < most:
        ends = {"above": least, "below": most}
        bounds = " and ".join(f"{side} {end:g}" for side, end in ends.items() if math.isfinite(end))
        raise ConfigError(f"{record.name} must be {bounds}, not {number:g}.")
    return number


def _whole(record: Setting, value: Any) -> int:
    least, most = record.bounds
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or int(value) < least:
        raise ConfigError(f"{record.name} must be a whole number, at least {least}, not {shown(value)}.")
    if int(value) > most:
        raise ConfigError(f"{record.name} must be a whole number, at most {most:,}, not {shown(value)}.")
    return int(value)


def _limits(record: Setting, value: Any) -> tuple[float, float]:
    good = isinstance(value, tuple) and len(value) == 2 and all(_is_real(limit) for limit in value)
    if not good or not SMALLEST <= float(value[0]) <= float(value[1]) <= LARGEST:
        raise ConfigError(f"{record.name} must be two rising numbers above 0, not {shown(value)}.")
    return float(value[0]), float(value[1])


_CHECKS: dict[Kind, Callable[[Setting, Any], Any]] = {
    "choice": _choice,
    "choices": _choices,
    "flag": _plain,
    "system": _plain,
    "column": _plain,
    "number": _number,
    "probability": _probability,
    "whole": _whole,
    "limits": _limits,
}
