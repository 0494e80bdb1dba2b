"""Options become a configuration; the board of files under it, and its analysis."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.arguments import UsageError
from nlpstat_core.cli.bounds import tidy_end
from nlpstat_core.cli.options import chosen_settings, names_of, reading_choices, workers_of
from nlpstat_core.cli.output import board_text, check_out
from nlpstat_core.cli.progress import announce, is_watched, progress_of
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.formatting import duration
from nlpstat_core.notes import Note
from nlpstat_core.presets import preset

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.scores.matrix import ScoreMatrix

LONG = 3.0  # seconds: what takes longer is announced
# What is told without an option, by keyword; `composite` in a configuration has the same names.
TOLD = {
    "each": "dataset",
    "lower": None,
    "weights": None,
    "combine": "mean",
    "tracks": "fixed",
    "missing_tracks": "refuse",
    "shared_items": False,
}


def settings_of(
    options: argparse.Namespace, *, tracks: bool = False
) -> tuple[AnalysisConfig, dict[str, Any]]:
    """Configuration and reading choices: --preset, then --config, then the options."""
    config, reading = configuration_of(options)
    if "composite" in reading and tracks:
        rules = {**told_of_tracks(reading.pop("composite")), "lower": reading.pop("lower", None)}
        return config, {**reading_choices(options, reading), "composite": rules}
    if "composite" in reading:
        raise ConfigError(
            "The configuration is of a composite of several tracks: give it, and the tracks' files, to the "
            "command composite."
        )
    return config, reading_choices(options, reading)


def configuration_of(options: argparse.Namespace) -> tuple[AnalysisConfig, dict[str, Any]]:
    """The configuration, and what --config says of reading."""
    data: dict[str, Any] = {}
    notes: tuple[str, ...] = ()
    if options.config is not None:
        from nlpstat_core.readers.settings_files import read_config, renamed

        data, notes = renamed(read_config(options.config))
    if options.preset is not None:
        data = {**preset(options.preset).settings, **data}
    options.setting_notes = tuple(Note("setting-renamed", "info", note) for note in notes)
    reading, options.boards = data.pop("reading", None) or {}, data.pop("boards", None)
    if not isinstance(reading, dict):
        raise ConfigError(f"reading must be a mapping, not {shown(reading)}.")
    data |= chosen_settings(options)
    return AnalysisConfig.from_mapping(data), reading


def workers_and_files(options: argparse.Namespace) -> tuple[int, list[str]]:
    """How many threads compute, and which further files go into the folder of --out.

    Raises UsageError: No number of threads; files without a folder.
    """
    workers = workers_of(options)
    check_out(options)
    also = names_of(getattr(options, "also", None) or "")
    if also and options.out is None:
        raise UsageError("--also needs --out, the folder for its files.")
    return workers, also


def told_of_tracks(found: Any) -> dict[str, Any]:
    """What a configuration says of tracks."""
    if not isinstance(found, Mapping):
        raise ConfigError("composite must be a mapping, for example {combine: mean, weights: {en: 2}}.")
    for name in found:
        if name not in TOLD:
            raise ConfigError(unknown("choice about tracks", name, TOLD))
    return dict(found)


def by_places(chosen: Mapping[str, Any]) -> bool:
    """Whether fixed tracks are combined by places, which make no board."""
    from nlpstat_core.analysis.tracks.combining import OF_ORDER

    return chosen["tracks"] == "fixed" and chosen["combine"] in OF_ORDER


def board_of(files: Any, reading: Mapping[str, Any]) -> ScoreMatrix:
    """The scores of files; the composite of their tracks where `reading` has rules for one.

    files: As for `read_scores`.
    reading: Its keywords, and under "composite" those of `composite`, as analysis.json has them.
    """
    from nlpstat_core.readers import read_boards, read_scores

    left = dict(reading)
    told = left.pop("composite", None)
    if told is None:
        return read_scores(files, **left)
    from nlpstat_core.analysis.composite import composite

    chosen = {**TOLD, **told_of_tracks(told)}
    if by_places(chosen):
        raise ConfigError(
            "A ranking by places over fixed tracks makes no board: places are among all systems together. "
            "The command composite ranks by them; tracks as a sample make a board of them."
        )
    each, lower = chosen.pop("each"), chosen.pop("lower")
    return composite(read_boards(files, each=each, lower=lower, **left), **chosen)


def analysed(
    options: argparse.Namespace, scores: ScoreMatrix, config: AnalysisConfig, workers: int = 1
) -> Analysis:
    """The analysis; to those who watch it is said before how long it takes, where that is long."""
    from nlpstat_core.analysis.analyse import analyse
    from nlpstat_core.analysis.estimates import seconds_of_analysis

    if is_watched(options):
        seconds = seconds_of_analysis(scores, config, perf_counter)
        if seconds is not None and seconds > LONG:
            announce(f"This takes about {duration(seconds)} by one thread.")
    found = analyse(scores, config, workers=workers, progress=progress_of(options))
    # A setting that has another name now is noted in every file and on screen.
    return replace(found, notes=(*found.notes, *options.setting_notes))


def written_board(
    options: argparse.Namespace, analysis: Analysis, files: Sequence[str] = (), wanted: Sequence[str] = ()
) -> str:
    """The board as text, after its files, those of --also and with `wanted` sections, are written."""
    from nlpstat_core.analysis.sections import sections
    from nlpstat_core.report.exports.folder import write_folder

    if options.out is not None:
        added = sections(analysis, wanted, progress=progress_of(options, "boards"))
        with tidy_end():
            write_folder(analysis, Path(options.out), files, added)
    return board_text(options, analysis)
