"""The scores of a gate: baseline and candidates from one file or from several."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.configured import board_of
from nlpstat_core.cli.piped import name_of
from nlpstat_core.errors import ConfigError, ScoreError, shown, some_shown

if TYPE_CHECKING:
    from nlpstat_core.readers.apart import FileRead
    from nlpstat_core.scores.matrix import ScoreMatrix


def gate_scores(
    options: argparse.Namespace, baseline: str, reading: Mapping[str, Any]
) -> tuple[ScoreMatrix, str]:
    """The baseline (a file, or a system) and its candidates side by side, and its name among them."""
    if not Path(baseline).exists():
        scores = board_of(options.files, reading)
        if baseline not in scores.systems:
            raise ConfigError(
                f"{shown(baseline)} is neither a file nor a system of {shown(name_of(options.files[0]))}; "
                f"its systems are {some_shown(scores.systems)}."
            )
        return _with_candidates(options, scores, baseline)
    try:
        scores = board_of([baseline, *options.files], reading)
    except ScoreError:
        if "composite" in reading:  # versions of one system are told apart in single boards only
            raise
        files = _files_alike([baseline, *options.files], reading)
        if not files:
            raise
        return _versions(options, files, reading)
    return _with_candidates(options, *_one_baseline(options, scores, baseline, reading))


def _one_baseline(
    options: argparse.Namespace, scores: ScoreMatrix, baseline: str, reading: Mapping[str, Any]
) -> tuple[ScoreMatrix, str]:
    """The scores without other systems of the baseline's file, and the baseline's name."""
    inside = _systems_inside(baseline, reading)
    if options.baseline_system is not None:
        _check_inside(options.baseline_system, inside, baseline)
        keep = [name for name in scores.systems if name not in inside or name == options.baseline_system]
        return scores.columns([scores.index(name) for name in keep]), options.baseline_system
    if len(inside) > 1:
        raise ConfigError(
            f"{shown(baseline)} has {len(inside):,} systems; name the baseline among them with "
            "--baseline-system."
        )
    return scores, scores.systems[0]


def _with_candidates(
    options: argparse.Namespace, scores: ScoreMatrix, baseline: str
) -> tuple[ScoreMatrix, str]:
    """The baseline and the candidates that were named, else everything."""
    if not options.candidate:
        return scores, baseline
    if baseline in options.candidate:
        raise ConfigError(
            f"--candidate {shown(baseline)} is the baseline itself; name a system to compare with it."
        )
    names = list(dict.fromkeys([baseline, *options.candidate]))
    return scores.columns([scores.index(name) for name in names]), baseline


def _files_alike(paths: list[Any], reading: Mapping[str, Any]) -> tuple[FileRead, ...]:
    """The files one by one where the baseline's has systems of the others; else none."""
    from nlpstat_core.readers.apart import read_apart

    try:
        files = read_apart(paths, reading)
    except ScoreError:
        return ()
    others = {name for file in files[1:] for name in file.systems}
    return files if others & set(files[0].systems) else ()


def _versions(
    options: argparse.Namespace, files: tuple[FileRead, ...], reading: Mapping[str, Any]
) -> tuple[ScoreMatrix, str]:
    """Candidates of the new files against a system of the baseline's file, which may have the same name."""
    from nlpstat_core.readers.apart import side_by_side

    old, new = files[0], files[1:]
    named = list(dict.fromkeys(options.candidate or ()))
    baseline = options.baseline_system
    if baseline is None and len(named) == 1 and named[0] in old.systems:
        baseline = named[0]
    if baseline is None or not named:
        both = [name for name in old.systems if any(name in file.systems for file in new)]
        raise ConfigError(
            f"{shown(Path(old.path).name)} and {shown(Path(new[0].path).name)} both have {some_shown(both)}; "
            "if these are systems, say which to compare with --baseline-system and --candidate, if they are "
            "metrics, choose one with --metric."
        )
    _check_inside(baseline, old.systems, old.path)
    chosen: list[dict[str, str]] = [{baseline: _told_apart(baseline, old, named)}]
    for file in new:
        chosen.append({name: _told_apart(name, file, [baseline]) for name in named if name in file.systems})
    for name in named:
        _check_inside(name, [system for file in new for system in file.systems], new[0].path)
    used = [(file, names) for file, names in zip(files, chosen, strict=True) if names]
    scores = side_by_side([file for file, _ in used], [names for _, names in used], reading)
    return scores, chosen[0][baseline]


def _told_apart(name: str, file: FileRead, others: list[str]) -> str:
    return f"{name} ({file.name})" if name in others else name


def _systems_inside(baseline: str, reading: Mapping[str, Any]) -> tuple[str, ...]:
    """Systems of the baseline's own file; none where it is no board of its own."""
    try:
        return board_of(baseline, reading).systems
    except ScoreError:  # the scores of one system
        return ()


def _check_inside(name: str, systems: tuple[str, ...] | list[str], path: str) -> None:
    if name not in systems:
        raise ConfigError(
            f"{shown(Path(path).name)} has no system {shown(name)}; it has "
            f"{some_shown(systems) or 'one without a name'}."
        )
