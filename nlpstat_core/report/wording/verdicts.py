"""Sentences about one pair: what was decided, and what that means."""

import math

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.formatting import format_score, p_equals
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.notes import doubts
from nlpstat_core.report.wording.few_units import mark_words
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import VERDICTS, PairTable
from nlpstat_core.results.pair import PairData

EQUIVALENT = VERDICTS.index("equivalent")
TWO_TESTS = "two one-sided tests"  # what equivalence rests on


def verdict_sentence(
    pairs: PairTable, row: int, config: AnalysisConfig, *, family: int | None = None, swapped: bool = False
) -> str:
    """What was decided about one pair: the sentence of a heatmap cell.

    family: Family size, told when given.
    swapped: Speak of b − a: somebody who looks from b to a reads the pair in this order.
    """
    return _verdict(pairs, row, config, family, swapped=swapped) + mark_words(pairs, row, config)


def sentence_before_settled(a: str, b: str) -> str:
    """What stands in the place of a pair's answer while it isn't settled how the file is read."""
    return f"{a} and {b}: no result is given until the questions about how the file was read are answered."


def sentence_of_pair(analysis: AnalysisData, row: int, *, swapped: bool = False) -> str:
    """What was decided about one pair of a board, or that it isn't said yet. `swapped`: speak of b − a."""
    pairs = analysis.pairs
    if doubts(analysis.scores.notes):
        names = (pairs.systems[pairs.left[row]], pairs.systems[pairs.right[row]])
        a, b = names[::-1] if swapped else names
        return sentence_before_settled(a, b)
    return verdict_sentence(pairs, row, analysis.config, family=analysis.family_size, swapped=swapped)


def _verdict(pairs: PairTable, row: int, config: AnalysisConfig, family: int | None, *, swapped: bool) -> str:
    left, right = pairs.systems[pairs.left[row]], pairs.systems[pairs.right[row]]
    a, b = (right, left) if swapped else (left, right)
    alone, adjusted = deciding_p(pairs, row)
    alpha, equivalent = config.alpha, pairs.verdict_code[row] == EQUIVALENT
    test = None if pairs.test_code[row] < 0 else pairs.tests[pairs.test_code[row]]
    text = TWO_TESTS if equivalent else label_of_test(test)
    if math.isnan(alone):
        if pairs.n_units[row] == 0:
            return f"{a} and {b} share no item, so they were not compared."
        return f"{a} and {b}: {text} is undefined for this pair."
    if len(pairs) == 1 and (config.correction == "none" or adjusted == alone):
        evidence = f"{text}, {p_equals(alone, alpha=alpha)}"
    elif config.correction == "none":
        evidence = f"{text}, {p_equals(alone, alpha=alpha)}, not corrected"
    else:
        of = f" of {family} pairs" if family else ""
        label = CORRECTIONS[config.correction].label
        p = p_equals(adjusted, "adjusted p", alpha=alpha)
        evidence = f"{text}, {p} ({label}{of}), {p_equals(alone, alpha=alpha)}"
    first, second = a, b
    if equivalent:
        verdict = f"{a} and {b} are equivalent within ±{config.equivalence_margin:g}"
    elif not pairs.significant[row]:
        verdict = f"No evidence of a difference between {a} and {b}"
    elif pairs.better_code[row] == 0:
        verdict = short_of_delta(a, b, -config.delta if swapped else config.delta)
    elif not pairs.separated[row]:
        other = _contradicted(pairs, row)
        verdict = f"{a} and {b} are not separated: the test and {other} point in opposite directions"
    else:
        ahead, behind = (left, right) if pairs.better_code[row] > 0 else (right, left)
        verdict = f"{ahead} is better than {behind}"
        first, second = ahead, behind  # the sign is that of the sentence
    gap = format_score((1.0 if first == left else -1.0) * float(pairs.difference[row]))
    return f"{verdict} (difference {first} − {second}: {gap}; {evidence})."


def deciding_p(pairs: PairTable, row: int) -> tuple[float, float]:
    """The p-value that a verdict rests on, alone and adjusted: that of equivalence where it says so."""
    if pairs.verdict_code[row] == EQUIVALENT:
        assert pairs.p_equivalence is not None
        assert pairs.p_equivalence_adjusted is not None
        return float(pairs.p_equivalence[row]), float(pairs.p_equivalence_adjusted[row])
    return float(pairs.p_value[row]), float(pairs.p_adjusted[row])


def short_of_delta(a: str, b: str, delta: float) -> str:
    """That a test against a hypothesised difference found one, but not who is better."""
    return f"The difference {a} − {b} is found to be other than {delta:g}, which doesn't say who is better"


def _contradicted(pairs: PairTable, row: int) -> str:
    """What the significant test of a pair that isn't separated points against."""
    board = pairs.notes.get("direction-contradicts-board")
    return "the order of the board" if board is not None and board[row] else "the mean"


def pair_headline(pair: PairData, config: AnalysisConfig, *, family: int | None = None) -> str:
    """The answer for one pair in one sentence. `family`: without one there is no adjusted p."""
    a, b = pair.system_a, pair.system_b
    test, p_value, corrected = label_of_test(pair.test), pair.p_value, pair.p_adjusted
    if pair.verdict == "equivalent":
        assert pair.p_equivalence is not None
        assert pair.p_equivalence_adjusted is not None
        test, p_value, corrected = TWO_TESTS, pair.p_equivalence, pair.p_equivalence_adjusted
    if math.isnan(p_value):
        if pair.n_units == 0:
            return f"{a} and {b} share no item, so they were not compared."
        return f"{test} is undefined for {a} and {b}."
    if family == 1 and (config.correction == "none" or corrected == p_value):
        adjusted = ""
    elif config.correction == "none":
        adjusted = ", not corrected"
    else:
        label = CORRECTIONS[config.correction].label
        adjusted = f", {p_equals(corrected, 'adjusted p', alpha=config.alpha)} ({label})"
    evidence = f"{test}: {p_equals(p_value, alpha=config.alpha)}{adjusted}"
    if pair.verdict == "undecided" and pair.significant and pair.better is None:
        return f"{short_of_delta(a, b, config.delta)} ({evidence})."
    if pair.verdict == "undecided" and pair.significant:
        by_order = any(note.code == "direction-contradicts-board" for note in pair.notes)
        other = "the order of the board" if by_order else "the mean"
        return (
            f"{a} and {b} are not separated: the test and {other} point in opposite directions ({evidence})."
        )
    if pair.verdict == "undecided":
        return f"No evidence of a difference between {a} and {b} at {config.alpha:g} ({evidence})."
    if pair.verdict == "equivalent":
        return f"{a} and {b} are equivalent within {config.equivalence_margin:g} ({evidence})."
    other = b if pair.better == a else a
    return f"{pair.better} is better than {other} at {config.alpha:g} ({evidence})."
