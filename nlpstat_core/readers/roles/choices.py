"""How a file is to be read: the keywords of `read_scores`, checked."""

from collections.abc import Callable, Mapping, Sequence
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
# Those about the columns of every one of several files.
OF_COLUMNS = (
    "id_column",
    "label_columns",
    "system_column",
    "systems_as_rows",
    "delimiter",
    "quotes",
    "sheet",
)
_DELIMITER_NAMES = {name: sign for sign, name in DELIMITER_NAMES.items()}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How a file is to be read: the keywords of `read_scores`, checked; None leaves it to the content."""

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
        for name, settled in _KINDS.items():
            if (given := getattr(self, name)) is not None:
                object.__setattr__(self, name, settled(name, given))
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


def _checked(fits: Callable[[Any], bool], what: str) -> Callable[[str, Any], Any]:
    """How a keyword is settled that must be something; raises ConfigError for anything else."""

    def settled(name: str, value: Any) -> Any:
        if not fits(value):
            raise ConfigError(f"{name} must be {what}, not {shown(value)}.")
        return tuple(value) if isinstance(value, list) else value

    return settled


def _is_row(value: Any) -> bool:
    text = "" if isinstance(value, bool) else str(value)
    return text.isascii() and text.isdigit() and 0 < int(text[:9]) == int(text)


_text = _checked(lambda value: isinstance(value, str), "text")
_flag = _checked(lambda value: isinstance(value, bool), "true or false")
_row = _checked(_is_row, "the number of a line or row, counted from 1")
_list = _checked(
    lambda value: isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value),
    "a list of names",
)


def _names(name: str, value: Any) -> Any:
    return (value,) if isinstance(value, str) else _list(name, value)


def _columns(name: str, value: Any) -> Any:
    """A column or several; False for none."""
    if value is False or (name == "run_column" and value == NO_COLUMN):
        return False
    return _list(name, value) if isinstance(value, (list, tuple)) else _text(name, value)


def _way(name: str, value: Any) -> Any:
    ways = BAD_CELLS if name == "bad_cells" else REPEATS
    if value not in ways:
        raise ConfigError(unknown(f"way to take {name}", str(value), ways))
    return value


def _delimiter(name: str, value: Any) -> Any:
    """The delimiter as one sign that can't be part of a number or of a quoted field."""
    sign = _DELIMITER_NAMES.get(_text(name, value), value)
    if len(sign) != 1 or sign.isalnum() or sign in '"\r\n.+-#\0':
        names = ", ".join(_DELIMITER_NAMES)
        raise ConfigError(f"{name} must be one character or one of {names}, not {shown(value)}.")
    return sign


# What each keyword takes, and how it is settled.
_KINDS: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("format", "metric", "dataset", "dataset_column", "system_column", "sheet"), _text),
    **dict.fromkeys(("id_column", "run_column"), _columns),
    **dict.fromkeys(("lower_is_better", "systems_as_rows", "quotes"), _flag),
    **dict.fromkeys(("label_columns", "as_percent", "accept"), _names),
    **dict.fromkeys(("bad_cells", "repeats"), _way),
    "drop_rows": lambda name, value: tuple(map(str.strip, _names(name, value))),
    "header_row": lambda name, value: int(_row(name, value)),
    "delimiter": _delimiter,
    "roles": lambda name, value: parsed_roles(value) or None,
}


def choices_from(keywords: Mapping[str, Any]) -> Choices:
    """Choices from the keywords of `read_scores`, bounds among them; raises ConfigError."""
    bounds = {item.name: keywords[item.name] for item in fields(Limits) if item.name in keywords}
    rest = {key: value for key, value in keywords.items() if key not in bounds}
    for key in rest:
        if key not in READING_KEYWORDS:
            raise ConfigError(unknown("reading choice", key, READING_KEYWORDS))
    return Choices(**rest, limits=Limits(**bounds))


def given_lists(**lists: Sequence[str]) -> dict[str, list[str]]:
    """What else `reading` tells of a file, for menus: columns, metrics, sheets; long lists are left out."""
    return {key: list(names) for key, names in lists.items() if len(names) <= MOST_TOLD}


def as_given(choices: Choices, names: Sequence[str] = AS_TOLD) -> dict[str, Any]:
    """Some keywords as they were told, for `reading`: those that no reader settles."""
    told = {name: getattr(choices, name) for name in names if getattr(choices, name) is not None}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}


READING_KEYWORDS = tuple(item.name for item in fields(Choices) if item.name != "limits")


def reading_keywords(reading: Any) -> dict[str, Any]:
    """The keywords of `read_scores` in a stored `reading`.

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
