"""What was understood of a file, beside its first rows: for the upload page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nlpstat_core.errors import ConfigError, ScoreFileError
from nlpstat_core.readers.formats import CONTAINERS, FILES, READERS
from nlpstat_core.readers.onefile import Found, tool_of, with_choices
from nlpstat_core.readers.open.files import Given, Opened, open_files
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.read import finished, found
from nlpstat_core.readers.roles.choices import Choices, choices_from
from nlpstat_core.readers.roles.countnames import system_and_part
from nlpstat_core.readers.roles.names import SCORE_NAME, says
from nlpstat_core.readers.roles.record import Role, Roles, RolesNeeded
from nlpstat_core.readers.roles.seen import TOOL_SAYS, roles_guessed, roles_seen, with_reasons
from nlpstat_core.readers.roles.shape import shape_of
from nlpstat_core.scores.matrix import ScoreMatrix

UNIT, LABEL, SYSTEM, SYSTEM_NAMES, SCORE, LEFT_OUT = (
    "unit",
    "label",
    "system",
    "system names",
    "score",
    "left out",
)


@dataclass(frozen=True, kw_only=True)
class Preview:
    """A file as it was understood, or why it could not be.

    Attributes
    ----------
    name : str
        File name, without folders.
    format : str
        Key of the format, empty when none fits.
    label : str
        The format's name.
    reason : str
        Why this format.
    header : tuple of str
        Column names as written; empty for files that are no table.
    rows : tuple of tuple of str
        First rows as written.
    roles : tuple of str
        What each column was taken for: "unit", "label", "system", "system names", "score", "metric" or
        "left out"; empty when the file can't be read.
    formats : tuple of str
        Keys of all formats that recognise the file, the likeliest first.
    sheets : tuple of str
        The sheets of a workbook.
    guess : Roles or None
        The same as `Role`s, or the guess that isn't sure; None for files that are no table.
    scores : ScoreMatrix or None
        The scores, when the file can be read.
    problem : str
        Why it can't, else empty.
    """

    name: str
    format: str = ""
    label: str = ""
    reason: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    roles: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    guess: Roles | None = None
    scores: ScoreMatrix | None = None
    problem: str = ""


def preview(source: Given | list[Given], *, rows: int = 8, **choices: Any) -> Preview:
    """Read a file and keep what helps to correct the reading; never raises for a file's content.

    Parameters
    ----------
    source : str, Path, (bytes, name), or a list of these
    rows : int
        How many first rows to show.
    **choices
        Keywords of `read_scores`.

    Returns
    -------
    Preview

    Raises
    ------
    ConfigError
        Choices that can't be used.

    Examples
    --------
    >>> seen = preview((b"item,A,B\\n1,0.5,0.25\\n2,1,x\\n", "scores.csv"))
    >>> seen.header, seen.rows
    (('item', 'A', 'B'), (('1', '0.5', '0.25'), ('2', '1', 'x')))
    >>> seen.scores is None, seen.problem.split(";")[0]
    (True, "'scores.csv': line 3, column 'B': 'x' isn't a number")
    """
    settled = choices_from(choices)
    try:
        opened = open_files(source, settled.limits)
    except ScoreFileError as error:
        return Preview(name="", problem=str(error), format=FILES if isinstance(source, list) else "")
    read, scores, problem, asked = None, None, "", None
    try:
        read = found(opened, settled)
        scores = finished(opened, settled, read)
    except RolesNeeded as error:
        problem, asked = str(error), error
    except ScoreFileError as error:
        problem = str(error)
    several = bool(opened.container) and len(opened.sources) > 1
    formats = () if several else _formats(opened.sources[0], settled)
    format = read.format if read else opened.container or next(iter(formats), "")
    table = _table(opened, settled, read)
    header = table.header if table else asked.header if asked else ()
    columns = _roles(header, scores) if scores is not None else ()
    return Preview(
        name=opened.name,
        format=format,
        label=_label(format),
        reason=read.reason if read else "",
        header=header,
        rows=tuple(table.head(rows)) if table else asked.rows[:rows] if asked else (),
        roles=columns,
        formats=formats,
        sheets=tuple(table.reading.get("sheets", ())) if table else (),
        guess=_guess(table, settled, read, scores, asked),
        scores=scores,
        problem=problem,
    )


def _label(format: str) -> str:
    if format == FILES:
        return "Several files"
    return next((reader.label for reader in READERS if reader.key == format), "")


def _table(opened: Opened, choices: Choices, read: Found | None) -> Table | None:
    """The table the roles are about, with all its columns; also of a file that couldn't be read."""
    if read is not None and (read.roles is not None or read.table is None or not choices.roles):
        return read.table
    try:
        source = next((one for one in opened.sources if one.kind != "other"), opened.sources[0])
        own = with_choices(source, choices)
        tool = tool_of(own, choices.format if choices.format not in CONTAINERS else None)
        if tool is not None:
            return tool[0].tables([one for one in opened.sources if tool[0].recognises(one)]).table
        return own.table
    except (ScoreFileError, ConfigError):
        return None


def _guess(
    table: Table | None,
    choices: Choices,
    read: Found | None,
    scores: ScoreMatrix | None,
    asked: RolesNeeded | None,
) -> Roles | None:
    """The roles a table was read with, or the likeliest where it could not be."""
    if asked is not None:
        same = table is not None and table.header == asked.header
        return with_reasons(table, asked.guess) if table is not None and same else asked.guess
    if table is None or not table.header:
        return None
    try:
        if read is not None and read.roles is not None:
            every = dict.fromkeys(table.header, Role.IGNORED) | dict(read.roles)
            reasons = dict.fromkeys(table.header, TOOL_SAYS)
            return Roles(roles=every, reasons=reasons, certainty="given" if choices.roles else "sure")
        return roles_guessed(table, choices) if scores is None else roles_seen(table, scores, choices.roles)
    except ScoreFileError:
        return None


def _formats(source: Source, choices: Choices) -> tuple[str, ...]:
    """Formats that recognise the file, the likeliest first; what can't be looked at is recognised by none."""
    tool = tool_of(source)
    if tool is not None:
        return (tool[0].key,)
    if source.kind != "text":
        return () if source.kind == "other" else (source.kind,)
    try:
        return shape_of(source.table, choices)
    except ScoreFileError:
        return ()


def _roles(header: tuple[str, ...], scores: ScoreMatrix) -> tuple[str, ...]:
    """What each column was taken for."""
    reading = scores.reading
    if reading["format"] == "system-score":
        return (SYSTEM_NAMES, SCORE)
    if reading["format"] == "columns":
        unnamed = [UNIT if reading["id_column"] else SYSTEM, *[SYSTEM] * (len(header) - 1)]
        return tuple(unnamed)
    if reading.get("systems_as_rows"):
        return tuple(SYSTEM_NAMES if name == reading["system_column"] else UNIT for name in header)
    systems = set() if "system_column" in reading else set(scores.systems)
    roles: dict[object, str] = dict.fromkeys(systems, SYSTEM)
    if "system_column" in reading:
        roles |= {name: SCORE for name in header if name == scores.metric or says(SCORE_NAME, name)}
    if scores.counts is not None:
        roles |= {name: SCORE for name in header if system_and_part(name)}
    roles |= dict.fromkeys(scores.labels, LABEL)
    ids = reading.get("id_column")
    roles |= {reading.get("system_column"): SYSTEM_NAMES}
    roles |= dict.fromkeys(ids if isinstance(ids, list) else [ids], UNIT)
    return tuple(roles.get(name, LEFT_OUT) for name in header)
