"""A posterior as plain data, tables and LaTeX."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.formatting import common_decimals, format_fixed, format_fixed_interval
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.files import write_files
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.data.posterior import (
    board_frame,
    board_order,
    pairs_frame,
    posterior_to_dict,
)
from nlpstat_core.report.exports.documents.latex_text import text
from nlpstat_core.report.wording.bayes_factor import factor_text
from nlpstat_core.report.wording.posterior import prior_sentence, within_text
from nlpstat_core.report.wording.probabilities import probability

if TYPE_CHECKING:
    from nlpstat_core.results.posterior import PosteriorData

MOST_ROWS = 500


def posterior_tex(found: PosteriorData) -> str:
    """Two LaTeX tables (booktabs): the systems, and the pairs.

    Returns: Ready for a paper; at most 500 pairs, a comment says how many more there are.
    """
    lines = [f"% {text(found.signature)}", f"% {found.analysis.fingerprint}"]
    board = found.board
    if board is not None:
        decimals = common_decimals(board.estimate.tolist(), 4)
        lines += [
            "\\begin{tabular}{lrrcrrc}",
            "\\toprule",
            "System & Score & Estimate & Interval & P(best) & Expected rank & Ranks \\\\",
            "\\midrule",
        ]
        for column in board_order(found).tolist():
            low, high = board.rank_interval[column]
            cells = [
                text(board.ranks.systems[column]),
                format_fixed(board.score[column], decimals),
                format_fixed(board.estimate[column], decimals),
                format_fixed_interval(board.interval[column, 0], board.interval[column, 1], decimals),
                text(probability(float(board.best[column]))),
                f"{board.expected_rank[column]:.2f}",
                f"{low}--{high}",
            ]
            lines.append(" & ".join(cells) + " \\\\")
        lines += ["\\bottomrule", "\\end{tabular}", ""]
    pairs = found.pairs
    lines += [
        "\\begin{tabular}{llrrrrl}",
        "\\toprule",
        "A & B & $P(A>B)$ & $P(A\\approx B)$ & $P(A<B)$ & $\\mathrm{BF}_{10}$ & Verdict on A \\\\",
        "\\midrule",
    ]
    for row in range(min(len(pairs), MOST_ROWS)):
        cells = [
            text(pairs.system_a[row]),
            text(pairs.system_b[row]),
            text(probability(float(pairs.greater[row]))),
            text(within_text(found, row)),
            text(probability(float(pairs.less[row]))),
            text(factor_text(float(pairs.log_bf[row]))),
            pairs.verdict[row],
        ]
        lines.append(" & ".join(cells) + " \\\\")
    lines += ["\\bottomrule", "\\end{tabular}"]
    if len(pairs) > MOST_ROWS:
        lines.append(f"% {len(pairs) - MOST_ROWS:,} more pairs stand in posterior-pairs.csv.")
    lines += ["", text(prior_sentence(found)), ""]
    return "\n".join(lines)


def posterior_files(found: PosteriorData) -> dict[str, str]:
    """Every file of a posterior by its name."""
    return {
        "posterior.json": json_text(posterior_to_dict(found)),
        "posterior-systems.csv": csv_text(board_frame(found)),
        "posterior-pairs.csv": csv_text(pairs_frame(found)),
        "posterior.tex": posterior_tex(found),
    }


def write_posterior(found: PosteriorData, folder: Path) -> None:
    """Write every file of a posterior.

    folder: Made where it doesn't exist.
    Raises NlpstatError: The folder can't be written to.
    """
    write_files(((folder / name, content) for name, content in posterior_files(found).items()), folder)
