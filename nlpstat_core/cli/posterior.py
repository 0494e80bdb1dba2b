"""The posterior command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpstat_core.cli.options import add_reading, add_settings, real_number, real_option, whole_number
from nlpstat_core.cli.output import add_output, answered, check_out
from nlpstat_core.cli.submissions import add_gold, quick_analysis

if TYPE_CHECKING:
    from nlpstat_core.analysis.posterior import Posterior

MOST_ROWS = 60
LEFT_OUT = ("P(A > B)", "P(A < B)")


def add_posterior_options(parser: argparse.ArgumentParser) -> None:
    """What `posterior` is given."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="score file, or one per system")
    add(
        "--margin",
        help="region of practical equivalence, ± metric points (default: --equivalence-margin, or 0)",
    )
    add(
        "--model",
        default="recommended",
        help="recommended, mean, binary, partial-pooling or bayesian-bootstrap",
    )
    add("--threshold", default="0.95", help="posterior probability needed for a verdict (default 0.95)")
    add("--prior-scale", help="scale r of the Bayes factor's Cauchy prior (default 0.707)")
    add("--draws", default="4000", help="draws for ranks and for the Bayesian bootstrap (default 4000)")
    add("--out", metavar="DIR", help="write JSON, CSV and LaTeX tables to this folder")
    add_output(parser)
    add_reading(parser)
    add_gold(parser)
    add_settings(parser)


def posterior_command(options: argparse.Namespace) -> str:
    """`posterior`: the Bayesian answer."""
    from nlpstat_core.analysis.posterior import posterior
    from nlpstat_core.methods.bayes.jzs import SCALE
    from nlpstat_core.notes import warnings
    from nlpstat_core.report.exports.documents.posterior import posterior_files

    analysis = quick_analysis(options)
    check_out(options)
    found = posterior(
        analysis,
        margin=real_option(options, "margin"),
        model=options.model,
        threshold=real_number("--threshold", options.threshold),
        scale=SCALE if options.prior_scale is None else real_number("--prior-scale", options.prior_scale),
        draws=whole_number("--draws", options.draws),
    )
    problems = (note for note in found.analysis.notes if note.severity == "problem")
    return answered(options, found, posterior_files, _text, (*warnings(found.notes), *problems))


def _text(found: Posterior) -> str:
    """A posterior for a terminal."""
    from nlpstat_core.cli.terminal import in_options, table
    from nlpstat_core.report.exports.tables.posterior import posterior_pairs, posterior_systems
    from nlpstat_core.report.wording.posterior import NOT_P, board_sentence, prior_sentence
    from nlpstat_core.report.wording.sentences import withheld

    waiting = withheld(found.analysis) is not None
    lines = [in_options(board_sentence(found)), ""]
    systems, more = posterior_systems(found, MOST_ROWS), "(--out writes all)"
    if systems is not None:
        lines += table(systems.columns)
        left = len(found.analysis.leaderboard) - MOST_ROWS
        lines += [*([f"… and {left:,} more systems {more}"] if left > 0 else []), ""]
    pairs = posterior_pairs(found, MOST_ROWS)
    left_out = (*LEFT_OUT, "verdict on A") if waiting else LEFT_OUT
    lines += table([column for column in pairs.columns if column.label not in left_out])
    if len(found.pairs) > MOST_ROWS:
        lines.append(f"… and {len(found.pairs) - MOST_ROWS:,} more pairs {more}")
    lines += ["", prior_sentence(found), NOT_P]
    return "\n".join(lines)
