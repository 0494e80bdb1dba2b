"""One file as it was given or found in an archive or folder, opened when somebody looks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.arrow import is_parquet, read_parquet
from nlpstat_core.readers.open.delimited import read_delimited
from nlpstat_core.readers.open.limits import Limits, too_many
from nlpstat_core.readers.open.objects import (
    check_records,
    json_kind,
    parse_json,
    parse_lines,
    table_of_json,
    table_of_records,
)
from nlpstat_core.readers.open.table import FRAME, Table
from nlpstat_core.readers.open.text import decode
from nlpstat_core.readers.open.workbook import is_excel, read_workbook

BEGINNING = 20_000


@dataclass(frozen=True, eq=False)
class Source:
    """A file in memory, with its path; text, JSON and table are made when asked for, once.

    path: With "/" between folders. Members of archives stand below the archive's name:
        "runs.zip/tern/out.txt", "logs/2025_x.eval/header.json".
    delimiter, quotes, sheet, header_row, drop_rows: What the user told.
    frame: The table itself, where it is in memory already.
    """

    path: str
    data: bytes
    limits: Limits
    delimiter: str | None = None
    quotes: bool | None = None
    sheet: str | None = None
    header_row: int | None = None
    drop_rows: Sequence[str] | None = None
    frame: Table | None = None

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def folder(self) -> str:
        """The path without the name; empty at the top."""
        return self.path.rpartition("/")[0]

    @cached_property
    def kind(self) -> str:
        """What the content is: "json", "jsonl", "text", "excel", "parquet", "frame" or "other".

        JSON lines have two lines or more: one alone is "json".
        """
        if self.frame is not None:
            return FRAME
        if is_parquet(self.data):
            return "parquet"
        if is_excel(self.data):
            return "excel"
        try:
            return json_kind(self.text) or "text"
        except ScoreFileError:
            return "other"

    @cached_property
    def _decoded(self) -> tuple[str, tuple[Note, ...]]:
        return decode(self.data)

    def check_lines(self) -> None:
        """Refuse a text of more lines than are read, before anything of it is looked at."""
        if self.kind == "text":
            many = max(self.text.count("\n"), self.text.count("\r"))
            if many > self.limits.max_rows:
                raise too_many("lines", many, self.limits.max_rows)

    @property
    def text(self) -> str:
        """The text; raises ScoreFileError when the file is none."""
        return self._decoded[0]

    @property
    def beginning(self) -> str:
        """The first 20,000 characters of the text, cheap to look at; empty when the file is no text."""
        return self.text[:BEGINNING] if self.kind in ("text", "json", "jsonl") else ""

    @cached_property
    def _records(self) -> tuple[list[int], list[dict[str, Any]]]:
        return parse_lines(self.text, self.limits.max_rows)

    @cached_property
    def json(self) -> Any:
        """The value of a JSON file, the list of the records of JSON lines, None for other kinds."""
        if self.kind == "jsonl":
            return self._records[1]
        if self.kind != "json":
            return None
        check_records(self.text, self.limits.max_rows)
        return parse_json(self.text)

    @property
    def json_lines(self) -> Sequence[int]:
        """Where each record in `json` stands: its line, or its place in the list of a JSON file."""
        if self.kind == "jsonl":
            return self._records[0]
        return range(1, 2 if isinstance(self.json, dict) else len(self.json) + 1)

    @cached_property
    def table(self) -> Table:
        """The cells of a delimited text, a sheet, Parquet or JSON; a lone column counts, too."""
        if self.header_row and self.kind in ("json", "jsonl", "parquet", FRAME):
            raise ScoreFileError("header_row is for text and sheets; this file names its columns itself.")
        if self.frame is not None:
            found = self.frame
        elif self.kind == "parquet":
            found = read_parquet(self.data, self.limits)
        elif self.kind == "excel":
            found = read_workbook(self.data, self.limits, self.sheet, self.header_row)
        elif self.kind == "jsonl":
            found = table_of_records(self._records[1], self._records[0], "line")
        elif self.kind == "json":
            found = table_of_json(self.json)
        else:
            self.check_lines()
            found = read_delimited(
                self.text, self.limits, self.delimiter, self.quotes, self.header_row, self.drop_rows or ()
            )
        if len(found) > self.limits.max_rows:
            raise too_many("rows", len(found), self.limits.max_rows)
        notes = self._decoded[1] if self.kind in ("text", "json", "jsonl") else ()
        return replace(found, source=self.path, notes=(*notes, *found.notes))
