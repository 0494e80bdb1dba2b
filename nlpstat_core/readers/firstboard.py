"""read_board: a file as one board; of an archive whose files are boards of their own, the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.archive import members_of
from nlpstat_core.readers.choices import choices_from
from nlpstat_core.readers.filenames import system_names
from nlpstat_core.readers.read import read_scores
from nlpstat_core.readers.source import Source, load
from nlpstat_core.readers.unzip import is_zip
from nlpstat_core.scores import ScoreMatrix

MOST_TRIED = 100  # where so many files are no boards, the others are none either


def read_board(source: Source, **choices: Any) -> ScoreMatrix:
    """The scores of a file; of an archive whose files are boards of their own, the first that is one.

    Parameters
    ----------
    source : str, Path or (bytes, name)
    **choices
        Keywords of `read_scores`.

    Returns
    -------
    ScoreMatrix
        `several` names the files; a note says which was read.

    Raises
    ------
    ScoreFileError, ConfigError
        As `read_scores`.
    """
    try:
        return read_scores(source, **choices)
    except ScoreFileError:
        if choices.get("dataset") is not None:
            raise
        files = files_inside(source, choices)
        if len(files) < 2:
            raise
        names = system_names([name for _, name in files])
        for name, file in list(zip(names, files, strict=True))[:MOST_TRIED]:
            scores = _board(source, name, file, choices)
            if scores is not None:
                text = (
                    f"The archive holds {len(names):,} boards; {shown(name)} was read (choose with dataset)."
                )
                return replace(scores, notes=(*scores.notes, Note("dataset-chosen", "info", text)))
        raise


def _board(
    source: Source, name: str, file: tuple[bytes, str], choices: Mapping[str, Any]
) -> ScoreMatrix | None:
    """One file of an archive as the board of the archive's data set of that name, None where it is none."""
    own = {key: value for key, value in choices.items() if key != "format"}
    try:
        read_scores(file, **own)  # alone, since the archive would be unpacked again for every file
        return read_scores(source, **{**choices, "dataset": name})
    except ScoreFileError:
        return None


def files_inside(source: Source | list[Source], choices: Mapping[str, Any]) -> list[tuple[bytes, str]]:
    """Several files as they were given, or the members of an archive.

    Parameters
    ----------
    source : str, Path or (bytes, name), or a list of these
    choices : mapping
        Keywords of `read_scores`.

    Returns
    -------
    list of (bytes, str)
        Content and path of each; empty for a file that is no archive.

    Raises
    ------
    ScoreFileError
        Files or archives that can't be opened or are too large.
    """
    limits = choices_from(choices).limits
    if isinstance(source, list):
        return [
            (load(one, limits)[0], one[1] if isinstance(one, tuple) else Path(one).as_posix())
            for one in source
        ]
    data, name = load(source, limits)
    if not is_zip(data) or b"xl/workbook" in data:
        return []
    try:
        return [(content, path) for path, content in members_of(data, limits).items()]
    except ScoreFileError as error:
        raise ScoreFileError(f"{shown(name)}: {error}") from None
