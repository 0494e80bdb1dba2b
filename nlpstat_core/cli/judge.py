"""`judge`: a judge's scores of all items, corrected by people's of some."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpstat_core.cli.options import add_reading, metrics_turned, reading_choices
from nlpstat_core.cli.output import add_output, mind
from nlpstat_core.errors import ConfigError, shown

if TYPE_CHECKING:
    from nlpstat_core.results.judge import JudgedBoard

MOST_PAIRS = 20


def add_judge_options(parser: argparse.ArgumentParser) -> None:
    """What `judge` is given."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="scores of two metrics or more; people's have empty cells")
    add("--human", metavar="METRIC", help="the metric that people gave (guessed from its name)")
    add("--judge", metavar="METRIC", help="the metric that has every item (needed beside several)")
    add("--documents", metavar="COLUMN", help="label column: items of one document belong together")
    add("--lower", metavar="METRICS", help="metrics whose lower scores are better, by commas, or none")
    add("--correction", default="holm", help="over all pairs (holm)")
    add("--alpha", default="0.05", help="level of decisions (0.05)")
    add_output(parser)
    add_reading(parser)


def judge_text(options: argparse.Namespace) -> str:
    """Read, correct and print."""
    from nlpstat_core.analysis.judge import judge
    from nlpstat_core.readers import read_boards
    from nlpstat_core.report.exports.data.plain import json_text

    boards = read_boards(
        options.files, each="metric", lower=metrics_turned(options.lower), **reading_choices(options, {})
    )
    try:
        alpha = float(options.alpha)
    except ValueError:
        raise ConfigError(f"--alpha must be a number, not {shown(options.alpha)}.") from None
    found = judge(
        boards,
        options.human,
        options.judge,
        documents=options.documents,
        correction=options.correction,
        alpha=alpha,
    )
    if options.json:
        return json_text(found.to_dict())
    mind(options, found.notes)
    return judged_text(found)


def judged_text(found: JudgedBoard) -> str:
    """The corrected board as text."""
    from nlpstat_core.cli.terminal import plain_name, table
    from nlpstat_core.report.exports.tables.judge import judge_tables

    board, pairs = judge_tables(found)
    fewest, most = int(found.labels.min()), int(found.labels.max())
    labels = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    differ = [int(one.significant.sum()) for one in (found.corrected, found.people_pairs, found.judge_pairs)]
    by = f"; errors by {plain_name(found.documents)}" if found.documents else ""
    lines = [
        f"{plain_name(found.human)} on {labels} of {found.n_items:,} items, "
        f"{plain_name(found.judge)} on all{by}",
        "",
        *table(board.columns),
        "",
        f"{differ[0]:,} of {found.left.size:,} pairs {'is' if differ[0] == 1 else 'are'} found to differ "
        f"({found.correction}, alpha {found.alpha:g}); by people's labels alone {differ[1]:,}, by the judge "
        f"alone {differ[2]:,}. Top group: {', '.join(map(plain_name, found.top_group))}.",
        "corrected: people's mean over all items, estimated; worth: labels people alone would need for it;",
        "bias: what the judge gives a system more than the others; ● no other is found to be better.",
    ]
    if found.more_labels is not None:
        first, second = (found.systems[place] for place in found.order[:2])
        lines.append(
            f"About {found.more_labels:,} labelled items in all would tell {plain_name(first)} and "
            f"{plain_name(second)} apart, if they differ as much as it looks today."
        )
    if found.left.size <= MOST_PAIRS:
        lines += ["", *table(pairs.columns)]
    return "\n".join(lines)
