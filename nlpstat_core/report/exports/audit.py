"""An audit as plain data and tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from nlpstat_core.report.exports.folder import write_files
from nlpstat_core.report.exports.frames import origin
from nlpstat_core.report.exports.latex_text import text
from nlpstat_core.report.exports.numbers import number
from nlpstat_core.report.exports.plain import json_text
from nlpstat_core.report.exports.tables import csv_text
from nlpstat_core.report.wording.audit import audit_sentence, per_board_text, procedure_name, rate_text

if TYPE_CHECKING:
    from nlpstat_core.analysis.audit_result import Audit


def audit_to_dict(found: Audit) -> dict[str, Any]:
    """The audit as plain data."""
    return {
        "version": found.analysis.version,
        "signature": found.signature,
        "fingerprint": found.analysis.fingerprint,
        "null": found.null,
        "boards": found.boards,
        "seed": found.seed,
        "null_pairs": found.null_pairs,
        "sentence": audit_sentence(found),
        "notes": [note.to_dict() for note in found.notes],
        "procedures": [
            {
                "test": procedure.config.test,
                "question": procedure.config.question,
                "correction": procedure.config.correction,
                "alpha": procedure.config.alpha,
                "family_wise": procedure.family_wise,
                "family_wise_error": procedure.family_wise_error,
                "false_claims_per_board": procedure.per_board,
                "false_claims_per_board_error": number(procedure.per_board_error),
                "boards_with_separated_pairs": float((procedure.separated > 0).mean()),
                "p_histogram": [int(count) for count in procedure.histogram],
            }
            for procedure in found.procedures
        ],
    }


def audit_frame(found: Audit) -> pd.DataFrame:
    """The procedures, one row each."""
    rows = [
        {
            "test": procedure.config.test,
            "question": procedure.config.question,
            "correction": procedure.config.correction,
            "alpha": procedure.config.alpha,
            "null": found.null,
            "boards": found.boards,
            "family_wise": procedure.family_wise,
            "family_wise_error": procedure.family_wise_error,
            "false_claims_per_board": procedure.per_board,
            "false_claims_per_board_error": procedure.per_board_error,
        }
        for procedure in found.procedures
    ]
    frame = pd.DataFrame(rows)
    frame.attrs.update({**origin(found.analysis), "signature": found.signature})
    return frame


def audit_tex(found: Audit) -> str:
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


def audit_files(found: Audit) -> dict[str, str]:
    """Every file of an audit by its name."""
    return {
        "audit.json": json_text(audit_to_dict(found)),
        "audit.csv": csv_text(audit_frame(found)),
        "audit.tex": audit_tex(found),
    }


def write_audit(found: Audit, folder: Path) -> None:
    """Write every file of an audit.

    folder: Made where it doesn't exist.
    Raises NlpstatError: The folder can't be written to.
    """
    write_files(((folder / name, content) for name, content in audit_files(found).items()), folder)
