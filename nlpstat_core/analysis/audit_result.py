"""What an audit found: false claims of every procedure on boards where nothing differs."""

from dataclasses import dataclass
from typing import Any

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.results.audit import AuditData


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Audit(AuditData):
    """How often procedures claim something on null boards.

    Attributes
    ----------
    analysis : Analysis
    null : {"resampled", "permuted", "partial", "runs"}
        How the boards were made.
    seed : int
    null_pairs : int
        Pairs of a board that do not differ.
    procedures : tuple of ProcedureAudit
        The analysis's own first.
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse, audit
    >>> values = [[3, 1], [4, 3], [5, 3], [6, 5], [9, 5], [4, 4]]
    >>> analysis = analyse(ScoreMatrix(values=values, systems=["A", "B"]), AnalysisConfig(test="t"))
    >>> found = audit(analysis, boards=10)
    >>> found.null, found.boards, found.null_pairs
    ('resampled', 10, 1)
    """

    analysis: Analysis

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain data, in the shape of audit.json."""
        from nlpstat_core.report.exports.data.audit import audit_to_dict

        return audit_to_dict(self)
