"""What a correction leaves of the family's level for one comparison, and the way back."""

import math
from collections.abc import Callable
from dataclasses import dataclass

_EULER = 0.5772156649015329  # Σ 1/k over k ≤ m is digamma(m + 1) + γ


@dataclass(frozen=True)
class Level:
    """The level of one comparison as a function of the family's, α, and of its size, m.

    of_one (callable (alpha, comparisons) → float).
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
