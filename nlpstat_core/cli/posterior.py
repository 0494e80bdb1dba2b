"""The posterior command."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.cli.options import whole_number
from nlpstat_core.errors import ConfigError, shown

if TYPE_CHECKING:
    from nlpstat_core.analysis.posterior import Posterior
    from nlpstat_core.analysis.result import Analysis

MOST_ROWS = 60


def add_posterior_options(parser: argparse.ArgumentParser) -> None:
    """Options of `posterior`, beside those for reading and settings."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="score file, or one per system")
    add(
        "--margin",
        help="region of practical equivalence, ± metric points (default --equivalence-margin, or 0)",
    )
    add(
        "--model",
        default="recommended",
        help="recommended, mean, binary, partial-pooling or bayesian-bootstrap",
    )
    add("--threshold", default="0.95", help="posterior probability from which on something is claimed")
    add("--prior-scale", help="r of the Bayes factor's Cauchy prior (default 0.707)")
    add("--draws", default="4000", help="draws of ranks and of the Bayesian bootstrap")
    add("--out", metavar="DIR", help="write JSON, CSV and LaTeX tables here")
    add("--json", choices=["-"], help="print the JSON alone on standard output")


def posterior_of(options: argparse.Namespace, analysis: Analysis) -> str:
    """Run `posterior`.

    Returns: A table, or JSON.
    Raises NlpstatError: Options that can't be used with these scores.
    """
    from nlpstat_core.analysis.posterior import posterior
    from nlpstat_core.methods.bayes.jzs import SCALE
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.documents.posterior import write_posterior

    if options.out == "":
        raise ConfigError("--out needs the name of a folder.")
    found = posterior(
        analysis,
        margin=None if options.margin is None else real_number("--margin", options.margin),
        model=options.model,
        threshold=real_number("--threshold", options.threshold),
        scale=SCALE if options.prior_scale is None else real_number("--prior-scale", options.prior_scale),
        draws=whole_number("--draws", options.draws),
    )
    if options.out is not None:
        write_posterior(found, Path(options.out))
    return json_text(found.to_dict()) if options.json is not None else text_of(found)


def real_number(option: str, text: str) -> float:
    """A finite number from an option.

    Raises ConfigError.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigError(f"{option} must be a finite number, not {shown(text)}.")
    return value


def text_of(found: Posterior) -> str:
    """A posterior for a terminal."""
    from nlpstat_core.cli.terminal import plain_name, table
    from nlpstat_core.formatting import format_interval, format_score
    from nlpstat_core.report.exports.data.posterior import board_order
    from nlpstat_core.report.wording.bayes_factor import factor_text
    from nlpstat_core.report.wording.posterior import (
        NOT_P,
        board_sentence,
        prior_sentence,
        ranks_text,
        within_text,
    )
    from nlpstat_core.report.wording.probabilities import probability

    lines = [board_sentence(found), ""]
    board = found.board
    if board is not None:
        rows = [
            [
                plain_name(board.ranks.systems[column]),
                format_score(board.score[column]),
                format_score(board.estimate[column]),
                format_interval(*board.interval[column]),
                probability(float(board.best[column])),
                f"{board.expected_rank[column]:.2f}",
                ranks_text(*board.rank_interval[column].tolist()),
            ]
            for column in board_order(found).tolist()
        ]
        header = ["system", "score", "estimate", "interval", "P(best)", "expected rank", "ranks"]
        lines += [*table(header, rows[:MOST_ROWS], [False, *[True] * 6]), ""]
        if len(rows) > MOST_ROWS:
            lines[-1:] = [f"… and {len(rows) - MOST_ROWS:,} more systems (--out writes all)", ""]
    pairs = found.pairs
    shown_pairs = range(min(len(pairs), MOST_ROWS))
    rows = [
        [
            plain_name(pairs.system_a[row]),
            plain_name(pairs.system_b[row]),
            probability(float(pairs.greater[row])),
            within_text(found, row),
            probability(float(pairs.less[row])),
            format_score(pairs.estimate[row]),
            format_interval(*pairs.interval[row]),
            factor_text(float(pairs.log_bf[row])),
            pairs.verdict[row],
        ]
        for row in shown_pairs
    ]
    header = ["a", "b", "P(a > b)", "P(a ≈ b)", "P(a < b)", "a − b", "interval", "BF10", "a is"]
    lines += table(header, rows, [False, False, *[True] * 6, False])
    if len(pairs) > MOST_ROWS:
        lines.append(f"… and {len(pairs) - MOST_ROWS:,} more pairs (--out writes all)")
    lines += ["", prior_sentence(found), NOT_P]
    lines += [f"{note.severity}: {note.text}" for note in found.notes if note.severity != "info"]
    lines += [f"{note.severity}: {note.text}" for note in found.analysis.notes if note.severity == "problem"]
    return "\n".join(lines)
