"""Metrics judged by people as JSON, CSV and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.metrics import (
    comparisons_frame,
    disagreements_frame,
    metrics_frame,
    metrics_to_dict,
    systems_frame,
)
from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.latex import long_table
from nlpstat_core.report.exports.documents.latex_text import PREAMBLE, broken, text
from nlpstat_core.report.exports.tables.metrics import metrics_tables
from nlpstat_core.report.wording.metrics import disagreement_sentence, headline, reason

if TYPE_CHECKING:
    from nlpstat_core.results.metrics import MetaEvaluationData


def metrics_tex(found: MetaEvaluationData) -> str:
    """A LaTeX document that compiles by itself."""
    names = dict(zip(found.metrics, short_names(found.metrics, 24), strict=True))
    tables = metrics_tables(found)
    listed = "\n".join(f"\\item[{note.severity}] {text(note.text)}" for note in found.notes)
    parts = [
        PREAMBLE,
        "\\begin{document}\n\\section*{Metrics judged by people}",
        f"\\noindent\\textbf{{{broken(headline(found))}}}",
        f"{text(reason(found))} {text(disagreement_sentence(found))}",
        f"\\begin{{description}}\n{listed}\n\\end{{description}}" if listed else "",
        *("{\\footnotesize\n" + long_table(table, names) + "\n}" for table in tables),
        f"\\bigskip\\noindent{{\\footnotesize\\sloppy {broken(found.signature)}\\par}}",
        "\\end{document}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def metrics_files(found: MetaEvaluationData) -> dict[str, str]:
    """Every file of a meta-evaluation, by name."""
    return {
        "metrics.json": json_text(metrics_to_dict(found)),
        "metrics.csv": csv_text(metrics_frame(found)),
        "comparisons.csv": csv_text(comparisons_frame(found)),
        "systems.csv": csv_text(systems_frame(found)),
        "disagreements.csv": csv_text(disagreements_frame(found)),
        "metrics.tex": metrics_tex(found),
    }
