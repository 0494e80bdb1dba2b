"""What each command does: from its options to the text it prints."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nlpstat_core.cli.arguments import UsageError
from nlpstat_core.cli.audit import audit_of
from nlpstat_core.cli.boards import boards_text, check_packages, saved
from nlpstat_core.cli.bounds import reading_bounds, tidy_end
from nlpstat_core.cli.changes import changes_of
from nlpstat_core.cli.configured import board_of
from nlpstat_core.cli.gate import gate_text
from nlpstat_core.cli.metrics import metrics_text
from nlpstat_core.cli.options import chosen_settings, reading_choices, whole_number
from nlpstat_core.cli.output import aside, board_text, mind, refuse_csv
from nlpstat_core.cli.posterior import posterior_of
from nlpstat_core.cli.power import board_power_text, curve_text
from nlpstat_core.cli.progress import is_watched, progress_of
from nlpstat_core.cli.several_boards import analyse_each, boards_choices
from nlpstat_core.cli.submissions import measure_options, scores_of, submissions_of
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.formatting import count_of, duration
from nlpstat_core.notes import Note
from nlpstat_core.presets import preset

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.scores.matrix import ScoreMatrix

LONG = 3.0  # seconds: what takes longer is announced


def _settings(options: argparse.Namespace, *, tracks: bool = False) -> tuple[AnalysisConfig, dict[str, Any]]:
    """The configuration and the reading choices: from --preset, then --config, then the options.

    tracks: Whether the choices may hold rules of a composite, for `board_of`.
    """
    config, reading = _configuration(options)
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


def _configuration(options: argparse.Namespace) -> tuple[AnalysisConfig, dict[str, Any]]:
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


def analyse_command(options: argparse.Namespace) -> str:
    """`analyse`: compare all pairs, write the files, print the answer."""
    from nlpstat_core.analysis.analyse import MOST_WORKERS
    from nlpstat_core.analysis.sections import sections, split_keys
    from nlpstat_core.readers import read_scores
    from nlpstat_core.report.exports.folder import write_folder

    config, reading = _settings(options)
    workers = whole_number("--workers", options.workers, MOST_WORKERS)
    if options.out == "":
        raise UsageError("--out needs the name of a folder.")
    also = _listed(options.also)
    if also and options.out is None:
        raise UsageError("--also needs --out, the folder for its files.")
    chosen = boards_choices(options, options.boards)
    judged = "metrics" in also and chosen is not None and chosen["each"] == "metric"
    if options.human is not None and not judged:
        raise UsageError("--human goes with --each metric and --also metrics.")
    if "metrics" in also and not judged:
        raise UsageError("--also metrics goes with --each metric: it takes the scores of all metrics.")
    wanted, files = split_keys(key for key in also if key != "metrics")
    if wanted and chosen is not None:
        raise UsageError(f"--also {wanted[0]} is about one board; leave out --each.")
    if options.pairs_out is not None:
        return _in_blocks(options, config, reading, workers)
    if chosen is not None:
        refuse_csv(options, "--each")
    if chosen is not None and options.save is not None:
        raise UsageError("--save keeps one board; choose a metric and a data set.")
    if options.save is not None:
        check_packages()
    if chosen is not None:
        return analyse_each(
            options, config, reading, chosen, workers, progress_of(options), files, judged=judged
        )
    with reading_bounds(options):
        scores = read_scores(options.files, **reading)
    analysis = _analysed(options, scores, config, workers)
    text = None if options.save is None else saved(analysis, options.save)
    if options.out is not None:
        added = sections(analysis, wanted, progress=progress_of(options, "boards"))
        with tidy_end():
            write_folder(analysis, Path(options.out), files, added)
    if text is not None:
        aside(options, [text])
    return board_text(options, analysis)


def _in_blocks(
    options: argparse.Namespace, config: AnalysisConfig, reading: dict[str, Any], workers: int
) -> str:
    """`analyse --pairs-out`: what it will take, then the board; its pairs stand in files."""
    from nlpstat_core.analysis.in_blocks import analyse_blocks, block_bounds
    from nlpstat_core.cli.terminal import summary_of_blocks
    from nlpstat_core.readers import read_scores

    for option in ("out", "json", "csv", "save", "each", "also"):
        if getattr(options, option) not in (None, False):
            raise UsageError(
                f"--pairs-out can't be combined with --{option}: the pairs are only in its files."
            )
    if not options.pairs_out:
        raise UsageError("--pairs-out needs the name of a folder.")
    with reading_bounds(options):
        scores = read_scores(options.files, **reading)
    bounds = block_bounds(scores, config, clock=perf_counter)
    if sys.stderr is not None and not options.quiet:
        print(
            f"{count_of(bounds.pairs, 'pair')}: files of {max(bounds.gib, 0.01):,.2f} GiB at most, about "
            f"{duration(60 * (bounds.minutes or 0.0))} by one thread.",
            file=sys.stderr,
            flush=True,
        )
    with tidy_end():
        found = analyse_blocks(
            scores, options.pairs_out, config, workers=workers, progress=progress_of(options)
        )
    return summary_of_blocks(found)


def submissions_command(options: argparse.Namespace) -> str:
    """`submissions`: compare all pairs of systems by their outputs."""
    from nlpstat_core.analysis.analyse import MOST_WORKERS
    from nlpstat_core.analysis.sections import sections, split_keys
    from nlpstat_core.analysis.submissions import submission_scores
    from nlpstat_core.report.exports.folder import write_folder

    config, reading = _configuration(options)
    workers = whole_number("--workers", options.workers, MOST_WORKERS)
    if options.out == "":
        raise UsageError("--out needs the name of a folder.")
    also = _listed(options.also)
    if also and options.out is None:
        raise UsageError("--also needs --out, the folder for its files.")
    wanted, files = split_keys(also)
    scores = submission_scores(submissions_of(options, reading), **measure_options(options, reading))
    analysis = _analysed(options, scores, config, workers)
    if options.out is not None:
        added = sections(analysis, wanted, progress=progress_of(options, "boards"))
        with tidy_end():
            write_folder(analysis, Path(options.out), files, added)
    return board_text(options, analysis)


def composite_command(options: argparse.Namespace) -> str:
    """`composite`: compare all pairs of systems by their weighted mean over tracks."""
    from nlpstat_core.analysis.analyse import MOST_WORKERS
    from nlpstat_core.analysis.composite import composite
    from nlpstat_core.cli.composite import (
        by_places,
        composite_tracks,
        ranking_answer,
        rules_of,
        saying_rules,
        with_rules,
    )
    from nlpstat_core.report.exports.folder import write_folder

    config, reading = _configuration(options)
    workers = whole_number("--workers", options.workers, MOST_WORKERS)
    if options.out == "":
        raise UsageError("--out needs the name of a folder.")
    with reading_bounds(options):
        boards, chosen = composite_tracks(options, reading)
    rules = rules_of(boards, chosen)
    if by_places(chosen):
        with tidy_end(), saying_rules(rules):
            return with_rules(options, ranking_answer(options, boards, chosen, config), rules)
    with saying_rules(rules):
        scores = composite(boards, **chosen)
    analysis = _analysed(options, scores, config, workers)
    if options.out is not None:
        with tidy_end():
            write_folder(analysis, Path(options.out))
    return with_rules(options, board_text(options, analysis), rules)


def cost_command(options: argparse.Namespace) -> str:
    """`cost`: score against cost."""
    from nlpstat_core.cli.cost import cost_answer
    from nlpstat_core.readers import read_scores

    config, reading = _configuration(options)
    with reading_bounds(options):
        scores = read_scores(options.files, **reading_choices(options, reading))
    with tidy_end():
        return cost_answer(options, scores, config)


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _with_setting_notes(options: argparse.Namespace, analysis: Analysis) -> Analysis:
    """The analysis with a note for every setting that has another name now: in every file and on screen."""
    return replace(analysis, notes=(*analysis.notes, *options.setting_notes))


def _analysed(
    options: argparse.Namespace, scores: ScoreMatrix, config: AnalysisConfig, workers: int = 1
) -> Analysis:
    """The analysis; to those who watch it is said before how long it takes, where that is long."""
    from nlpstat_core.analysis.analyse import analyse
    from nlpstat_core.analysis.estimates import seconds_of_analysis

    if is_watched(options):
        seconds = seconds_of_analysis(scores, config, perf_counter)
        if seconds is not None and seconds > LONG:
            print(f"This takes about {duration(seconds)} by one thread.", file=sys.stderr, flush=True)
    found = analyse(scores, config, workers=workers, progress=progress_of(options))
    return _with_setting_notes(options, found)


def diagnose_command(options: argparse.Namespace) -> str:
    """`diagnose`: the data of every pair."""
    from nlpstat_core.cli.terminal import diagnosis_table
    from nlpstat_core.readers import read_scores

    config, reading = _settings(options)
    with reading_bounds(options):
        scores = read_scores(options.files, **reading)
    return diagnosis_table(_analysed(options, scores, config))


def posterior_command(options: argparse.Namespace) -> str:
    """`posterior`: the Bayesian answer."""
    return posterior_of(options, _quick_analysis(options))


def audit_command(options: argparse.Namespace) -> str:
    """`audit`: how often the procedure errs on boards like these."""
    return audit_of(options, _quick_analysis(options), progress_of(options, "boards"))


def board_power_command(options: argparse.Namespace) -> str:
    """`power board`: what the test set could tell apart, and how many items the next one needs."""
    return board_power_text(options, _quick_analysis(options), progress_of(options))


def _quick_analysis(options: argparse.Namespace) -> Analysis:
    """The analysis of the files, without effect sizes unless asked for: what is built on it needs none."""
    by_gold = getattr(options, "gold", None) is not None
    config, reading = _configuration(options) if by_gold else _settings(options, tracks=True)
    if options.effects is None:
        config = replace(config, effects=())
    scores = scores_of(options, reading) if hasattr(options, "gold") else None
    if scores is None:
        with reading_bounds(options):
            scores = board_of(options.files, reading)
    return _analysed(options, scores, config)


def compare_command(options: argparse.Namespace) -> str:
    """`compare`: one pair in four steps."""
    from nlpstat_core.cli.four_steps import (
        chosen_pair,
        compared,
        four_steps,
        pair_notes,
        simulated_power,
    )
    from nlpstat_core.power.simulation import MOST_ITERATIONS, MOST_POINTS
    from nlpstat_core.readers import read_scores
    from nlpstat_core.report.exports.data.plain import json_text

    if options.config is None and options.preset is None and options.question is None:
        options.question = (
            "each-pair"  # the four steps are NLPStatTest's, which choose the test from the data
        )
    config, reading = _settings(options)
    points = whole_number("--points", options.points, MOST_POINTS)
    iterations = whole_number("--iterations", options.iterations, MOST_ITERATIONS)
    if len(options.systems) not in (0, 2):
        raise UsageError("compare takes a file and, where it has more than two systems, two names.")
    with reading_bounds(options):
        scores = read_scores(options.file, **reading)
    analysis = _analysed(options, scores, config)
    pair = chosen_pair(analysis, *(options.systems or (None, None)))
    curve = simulated_power(analysis, pair, points, iterations, progress_of(options, "test sets"))
    if options.json:
        return json_text(compared(analysis, pair, curve))
    mind(options, pair_notes(analysis, pair))
    return four_steps(analysis, pair, curve)


def boards_command(options: argparse.Namespace) -> str:
    """`boards`: saved boards."""
    text, options.status = boards_text(options)
    return text


def changes_command(options: argparse.Namespace) -> str:
    """`changes`: what differs between two boards."""
    return changes_of(options, *_settings(options, tracks=True))


def gate_command(options: argparse.Namespace) -> str:
    """`gate`: is a new system at most a margin worse?"""
    config, reading = _settings(options, tracks=True)
    text, options.status = gate_text(options, config, reading)
    return text


def metrics_command(options: argparse.Namespace) -> str:
    """`metrics`: metrics judged by people."""
    return metrics_text(options, progress_of(options, "steps"))


def power_curve_command(options: argparse.Namespace) -> str:
    """`power curve`: power of one pair by the size of the test set."""
    if (
        options.config is None and options.preset is None
    ):  # one pair, one test, uncorrected, unless something else is asked for
        options.test = "t" if options.test is None else options.test
        options.correction = "none" if options.correction is None else options.correction
    config, reading = _settings(options, tracks=True)
    with reading_bounds(options):
        scores = board_of(options.file, reading)
    mind(options, options.setting_notes)
    return curve_text(options, config, scores, progress_of(options, "test sets"))
