"""`cost`: score against cost, and the front that no system beats on both."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpstat_core.cli.bounds import reading_bounds, tidy_end
from nlpstat_core.cli.configured import configuration_of
from nlpstat_core.cli.options import add_reading, add_settings, reading_choices
from nlpstat_core.cli.output import add_output, mind

if TYPE_CHECKING:
    from nlpstat_core.results.cost import CostFront


def add_cost_options(parser: argparse.ArgumentParser) -> None:
    """What `cost` is given."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="score file with columns of cost, time, tokens or length")
    add("--cost", metavar="COLUMN", help="which cost (the first)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the table as CSV alone")
    add_output(parser, form=form)
    add_reading(parser)
    add_settings(parser)


def cost_command(options: argparse.Namespace) -> str:
    """`cost`: score against cost."""
    from nlpstat_core.analysis.cost import score_against_cost
    from nlpstat_core.readers import read_scores
    from nlpstat_core.report.exports.data.csv_text import csv_text
    from nlpstat_core.report.exports.data.plain import json_text

    config, reading = configuration_of(options)
    with reading_bounds(options):
        scores = read_scores(options.files, **reading_choices(options, reading))
    with tidy_end():
        found = score_against_cost(scores, options.cost, config=config)
    if options.json:
        return json_text(found.to_dict())
    mind(options, (*(note for note in scores.notes if note.severity == "problem"), *found.notes))
    if options.csv:
        return csv_text(found.to_frame())
    return _text(found)


def _text(found: CostFront) -> str:
    from nlpstat_core.cli.terminal import small, table
    from nlpstat_core.report.exports.tables.cost import front_table
    from nlpstat_core.report.wording.cost import front_headline, front_legend, front_sentence

    lines = [
        front_headline(found),
        front_sentence(found),
        "",
        *table(small(front_table(found).columns, (found.metric, f"{found.cost} (mean)"))),
        "",
    ]
    return "\n".join([*lines, front_legend(found)])
