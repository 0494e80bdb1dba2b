"""What an audit found: false claims of every procedure on boards where nothing differs."""

import math
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.results.analysis import AnalysisData


@dataclass(frozen=True, eq=False, kw_only=True)
class ProcedureAudit:
    """One procedure on all null boards.

    config: Its settings; the first procedure's are the analysis's own.
    claims (int array, shape (boards,)): Pairs on each board that were called different although they are not.
    separated (int array, shape (boards,)): Those of them whose better system also has the better mean, as
        ranks and clusters count them.
    histogram (int array, shape (20,)): Unadjusted p-values of true nulls in twentieths of [0, 1].
    """

    config: AnalysisConfig
    claims: IntArray
    separated: IntArray
    histogram: IntArray

    @property
    def boards(self) -> int:
        """Number of null boards."""
        return int(self.claims.size)

    @property
    def family_wise(self) -> float:
        """Share of the boards on which anything false was claimed."""
        return float(np.mean(self.claims > 0))

    @property
    def family_wise_error(self) -> float:
        """Monte Carlo standard error of that share."""
        rate = self.family_wise
        return math.sqrt(rate * (1 - rate) / self.boards)

    @property
    def per_board(self) -> float:
        """False claims on a board, on average."""
        return float(np.mean(self.claims))

    @property
    def per_board_error(self) -> float:
        """Monte Carlo standard error of that average; NaN with one board."""
        return float(np.std(self.claims, ddof=1) / math.sqrt(self.boards)) if self.boards > 1 else math.nan


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AuditData:
    """How often procedures claim something on null boards."""

    analysis: AnalysisData
    null: str
    seed: int
    null_pairs: int
    procedures: tuple[ProcedureAudit, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        tried = count_of(len(self.procedures), "procedure")
        return f"<Audit: {tried} on {count_of(self.boards, 'null board')} ({self.null})>"

    @property
    def boards(self) -> int:
        """Number of null boards."""
        return self.procedures[0].boards

    @property
    def signature(self) -> str:
        """One line that names the settings, those of the analysis behind them."""
        return f"audit:{self.null}|boards:{self.boards}|seed:{self.seed}|{self.analysis.signature}"
