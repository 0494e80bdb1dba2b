"""A Bayes factor in words, on Jeffreys' scale."""

import math

from nlpstat_core.methods.bayes.jzs import SENSITIVITY
from nlpstat_core.results.posterior import PosteriorData

# From which BF on (its reciprocal below 1) Jeffreys' words apply; a convention, as every such scale.
JEFFREYS = (
    (100.0, "decisive"),
    (30.0, "very strong"),
    (10.0, "strong"),
    (10.0**0.5, "substantial"),
    (1.0, "barely worth mentioning"),
)


def factor_text(log_bf: float) -> str:
    """A Bayes factor as a number.

    log_bf: Natural logarithm.

    >>> factor_text(2.848), factor_text(-2.2), factor_text(2000.0)
    ('17.3', '0.111', '10^868.6')
    """
    if math.isnan(log_bf):
        return "undefined"
    if math.isinf(log_bf):
        return "infinite"
    if abs(log_bf) > 14:
        return f"10^{log_bf / math.log(10):.1f}"
    return f"{math.exp(log_bf):.3g}" if log_bf < math.log(1000) else f"{math.exp(log_bf):,.0f}"


def factor_words(log_bf: float) -> str:
    """What Jeffreys calls evidence of this size, with its direction.

    >>> factor_words(2.848), factor_words(-1.5)
    ('strong evidence for a difference', 'substantial evidence for no difference')
    """
    if math.isnan(log_bf):
        return "undefined"
    side = "a difference" if log_bf >= 0 else "no difference"
    word = next(word for least, word in JEFFREYS if abs(log_bf) >= math.log(least))
    return f"evidence for {side} {word}" if word.startswith("barely") else f"{word} evidence for {side}"


def factor_sentence(found: PosteriorData, row: int) -> str:
    """The Bayes factor of a pair with its words and how it depends on the prior."""
    log_bf = float(found.pairs.log_bf[row])
    if math.isnan(log_bf):
        return (
            "The Bayes factor is undefined for this pair: it needs differences of two items that are not the "
            "same everywhere."
        )
    rows = zip(SENSITIVITY, found.pairs.sensitivity[row], strict=True)
    beside = ", ".join(f"{factor_text(value)} (r = {scale:.3g})" for scale, value in rows)
    return (
        f"Bayes factor BF10 = {factor_text(log_bf)}: {factor_words(log_bf)} in the words of Jeffreys, a "
        f"convention. It depends on the width of the prior: {beside}."
    )
