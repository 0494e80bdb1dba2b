"""What was understood of a file, beside its first rows: for the upload page."""

from dataclasses import dataclass, field
from typing import Any

from nlpstat_core.errors import ConfigError, ScoreFileError, Sentence
from nlpstat_core.readers.formats import CONTAINERS, FILES
from nlpstat_core.readers.one_file import tool_of, with_choices
from nlpstat_core.readers.open.files import Given, Opened, open_files
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.part import Found
from nlpstat_core.readers.read import finished, found
from nlpstat_core.readers.roles.choices import Choices, choices_from
from nlpstat_core.readers.roles.record import Role, Roles, RolesNeeded
from nlpstat_core.readers.roles.seen import TOOL_SAYS, roles_guessed, roles_seen, with_reasons
from nlpstat_core.readers.roles.shape import shape_of
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, kw_only=True)
class Preview:
    """A file as it was understood, or why it could not be.

    format: Key of the format, of a file that can't be read the likeliest; empty when none fits.
    header: Column names as written; empty for files that are no table.
    guess: What each column was taken for, or the guess that isn't sure; None for files that are no table.
    problem: Why it can't, else empty.
    """

    name: str
    format: str = ""
    reason: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    sheets: tuple[str, ...] = ()
    guess: Roles | None = None
    scores: ScoreMatrix | None = None
    problem: Sentence = field(default_factory=Sentence)


def preview(source: Given | list[Given], *, rows: int = 8, **choices: Any) -> Preview:
    """Read a file and keep what helps to correct the reading; never raises for a file's content.

    **choices: Keywords of `read_scores`.
    Raises ConfigError: Choices that can't be used.

    >>> seen = preview((b"item,A,B\\n1,0.5,0.25\\n2,1,x\\n", "scores.csv"))
    >>> seen.header, seen.rows
    (('item', 'A', 'B'), (('1', '0.5', '0.25'), ('2', '1', 'x')))
    >>> seen.scores is None, seen.problem.split(". ")[0]
    (True, "'scores.csv': line 3, column 'B': 'x' isn't a number")
    """
    settled = choices_from(choices)
    try:
        opened = open_files(source, settled.limits)
    except ScoreFileError as error:
        return Preview(name="", problem=error.sentence, format=FILES if isinstance(source, list) else "")
    read, scores, problem, asked = None, None, Sentence(), None
    try:
        read = found(opened, settled)
        scores = finished(opened, settled, read)
    except RolesNeeded as error:
        problem, asked = error.sentence, error
    except ScoreFileError as error:
        problem = error.sentence
    table = _table(opened, settled, read)
    header = table.header if table else asked.header if asked else ()
    return Preview(
        name=opened.name,
        format=read.format if read else opened.container or _likely_format(opened.sources[0], settled),
        reason=read.reason if read else "",
        header=header,
        rows=tuple(table.head(rows)) if table else asked.rows[:rows] if asked else (),
        sheets=tuple(table.reading.get("sheets", ())) if table else (),
        guess=_guess(table, settled, read, scores, asked),
        scores=scores,
        problem=problem,
    )


def _table(opened: Opened, choices: Choices, read: Found | None) -> Table | None:
    """The table the roles are about, with all its columns; also of a file that couldn't be read."""
    if read is not None and (read.roles is not None or read.table is None or not choices.roles):
        return read.table
    try:
        source = next((one for one in opened.sources if one.kind != "other"), opened.sources[0])
        own = with_choices(source, choices)
        tool = tool_of(own, choices.format if choices.format not in CONTAINERS else None)
        if tool is not None:
            return tool.tables([one for one in opened.sources if tool.recognises(one)]).table
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


def _likely_format(source: Source, choices: Choices) -> str:
    """The format that a file which can't be read seems to have; empty where it can't be looked at."""
    try:
        tool = tool_of(source)
        if tool is not None:
            return tool.key
        if source.kind != "text":
            return "" if source.kind == "other" else source.kind
        return shape_of(source.table, choices)
    except ScoreFileError:
        return ""
