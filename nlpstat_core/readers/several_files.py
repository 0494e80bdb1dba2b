"""An upload to the scores in it: files of one tool together, others joined, sheets of a workbook as files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.errors import Remedy, ScoreError, ScoreFileError, Sentence, about_file, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.formats import TEXTS
from nlpstat_core.readers.join import FEWEST_FILES, Named, join, sums_beside
from nlpstat_core.readers.one_file import (
    KINDS,
    complaint_of,
    names_columns,
    read_as_table,
    read_by_its_tool,
    read_by_tool,
    roles_fit,
    tool_of,
    with_choices,
)
from nlpstat_core.readers.open.filenames import system_names
from nlpstat_core.readers.open.files import Opened, passed_over_note
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.part import Found
from nlpstat_core.readers.roles.choices import OF_COLUMNS, Choices, as_given, given_lists
from nlpstat_core.readers.roles.metrics import choose_metric
from nlpstat_core.readers.roles.names import Kind, are_metrics, is_metric, says
from nlpstat_core.readers.roles.record import Role, RolesNeeded
from nlpstat_core.readers.roles.shape import ask_roles
from nlpstat_core.readers.roles.units import ONE_ROW
from nlpstat_core.readers.tools import Tool
from nlpstat_core.readers.tools.summaries import summary_of
from nlpstat_core.readers.tools.values import ONE_SCORE

MOST_SHEETS = 50  # that are looked at as systems


def read_opened(opened: Opened, choices: Choices) -> Found:
    """What the files of an upload hold; raises ScoreFileError with the name of the file it is about."""
    own = replace(choices, format=None if choices.format in ("zip", "files") else choices.format)
    sources = [with_choices(source, choices) for source in opened.sources]
    found = _several(sources, own) if opened.container else _one(sources[0], own)
    if opened.container == "zip":
        alone = shown(sources[0].path.partition("/")[2]) if len(sources) == 1 else ""
        reason = f"an archive of {alone or f'{len(sources):,} files'}"
        found = replace(found, format="zip", reason=reason)
    elif opened.container:
        found = replace(found, format="files", reason="several files")
    return found.but(notes=(*opened.notes, *found.part.notes))


def _one(source: Source, choices: Choices, *, by_tool: bool = True) -> Found:
    """One file, or several in a workbook; without `by_tool`, one that is known to be no tool's."""
    if by_tool and (found := read_by_its_tool(source, choices)):
        return found
    try:
        found = read_as_table(source, choices)
    except RolesNeeded as question:
        if question.metrics and (sheets := _sheets_as_systems(source, choices)):
            return sheets
        raise
    return (len(found.part.systems) == 1 and _sheets_as_systems(source, choices)) or found


def _sheets_as_systems(source: Source, choices: Choices) -> Found | None:
    """A workbook of one system a sheet, as if each sheet were a file; None where its sheets differ."""
    if source.kind != "excel" or source.sheet is not None or choices.format in TEXTS:
        return None
    first = source.table
    folder = source.path.rpartition(".")[0]
    alike: list[Source] = []
    for name in first.reading["sheets"][:MOST_SHEETS]:
        own = replace(source, path=f"{folder}/{name}.xlsx", sheet=name)
        try:
            alike += [own] if own.table.header == first.header else []
        except ScoreFileError:  # a sheet of words or of nothing
            continue
    if len(alike) < FEWEST_FILES:
        return None
    found = _several(alike, choices)
    text = f"{len(alike):,} sheets of the workbook have the same columns; each was read as a system."
    kept = {own.sheet for own in alike}
    if left := [name for name in first.reading["sheets"] if name not in kept]:
        text += f" Ignored: {some_shown(left)}."
    notes = [note for note in found.part.notes if not note.text.endswith("(choose with sheet).")]
    found = found.but(notes=(Note("sheets-are-systems", "info", text), *notes))
    return replace(found, format="excel", reason=KINDS["excel"])


def _one_of_several(source: Source, choices: Choices) -> Found:
    """One file among others: columns that are named as metrics belong to the one system of the file."""
    try:
        found = _one(source, choices, by_tool=False)
    except RolesNeeded as question:
        if question.runs:
            return _asked_of(source, {Role.RUN: question.runs}, choices)
        if not question.metrics:
            raise
        names = tuple(sorted(question.metrics, key=lambda name: not is_metric(name)))
    else:
        if choices.roles or "system_column" in found.part.reading or not are_metrics(found.part.systems):
            return found
        names = tuple(found.part.systems)
    return _as_metrics(source, names, choices)


def _as_metrics(source: Source, names: Sequence[str], choices: Choices) -> Found:
    """One file of one system, whose columns of these names are metrics."""
    place, notes = choose_metric(names, choices.metric)
    found = _asked_of(source, {Role.SCORE: (names[place],)}, replace(choices, metric=None))
    reading = {**found.part.reading, **given_lists(metrics=names)}
    return found.but(metric=names[place], reading=reading, notes=(*notes, *found.part.notes))


def _asked_of(source: Source, roles: Mapping[str, tuple[str, ...]], choices: Choices) -> Found:
    """One file under roles that nobody told."""
    found = _one(source, replace(choices, roles=roles), by_tool=False)
    return found.but(reading={key: value for key, value in found.part.reading.items() if key != "roles"})


def _one_system_each(
    read: Sequence[tuple[Source, Found]], choices: Choices
) -> Sequence[tuple[Source, Found]]:
    """Files with the same columns of numbers: each is a system's, the columns are metrics, or RolesNeeded."""
    parts = [found.part for _, found in read]
    first = list(parts[0].systems)
    given = choices.roles or choices.label_columns is not None or choices.systems_as_rows
    if given or len(parts) < 2 or len(first) < 2 or any(list(part.systems) != first for part in parts):
        return read
    if any("system_column" in part.reading or part.counts is not None for part in parts):
        return read
    filled = [own for i, own in enumerate(first) if all(np.isfinite(one.values[:, i]).any() for one in parts)]
    sure = [name for name in filled if is_metric(name)] or (filled if len(filled) == 1 else [])
    if not sure:
        source, found = read[0]
        both = f"{shown(first[0])} and {shown(first[1])}"
        why = f"every file has the columns {both}, so each file seems to be one system"
        how = Sentence(
            "say what the columns are",
            Remedy("roles", f"score={first[0]}", "aside"),
            ", or choose a file",
            Remedy("dataset", form="aside"),
            " if each is a data set",
        )
        if found.table is None:
            return read
        try:
            ask_roles(found.table, found.part, why, how, Role.SCORE)
        except RolesNeeded as question:
            raise question.named(source.name) from None
    names = [*sure, *(name for name in filled if name not in sure and not says(Kind.COST, name))]
    renamed = []
    for source, _ in read:
        with _about(source):
            renamed.append((source, _filled(_as_metrics(source, names, choices))))
    return renamed


def _several(sources: Sequence[Source], choices: Choices) -> Found:
    """The scores of several files, joined; those of one tool together, what is beside them passed over."""
    wanted = choices.dataset
    names = system_names([source.path for source in sources])
    if len(sources) > 1 and wanted in names:
        chosen = sources[names.index(str(wanted))]
        found = _several([chosen], replace(choices, dataset=None))
        return found.but(datasets=tuple(names), reading={**found.part.reading, "dataset": wanted})
    by_tool: dict[str, tuple[Tool, list[Source]]] = {}
    for source in sources:
        tool = tool_of(source, choices.format)
        if tool is not None:
            by_tool.setdefault(tool.key, (tool, []))[1].append(source)
    by_tool = {key: (tool, own) for key, (tool, own) in by_tool.items() if roles_fit(tool, own, choices)}
    taken = {id(source) for _, own in by_tool.values() for source in own}
    rest = [source for source in sources if id(source) not in taken]
    summaries = [] if names_columns(choices) else [source for source in rest if summary_of(source)]
    if len(summaries) == len(sources):
        raise ScoreFileError(f"{shown(summaries[0].name)}: ", summary_of(summaries[0]) or "")
    logs = ("json", "jsonl", "other") if by_tool else ()
    aside = [source for source in rest if source in summaries or source.kind in logs]
    for key, (tool, own) in list(by_tool.items()):
        others = len(own) < len(sources) - len(aside)
        if others and ONE_SCORE in complaint_of(tool, *own):  # beside the scores of their test items
            aside += own
            del by_tool[key]
    read: list[tuple[Source, Found]] = []
    boards: list[tuple[Source, ScoreFileError]] = []
    for tool, own in by_tool.values():
        if len(own) == 1:
            with _about(own[0]):
                read.append((own[0], _filled(read_by_tool(own, tool, choices))))
        else:  # which of them is wrong, if any, stands in the message already
            read.append((own[0], read_by_tool(own, tool, choices)))
    for source in rest:
        if source in aside:
            continue
        try:
            with _about(source):
                read.append((source, _filled(_one_of_several(source, choices))))
        except ScoreFileError as error:
            if by_tool:
                aside.append(source)  # a log beside the files of a tool; the note below names it
            elif ONE_ROW in str(error):
                boards.append((source, error))
            else:
                raise
    if boards and len(read) < FEWEST_FILES:
        raise boards[0][1]
    aside += [source for source, _ in boards]
    beside = sums_beside([Named(one.name, one.path, found.part) for one, found in read], bool(by_tool))
    aside += [read[i][0] for i in beside]
    read = [one for i, one in enumerate(read) if i not in beside]
    if not by_tool and read:
        read = list(_one_system_each(read, choices))
    files = [Named(source.name, source.path, found.part) for source, found in read]
    part = join(files)
    if len(files) > 1:
        part = replace(part, reading=_of_all(files, choices))
    if by_tool:
        part = replace(part, reading={**part.reading, "tool": next(iter(by_tool))})
    if aside:
        part = replace(part, notes=(passed_over_note(aside), *part.notes))
    first = read[0][1]
    alike = all(found.table and first.table and found.table.header == first.table.header for _, found in read)
    return replace(first, part=part) if alike else Found(part=part, format="", reason="")


@contextmanager
def _about(source: Source) -> Iterator[None]:
    """Problems of one of several files get its name in front."""
    try:
        yield
    except RolesNeeded:  # gets the upload's name
        raise
    except ScoreError as error:
        raise about_file(source.name, error) from None


def _filled(found: Found) -> Found:
    """The same; raises ScoreFileError for a file without systems."""
    if not found.part.systems:
        hint = next((f" {note.text}" for note in found.part.notes if note.code.startswith("grades")), "")
        raise ScoreFileError(f"no numbers where scores are expected; give items and scores.{hint}")
    return found


def _of_all(files: Sequence[Named], choices: Choices) -> dict[str, Any]:
    """What the user said about the columns of all the files, and the metrics that all of them have."""
    given = as_given(choices, OF_COLUMNS)
    metrics = [set(file.part.reading.get("metrics", ())) for file in files]
    common = [one for one in files[0].part.reading.get("metrics", ()) if all(one in own for own in metrics)]
    return given | choices.told_roles | given_lists(metrics=common)
