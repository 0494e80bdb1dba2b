"""Which files hold gold and which a system's outputs, opened as rows of cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from nlpstat_core.errors import ScoreError, ScoreFileError, about_file, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.files import Given, open_files
from nlpstat_core.readers.open.limits import Limits
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.submissions.cells import Cells, cells_of, cells_of_frame, is_table
from nlpstat_core.readers.submissions.teams import Attempts, split_gold, submitted

Files = Given | list[Given]  # of what is no file, a data frame, a mapping or a list


def gold_files(
    gold: Files, systems: Any, told: Collection[str | None], limits: Limits, notes: list[Note]
) -> tuple[list[Cells], list[Source]]:
    """Gold's files (several are references of the same texts), and the outputs that came with it."""
    alone = systems is None
    if not _is_file(gold) and (not isinstance(gold, list) or _in_memory(systems, gold)):
        return [cells_of_frame(gold, "gold", "gold", told)], []
    opened = open_files(gold, limits)
    notes += opened.notes
    sources = list(opened.sources)
    if alone and len(sources) > 1:
        one, rest = split_gold(sources)
        return [_cells(one)], rest
    if opened.container == "zip" and len(sources) > 1:
        raise ScoreFileError(
            f"{shown(opened.name)}: gold is {len(sources):,} files; give the one with the right answers."
        )
    return [_cells(one) for one in sources], []


def system_files(
    systems: Any,
    rest: Sequence[Source],
    attempts: Attempts,
    file: str | None,
    told: Collection[str | None],
    limits: Limits,
    notes: list[Note],
    attempt_of: dict[str, str],
) -> list[tuple[str, Cells]]:
    """The rows of every system's file."""
    if systems is None and not rest:
        return []
    if isinstance(systems, Mapping) and not is_table(systems, told):
        return [
            (str(name), _given_cells(one, str(name), told, limits, notes)) for name, one in systems.items()
        ]
    if systems is not None and not _is_file(systems) and not isinstance(systems, list):
        return [("outputs", cells_of_frame(systems, "outputs", told=told))]
    if systems is not None:
        opened = open_files(systems, limits)
        notes += opened.notes
        rest = opened.sources
    found = submitted(rest, attempts, file)
    notes += found.notes
    attempt_of |= found.attempt_of
    cells = []
    for system, source in found.files.items():
        try:
            cells.append((system, cells_of(source)))
        except ScoreError as error:
            raise about_file(whose(system, source.name), error) from None
    return cells


def whose(system: str, name: str) -> str:
    """The name of a system's file in messages, with the system where the file has another name."""
    return name if name.rpartition(".")[0] == system else f"{system}: {name}"


def _is_file(given: Any) -> bool:
    """Whether something is a path, or bytes with a name."""
    return isinstance(given, str | Path) or (
        isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], bytes | bytearray)
    )


def _in_memory(systems: Any, gold: list[Any]) -> bool:
    """Whether a list is what is right for every item, not files: no names, or beside what is no file."""
    if any(_is_file(one) and not isinstance(one, str) for one in gold):
        return False
    beside = systems.values() if isinstance(systems, Mapping) else [systems]
    return not all(isinstance(one, str) for one in gold) or (
        systems is not None and not any(_is_file(one) for one in beside) and not isinstance(systems, list)
    )


def _cells(source: Source) -> Cells:
    try:
        return cells_of(source)
    except ScoreError as error:
        raise about_file(source.name, error) from None


def _given_cells(
    one: Any, name: str, told: Collection[str | None], limits: Limits, notes: list[Note]
) -> Cells:
    if not _is_file(one):
        return cells_of_frame(one, name, told=told)
    opened = open_files(one, limits)
    if len(opened.sources) != 1:
        raise ScoreFileError(f"{shown(name)} has {len(opened.sources):,} files; give one.")
    notes += opened.notes
    return _cells(opened.sources[0])
