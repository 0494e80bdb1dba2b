"""A posterior probability in a sentence, a table or a formula."""

import math


def probability(value: float) -> str:
    """A posterior probability for people: never 0 and never 1.

    >>> probability(0.98765), probability(0.99997), probability(2e-9), probability(1.0)
    ('0.988', '> 0.999', '< 0.001', '> 0.999')
    """
    if math.isnan(value):
        return "undefined"
    if value < 0.001:
        return "< 0.001"
    return "> 0.999" if value > 0.999 else f"{value:.3f}"


def plain_probability(value: float) -> str:
    """As it stands in a sentence: "above 0.999" instead of a sign."""
    text = probability(value)
    return f"above {text[2:]}" if text.startswith(">") else text


def equals_probability(value: float) -> str:
    """With its sign: = 0.95, or > 0.999."""
    text = probability(value)
    return text if text[0] in "<>" else f"= {text}"
