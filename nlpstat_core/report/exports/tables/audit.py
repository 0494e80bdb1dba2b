"""An audit as a table."""

import math

from nlpstat_core.report.exports.tables.table import Table, words, written
from nlpstat_core.report.wording.audit import NULL_LABELS, procedure_name, rate_text
from nlpstat_core.results.audit import AuditData, ProcedureAudit


def audit_table(found: AuditData) -> Table:
    """One row a procedure: how often it claims something where nothing differs."""
    made = found.procedures
    return Table(
        f"Null boards: {NULL_LABELS[found.null]}",
        (
            words("Procedure", map(procedure_name, made)),
            written("Boards with a false claim", map(rate_text, made), (one.family_wise for one in made)),
            written("False claims a board", map(_per_board, made), (one.per_board for one in made)),
        ),
    )


def _per_board(procedure: ProcedureAudit) -> str:
    error = procedure.per_board_error
    return f"{procedure.per_board:.3f}" + ("" if math.isnan(error) else f" ± {error:.3f}")
