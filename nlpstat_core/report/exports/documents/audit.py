"""An audit as plain data and tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.report.exports.data.audit import audit_frame, audit_to_dict
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.files import write_files
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.latex_text import text
from nlpstat_core.report.wording.audit import audit_sentence, per_board_text, procedure_name, rate_text

if TYPE_CHECKING:
    from nlpstat_core.results.audit import AuditData


def audit_tex(found: AuditData) -> str:
    """A LaTeX table of the procedures (booktabs)."""
    lines = [
        f"% {text(found.signature)}",
        f"% {found.analysis.fingerprint}",
        "\\begin{tabular}{lrr}",
        "\\toprule",
        "Procedure & Boards with a false claim & False claims a board \\\\",
        "\\midrule",
    ]
    lines += [
        " & ".join(text(cell) for cell in (procedure_name(each), rate_text(each), per_board_text(each)))
        + " \\\\"
        for each in found.procedures
    ]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "", text(audit_sentence(found)), ""])


def audit_files(found: AuditData) -> dict[str, str]:
    """Every file of an audit by its name."""
    return {
        "audit.json": json_text(audit_to_dict(found)),
        "audit.csv": csv_text(audit_frame(found)),
        "audit.tex": audit_tex(found),
    }


def write_audit(found: AuditData, folder: Path) -> None:
    """Write every file of an audit.

    folder: Made where it doesn't exist.
    Raises NlpstatError: The folder can't be written to.
    """
    write_files(((folder / name, content) for name, content in audit_files(found).items()), folder)
