"""The posterior command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.cli.numbers import real_number, whole_number
from nlpstat_core.cli.output import add_output, check_out, mind

if TYPE_CHECKING:
    from nlpstat_core.analysis.posterior import Posterior
    from nlpstat_core.analysis.result import Analysis

MOST_ROWS = 60
LEFT_OUT = ("P(A > B)", "P(A < B)")


def add_posterior_options(parser: argparse.ArgumentParser) -> None:
    """Options of `posterior`, beside those for reading and settings."""
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


def posterior_of(options: argparse.Namespace, analysis: Analysis) -> str:
    """Run `posterior`.

    Returns: A table, or JSON.
    Raises NlpstatError: Options that can't be used with these scores.
    """
    from nlpstat_core.analysis.posterior import posterior
    from nlpstat_core.methods.bayes.jzs import SCALE
    from nlpstat_core.report.exports.data.files import write_files
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.documents.posterior import posterior_files

    check_out(options)
    found = posterior(
        analysis,
        margin=None if options.margin is None else real_number("--margin", options.margin),
        model=options.model,
        threshold=real_number("--threshold", options.threshold),
        scale=SCALE if options.prior_scale is None else real_number("--prior-scale", options.prior_scale),
        draws=whole_number("--draws", options.draws),
    )
    if options.out is not None:
        write_files(posterior_files(found).items(), Path(options.out))
    if options.json:
        return json_text(found.to_dict())
    mind(options, (note for note in found.notes if note.severity != "info"))
    mind(options, (note for note in found.analysis.notes if note.severity == "problem"))
    return text_of(found)


def text_of(found: Posterior) -> str:
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
