"""`metrics`: which metric ranks and separates systems as people do."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.cli.numbers import real_number, whole_number
from nlpstat_core.cli.options import add_lower, add_reading, metrics_turned, reading_choices
from nlpstat_core.cli.output import add_output, check_out, mind

if TYPE_CHECKING:
    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation
    from nlpstat_core.board.pairs.columns import Progress

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
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="scores of several metrics, one of them given by people"
    )
    parser.add_argument("--human", metavar="METRIC", help="the metric given by people (default: guessed)")
    add_lower(parser)
    parser.add_argument(
        "--exchange", help="cells (default: claims about these systems) or systems (systems like these)"
    )
    parser.add_argument(
        "--correction", help="correction over all pairs of metrics: max-t (default), holm, bh …"
    )
    parser.add_argument("--alpha", help="significance level; intervals are at 1 − alpha (default 0.05)")
    parser.add_argument(
        "--resamples",
        default="1000",
        help="number of random exchanges and of resampled item sets (default 1000)",
    )
    parser.add_argument("--seed", default="0", help="random seed (default 0)")
    parser.add_argument("--out", metavar="DIR", help="write JSON, CSV and LaTeX to this folder")
    add_output(parser)
    add_reading(parser)


def metrics_text(options: argparse.Namespace, progress: Progress | None = None) -> str:
    """Read, judge, write and print."""
    from nlpstat_core.analysis.meta_evaluation import meta_evaluate
    from nlpstat_core.readers import read_boards
    from nlpstat_core.report.exports.data.files import write_files
    from nlpstat_core.report.exports.data.plain import json_text
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
        progress=progress,
    )
    if options.out is not None:
        write_files(metrics_files(found).items(), Path(options.out))
    if options.json:
        return json_text(found.to_dict())
    mind(options, found.notes)
    return metrics_summary(found)


def metrics_summary(found: MetaEvaluation) -> str:
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
