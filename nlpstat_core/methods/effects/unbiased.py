"""Hedges' factor, which frees a standardised mean of its bias in small samples."""

import math


def unbiasing_factor(df: float) -> float:
    """Hedges' J for this many degrees of freedom.

    Returns: NaN up to one degree of freedom, where d has no mean.

    J = Γ(m/2)/(√(m/2)·Γ((m − 1)/2)) for m degrees of freedom.

    Source: Hedges (1981), doi:10.3102/10769986006002107.
    """
    if df <= 1:
        return math.nan
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
