"""Conventional names of the sizes of effects, with the caution that belongs to them."""

import math

from nlpstat_core.catalogue import EFFECTS
from nlpstat_core.formatting import format_score
from nlpstat_core.results.pair import Estimate

NAMES = ("negligible", "small", "medium", "large")
CAUTION = (
    "Small, medium and large are conventions of the behavioural sciences (Cohen, 1988): in a shared task a "
    "negligible effect may matter and a large one may not."
)


def magnitude(key: str, value: float) -> str | None:
    """The conventional name of an effect's size.

    Returns: None for indexes without a convention (Wilcoxon's r among them: its largest value depends on the
        data) and for undefined values.

    >>> magnitude("cohen-g", -0.17619), magnitude("odds-ratio", 1 / 2.0882), magnitude("cohen-d", 0.099)
    ('medium', 'medium', 'negligible')
    """
    record = EFFECTS[key]
    limits = record.conventions
    if limits is None or math.isnan(value):
        return None
    size = abs(value)
    if record.swapping == "reciprocal" and size < 1:
        size = 1 / size if size else math.inf
    return NAMES[sum(size >= limit for limit in limits)]


def effect_text(key: str, effect: Estimate) -> str:
    """The value of an effect size with its name, or with the largest size that the data could reach."""
    text = format_score(effect.value)
    if (name := magnitude(key, effect.value)) is not None:
        return f"{text} ({name})"
    if not math.isnan(effect.largest):
        return f"{text} (attainable: ±{format_score(effect.largest)})"
    return text
