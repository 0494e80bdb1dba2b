"""An audit as plain data and tables."""

from nlpstat_core.report.exports.data.audit import audit_frame, audit_to_dict
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.latex import tabular
from nlpstat_core.report.exports.documents.latex_text import text
from nlpstat_core.report.exports.tables.audit import audit_table
from nlpstat_core.report.wording.audit import audit_sentence
from nlpstat_core.results.audit import AuditData


def audit_tex(found: AuditData) -> str:
    """A LaTeX table of the procedures (booktabs)."""
    table = audit_table(found)
    drawn = tabular(table, "lrr", [column.label for column in table.columns])
    head = f"% {text(found.signature)}\n% {found.analysis.fingerprint}"
    return f"{head}\n{drawn}\n\n{text(audit_sentence(found))}\n"


def audit_files(found: AuditData) -> dict[str, str]:
    """Every file of an audit by its name."""
    return {
        "audit.json": json_text(audit_to_dict(found)),
        "audit.csv": csv_text(audit_frame(found)),
        "audit.tex": audit_tex(found),
    }
