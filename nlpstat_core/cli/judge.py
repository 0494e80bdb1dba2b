"""`judge`: a judge's scores of all items, corrected by people's of some."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpstat_core.cli.options import (
    add_lower,
    add_reading,
    metrics_turned,
    reading_choices,
    real_number,
    whole_number,
)
from nlpstat_core.cli.output import add_output, answered, check_out
from nlpstat_core.errors import ScoreFileError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nlpstat_core.results.judge import JudgedBoard
    from nlpstat_core.scores.matrix import ScoreMatrix

MOST_PAIRS = 20


def add_judge_options(parser: argparse.ArgumentParser) -> None:
    """What `judge` is given."""
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="scores of two or more metrics; cells are empty where people gave none",
    )
    add("--human", metavar="METRIC", help="the metric given by people (default: guessed from its name)")
    add("--judge", metavar="METRIC", help="the judge's metric, with every item (needed if there are several)")
    add("--documents", metavar="COLUMN", help="label column that names the document of each item")
    add(
        "--strata",
        metavar="COLUMN",
        help="label column: strata the labelled items were drawn from (--label-next)",
    )
    add("--rater", metavar="COLUMN", help="column of the raters, to generalise to other raters")
    add("--standardise-raters", action="store_true", help="scale each rater's ratings to mean 0 and SD 1")
    add("--label-next", metavar="N", help="print a score file that marks N more items for people to label")
    add("--seed", default="0", help="random seed of --label-next (default 0)")
    add_lower(parser)
    add("--correction", default="holm", help="correction over all pairs (default holm; max-t is possible)")
    add("--alpha", default="0.05", help="significance level (default 0.05)")
    add("--out", metavar="DIR", help="write JSON, CSV and LaTeX here")
    add_output(parser)
    add_reading(parser)


def judge_command(options: argparse.Namespace) -> str:
    """`judge`: the board, or the score file that marks what to label next."""
    from nlpstat_core.analysis.judge import judge
    from nlpstat_core.readers import read_boards, read_scores
    from nlpstat_core.readers.roles.given import parsed_roles
    from nlpstat_core.report.exports.documents.judge import judge_files

    check_out(options)
    choices = reading_choices(options, {})
    if options.rater is not None:
        choices["roles"] = parsed_roles(choices.get("roles") or "") | {"rater": (options.rater,)}
    boards: Mapping[str, ScoreMatrix]
    try:
        boards = read_boards(options.files, each="metric", lower=metrics_turned(options.lower), **choices)
    except ScoreFileError:
        if options.label_next is None or options.judge is None:
            raise
        # Nobody has judged anything yet: the judge's scores are all there is.
        boards = {options.judge: read_scores(options.files, metric=options.judge, **choices)}
    if options.label_next is not None:
        from nlpstat_core.analysis.label_plan import plan_labels
        from nlpstat_core.report.exports.data.csv_text import csv_text

        number = whole_number("--label-next", options.label_next)
        seed = whole_number("--seed", options.seed, least=0)
        return csv_text(plan_labels(boards, number, options.human, options.judge, seed=seed).scores_frame())
    found = judge(
        boards,
        options.human,
        options.judge,
        documents=options.documents,
        strata=options.strata,
        raters=options.rater,
        standardise_raters=options.standardise_raters,
        correction=options.correction,
        alpha=real_number("--alpha", options.alpha),
    )
    return answered(options, found, judge_files, _text, found.notes)


def _text(found: JudgedBoard) -> str:
    """The corrected board as text."""
    import numpy as np

    from nlpstat_core.cli.terminal import in_options, plain_name, small, table
    from nlpstat_core.notes import doubts
    from nlpstat_core.report.exports.tables.judge import (
        bias_table,
        board_table,
        calibration_table,
        pairs_table,
        raters_table,
        zero_one_table,
    )
    from nlpstat_core.report.wording.judge import (
        BOARD_LEGEND,
        PAIRS_LEGEND,
        apart_sentence,
        bias_sentence,
        checks_sentence,
        counted_sentence,
        headline,
        itself_sentences,
        labels_phrase,
        moves,
        raters_sentence,
        worth_sentence,
    )

    if doubts(found.notes):
        return in_options(headline(found))
    by = f"; errors by {plain_name(found.documents)}" if found.documents else ""
    lines = [
        f"{plain_name(found.human)}: {labels_phrase(found)} per system for {found.n_items:,} items; "
        f"{plain_name(found.judge)}: all items{by}",
        headline(found),
        "",
        *table(small(board_table(found).columns)),
        "",
        f"{counted_sentence(found)} Top group: {', '.join(map(plain_name, found.top_group))}.",
        BOARD_LEGEND,
        "",
        worth_sentence(found),
        *filter(None, [apart_sentence(found)]),
        *moves(found),
        bias_sentence(found),
        *itself_sentences(found),
        *filter(None, [raters_sentence(found)]),
        checks_sentence(found),
    ]
    if not np.isnan(found.bias).all():
        lines += ["", *table(small(bias_table(found).columns))]
    for extra in (zero_one_table(found), calibration_table(found), raters_table(found)):
        lines += [] if extra is None else ["", *table(small(extra.columns))]
    if found.left.size <= MOST_PAIRS:
        lines += ["", *table(small(pairs_table(found).columns)), PAIRS_LEGEND]
    return "\n".join(lines)
