"""An audit as plain data and a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nlpstat_core.report.exports.data.frames import origin
from nlpstat_core.report.exports.data.numbers import number
from nlpstat_core.report.wording.audit import audit_sentence
from nlpstat_core.results.audit import AuditData, ProcedureAudit

if TYPE_CHECKING:
    import pandas as pd


def audit_to_dict(found: AuditData) -> dict[str, Any]:
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
                **_procedure(procedure),
                "false_claims_per_board_error": number(procedure.per_board_error),
                "boards_with_separated_pairs": float((procedure.separated > 0).mean()),
                "p_histogram": [int(count) for count in procedure.histogram],
            }
            for procedure in found.procedures
        ],
    }


def _procedure(procedure: ProcedureAudit) -> dict[str, Any]:
    """What JSON and CSV say of one procedure."""
    return {
        "test": procedure.config.test,
        "question": procedure.config.question,
        "correction": procedure.config.correction,
        "alpha": procedure.config.alpha,
        "family_wise": procedure.family_wise,
        "family_wise_error": procedure.family_wise_error,
        "false_claims_per_board": procedure.per_board,
        "false_claims_per_board_error": procedure.per_board_error,
    }


def audit_frame(found: AuditData) -> pd.DataFrame:
    """The procedures, one row each."""
    import pandas as pd

    frame = pd.DataFrame(map(_procedure, found.procedures))
    frame.insert(4, "null", found.null)
    frame.insert(5, "boards", found.boards)
    frame.attrs.update({**origin(found.analysis), "signature": found.signature})
    return frame
