"""A posterior as plain data, tables and LaTeX."""

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.data.posterior import board_frame, pairs_frame, posterior_to_dict
from nlpstat_core.report.exports.documents.latex import tabular
from nlpstat_core.report.exports.documents.latex_text import text
from nlpstat_core.report.exports.tables.posterior import posterior_pairs, posterior_systems
from nlpstat_core.report.wording.posterior import prior_sentence
from nlpstat_core.results.posterior import PosteriorData

MOST_ROWS = 500
SYSTEMS = ("System", "Score", "Estimate", "Interval", "P(best)", "Expected rank", "Ranks")
PAIRS = {
    "A": "A",
    "B": "B",
    "P(A > B)": "$P(A>B)$",
    "P(practically equal)": "$P(A\\approx B)$",
    "P(A < B)": "$P(A<B)$",
    "BF10": "$\\mathrm{BF}_{10}$",
    "verdict on A": "Verdict on A",
}


def posterior_tex(found: PosteriorData) -> str:
    """Two LaTeX tables (booktabs): systems, and at most 500 pairs, with a comment on how many more."""
    lines = [f"% {text(found.signature)}", f"% {found.analysis.fingerprint}"]
    systems = posterior_systems(found)
    if systems is not None:
        name, best, expected, ranks, *scores = (column.label for column in systems.columns)
        shown = systems.under((name, *scores, best, expected, ranks))
        lines += [tabular(shown, "lrrcrrc", SYSTEMS), ""]
    lines.append(tabular(posterior_pairs(found, MOST_ROWS).under(PAIRS), "llrrrrl", list(PAIRS.values())))
    if len(found.pairs) > MOST_ROWS:
        lines.append(f"% {len(found.pairs) - MOST_ROWS:,} more pairs are in posterior-pairs.csv.")
    return "\n".join([*lines, "", text(prior_sentence(found)), ""])


def posterior_files(found: PosteriorData) -> dict[str, str]:
    """Every file of a posterior by its name."""
    return {
        "posterior.json": json_text(posterior_to_dict(found)),
        "posterior-systems.csv": csv_text(board_frame(found)),
        "posterior-pairs.csv": csv_text(pairs_frame(found)),
        "posterior.tex": posterior_tex(found),
    }
