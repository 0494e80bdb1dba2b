"""What a correction is given and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparisons:
    """Which scores stand behind a family of p-values.

    units: The evaluation units that were compared.
    config: The test, its alternative, δ, seed and resamples.
    progress (callable (resamples done, resamples in all) or None): Told by a correction that resamples, chunk
        by chunk.
    """

    units: ScoreMatrix
    left: IntArray
    right: IntArray
    config: AnalysisConfig
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Family:
    """p-values that are corrected together.

    p_values (float array, shape (n_pairs,)): In [0, 1], none undefined when a correction sees them.
    comparisons: None where only p-values are known.
    """

    p_values: FloatArray
    comparisons: Comparisons | None = None

    def members(self, chosen: BoolArray) -> Family:
        """The family of some of the pairs."""
        if chosen.all():
            return self
        known = self.comparisons
        if known is not None:
            known = replace(known, left=known.left[chosen], right=known.right[chosen])
        return Family(p_values=self.p_values[chosen], comparisons=known)


@dataclass(frozen=True, eq=False, kw_only=True)
class Adjusted:
    """A corrected family.

    notes (mapping of str to bool array): Note codes and the pairs they concern.
    """

    p_values: FloatArray
    notes: dict[str, BoolArray] = field(default_factory=dict)


CorrectionRun = Callable[[Family], Adjusted]


def on_p_values(adjust: Callable[[FloatArray], FloatArray]) -> CorrectionRun:
    """A correction that needs nothing but the p-values.

    adjust (callable, shape (n,) → (n,)).
    """

    def run(family: Family) -> Adjusted:
        return Adjusted(p_values=adjust(family.p_values))

    return run
