"""`compare`: one pair in NLPStatTest's four steps."""

import argparse

from nlpstat_core.cli.arguments import UsageError
from nlpstat_core.cli.bounds import reading_bounds
from nlpstat_core.cli.configured import analysed, settings_of
from nlpstat_core.cli.options import add_progress, add_reading, add_settings, whole_number
from nlpstat_core.cli.output import add_output, mind
from nlpstat_core.cli.progress import progress_of


def add_compare_options(parser: argparse.ArgumentParser) -> None:
    """What `compare` is given."""
    add = parser.add_argument
    add("file", metavar="FILE", help="score file, for example two columns of numbers")
    add("systems", nargs="*", metavar="SYSTEM", help="the two systems, if the file has more")
    add_reading(parser)
    add_settings(parser)
    add_progress(parser)
    add("--points", default="5", help="number of sizes on the power curve")
    add("--iterations", default="500", help="simulated test sets per size")
    add_output(parser)


def compare_command(options: argparse.Namespace) -> str:
    """`compare`: one pair in four steps."""
    from nlpstat_core.cli import four_steps
    from nlpstat_core.power.simulation import MOST_ITERATIONS, MOST_POINTS
    from nlpstat_core.readers import read_scores
    from nlpstat_core.report.exports.data.plain import json_text

    if options.config is None and options.preset is None and options.question is None:
        options.question = "each-pair"  # the four steps are NLPStatTest's: the data choose the test
    config, reading = settings_of(options)
    points = whole_number("--points", options.points, MOST_POINTS)
    iterations = whole_number("--iterations", options.iterations, MOST_ITERATIONS)
    if len(options.systems) not in (0, 2):
        raise UsageError("compare takes a file and, where it has more than two systems, two names.")
    with reading_bounds(options):
        scores = read_scores(options.file, **reading)
    analysis = analysed(options, scores, config)
    pair = four_steps.chosen_pair(analysis, *(options.systems or (None, None)))
    curve = four_steps.simulated_power(analysis, pair, points, iterations, progress_of(options, "test sets"))
    if options.json:
        return json_text(four_steps.compared(analysis, pair, curve))
    mind(options, four_steps.pair_notes(analysis, pair))
    return four_steps.four_steps(analysis, pair, curve)
