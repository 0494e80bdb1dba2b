"""What a correction is given and what it returns, and the level that it leaves to one comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparisons:
    """Which scores stand behind a family of p-values.

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
    """A correction that needs nothing but the p-values."""

    def run(family: Family) -> Adjusted:
        return Adjusted(p_values=adjust(family.p_values))

    return run


_EULER = 0.5772156649015329  # Σ 1/k over k ≤ m is digamma(m + 1) + γ


@dataclass(frozen=True)
class Level:
    """The level of one comparison as a function of the family's, α, and of its size, m.

    of_family (callable (level, comparisons) → float): The way back; above 1 where no level of the family
        gives so much to one comparison.
    """

    of_one: Callable[[float, int], float]
    of_family: Callable[[float, int], float]


def _harmonic(alpha: float, comparisons: int) -> float:
    from scipy import special

    if comparisons == 1:
        return alpha
    return float(alpha / (comparisons * (special.digamma(comparisons + 1) + _EULER)))


def _from_share(of_one: Callable[[float, int], float]) -> Level:
    """A level that is a share of the family's."""

    def of_family(level: float, comparisons: int) -> float:
        return level if comparisons == 1 else level * (0.5 / of_one(0.5, comparisons))

    return Level(of_one, of_family)


WHOLE = _from_share(lambda alpha, comparisons: float(alpha))
DIVIDED = _from_share(lambda alpha, comparisons: float(alpha / comparisons))
# Independent comparisons all accepted: (1 − α′)^m = 1 − α.
PRODUCT = Level(
    lambda alpha, comparisons: alpha if comparisons == 1 else -math.expm1(math.log1p(-alpha) / comparisons),
    lambda level, comparisons: -math.expm1(comparisons * math.log1p(-level)),
)
# Benjamini and Yekutieli: α/(m·Σ 1/k).
HARMONIC = _from_share(_harmonic)
