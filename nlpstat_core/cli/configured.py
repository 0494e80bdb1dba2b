"""Options become a configuration; the board of files under it, and its analysis."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.arguments import UsageError, listed
from nlpstat_core.cli.numbers import whole_number
from nlpstat_core.cli.options import chosen_settings, reading_choices
from nlpstat_core.cli.output import check_out
from nlpstat_core.cli.progress import announce, is_watched, progress_of
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.formatting import duration
from nlpstat_core.notes import Note
from nlpstat_core.presets import preset

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.scores.matrix import ScoreMatrix

LONG = 3.0  # seconds: what takes longer is announced


def settings_of(
    options: argparse.Namespace, *, tracks: bool = False
) -> tuple[AnalysisConfig, dict[str, Any]]:
    """The configuration and the reading choices: from --preset, then --config, then the options.

    tracks: Whether the choices may hold rules of a composite, for `board_of`.
    """
    config, reading = configuration_of(options)
    if "composite" in reading and tracks:
        from nlpstat_core.cli.composite import told_of_tracks

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
    from nlpstat_core.analysis.analyse import MOST_WORKERS

    workers = whole_number("--workers", options.workers, MOST_WORKERS)
    check_out(options)
    also = listed(getattr(options, "also", None))
    if also and options.out is None:
        raise UsageError("--also needs --out, the folder for its files.")
    return workers, also


def board_of(files: Any, reading: Mapping[str, Any]) -> ScoreMatrix:
    """The scores of files; the composite of their tracks where `reading` has rules for one.

    files: As for `read_scores`.
    reading: Its keywords, and under "composite" those of `composite`, as analysis.json has them.
    Raises NlpstatError: Files or rules that can't be used.
    """
    from nlpstat_core.readers import read_boards, read_scores

    left = dict(reading)
    told = left.pop("composite", None)
    if told is None:
        return read_scores(files, **left)
    from nlpstat_core.analysis.composite import composite
    from nlpstat_core.cli.composite import TOLD, by_places, told_of_tracks

    chosen = {**TOLD, **told_of_tracks(told)}
    if by_places(chosen):
        raise ConfigError(
            "A ranking by places over fixed tracks makes no board: places are among all systems together. "
            "The command composite ranks by them; tracks as a sample make a board of them."
        )
    each, lower = chosen.pop("each"), chosen.pop("lower")
    return composite(read_boards(files, each=each, lower=lower, **left), **chosen)


def _with_setting_notes(options: argparse.Namespace, analysis: Analysis) -> Analysis:
    """The analysis with a note for every setting that has another name now: in every file and on screen."""
    return replace(analysis, notes=(*analysis.notes, *options.setting_notes))


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
    return _with_setting_notes(options, found)
