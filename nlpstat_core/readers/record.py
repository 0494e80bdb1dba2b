"""What a format is to the rest: a key, how to recognise it, how to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

from nlpstat_core.errors import ConfigError, ScoreFileError, shown, unknown
from nlpstat_core.readers.dialect import find_head
from nlpstat_core.readers.filenames import stem
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.source import Decoded, Limits, decode
from nlpstat_core.readers.table import DELIMITER_NAMES, Head
from nlpstat_core.readers.textlines import check_lines

NO_COLUMN = "none"
_TOLD = ("reason", "columns", "metrics", "datasets", "sheets")  # what `reading` tells beyond the keywords
MOST_TOLD = 200
_TEXTS = ("format", "metric", "dataset", "dataset_column", "system_column", "delimiter", "sheet")
_DELIMITER_NAMES = {name: sign for sign, name in DELIMITER_NAMES.items()}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How a file is to be read; None leaves it to the content.

    Attributes
    ----------
    format : str or None
    metric : str or None
        Column or name of the metric; where the file names none, what to call it.
    dataset : str or None
        The data set to read of a file with several.
    dataset_column : str or None
        Column of labels that names the data sets.
    id_column : str, tuple of str, False or None
        Column of the unit ids, or several that make them together (also as one text with commas);
        False (or "none") when there is none.
    label_columns : tuple of str or None
        All columns of labels.
    system_column : str or None
        Column of the system names in long data.
    systems_as_rows : bool or None
        Whether a wide table has one row per system.
    lower_is_better : bool or None
    delimiter : str or None
        The sign between columns, or its name: tab, semicolon, comma, whitespace.
    sheet : str or None
        Sheet of a workbook.
    limits : Limits

    Raises
    ------
    ConfigError
        A value that can't be used.
    """

    format: str | None = None
    metric: str | None = None
    dataset: str | None = None
    dataset_column: str | None = None
    id_column: str | tuple[str, ...] | Literal[False] | None = None
    label_columns: tuple[str, ...] | None = None
    system_column: str | None = None
    systems_as_rows: bool | None = None
    lower_is_better: bool | None = None
    delimiter: str | None = None
    sheet: str | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name in _TEXTS:
            _check_text(name, getattr(self, name))
        if isinstance(self.id_column, (list, tuple)):
            object.__setattr__(self, "id_column", _names("id_column", self.id_column))
        elif self.id_column is not False:
            _check_text("id_column", self.id_column)
        for name in ("lower_is_better", "systems_as_rows"):
            if not isinstance(getattr(self, name), bool | None):
                raise ConfigError(f"{name} must be true or false, not {shown(getattr(self, name))}.")
        labels: Any = self.label_columns
        if isinstance(labels, str):
            labels = (labels,)
        if labels is not None:
            object.__setattr__(self, "label_columns", _names("label_columns", labels))
        if self.delimiter is not None:
            object.__setattr__(self, "delimiter", _delimiter(self.delimiter))


def _check_text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{name} must be text, not {shown(value)}.")


def _names(name: str, value: Any) -> tuple[str, ...]:
    """A list of column names."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{name} must be a list of names, not {shown(value)}.")
    return tuple(value)


def _delimiter(given: str) -> str:
    """The delimiter as one sign that can't be part of a number or of a quoted field."""
    sign = _DELIMITER_NAMES.get(given, given)
    if len(sign) != 1 or sign.isalnum() or sign in '"\r\n.+-#\0':
        names = ", ".join(_DELIMITER_NAMES)
        raise ConfigError(f"delimiter must be one sign or one of {names}, not {shown(given)}.")
    return sign


def choices_from(keywords: Mapping[str, Any]) -> Choices:
    """Choices from the keywords of `read_scores`, bounds among them.

    Parameters
    ----------
    keywords : mapping

    Returns
    -------
    Choices

    Raises
    ------
    ConfigError
        An unknown keyword or a value that can't be used.
    """
    bounds = {item.name: keywords[item.name] for item in fields(Limits) if item.name in keywords}
    rest = {key: value for key, value in keywords.items() if key not in bounds}
    for key in rest:
        if key not in READING_KEYWORDS:
            raise ConfigError(unknown("reading choice", key, READING_KEYWORDS))
    return Choices(**rest, limits=Limits(**bounds))


def told(**lists: Sequence[str]) -> dict[str, list[str]]:
    """What else `reading` tells of a file, for menus: columns, metrics, sheets; long lists are left out.

    Parameters
    ----------
    **lists : sequence of str

    Returns
    -------
    dict of str to list of str
    """
    return {key: list(names) for key, names in lists.items() if len(names) <= MOST_TOLD}


READING_KEYWORDS = tuple(item.name for item in fields(Choices) if item.name != "limits")


def reading_keywords(reading: Any) -> dict[str, Any]:
    """The keywords of `read_scores` in a stored `reading`.

    Parameters
    ----------
    reading : mapping
        As in `ScoreMatrix.reading` or under `config.reading` in JSON.

    Returns
    -------
    dict

    Raises
    ------
    ConfigError
        No mapping, or a key that is neither a keyword nor something a reader tells.

    Examples
    --------
    >>> reading_keywords({"format": "wide-csv", "reason": "comma between columns"})
    {'format': 'wide-csv'}
    """
    if not isinstance(reading, Mapping):
        raise ConfigError("reading must be a mapping of reading choices, for example {format: wide-csv}.")
    for key in reading:
        if key not in READING_KEYWORDS and key not in _TOLD:
            raise ConfigError(unknown("reading choice", key, READING_KEYWORDS))
    return {key: value for key, value in reading.items() if key in READING_KEYWORDS}


@dataclass(frozen=True)
class Probe:
    """A file as the formats see it before one of them reads it.

    Attributes
    ----------
    data : bytes
    name : str
        File name, for messages.
    choices : Choices
    path : str
        The name with its folders, where there are several files.
    """

    data: bytes
    name: str
    choices: Choices
    path: str = ""

    @cached_property
    def decoded(self) -> Decoded:
        """The file as text; raises ScoreFileError when it is none."""
        return decode(self.data)

    @property
    def stem(self) -> str:
        """The file's name without its ending: the name of the only system in it."""
        return stem(self.name)

    @property
    def is_text(self) -> bool:
        """Whether the file has been read as text."""
        return "decoded" in self.__dict__

    @property
    def text(self) -> str:
        """The decoded text."""
        return self.decoded.text

    @cached_property
    def table_text(self) -> str:
        """The text where it is to be a table; raises ScoreFileError when it has too many lines."""
        check_lines(self.text, self.choices.limits.max_rows)
        return self.text

    @cached_property
    def head(self) -> Head | None:
        """The beginning of the file as a table, None when it is none."""
        return find_head(self.table_text, self.choices.limits.max_columns, self.choices.delimiter)

    def table_head(self) -> Head:
        """The beginning of the file as a table.

        Raises
        ------
        ScoreFileError
            No delimiter gives two columns.
        """
        if self.head is None:
            raise ScoreFileError(
                "no comma, semicolon, tab or blank separates columns; "
                "give one row per unit and one column per system."
            )
        return self.head


@dataclass(frozen=True, kw_only=True)
class Reader:
    """One input format.

    Attributes
    ----------
    key : str
        The name for `format`.
    label : str
        The name people read.
    example : str
        A few lines of such a file, for help pages.
    matches : callable
        Probe → why it is this format, or None.
    read : callable
        Probe → Part; raises ScoreFileError with line and column, without the file's name.
    table : callable or None
        Probe → its first rows, for formats that are tables.
    roles : tuple of str
        What the columns are, for tables whose columns are always the same.
    """

    key: str
    label: str
    example: str
    matches: Callable[[Probe], str | None]
    read: Callable[[Probe], Part]
    table: Callable[[Probe], Head | None] | None = None
    roles: tuple[str, ...] = ()
