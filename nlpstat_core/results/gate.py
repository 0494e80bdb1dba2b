"""What a gate decided."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from nlpstat_core.notes import doubts
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.version import VERSION

Decision = Literal["pass", "fail", "undecided"]


def overall(decisions: Iterable[Decision]) -> Decision:
    """Fail where one fails, undecided where one is, else pass."""
    found = set(decisions)
    return "fail" if "fail" in found else "undecided" if "undecided" in found else "pass"


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One system against the baseline; differences are candidate − baseline, metric points.

    score, baseline_score, difference: Over the units both have.
    interval: Of the difference, at level 1 − 2·alpha/k for k candidates: it excludes −margin wherever a
        decision is taken.
    test: Key of the test really used.
    p_non_inferior, p_inferior, p_superior: One-sided, single: of "worse by the margin or more", of "worse by
        less", of "not better". NaN where the test knows no shift (counts).
    superior: Better than the baseline at the same level.
    units_to_decide: Where undecided: units with which a true difference as large as today's would be decided
        with a chance of 80 %, or which the skewness of the differences wants. None where today's difference
        lies on the margin.
    skewness: Of the gains over the baseline, of documents as if each unit were one; far below 0 where a few
        units lose much. NaN for counts.
    too_skewed: Undecided although the test rejects: narrowly, and on fewer units than differences so skewed
        want.
    """

    system: str
    score: float
    baseline_score: float
    difference: float
    interval: tuple[float, float]
    n_units: int
    test: str | None
    p_non_inferior: float
    p_inferior: float
    p_superior: float
    decision: Decision
    superior: bool
    units_to_decide: int | None
    skewness: float
    too_skewed: bool

    def to_dict(self) -> dict[str, Any]:
        """As plain data; undefined numbers are None."""
        ends = list(map(_plain, self.interval))
        return {name: ends if name == "interval" else _plain(value) for name, value in vars(self).items()}


@dataclass(frozen=True, kw_only=True)
class GateData:
    """Every candidate against one baseline."""

    baseline: str
    margin: float
    alpha: float
    lower_is_better: bool
    candidates: tuple[Candidate, ...]
    analysis: AnalysisData

    @property
    def comparison_alpha(self) -> float:
        """Level of one candidate's one-sided p: alpha over the number of candidates."""
        return self.alpha / len(self.candidates)

    @property
    def waits(self) -> bool:
        """Whether it isn't settled how the file is read, so that nothing is decided."""
        return bool(doubts(self.analysis.scores.notes))

    @property
    def decision(self) -> Decision:
        """Fail where a candidate fails, undecided where one is, else pass."""
        return overall(one.decision for one in self.candidates)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "version": VERSION,
            "decision": self.decision,
            "baseline": self.baseline,
            "margin": self.margin,
            "alpha": self.alpha,
            "lower_is_better": self.lower_is_better,
            "fingerprint": self.analysis.fingerprint,
            "config": self.analysis.config.to_dict(),
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "notes": [note.to_dict() for note in self.analysis.notes],
        }


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not np.isfinite(value) else value
