"""How a file is to be read: the keywords of `read_scores`, checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.readers.open.dialect import DELIMITER_NAMES
from nlpstat_core.readers.open.limits import Limits
from nlpstat_core.readers.roles.given import parsed_roles
from nlpstat_core.readers.roles.record import Role

NO_COLUMN = "none"
# What `reading` tells beyond the keywords.
_TOLD = ("reason", "tool", "columns", "metrics", "datasets", "sheets")
MOST_TOLD = 200
BAD_CELLS = ("refuse", "missing")
REPEATS = ("refuse", "first", "last", "mean")
# Keywords that are given back as they were told, whatever the file is.
AS_TOLD = ("header_row", "drop_rows", "bad_cells", "repeats", "as_percent", "accept")
_TEXTS = ("format", "metric", "dataset", "dataset_column", "system_column", "delimiter", "sheet")
_DELIMITER_NAMES = {name: sign for sign, name in DELIMITER_NAMES.items()}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How a file is to be read: the keywords of `read_scores`; None leaves it to the content.

    Raises ConfigError: A value that can't be used.
    """

    format: str | None = None
    metric: str | None = None
    dataset: str | None = None
    dataset_column: str | None = None
    id_column: str | tuple[str, ...] | Literal[False] | None = None
    label_columns: tuple[str, ...] | None = None
    system_column: str | None = None
    run_column: str | tuple[str, ...] | Literal[False] | None = None
    systems_as_rows: bool | None = None
    lower_is_better: bool | None = None
    delimiter: str | None = None
    quotes: bool | None = None
    sheet: str | None = None
    header_row: int | None = None
    drop_rows: tuple[str, ...] | None = None
    bad_cells: Literal["refuse", "missing"] | None = None
    repeats: Literal["refuse", "first", "last", "mean"] | None = None
    as_percent: tuple[str, ...] | None = None
    accept: tuple[str, ...] | None = None
    roles: Any = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name in _TEXTS:
            _check_text(name, getattr(self, name))
        runs = False if self.run_column == NO_COLUMN else self.run_column
        for name, given in (("id_column", self.id_column), ("run_column", runs)):
            object.__setattr__(self, name, _columns(name, given))
        for name in ("lower_is_better", "systems_as_rows", "quotes"):
            if not isinstance(getattr(self, name), bool | None):
                raise ConfigError(f"{name} must be true or false, not {shown(getattr(self, name))}.")
        for name in ("label_columns", "as_percent", "accept"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _names(name, getattr(self, name)))
        if self.drop_rows is not None:
            rows = tuple(name.strip() for name in _names("drop_rows", self.drop_rows))
            object.__setattr__(self, "drop_rows", rows)
        for name, ways in (("bad_cells", BAD_CELLS), ("repeats", REPEATS)):
            if getattr(self, name) not in (None, *ways):
                raise ConfigError(unknown(f"way to take {name}", str(getattr(self, name)), ways))
        if self.header_row is not None:
            object.__setattr__(self, "header_row", _row(self.header_row))
        if self.delimiter is not None:
            object.__setattr__(self, "delimiter", _delimiter(self.delimiter))
        if self.roles is not None:
            object.__setattr__(self, "roles", parsed_roles(self.roles) or None)
        sets = self.named(Role.DATASET)
        if sets and self.dataset_column is None:
            object.__setattr__(self, "dataset_column", sets[0])

    def named(self, role: Role) -> tuple[str, ...]:
        """The columns that were told to have a role."""
        columns: tuple[str, ...] = (self.roles or {}).get(role, ())
        return columns

    @property
    def told_roles(self) -> dict[str, dict[str, list[str]]]:
        """The roles as a keyword for `reading`; nothing where none were told."""
        return {"roles": {role: list(names) for role, names in self.roles.items()}} if self.roles else {}


def _check_text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{name} must be text, not {shown(value)}.")


def _columns(name: str, value: Any) -> Any:
    """A column or several; False for none, None where nothing is told."""
    if isinstance(value, (list, tuple)):
        return _names(name, value)
    if value is not False:
        _check_text(name, value)
    return value


def _names(name: str, value: Any) -> tuple[str, ...]:
    """A list of names; one alone is a list, too."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{name} must be a list of names, not {shown(value)}.")
    return tuple(value)


def _row(given: Any) -> int:
    """The number of a line or row, counted from 1."""
    text = str(given)
    if isinstance(given, bool) or not (text.isascii() and text.isdigit() and 0 < int(text[:9]) == int(text)):
        raise ConfigError(f"header_row must be the number of a line or row, from 1 on, not {shown(given)}.")
    return int(text)


def _delimiter(given: str) -> str:
    """The delimiter as one sign that can't be part of a number or of a quoted field."""
    sign = _DELIMITER_NAMES.get(given, given)
    if len(sign) != 1 or sign.isalnum() or sign in '"\r\n.+-#\0':
        names = ", ".join(_DELIMITER_NAMES)
        raise ConfigError(f"delimiter must be one sign or one of {names}, not {shown(given)}.")
    return sign


def choices_from(keywords: Mapping[str, Any]) -> Choices:
    """Choices from the keywords of `read_scores`, bounds among them.

    Raises ConfigError: An unknown keyword or a value that can't be used.
    """
    bounds = {item.name: keywords[item.name] for item in fields(Limits) if item.name in keywords}
    rest = {key: value for key, value in keywords.items() if key not in bounds}
    for key in rest:
        if key not in READING_KEYWORDS:
            raise ConfigError(unknown("reading choice", key, READING_KEYWORDS))
    return Choices(**rest, limits=Limits(**bounds))


def given_lists(**lists: Sequence[str]) -> dict[str, list[str]]:
    """What else `reading` tells of a file, for menus: columns, metrics, sheets; long lists are left out."""
    return {key: list(names) for key, names in lists.items() if len(names) <= MOST_TOLD}


def as_given(choices: Choices) -> dict[str, Any]:
    """The keywords that no reader settles, as they were told, for `reading`."""
    found = {key: getattr(choices, key) for key in AS_TOLD if getattr(choices, key) is not None}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}


READING_KEYWORDS = tuple(item.name for item in fields(Choices) if item.name != "limits")


def reading_keywords(reading: Any) -> dict[str, Any]:
    """The keywords of `read_scores` in a stored `reading`.

    reading: As in `ScoreMatrix.reading` or under `config.reading` in JSON.
    Raises ConfigError: No mapping, or a key that is neither a keyword nor something a reader tells.

    >>> reading_keywords({"format": "wide-csv", "reason": "comma between columns"})
    {'format': 'wide-csv'}
    """
    if not isinstance(reading, Mapping):
        raise ConfigError("reading must be a mapping of reading choices, for example {format: wide-csv}.")
    for key in reading:
        if key not in READING_KEYWORDS and key not in _TOLD:
            raise ConfigError(unknown("reading choice", key, READING_KEYWORDS))
    return {key: value for key, value in reading.items() if key in READING_KEYWORDS}
