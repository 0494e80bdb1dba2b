"""Conventional names of the sizes of effects, with the caution that belongs to them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nlpstat_core.formatting import format_score

if TYPE_CHECKING:
    from nlpstat_core.pairs.pair import Estimate

NAMES = ("negligible", "small", "medium", "large")
# Where small, medium and large begin, on the absolute value or on the odds ratio above 1.
_STANDARDISED, _SHARE, _ODDS = (0.2, 0.5, 0.8), (0.05, 0.15, 0.25), (1.22, 1.86, 3.00)
LIMITS: dict[str, tuple[float, float, float]] = {
    "cohen-d": _STANDARDISED,
    "cohen-d-av": _STANDARDISED,
    "hedges-g": _STANDARDISED,
    "odds-ratio": _ODDS,
    "cohen-g": _SHARE,
}
CAUTION = (
    "Small, medium and large are conventions of the behavioural sciences (Cohen, 1988): in a shared task a "
    "negligible effect may matter and a large one may not."
)


def magnitude(key: str, value: float) -> str | None:
    """The conventional name of an effect's size.

    Parameters
    ----------
    key : str
        Key of an effect size.
    value : float

    Returns
    -------
    str or None
        None for indexes without a convention (Wilcoxon's r among them: its largest value depends on the
        data) and for undefined values.

    Examples
    --------
    >>> magnitude("cohen-g", -0.17619), magnitude("odds-ratio", 1 / 2.0882), magnitude("cohen-d", 0.099)
    ('medium', 'medium', 'negligible')
    """
    limits = LIMITS.get(key)
    if limits is None or math.isnan(value):
        return None
    size = abs(value)
    if key == "odds-ratio" and size < 1:
        size = 1 / size if size else math.inf
    return NAMES[sum(size >= limit for limit in limits)]


def effect_text(key: str, effect: Estimate) -> str:
    """The value of an effect size with its name, or with the largest size that the data could reach.

    Parameters
    ----------
    key : str
    effect : Estimate

    Returns
    -------
    str
    """
    told = format_score(effect.value)
    if (name := magnitude(key, effect.value)) is not None:
        return f"{told} ({name})"
    if not math.isnan(effect.largest):
        return f"{told} (attainable: ±{format_score(effect.largest)})"
    return told
