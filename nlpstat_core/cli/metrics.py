"""`metrics`: which metric ranks and separates systems as people do."""

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
from nlpstat_core.cli.progress import progress_of

if TYPE_CHECKING:
    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation

SHOWN = {
    "soft-pairwise-accuracy": "soft acc.",
    "system-accuracy": "accuracy",
    "system-pearson": "Pearson",
    "system-kendall": "τ-b",
    "segment-pearson": "segm. r",
    "segment-kendall": "segm. τ-b",
    "item-kendall": "item τ-b",
    "acc-eq": "acc*eq",
}
MOST_ROWS = 20


def add_metrics_options(parser: argparse.ArgumentParser) -> None:
    """What `metrics` is given."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="scores of several metrics, one of them given by people")
    add("--human", metavar="METRIC", help="the metric given by people (default: guessed)")
    add_lower(parser)
    add("--exchange", help="cells (default: claims about these systems) or systems (systems like these)")
    add("--correction", help="correction over all pairs of metrics: max-t (default), holm, bh …")
    add("--alpha", help="significance level; intervals are at 1 − alpha (default 0.05)")
    resamples = "number of random exchanges and of resampled item sets (default 1000)"
    add("--resamples", default="1000", help=resamples)
    add("--seed", default="0", help="random seed (default 0)")
    add("--out", metavar="DIR", help="write JSON, CSV and LaTeX to this folder")
    add_output(parser)
    add_reading(parser)


def metrics_command(options: argparse.Namespace) -> str:
    """`metrics`: metrics judged by people."""
    from nlpstat_core.analysis.meta_evaluation import meta_evaluate
    from nlpstat_core.readers import read_boards
    from nlpstat_core.report.exports.documents.metrics import metrics_files

    check_out(options)
    boards = read_boards(
        options.files, each="metric", lower=metrics_turned(options.lower), **reading_choices(options, {})
    )
    found = meta_evaluate(
        boards,
        options.human,
        alpha=0.05 if options.alpha is None else real_number("--alpha", options.alpha),
        correction=options.correction or "max-t",
        exchange=options.exchange or "cells",
        resamples=whole_number("--resamples", options.resamples),
        seed=whole_number("--seed", options.seed, least=0),
        progress=progress_of(options, "steps"),
    )
    return answered(options, found, metrics_files, _text, found.notes)


def _text(found: MetaEvaluation) -> str:
    """The answer, every metric, and what to mind."""
    import numpy as np

    from nlpstat_core.cli.terminal import in_options, plain_name, table
    from nlpstat_core.report.exports.tables.table import fixed, names, written
    from nlpstat_core.report.wording.metrics import disagreement_sentence, headline, reason

    ranks = found.ranks("soft-pairwise-accuracy")
    order = np.argsort(-found.values("soft-pairwise-accuracy"), kind="stable")
    columns = (
        written("rank", (str(ranks[i] or "n/a") for i in order), ranks[order]),
        names("metric", (found.metrics[i] for i in order)),
        *(fixed(head, found.values(name)[order], 3, undefined="n/a") for name, head in SHOWN.items()),
    )
    lines = [in_options(headline(found)), reason(found), "", *table(columns)]
    lines += ["", disagreement_sentence(found)]
    for one in () if found.doubts else found.disagreements[:MOST_ROWS]:
        lines.append(
            f"  {plain_name(one.metric)}: people prefer {plain_name(one.people_prefer)}, "
            f"it prefers {plain_name(one.metric_prefers)}"
        )
    return "\n".join([*lines, "", found.signature])
