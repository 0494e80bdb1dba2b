"""Which files hold gold and which a system's outputs, and whose they are: teams and their attempts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from nlpstat_core.errors import Remedy, ScoreError, ScoreFileError, about_file, shown, some_shown
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.filenames import stem
from nlpstat_core.readers.open.files import Given, open_files
from nlpstat_core.readers.open.limits import Limits
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.submissions.cells import Cells, cells_of, cells_of_frame, is_table

Attempts = Literal["last", "first", "all"]
ATTEMPTS = ("last", "first", "all")
# What platforms put beside answers, and what lies in folders of submissions by itself.
_BESIDE = re.compile(
    r"metadata(?:\..*)?|scores?\.(?:txt|json|html)|detailed_results.*|(?:std(?:out|err)|output|log)s?\.log|std(?:out|err)(?:\.txt)?"
    r"|readme.*|description.*|coopetition\.txt|submission_info.*|.*\.(?:py|ipynb|sh|md|pdf|html?|ya?ml|log|bib|tex)",
    re.IGNORECASE,
)
_GOLD = re.compile(
    r"(?:.*[^a-z])?(?:gold|golds|goldstandard|truth|groundtruth|references?|refs?|answer_?keys?|solutions?)(?:[^a-z].*)?",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, kw_only=True)
class Submitted:
    """The file that counts of each team.

    attempt_of: Systems that are attempts of a team, where all attempts were asked for.
    """

    files: dict[str, Source]
    notes: tuple[Note, ...] = ()
    attempt_of: dict[str, str] = field(default_factory=dict)


def split_gold(sources: Sequence[Source]) -> tuple[Source, list[Source]]:
    """Gold among the files of one upload, by its name; raises ScoreFileError where none or several are."""
    found = [one for one in sources if _GOLD.fullmatch(one.stem)]
    if not found:
        found = [one for one in sources if any(map(_GOLD.fullmatch, one.folder.split("/")[1:]))]
    if len(found) != 1:
        names = some_shown([one.path for one in found or sources], 5)
        what = "none is called gold" if not found else f"{len(found)} are called gold or references"
        raise ScoreFileError(
            f"it isn't clear which file is gold: {what} ({names}); give gold as a separate file."
        )
    return found[0], [one for one in sources if one is not found[0]]


def submitted(sources: Sequence[Source], attempts: Attempts, file: str | None) -> Submitted:
    """Teams with their files.

    attempts: Which of several attempts of a team counts; "all" keeps each as a system of its own.
    file: Name of the file that holds the answers, where folders hold several.
    Raises ScoreFileError: No files, or several of a team that can't be told apart.
    """
    kept = [one for one in sources if not _BESIDE.fullmatch(one.name)] or list(sources)
    notes: list[Note] = []
    if file is not None:
        named = [one for one in kept if one.name == file]
        if not named:
            names = some_shown(sorted({one.name for one in kept}), 5)
            raise ScoreFileError(f"no file is called {shown(file)}; there are {names}.")
        kept = named
    if not kept:
        raise ScoreFileError("there are no outputs; give one file per system.")
    aside = [one for one in sources if one not in kept]
    if aside:
        some = some_shown([one.name for one in aside], 3)
        were = "was" if len(aside) == 1 else "were"
        text = f"{count_of(len(aside), 'file')} besides the answers {were} ignored ({some})."
        notes.append(Note("files-passed-over", "info", text))
    teams = _teams(kept)
    usual = Counter(name for own in teams.values() for name in {one.name for one in own})
    files: dict[str, Source] = {}
    attempt_of: dict[str, str] = {}
    several: list[str] = []
    others: list[Source] = []
    for team, own in teams.items():
        tries = _tries(team, own, usual, others)
        if len(tries) > 1:
            several.append(team)
        if attempts == "all" and len(tries) > 1:
            for place, one in enumerate(tries, 1):
                name = f"{team} ({place})"
                files[name] = one
                attempt_of[name] = team
        else:
            files[team] = tries[-1 if attempts != "first" else 0]
    if others:
        some = some_shown([one.path for one in others], 3)
        were = "was" if len(others) == 1 else "were"
        names = "this name" if len(others) == 1 else "these names"
        text = (
            f"{count_of(len(others), 'file')} {were} not used ({some}): fewer teams have files with {names}."
        )
        notes.append(Note("files-not-read", "caution", text))
    if several:
        which = "each is a separate system" if attempts == "all" else f"the {attempts} by its name counts"
        example = files.get(several[0]) or files[f"{several[0]} (1)"]
        text = (
            f"Several attempts of {count_of(len(several), 'team')} ({some_shown(several, 3)}): {which} "
            f"(of {shown(several[0])} {shown(_inside(example))})."
        )
        notes.append(Note("several-attempts", "info", text))
    return Submitted(files=files, notes=tuple(notes), attempt_of=attempt_of)


def _teams(sources: Sequence[Source]) -> dict[str, list[Source]]:
    """Files by the first part of their paths that tells them apart; a lone file at that place by its name."""
    parts = [one.path.replace("\\", "/").split("/") for one in sources]
    common = 0
    if len(sources) == 1:
        common = len(parts[0]) - 1
    while len(sources) > 1 and all(len(part) > common + 1 for part in parts):
        if len({part[common] for part in parts}) > 1:
            break
        common += 1
    found: dict[str, list[Source]] = {}
    for one, part in zip(sources, parts, strict=True):
        name = part[common] if len(part) > common + 1 else stem(part[-1])
        found.setdefault(name, []).append(one)
    return found


def _tries(team: str, own: Sequence[Source], usual: Counter[str], others: list[Source]) -> list[Source]:
    """The attempts of a team in their order, one file each.

    others: Gains the files beside these.
    """
    folders: dict[str, list[Source]] = {}
    for one in own:
        folders.setdefault(one.folder, []).append(one)
    found = []
    most = max(usual[one.name] for one in own)
    for folder, files in folders.items():
        chosen = [one for one in files if usual[one.name] == most] if len(files) > 1 else files
        if len(chosen) > 1:
            names = some_shown([one.name for one in files], 4)
            if all(one.stem == team for one in chosen):
                text = f"{len(chosen)} files are called {shown(team)} ({names})"
                raise ScoreFileError(f"{text}; give each system's file its own name.")
            raise ScoreFileError(
                f"{shown(team)} has several files in one folder ({names}); which holds the answers? ",
                Remedy("file"),
                ".",
            )
        if chosen:
            found.append((folder, chosen[0]))
            others += [one for one in files if one is not chosen[0]]
    return [one for _, one in sorted(found, key=lambda pair: _natural(pair[0]))]


def _natural(text: str) -> list[tuple[int, int | str]]:
    """A key under which attempt 10 comes after attempt 9."""
    return [
        (0, int(part)) if part.isdecimal() and len(part) < 20 else (1, part) for part in _DIGITS.split(text)
    ]


def _inside(source: Source) -> str:
    return "/".join(source.path.split("/")[-3:])


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
