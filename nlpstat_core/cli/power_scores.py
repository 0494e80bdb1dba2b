"""`power curve` and `power board`: what a test set can detect, from its scores."""

from __future__ import annotations

import argparse

from nlpstat_core.cli.bounds import reading_bounds
from nlpstat_core.cli.configured import board_of, settings_of
from nlpstat_core.cli.options import (
    add_progress,
    add_reading,
    add_settings,
    add_workers,
    real_option,
    whole_option,
    workers_of,
)
from nlpstat_core.cli.output import add_output, mind
from nlpstat_core.cli.progress import progress_of
from nlpstat_core.cli.submissions import add_gold, quick_analysis
from nlpstat_core.errors import ConfigError, shown


def add_curve_options(parser: argparse.ArgumentParser) -> None:
    """What `power curve` is given."""
    add = parser.add_argument
    add("file", metavar="FILE", help="score file, items × systems (see `formats`)")
    add("system_a", metavar="A", help="first system of the pair")
    add("system_b", metavar="B", help="second system of the pair")
    add("--points", default="10", help="number of sizes, evenly spaced up to 1.25 times the items there are")
    add("--sizes", help="these sizes instead, separated by commas")
    add("--iterations", default="1000", help="simulated test sets per size")
    add("--method", default="bootstrap", help="bootstrap (resample the pair's items) or normal")
    add("--shift", help="true difference A − B to assume; default: the observed one")
    add(
        "--n-runs",
        help="for systems with training runs: runs per system; several numbers separated by commas",
    )
    add_output(parser)
    add_reading(parser)
    add_settings(parser)
    add_workers(parser)
    add_progress(parser)


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """What `power board` is given."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="score file, or one per system")
    parser.add_argument("--power", default="0.8", help="probability of finding the difference (default 0.8)")
    add_output(parser)
    add_reading(parser)
    add_gold(parser)
    add_settings(parser)
    add_progress(parser)


def board_command(options: argparse.Namespace) -> str:
    """`power board`: what the test set could tell apart, and how many items the next one needs."""
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.power import board_power, neighbours
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.data.power import board_power_to_dict
    from nlpstat_core.report.exports.tables.power import neighbour_columns
    from nlpstat_core.report.wording.power import board_sentence, family_phrase, models_sentence

    analysis = quick_analysis(options)
    target = real_option(options, "power") or 0.0
    board = board_power(analysis, target, progress=progress_of(options))
    near = neighbours(analysis, target)
    if options.json:
        return json_text(board_power_to_dict(analysis, board, near))
    mind(options, (note for note in analysis.notes if note.severity == "problem"))
    percent = analysis.units.solved_or_not
    level = family_phrase(analysis.config.correction, board.comparisons, board.comparison_alpha)
    measured = analysis.units.measured
    measure = "" if measured is None else measured.label
    lines = [
        board_sentence(board, percent=percent, measure=measure),
        f"Each pair's own test and spread, {level}.",
        "",
    ]
    if near.upper:
        lines += [
            f"Items needed to tell neighbours apart with a power of {100 * near.power:g} %: if the true "
            "effect is the estimate, and at the two ends of its interval (∞: it contains no difference).",
            "",
            *table(neighbour_columns(near)),
            "",
        ]
    return "\n".join([*lines, models_sentence(board)])


def curve_command(options: argparse.Namespace) -> str:
    """`power curve`: one pair, one test, uncorrected, unless a configuration asks for something else."""
    from nlpstat_core.cli.terminal import table
    from nlpstat_core.config import AUTO
    from nlpstat_core.power import power_curve
    from nlpstat_core.readers.roles.documents import compared_documents
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.tables.power import curve_columns
    from nlpstat_core.report.wording.power import curve_sentence, power_note

    if options.config is None and options.preset is None:
        options.test = "t" if options.test is None else options.test
        options.correction = "none" if options.correction is None else options.correction
    config, reading = settings_of(options, tracks=True)
    with reading_bounds(options):
        scores = board_of(options.file, reading)
    mind(options, options.setting_notes)
    progress = progress_of(options, "test sets")
    curves = [
        power_curve(
            scores,
            options.system_a,
            options.system_b,
            sizes=_sizes(options),
            points=whole_option(options, "points") or 0,
            iterations=whole_option(options, "iterations") or 0,
            method=options.method,
            shift=real_option(options, "shift"),
            n_runs=n_runs,
            workers=workers_of(options),
            progress=progress,
            **config.to_dict(),
        )
        for n_runs in _numbers_of_runs(options)
    ]
    if options.json:
        found = [curve.to_dict() for curve in curves]
        return json_text(found[0] if len(found) == 1 else {"curves": found})
    lines: list[str] = []
    for curve in curves:
        lines += [*table(curve_columns(curve)), "", curve_sentence(curve), ""]
    lines = [*lines[:-1], *(power_note(code) for code in curves[0].notes)]
    documents = next(iter(compared_documents(scores)), None)
    if documents is not None and config.block_column == AUTO and curves[0].documents is None:
        lines.append(
            "This test takes all items as independent; `analyse` compares the documents of "
            f"{shown(documents)}: --test recommended says what power that has, which may be far less."
        )
    return "\n".join(lines)


def _numbers_of_runs(options: argparse.Namespace) -> list[int | None]:
    """The numbers of runs to draw a curve for; those that there are when none is given."""
    if options.n_runs is None:
        return [None]
    return [*_whole_numbers(options.n_runs, "--n-runs")]


def _sizes(options: argparse.Namespace) -> list[int] | None:
    return None if options.sizes is None else _whole_numbers(options.sizes, "--sizes")


def _whole_numbers(text: str, option: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ConfigError(f"{option} must be whole numbers separated by commas, not {shown(text)}.") from None
