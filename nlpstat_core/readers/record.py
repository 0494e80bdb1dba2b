"""What a format is to the rest: a key, how to recognise a file of it, how to read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.choices import Choices
from nlpstat_core.readers.dialect import find_head
from nlpstat_core.readers.filenames import stem
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.source import Decoded, decode
from nlpstat_core.readers.table import Head
from nlpstat_core.readers.textlines import check_lines


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
