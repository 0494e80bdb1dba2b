"""What each command does: from its options to the text it prints."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.cli.arguments import UsageError
from nlpstat_core.cli.audit import audit_of
from nlpstat_core.cli.boards import boards_text
from nlpstat_core.cli.bounds import reading_bounds, tidy_end
from nlpstat_core.cli.changes import changes_of
from nlpstat_core.cli.configured import analysed, board_of, configuration_of, settings_of, workers_and_files
from nlpstat_core.cli.gate import gate_text
from nlpstat_core.cli.metrics import metrics_text
from nlpstat_core.cli.numbers import whole_number
from nlpstat_core.cli.options import reading_choices
from nlpstat_core.cli.output import board_text, mind
from nlpstat_core.cli.posterior import posterior_of
from nlpstat_core.cli.power_scores import board_power_text, curve_text
from nlpstat_core.cli.progress import progress_of
from nlpstat_core.cli.submissions import measure_options, scores_of, submissions_of

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis


def submissions_command(options: argparse.Namespace) -> str:
    """`submissions`: compare all pairs of systems by their outputs."""
    from nlpstat_core.analysis.sections import sections, split_keys
    from nlpstat_core.analysis.submissions import submission_scores
    from nlpstat_core.report.exports.folder import write_folder

    config, reading = configuration_of(options)
    workers, also = workers_and_files(options)
    wanted, files = split_keys(also)
    scores = submission_scores(submissions_of(options, reading), **measure_options(options, reading))
    analysis = analysed(options, scores, config, workers)
    if options.out is not None:
        added = sections(analysis, wanted, progress=progress_of(options, "boards"))
        with tidy_end():
            write_folder(analysis, Path(options.out), files, added)
    return board_text(options, analysis)


def composite_command(options: argparse.Namespace) -> str:
    """`composite`: compare all pairs of systems by their weighted mean over tracks."""
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

    config, reading = configuration_of(options)
    workers, _ = workers_and_files(options)
    with reading_bounds(options):
        boards, chosen = composite_tracks(options, reading)
    rules = rules_of(boards, chosen)
    if by_places(chosen):
        with tidy_end(), saying_rules(rules):
            return with_rules(options, ranking_answer(options, boards, chosen, config), rules)
    with saying_rules(rules):
        scores = composite(boards, **chosen)
    analysis = analysed(options, scores, config, workers)
    if options.out is not None:
        with tidy_end():
            write_folder(analysis, Path(options.out))
    return with_rules(options, board_text(options, analysis), rules)


def cost_command(options: argparse.Namespace) -> str:
    """`cost`: score against cost."""
    from nlpstat_core.cli.cost import cost_answer
    from nlpstat_core.readers import read_scores

    config, reading = configuration_of(options)
    with reading_bounds(options):
        scores = read_scores(options.files, **reading_choices(options, reading))
    with tidy_end():
        return cost_answer(options, scores, config)


def diagnose_command(options: argparse.Namespace) -> str:
    """`diagnose`: the data of every pair."""
    from nlpstat_core.cli.terminal import diagnosis_table
    from nlpstat_core.readers import read_scores

    config, reading = settings_of(options)
    with reading_bounds(options):
        scores = read_scores(options.files, **reading)
    return diagnosis_table(analysed(options, scores, config))


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
    config, reading = configuration_of(options) if by_gold else settings_of(options, tracks=True)
    if options.effects is None:
        config = replace(config, effects=())
    scores = scores_of(options, reading) if hasattr(options, "gold") else None
    if scores is None:
        with reading_bounds(options):
            scores = board_of(options.files, reading)
    return analysed(options, scores, config)


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
    config, reading = settings_of(options)
    points = whole_number("--points", options.points, MOST_POINTS)
    iterations = whole_number("--iterations", options.iterations, MOST_ITERATIONS)
    if len(options.systems) not in (0, 2):
        raise UsageError("compare takes a file and, where it has more than two systems, two names.")
    with reading_bounds(options):
        scores = read_scores(options.file, **reading)
    analysis = analysed(options, scores, config)
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
    return changes_of(options, *settings_of(options, tracks=True))


def gate_command(options: argparse.Namespace) -> str:
    """`gate`: is a new system at most a margin worse?"""
    config, reading = settings_of(options, tracks=True)
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
    config, reading = settings_of(options, tracks=True)
    with reading_bounds(options):
        scores = board_of(options.file, reading)
    mind(options, options.setting_notes)
    return curve_text(options, config, scores, progress_of(options, "test sets"))
