"""Sentences on Bayesian answers. A posterior is never called significant."""

import math

import numpy as np

from nlpstat_core.formatting import count_of, format_score
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.methods.bayes.bayesian_bootstrap import SHORT
from nlpstat_core.report.wording.probabilities import equals_probability, plain_probability, probability
from nlpstat_core.report.wording.sentences import withheld
from nlpstat_core.report.wording.verdicts import sentence_before_settled
from nlpstat_core.results.posterior import PosteriorData

VERDICT_WORDS = {
    "better": "better",
    "worse": "worse",
    "equivalent": "practically equivalent",
    "undecided": "undecided",
}

NOT_P = (
    "This is a probability of the difference, given the data and a prior; p is how often data at least as "
    "far from the null hypothesis would come up if it were true. With margin 0 and a flat prior the first is "
    "1 − the one-sided p of the t test: the same evidence on another scale, not more of it."
)
WHICH_ONE = (
    "Report the test when you claim a difference and want a bounded rate of false claims over the whole "
    "board; report the posterior when you want to say how probable a difference of practical size is, or "
    "that two systems are practically equivalent. Choose before you look, and give the margin and the prior."
)


def within_text(found: PosteriorData, row: int) -> str:
    """The probability of practical equivalence; a dash where no region is set."""
    return probability(float(found.pairs.within[row])) if found.margin else "–"


def pair_sentence(found: PosteriorData, row: int) -> str:
    """What the posterior says of a pair."""
    pairs = found.pairs
    a, b = pairs.system_a[row], pairs.system_b[row]
    if withheld(found.analysis) is not None:
        return sentence_before_settled(str(a), str(b))
    if math.isnan(pairs.greater[row]):
        no_spread = pairs.notes.get("no-spread")
        if no_spread is not None and no_spread[row]:
            return (
                f"No posterior for {a} and {b}: every item has the same difference, "
                f"{format_score(float(pairs.difference[row]))}, and nothing says how much others would vary."
            )
        return f"Nothing can be said about {a} and {b}: they share too few items."
    verdict = pairs.verdict[row]
    better, worse = float(pairs.better[row]), float(pairs.worse[row])
    if verdict in ("better", "worse"):
        one, two = (a, b) if verdict == "better" else (b, a)
        by = f" by more than {format_score(found.margin)}" if found.margin else ""
        claimed = plain_probability(max(better, worse))
        return f"{one} is better than {two}{by} with posterior probability {claimed}."
    if verdict == "equivalent":
        return (
            f"{a} and {b} are practically equivalent (within ±{format_score(found.margin)}) with posterior "
            f"probability {plain_probability(float(pairs.within[row]))}."
        )
    parts = [f"P({a} better) {equals_probability(better)}", f"P({b} better) {equals_probability(worse)}"]
    if found.margin:
        parts.insert(1, f"P(practically equivalent) {equals_probability(float(pairs.within[row]))}")
    if pairs.withheld[row]:
        why = "so few items" if pairs.notes.get(SHORT, pairs.withheld)[row] else "differences so skewed"
        return f"No verdict: {', '.join(parts)}, but with {why} the Bayesian bootstrap is too sure of itself."
    return f"Undecided: {', '.join(parts)}; none reaches {found.threshold:g}."


def board_sentence(found: PosteriorData) -> str:
    """What the posterior says of a board in one sentence, or why nothing yet."""
    if (why := withheld(found.analysis)) is not None:
        return why
    verdicts = found.pairs.verdict_code
    decided = int(np.count_nonzero((verdicts == 1) | (verdicts == 2)))
    same = int(np.count_nonzero(verdicts == 3))
    total = count_of(len(found.pairs), "pair")
    region = f" by more than {format_score(found.margin)}" if found.margin else ""
    parts = [f"in {decided:,} of {total} one system is better{region}"]
    if found.margin:
        parts.append(f"in {same:,} the two are practically equivalent")
    claimed = " and ".join(parts)
    text = f"With posterior probability {found.threshold:g} or more, {claimed}; the others are undecided."
    unsure = found.pairs.withheld
    if unsure.any():
        text = f"{text[:-1]}, {int(unsure.sum()):,} of them without a verdict (few items, or skewed)."
    if found.board is None:
        return text
    first = int(np.argmax(found.board.best))
    own = (found.pairs.left == first) | (found.pairs.right == first)
    if (unsure | np.isnan(found.pairs.greater))[own].any():  # a pair without a verdict, or undefined
        return text
    low, high = (int(end) for end in found.board.rank_interval[first])
    ranks = f"rank {low}" if low == high else f"ranks {low} to {high}"
    return (
        f"{text} {found.board.ranks.systems[first]} is the best system with probability "
        f"{plain_probability(float(found.board.best[first]))} ({ranks} at {100 * found.board.level:g} %)."
    )


def margin_sentence(found: PosteriorData) -> str:
    """What counts as better, and from which probability on; and that it isn't the test's answer."""
    region = (
        f"Differences within ±{format_score(found.margin)} count as practically equivalent"
        if found.margin
        else "No region of practical equivalence is set, so that any difference counts"
    )
    return (
        f"{region}; claims need a posterior probability of at least {found.threshold:g}. These are "
        "probabilities given the data and a prior; they complement the tests and don't replace them."
    )


def prior_sentence(found: PosteriorData) -> str:
    """Which models and priors the numbers rest on."""
    used = [key for key in MODELS.keys if key in found.pairs.model]
    parts = [f"Pairs: {'; '.join(MODELS[key].label for key in used) or 'no model'}."]
    if found.board is not None and found.board.model == "partial-pooling":
        parts.append(
            f"Ranks and shrunken scores: partial pooling, half-Cauchy prior of scale "
            f"{format_score(found.board.prior)} (the standard deviation of one "
            f"{'document' if found.analysis.config.block_column is not None else 'item'}) on the standard "
            f"deviation between systems, whose posterior mean is {format_score(found.board.tau)}; "
            f"{found.draws:,} draws of ranks."
        )
    elif found.board is not None:
        parts.append(f"Ranks: Bayesian bootstrap, {found.draws:,} draws.")
    if found.analysis.units.measured is None:
        parts.append(f"Bayes factor: Cauchy prior of scale {found.scale:.3g} on the standardised difference.")
    return " ".join(parts)
