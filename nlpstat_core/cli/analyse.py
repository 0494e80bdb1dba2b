"""`analyse`: compare all pairs, write the files, print the answer; `diagnose`: what their data look like."""

from __future__ import annotations

import argparse
import sys
from time import perf_counter
from typing import Any

from nlpstat_core.cli.arguments import UsageError
from nlpstat_core.cli.boards import check_packages, saved
from nlpstat_core.cli.bounds import reading_bounds, tidy_end
from nlpstat_core.cli.configured import analysed, settings_of, workers_and_files, written_board
from nlpstat_core.cli.options import add_progress, add_reading, add_settings, add_workers
from nlpstat_core.cli.output import add_output, aside, refuse_csv
from nlpstat_core.cli.progress import announce, progress_of
from nlpstat_core.cli.several_boards import add_boards, analyse_each, boards_choices
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.formatting import count_of, duration


def add_analyse_options(parser: argparse.ArgumentParser) -> None:
    """What `analyse` is given."""
    add = parser.add_argument
    files = "score file, items × systems (see `formats`), or one per system; - is standard input"
    add("files", nargs="+", metavar="FILE", help=files)
    add_reading(parser)
    add_settings(parser)
    add_boards(parser)
    add("--out", metavar="DIR", help="write JSON, CSV and reports to this folder")
    add(
        "--also",
        metavar="FILES",
        help="more files in --out, separated by commas: xlsx (workbook), figures (SVG), methods, replay, "
        "zip, participants (a page each), participants-hidden-names, or all; further sections of the report: "
        "posterior, audit, and metrics (with --each metric)",
    )
    people = "with --also metrics: the metric given by people (default: guessed)"
    add("--human", metavar="METRIC", help=people)
    add_output(parser, csv=True)
    version = "save scores and settings as the next version of this board in NLPSTAT_DATABASE"
    add("--save", metavar="TITLE", help=version)
    add_workers(parser)
    pairs = "write the pairs to Parquet files in a new folder, for boards whose pairs don't fit into memory"
    add("--pairs-out", metavar="DIR", help=pairs)
    add_progress(parser)


def add_diagnose_options(parser: argparse.ArgumentParser) -> None:
    """What `diagnose` is given."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="score file, or one per system")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_reading(parser)
    add_settings(parser)
    add_progress(parser)


def diagnose_command(options: argparse.Namespace) -> str:
    """`diagnose`: the data of every pair."""
    from nlpstat_core.cli.terminal import diagnosis_table
    from nlpstat_core.readers import read_scores

    config, reading = settings_of(options)
    with reading_bounds(options):
        scores = read_scores(options.files, **reading)
    return diagnosis_table(analysed(options, scores, config))


def analyse_command(options: argparse.Namespace) -> str:
    """`analyse`: compare all pairs, write the files, print the answer."""
    from nlpstat_core.analysis.sections import split_keys
    from nlpstat_core.readers import read_scores

    config, reading = settings_of(options)
    workers, also = workers_and_files(options)
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
    analysis = analysed(options, scores, config, workers)
    if options.save is not None:
        aside(options, [saved(analysis, options.save)])
    return written_board(options, analysis, files, wanted)


def _in_blocks(
    options: argparse.Namespace, config: AnalysisConfig, reading: dict[str, Any], workers: int
) -> str:
    """`analyse --pairs-out`: what it will take, then the board; its pairs stand in files."""
    from nlpstat_core.analysis.block_bounds import block_bounds
    from nlpstat_core.analysis.in_blocks import analyse_blocks
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
        announce(
            f"{count_of(bounds.pairs, 'pair')}: files of {max(bounds.gib, 0.01):,.2f} GiB at most, about "
            f"{duration(60 * (bounds.minutes or 0.0))} by one thread."
        )
    with tidy_end():
        found = analyse_blocks(
            scores, options.pairs_out, config, workers=workers, progress=progress_of(options)
        )
    return summary_of_blocks(found)
