"""What was understood of a file, beside its first rows: for the upload page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.catalogue import READERS
from nlpstat_core.readers.choices import choices_from
from nlpstat_core.readers.countnames import system_and_part
from nlpstat_core.readers.counts import COUNTS
from nlpstat_core.readers.detect import find_reader
from nlpstat_core.readers.names import SCORE_NAME, says
from nlpstat_core.readers.plain import COLUMNS
from nlpstat_core.readers.read import FILES, read_probe, read_scores
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.source import Source, load
from nlpstat_core.readers.table import Head
from nlpstat_core.scores import ScoreMatrix

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
    scores: ScoreMatrix | None = None
    problem: str = ""


def preview(source: Source | list[Source], *, rows: int = 8, **choices: Any) -> Preview:
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
    (True, "'scores.csv': line 3, column 'B': 'x' is no number")
    """
    settled = choices_from(choices)
    if isinstance(source, list):
        return _of_several(source, choices)
    try:
        data, name = load(source, settled.limits)
    except ScoreFileError as error:
        return Preview(name="", problem=str(error))
    probe = Probe(data, name, settled)
    try:
        scores, problem = read_probe(probe), ""
    except ScoreFileError as error:
        scores, problem = None, str(error)
    reader, reason = _reader(probe)
    head = _head(reader, probe)
    header = head.header if head else ()
    return Preview(
        name=name,
        format=reader.key if reader else "",
        label=reader.label if reader else "",
        reason=reason,
        header=header,
        rows=head.rows[:rows] if head else (),
        roles=_roles(header, scores, reader),
        formats=_formats(probe),
        scores=scores,
        problem=problem,
    )


def _of_several(sources: list[Source], choices: dict[str, Any]) -> Preview:
    """Several files have no first rows in common; their scores tell what was understood."""
    try:
        scores = read_scores(sources, **choices)
    except ScoreFileError as error:
        return Preview(name="", format=FILES, problem=str(error))
    reading = scores.reading
    label = "Several files" if reading["format"] == FILES else ""
    return Preview(
        name=scores.source, format=reading["format"], label=label, reason=reading["reason"], scores=scores
    )


def _reader(probe: Probe) -> tuple[Reader | None, str]:
    try:
        return find_reader(probe)
    except ScoreFileError:
        return None, ""


def _formats(probe: Probe) -> tuple[str, ...]:
    """Formats that recognise the file; content that can't be looked at is recognised by none."""
    found = []
    for reader in READERS:
        try:
            if reader.matches(probe):
                found.append(reader.key)
        except ScoreFileError:
            continue
    return tuple(found)


def _head(reader: Reader | None, probe: Probe) -> Head | None:
    if reader is None or reader.table is None:
        return None
    try:
        return reader.table(probe)
    except ScoreFileError:
        return None


def _roles(header: tuple[str, ...], scores: ScoreMatrix | None, reader: Reader | None) -> tuple[str, ...]:
    """What each column was taken for."""
    if scores is None:
        return ()
    if reader is not None and reader.roles:
        return reader.roles
    reading = scores.reading
    if reading["format"] == COLUMNS.key:
        unnamed = [UNIT if reading["id_column"] else SYSTEM, *[SYSTEM] * (len(header) - 1)]
        return tuple(unnamed)
    if reading.get("systems_as_rows"):
        return tuple(SYSTEM_NAMES if name == reading["system_column"] else UNIT for name in header)
    systems = set() if "system_column" in reading else set(scores.systems)
    roles: dict[object, str] = dict.fromkeys(systems, SYSTEM)
    if "system_column" in reading:
        roles |= {name: SCORE for name in header if name == scores.metric or says(SCORE_NAME, name)}
    if reading["format"] == COUNTS.key:
        roles |= {name: SCORE for name in header if system_and_part(name)}
    roles |= dict.fromkeys(scores.labels, LABEL)
    ids = reading.get("id_column")
    roles |= {reading.get("system_column"): SYSTEM_NAMES}
    roles |= dict.fromkeys(ids if isinstance(ids, list) else [ids], UNIT)
    return tuple(roles.get(name, LEFT_OUT) for name in header)
