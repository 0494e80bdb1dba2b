"""Several files at once, each of any format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nlpstat_core.errors import ScoreError, ScoreFileError, shown
from nlpstat_core.readers.choices import Choices, told
from nlpstat_core.readers.detect import find_reader, read_part
from nlpstat_core.readers.filenames import system_names
from nlpstat_core.readers.join import Named, join
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe
from nlpstat_core.readers.unzip import is_zip


def read_several(probes: Sequence[Probe]) -> Part:
    """The scores of several files, joined.

    Parameters
    ----------
    probes : sequence of Probe
        At least one.

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        With the name of the file when it is about one of them.
    """
    wanted = probes[0].choices.dataset
    names = system_names([probe.path or probe.name for probe in probes])
    if len(probes) > 1 and wanted in names:
        chosen = probes[names.index(str(wanted))]
        part = read_several([replace(chosen, choices=replace(chosen.choices, dataset=None))])
        return replace(part, datasets=tuple(names), reading={**part.reading, "dataset": wanted})
    files = []
    for probe in probes:
        try:
            if is_zip(probe.data) and len(probes) > 1 and probe.name.lower().endswith(".zip"):
                raise ScoreFileError("an archive can't be one of several files; unpack it first.")
            part = read_part(find_reader(probe)[0], probe)
            if not part.systems:
                raise ScoreFileError("no numbers where scores should stand; give units and scores.")
            files.append(Named(probe.name, probe.path or probe.name, part))
        except ScoreError as error:
            raise ScoreFileError(f"{shown(probe.name)}: {error}") from None
    part = join(files)
    return part if len(files) == 1 else replace(part, reading=_of_all(files, probes[0].choices))


def _of_all(files: Sequence[Named], choices: Choices) -> dict[str, Any]:
    """What the user said about the columns of all the files, and the metrics that all of them have."""
    given: dict[str, Any] = {
        "id_column": choices.id_column,
        "label_columns": None if choices.label_columns is None else list(choices.label_columns),
        "system_column": choices.system_column,
        "systems_as_rows": choices.systems_as_rows,
        "delimiter": choices.delimiter,
        "sheet": choices.sheet,
    }
    metrics = [set(file.part.reading.get("metrics", ())) for file in files]
    common = [
        name for name in files[0].part.reading.get("metrics", ()) if all(name in own for own in metrics)
    ]
    return {key: value for key, value in given.items() if value is not None} | told(metrics=common)
