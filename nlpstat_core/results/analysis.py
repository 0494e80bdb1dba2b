"""What an analysis found."""

from dataclasses import dataclass

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.notes import Note
from nlpstat_core.results.columns import Leaderboard, PairTable
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.version import VERSION


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AnalysisData:
    """Everything one analysis found, column by column."""

    config: AnalysisConfig
    scores: ScoreMatrix
    units: ScoreMatrix
    leaderboard: Leaderboard
    pairs: PairTable
    omnibus: Omnibus | None
    family_size: int
    notes: tuple[Note, ...]

    @property
    def version(self) -> str:
        """Version of the software."""
        return VERSION

    @property
    def signature(self) -> str:
        """One line that names the settings."""
        return self.config.signature

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the scores as given."""
        return self.scores.fingerprint
