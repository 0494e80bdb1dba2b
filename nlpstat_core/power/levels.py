"""The level of one comparison inside a family that is corrected together."""

import math

from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError, shown, unknown


def comparison_alpha(alpha: float, correction: str = "none", comparisons: int = 1) -> float:
    """Level at which one comparison is decided whatever becomes of the others.

    alpha: Level of the family, in (0, 1).
    comparisons: Size of the family, m.
    Returns: α without correction, 1 − (1 − α)^(1/m) for Šidák's, α/(m·Σ 1/k) for Benjamini–Yekutieli, else
        α/m. For corrections in steps and for max-T that is the strictest step: power at it is a lower bound.
    Raises ConfigError: An unknown correction, a level outside (0, 1), no comparison.

    Source: Dunn (1961), doi:10.1080/01621459.1961.10482090; Šidák (1967), doi:10.1080/01621459.1967.10482935.

    >>> comparison_alpha(0.05, "holm", 325) == 0.05 / 325
    True
    """
    if correction not in CORRECTIONS:
        raise ConfigError(unknown("correction", correction, CORRECTIONS.keys))
    if isinstance(comparisons, bool) or comparisons != int(comparisons) or comparisons < 1:
        raise ConfigError(f"comparisons must be a whole number, at least 1, not {shown(comparisons)}.")
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha must be a number above 0 and below 1, not {shown(alpha)}.")
    return CORRECTIONS[correction].level_of_one.of_one(float(alpha), int(comparisons))


def attained_level(signs: int, level: float, alternative: Alternative) -> float:
    """The largest share of all patterns of signs that doesn't exceed a level: what swaps of so few attain.

    signs: Documents or units that are swapped.
    Returns: 0 where not even the most extreme pattern is rare enough.

    >>> attained_level(6, 0.05, "two-sided"), attained_level(5, 0.05, "two-sided")
    (0.03125, 0.0)
    """
    patterns = 2.0 ** min(signs - (alternative == "two-sided"), 1000)
    return math.floor(level * patterns) / patterns if patterns < 2**50 else level


def one_direction(alternative: Alternative) -> Alternative:
    """The alternative for an effect whose sign has been dropped."""
    return "two-sided" if alternative == "two-sided" else "greater"
