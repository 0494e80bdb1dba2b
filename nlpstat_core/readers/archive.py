"""A zip archive: one file of any format, or one file per system."""

from __future__ import annotations

from dataclasses import replace

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.gzipped import gunzip, is_gzip, without_ending
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.several import read_several
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.unzip import is_zip, unzip

EXAMPLE = """scores.zip
    SystemA.txt   one score a line, or unit id and score
    SystemB.txt   the same units
"""


def matches(probe: Probe) -> str | None:
    """The first bytes of a zip archive.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    return "a zip archive" if is_zip(probe.data) else None


def read(probe: Probe) -> Part:
    """Read the files of an archive as if they had been given together.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        Archives over the bounds or broken, or what is wrong with a member.
    """
    members = members_of(probe.data, probe.choices.limits)
    choices = replace(probe.choices, format=None)
    part = read_several([Probe(content, name, choices) for name, content in members.items()])
    what = shown(next(iter(members))) if len(members) == 1 else f"{len(members):,} files"
    return replace(part, reading={"reason": f"an archive of {what}", **part.reading})


def members_of(data: bytes, limits: Limits) -> dict[str, bytes]:
    """The score files of an archive, by name.

    Parameters
    ----------
    data : bytes
    limits : Limits

    Returns
    -------
    dict of str to bytes

    Raises
    ------
    ScoreFileError
        Archives over the bounds, broken ones, or ones that hold something else.
    """
    members = _gunzipped(
        {name: content for name, content in unzip(data, limits).items() if not _hidden(name)},
        limits.max_unpacked_bytes,
    )
    if not members:
        raise ScoreFileError("the archive holds no files; pack the score files.")
    if "mimetype" in members and "content.xml" in members:
        raise ScoreFileError("this is an OpenDocument file; save it as .xlsx or CSV.")
    if any(is_zip(content) and name.lower().endswith(".zip") for name, content in members.items()):
        raise ScoreFileError("the archive holds another archive; unpack that one first.")
    return members


def _gunzipped(members: dict[str, bytes], most: int) -> dict[str, bytes]:
    """The members with those that are .gz files unpacked; all together stay within the bound."""
    left = most - sum(len(content) for content in members.values() if not is_gzip(content))
    found: dict[str, bytes] = {}
    for name, content in members.items():
        if is_gzip(content):
            name, content = without_ending(name), gunzip(content, max(left, 0))
            left -= len(content)
        if name in found:
            raise ScoreFileError(f"the archive holds {shown(name)} packed and unpacked; give it once.")
        found[name] = content
    return found


def _hidden(name: str) -> bool:
    """Files that systems put into archives by themselves."""
    parts = name.replace("\\", "/").split("/")
    return parts[-1].startswith(".") or parts[0] == "__MACOSX"


ZIP = Reader(
    key="zip",
    label="Zip archive: one file, or one file per system",
    example=EXAMPLE,
    matches=matches,
    read=read,
)
