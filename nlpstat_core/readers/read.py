"""read_scores: one door for every format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from nlpstat_core.errors import ConfigError, ScoreError, ScoreFileError, shown
from nlpstat_core.readers.archive import ZIP
from nlpstat_core.readers.assemble import assemble
from nlpstat_core.readers.choices import Choices, choices_from
from nlpstat_core.readers.detect import find_reader, read_part
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe
from nlpstat_core.readers.several import read_several
from nlpstat_core.readers.source import Limits, Source, files_of, is_folder, load
from nlpstat_core.scores import ScoreMatrix

_DEFAULTS = Limits()
FILES = "files"


def read_scores(
    source: Source | list[Source],
    *,
    format: str | None = None,
    metric: str | None = None,
    dataset: str | None = None,
    dataset_column: str | None = None,
    id_column: str | Sequence[str] | Literal[False] | None = None,
    label_columns: Sequence[str] | None = None,
    system_column: str | None = None,
    systems_as_rows: bool | None = None,
    lower_is_better: bool | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    max_bytes: int = _DEFAULTS.max_bytes,
    max_unpacked_bytes: int = _DEFAULTS.max_unpacked_bytes,
    max_rows: int = _DEFAULTS.max_rows,
    max_columns: int = _DEFAULTS.max_columns,
    max_cells: int = _DEFAULTS.max_cells,
) -> ScoreMatrix:
    """Read a score file; whatever isn't told is found from the content.

    Parameters
    ----------
    source : str, Path, (bytes, name), or a list of these
        Several files, or those of a folder, are joined on their unit ids.
    format : str, optional
        Key of a format in READERS.
    metric : str, optional
        Which metric of a file with several; else what to call the only one.
    dataset : str, optional
        Which data set of a file with several (a column names them), or of several files.
    dataset_column : str, optional
        Column of labels that names the data sets.
    id_column : str, sequence of str or False, optional
        Column of the unit ids, or several that make them together; False (or "none") when there is none.
    label_columns : sequence of str, optional
        All columns of labels; the other columns are systems then.
    system_column : str, optional
        Column of the system names in long data, or in a table with systems as rows.
    systems_as_rows : bool, optional
        Whether a wide table has one row per system and one column per unit.
    lower_is_better : bool, optional
        Direction of the metric.
    delimiter : str, optional
        What stands between columns; a blank for any run of white space.
    sheet : str, optional
        Sheet of a workbook.
    max_bytes, max_unpacked_bytes, max_rows, max_columns, max_cells : int
        Bounds, see `Limits`.

    Returns
    -------
    ScoreMatrix
        Its `reading` holds these keywords as they were settled, and the reason for the format;
        given back they read the same matrix.

    Raises
    ------
    ScoreFileError
        One sentence: what is wrong, where, what to do.
    ConfigError
        An unknown format, or a choice that can't be used.

    Examples
    --------
    >>> scores = read_scores((b"item,A,B\\n1,0.5,0.25\\n2,1,\\n", "scores.csv"))
    >>> scores.systems, scores.units, scores.values.tolist()
    (('A', 'B'), ('1', '2'), [[0.5, 0.25], [1.0, nan]])
    """
    choices = choices_from(
        {
            "format": format,
            "metric": metric,
            "dataset": dataset,
            "dataset_column": dataset_column,
            "id_column": id_column,
            "label_columns": label_columns,
            "system_column": system_column,
            "systems_as_rows": systems_as_rows,
            "lower_is_better": lower_is_better,
            "delimiter": delimiter,
            "sheet": sheet,
            "max_bytes": max_bytes,
            "max_unpacked_bytes": max_unpacked_bytes,
            "max_rows": max_rows,
            "max_columns": max_columns,
            "max_cells": max_cells,
        }
    )
    if isinstance(source, list) or (isinstance(source, str | Path) and is_folder(source)):
        return _read_files(flat(source if isinstance(source, list) else [source]), choices)
    data, name = load(source, choices.limits)
    return read_probe(Probe(data, name, choices))


def flat(sources: Sequence[Source]) -> list[Source]:
    """Several files with the files of a folder in its place.

    Parameters
    ----------
    sources : sequence of path or (bytes, name)

    Returns
    -------
    list of path or (bytes, name)

    Raises
    ------
    ScoreFileError
        A folder without files, or one that can't be opened.
    """
    found: list[Source] = []
    for source in sources:
        inside = isinstance(source, str | Path) and is_folder(source)
        found += files_of(source) if inside else [source]  # type: ignore[arg-type]
    return found


def _read_files(sources: Sequence[Source], choices: Choices) -> ScoreMatrix:
    """Several files as one matrix; all of them together stay within the bounds."""
    if not sources:
        raise ScoreFileError("there are no files; give one or several.")
    # The settings of a board that was read from an archive fit its unpacked files too.
    together = choices.format == FILES or (choices.format == ZIP.key and len(sources) > 1)
    members = replace(choices, format=None if together else choices.format)
    probes, size = [], 0
    for source in sources:
        data, name = load(source, choices.limits)
        size += len(data)
        if size > choices.limits.max_bytes:
            raise ScoreFileError("the files are too large together; raise max_bytes or give fewer files.")
        path = source[1] if isinstance(source, tuple) else Path(source).as_posix()
        probes.append(Probe(data, name, members, path))
    if len(probes) == 1:
        return read_probe(probes[0])
    title = f"{probes[0].name} and {len(probes) - 1} more"
    try:
        scores = assemble(Probe(b"", title, choices), read_several(probes))
    except ConfigError:
        raise
    except ScoreError as error:
        raise ScoreFileError(str(error)) from None
    format = choices.format or FILES
    return replace(scores, reading={"format": format, "reason": "several files", **scores.reading})


def read_probe(probe: Probe) -> ScoreMatrix:
    """Read a file that is in memory already.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    ScoreMatrix

    Raises
    ------
    ScoreFileError
    ConfigError
    """
    return finished(probe, *found(probe))


def found(probe: Probe) -> tuple[Part, Mapping[str, Any]]:
    """What the format of a file finds in it, with the format and the reason for it.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    tuple of Part and mapping

    Raises
    ------
    ScoreFileError
    ConfigError
    """
    try:
        reader, reason = find_reader(probe)
        return read_part(reader, probe), {"format": reader.key, "reason": reason}
    except ConfigError:
        raise
    except ScoreError as error:
        raise ScoreFileError(f"{shown(probe.name)}: {error}") from None


def finished(probe: Probe, part: Part, format: Mapping[str, Any]) -> ScoreMatrix:
    """The checked matrix of what a format found.

    Parameters
    ----------
    probe : Probe
    part : Part
    format : mapping
        As from `found`.

    Returns
    -------
    ScoreMatrix

    Raises
    ------
    ScoreFileError
    ConfigError
    """
    try:
        scores = assemble(probe, part)
    except ConfigError:
        raise
    except ScoreError as error:
        raise ScoreFileError(f"{shown(probe.name)}: {error}") from None
    return replace(scores, reading={**format, **scores.reading})
