"""Files that hold systems of the same names: read one by one, and systems of each put side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nlpstat_core.readers.join import Named, join
from nlpstat_core.readers.open.filenames import system_names
from nlpstat_core.readers.open.files import Given, Opened, open_files
from nlpstat_core.readers.part import Found, Part
from nlpstat_core.readers.read import finished, found
from nlpstat_core.readers.roles.choices import choices_from
from nlpstat_core.readers.roles.documents import one_dataset
from nlpstat_core.readers.roles.runs import with_runs_of_names
from nlpstat_core.scores.matrix import ScoreMatrix, columns_of


@dataclass(frozen=True)
class FileRead:
    """One of several files, by what tells it from the others, with the systems of this file alone."""

    path: str
    name: str
    opened: Opened
    found: Found

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of the file."""
        return tuple(self.found.part.systems)


def read_apart(sources: Sequence[Given], reading: Mapping[str, Any]) -> tuple[FileRead, ...]:
    """What each file holds by itself; one system is enough. Raises ScoreFileError."""
    choices = choices_from(reading)
    files = []
    paths = [source[1] if isinstance(source, tuple) else str(source) for source in sources]
    for source, path, name in zip(sources, paths, system_names(paths), strict=True):
        opened = open_files(source, choices.limits)
        read = found(opened, choices)
        part = with_runs_of_names(one_dataset(read.part, choices), choices.run_column)
        files.append(FileRead(path, name, replace(opened, sources=()), replace(read, part=part, table=None)))
    return tuple(files)


def side_by_side(
    files: Sequence[FileRead], chosen: Sequence[Mapping[str, str]], reading: Mapping[str, Any]
) -> ScoreMatrix:
    """Some systems of each file under names of their own (system → name), joined on the units."""
    pairs = zip(files, chosen, strict=True)
    parts = [Named(file.path, file.path, _taken(file.found.part, names)) for file, names in pairs]
    # Data set and runs are settled; names that tell files apart are no runs.
    settled = replace(choices_from(reading), dataset=None, run_column=False)
    first = files[0]
    return finished(first.opened, settled, replace(first.found, part=join(parts)))


def _taken(part: Part, names: Mapping[str, str]) -> Part:
    part = columns_of(part, [part.systems.index(name) for name in names])
    return replace(part, systems=list(names.values()))
