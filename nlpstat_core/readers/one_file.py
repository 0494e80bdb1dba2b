"""One file: the tool that wrote it, what that tool's files hold, and what its table holds."""

import re
from collections.abc import Sequence
from dataclasses import replace

from nlpstat_core.errors import ScoreFileError, about_file
from nlpstat_core.readers.formats import CONTAINERS, TEXTS
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.open.table import FRAME
from nlpstat_core.readers.part import Found
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.given import resolved
from nlpstat_core.readers.roles.shape import read_table, read_text
from nlpstat_core.readers.roles.tidy import read_tidy, with_given_roles
from nlpstat_core.readers.tools import TOOLS, Tool
from nlpstat_core.readers.tools.summaries import summary_of

_QUOTED = re.compile(r"'[^']*'")
# What a refusal tells to do next; those of tools that tell nothing get a way on here.
_WAY_ON = re.compile(
    r"\b(?:give|say|choose|write|run|pack|raise|split|check|correct|leave|take|save|use|set|export)\b"
)
KINDS = {
    "excel": "an Excel workbook",
    "parquet": "a Parquet file",
    "jsonl": "one JSON record a line",
    FRAME: "a data frame",
}


def with_choices(source: Source, choices: Choices) -> Source:
    """A file with what the user told of its lines and sheets."""
    names = ("delimiter", "quotes", "sheet", "header_row", "drop_rows")
    given = {name: getattr(choices, name) for name in names}
    return source if set(given.values()) == {None} else replace(source, **given)


def tool_of(source: Source, wanted: str | None = None) -> Tool | None:
    """The tool that wrote a file; None where none is recognised, or another format is wanted."""
    source.check_lines()
    for tool in TOOLS:
        if wanted in (None, tool.key):
            if tool.recognises(source):
                return tool
            if wanted:
                raise ScoreFileError(
                    f"this is not a file of {tool.label}; leave format out or choose another."
                )
    return None


def names_columns(choices: Choices) -> bool:
    """Whether the user said how the file is to be read."""
    return bool(choices.format or choices.roles or choices.id_column or choices.systems_as_rows)


def read_by_its_tool(source: Source, choices: Choices) -> Found | None:
    """A file as the tool that wrote it has it; None where none is known, or roles are told of its columns."""
    tool = tool_of(source, choices.format)
    return read_by_tool([source], tool, choices) if tool and roles_fit(tool, [source], choices) else None


def read_by_tool(sources: Sequence[Source], tool: Tool, choices: Choices) -> Found:
    """What files of one tool hold together; a refusal names the file it is about and what to do."""
    try:
        tidy = tool.tables(sources)
    except ScoreFileError as error:
        text = str(error)
        wrong = [one for one in sources if len(sources) > 1 and complaint_of(tool, one) == text]
        if not _WAY_ON.search(_QUOTED.sub("", text)):
            how = f"give the files as {tool.label.partition(':')[0]} wrote them."
            error = ScoreFileError(f"{text.removesuffix('.')}; {how}")
        raise about_file(wrong[0].name if wrong else "", error) from None
    tidy = with_given_roles(tidy, choices)
    return Found(
        part=read_tidy(tidy, choices), format=tool.key, reason=tidy.reason, table=tidy.table, roles=tidy.roles
    )


def complaint_of(tool: Tool, *sources: Source) -> str:
    """What a tool has to say against files alone; nothing where it reads them."""
    try:
        tool.tables(sources)
    except ScoreFileError as error:
        return str(error)
    return ""


def roles_fit(tool: Tool, sources: Sequence[Source], choices: Choices) -> bool:
    """Whether told roles are about the table a tool's files become, not about the columns they have."""
    if not choices.roles:
        return True
    try:
        resolved(choices.roles, tool.tables(sources).table.header)
    except ScoreFileError:
        return False
    return True


def read_as_table(source: Source, choices: Choices) -> Found:
    """A file that no tool wrote, by its own table; raises RolesNeeded where nobody can tell its columns."""
    summary = None if names_columns(choices) else summary_of(source)
    if summary:
        raise ScoreFileError(summary)
    kind, wanted = source.kind, choices.format
    if wanted in (*CONTAINERS, FRAME) and wanted != kind and not (wanted == "json" and kind == "jsonl"):
        raise ScoreFileError(f"this is not a file in the format {wanted}; leave format out.")
    if kind in (*CONTAINERS, FRAME) and wanted not in TEXTS:
        found = read_table(source.table, choices)
        table = found.table
        if table is not None and table.sheet:
            found = found.but(reading={"sheet": table.sheet, **found.part.reading, **table.reading})
        return replace(found, format=kind, reason=KINDS.get(kind) or _json_kind(source))
    found = read_text(source.table, choices, source.stem)
    if choices.quotes is not None:
        found = found.but(reading={**found.part.reading, "quotes": choices.quotes})
    return found


def _json_kind(source: Source) -> str:
    return "a JSON list" if source.text.lstrip().startswith("[") else "a JSON object"
