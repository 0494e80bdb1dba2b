"""Metrics judged by people as JSON, CSV and LaTeX."""

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.metrics import (
    comparisons_frame,
    disagreements_frame,
    metrics_frame,
    metrics_to_dict,
    systems_frame,
)
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.blocks import Document, Part
from nlpstat_core.report.exports.documents.latex import document_tex
from nlpstat_core.report.exports.tables.metrics import metrics_tables
from nlpstat_core.report.wording.metrics import disagreement_sentence, headline, reason
from nlpstat_core.results.metrics import MetaEvaluationData


def metrics_tex(found: MetaEvaluationData) -> str:
    """A LaTeX document that compiles by itself."""
    made = Document(
        "Metrics judged by people",
        headline(found),
        sentences=(reason(found), disagreement_sentence(found)),
        notes=found.notes,
        parts=tuple(Part("", "", (table,)) for table in metrics_tables(found)),
        names=found.metrics,
        footer=(found.signature,),
    )
    return document_tex(made)


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
