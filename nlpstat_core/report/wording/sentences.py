"""Sentences about results: labels, hypotheses, verdicts, headlines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.board.results import Leaderboard, PairTable
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of, format_score, p_equals
from nlpstat_core.methods.corrections import CORRECTIONS, family_size
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.readers.roles.documents import n_documents
from nlpstat_core.report.wording.few_units import mark_words
from nlpstat_core.report.wording.question import differ_in, quantity_of

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import Estimate, PairResult
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.methods.diagnosis.variance_ratio import VarianceRatio
    from nlpstat_core.scores.matrix import ScoreMatrix


def label_of_test(key: str | None) -> str:
    """Name of a test for people."""
    if key is None:
        return "no test"
    return "Recommended" if key == RECOMMENDED else TESTS[key].label


def hypothesis_text(key: str | None, delta: float = 0.0) -> str:
    """What a test is about, in words.

    Parameters
    ----------
    key : str or None
        `hypothesis` of a method.
    delta : float

    Returns
    -------
    str
    """
    return "nothing" if key is None else quantity_of(key).text.format(delta=f"{delta:g}")


def null_hypothesis(test: str, a: str, b: str, delta: float = 0.0) -> str:
    """The null hypothesis with the systems' names.

    Parameters
    ----------
    test : str
        Key of a test.
    a, b : str
    delta : float

    Returns
    -------
    str
    """
    return f"H0 for {a} − {b}: {TESTS[test].null.format(delta=f'{delta:g}', a=a, b=b)}."


def variance_sentence(ratio: VarianceRatio) -> str:
    """What the F test says about the spreads of two independent samples, and how far to trust it."""
    if math.isnan(ratio.p_value):
        return "The F test of equal spreads is undefined: it needs two units and some spread on each side."
    first, second = ratio.degrees_of_freedom
    return (
        f"F test of equal spreads: variance ratio {format_score(ratio.statistic)} on {first:g} and "
        f"{second:g} degrees of freedom, {p_equals(ratio.p_value)}. It answers to scores that are not normal "
        "as much as to unequal spreads; Welch's test needs no such test before it."
    )


def achieved_text(estimate: Estimate) -> str:
    """The level that an interval between order statistics really has.

    Parameters
    ----------
    estimate : Estimate

    Returns
    -------
    str
        Begins with a comma; empty where the interval has the level that was asked for.
    """
    if math.isnan(estimate.achieved):
        return ""
    return f", achieved level {100 * estimate.achieved:.3g} %"


def correction_phrase(config: AnalysisConfig) -> str:
    """How the family was corrected, for a sentence: "after Holm at 0.05"."""
    if config.correction == "none":
        return f"without correction at {config.alpha:g}"
    return f"after {CORRECTIONS[config.correction].label} at {config.alpha:g}"


def top_group(board: Leaderboard) -> tuple[str, ...]:
    """Systems whose rank interval begins at 1: no system is significantly better.

    Parameters
    ----------
    board : Leaderboard

    Returns
    -------
    tuple of str, best score first; empty when rank intervals are undefined.
    """
    if board.rank_interval is None:
        return ()
    return tuple(
        name for name, first in zip(board.system, board.rank_interval[:, 0], strict=True) if first == 1
    )


def headline(analysis: Analysis) -> str:
    """The answer in one sentence."""
    pairs, config = analysis.pairs, analysis.config
    if len(pairs) == 1:
        return f"{verdict_sentence(pairs, 0, config).removesuffix('.')}{comparing(analysis)}."
    differ = int(np.count_nonzero(pairs.separated))
    counted = f"{differ:,} of {counted_pairs(analysis)}"
    if config.baseline is not None:
        return f"Against {config.baseline}: {against_baseline(analysis)}; {counted}."
    top = top_group(analysis.leaderboard)
    if not family_size(pairs.p_value):
        return "No pair of systems could be compared."
    if differ == 0:
        return f"No evidence of a difference between any two systems: {counted}."
    if len(top) == 1:
        return f"{top[0]} is significantly better than every other system; {counted}."
    if len(top) <= 6:
        return f"Top group: {', '.join(top)}; {counted}."
    return f"Top group: {', '.join(top[:5])} and {len(top) - 5} more; {counted}."


def against_baseline(analysis: Analysis) -> str:
    """How many systems are better than the baseline, worse, or neither: "3 better, 1 worse, 2 undecided".

    Parameters
    ----------
    analysis : Analysis
        With a baseline, which is b of every pair.

    Returns
    -------
    str
    """
    pairs = analysis.pairs
    code, compared = pairs.verdict_code, ~np.isnan(pairs.p_value)
    counts = {
        "better": int(np.count_nonzero(code == 1)),
        "worse": int(np.count_nonzero(code == 2)),
        "equivalent": int(np.count_nonzero(code == 3)),
        "undecided": int(np.count_nonzero((code == 0) & compared)),
        "not compared": int(np.count_nonzero(~compared)),
    }
    always = ("better", "worse", "undecided")
    return ", ".join(f"{n:,} {word}" for word, n in counts.items() if n or word in always)


def top_sentence(analysis: Analysis) -> str:
    """What a reader wants to know first: is the best system separated from the next, and who shares the top.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
        Against a baseline, and where there is one pair or no ranking, the headline.
    """
    pairs, config, board = analysis.pairs, analysis.config, analysis.leaderboard
    if config.baseline is not None or len(pairs) == 1 or board.rank_interval is None:
        return headline(analysis)
    first, second = board.system[0], board.system[1]
    row = pairs.find(int(board.column[0]), int(board.column[1]))
    if row is None or math.isnan(pairs.p_value[row]):
        return headline(analysis)
    adjusted = config.correction != "none"
    if adjusted:
        evidence = (
            f"{p_equals(float(pairs.p_adjusted[row]), 'adjusted p')}, {CORRECTIONS[config.correction].label}"
        )
    else:
        evidence = f"{p_equals(float(pairs.p_value[row]))}, not corrected"
    verdict = {0: "isn't separated from", 3: "is equivalent to"}.get(
        int(pairs.verdict_code[row]), "is separated from"
    )
    top = top_group(board)
    if len(top) == 1:
        shared = f"{top[0]} holds the top alone"
    else:
        shared = f"{len(top):,} of {len(board):,} systems share the top"
    return f"{first} {verdict} {second} ({evidence}); {shared}."


def counted_pairs(analysis: Analysis) -> str:
    """How many pairs were judged, and after what: "120 pairs differ in the mean after Holm at
    0.05".

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
        Says so where the family goes beyond this board.
    """
    own, whole = family_size(analysis.pairs.p_value), analysis.family_size
    beyond = "" if own == whole else f" over {whole:,} comparisons on several boards"
    what = differ_in(analysis.config, analysis.pairs)
    how = f"{correction_phrase(analysis.config)}{beyond}{comparing(analysis)}"
    return f"{own:,} pairs differ {what} {how}"


def comparing(analysis: Analysis) -> str:
    """That documents were compared, for the end of a sentence; empty where units are independent."""
    column = analysis.config.block_column
    return "" if column is None else f", comparing {documents_phrase(analysis.units, column)}"


def documents_phrase(units: ScoreMatrix, column: str) -> str:
    """The documents of units that have scores: "170 documents (column doc)"."""
    return f"{count_of(n_documents(units, column), 'document')} (column {shown(column)[1:-1]})"


def verdict_sentence(
    pairs: PairTable, row: int, config: AnalysisConfig, *, family: int | None = None, swapped: bool = False
) -> str:
    """What was decided about one pair: the sentence of a heatmap cell.

    Parameters
    ----------
    pairs : PairTable
    row : int
    config : AnalysisConfig
    family : int or None
        Family size, told when given.
    swapped : bool
        Speak of b − a: somebody who looks from b to a reads the pair in this order.

    Returns
    -------
    str
    """
    left, right = pairs.systems[pairs.left[row]], pairs.systems[pairs.right[row]]
    a, b = (right, left) if swapped else (left, right)
    adjusted, alone = float(pairs.p_adjusted[row]), float(pairs.p_value[row])
    test = None if pairs.test_code[row] < 0 else pairs.tests[pairs.test_code[row]]
    text = label_of_test(test)
    if math.isnan(alone):
        if pairs.n_units[row] == 0:
            return f"{a} and {b} share no unit, so they were not compared."
        return f"{a} and {b}: {text} is undefined for this pair."
    if len(pairs) == 1:
        evidence = f"{text}, {p_equals(alone)}"
    elif config.correction == "none":
        evidence = f"{text}, {p_equals(alone)}, not corrected"
    else:
        of = f" of {family} pairs" if family else ""
        label = CORRECTIONS[config.correction].label
        evidence = f"{text}, {p_equals(adjusted, 'adjusted p')} ({label}{of}), {p_equals(alone)}"
    gap = format_score((-1.0 if swapped else 1.0) * float(pairs.difference[row]))
    if not pairs.significant[row]:
        verdict = f"No evidence of a difference between {a} and {b}"
        if pairs.equivalent is not None and pairs.equivalent[row]:
            verdict = f"{a} and {b} are equivalent within ±{config.equivalence_margin:g}"
    elif not pairs.separated[row]:
        board = pairs.notes.get("direction-contradicts-board")
        other = "the order of the board" if board is not None and board[row] else "the mean"
        verdict = f"{a} and {b} are not separated: the test and {other} point in opposite directions"
    else:
        ahead, behind = (left, right) if pairs.better_code[row] > 0 else (right, left)
        verdict = f"{ahead} is better than {behind}"
    rests = mark_words(pairs, row, config)
    return f"{verdict} (difference {a} − {b}: {gap}; {evidence}).{rests}"


def mixture(pairs: PairTable) -> dict[str, int]:
    """How many pairs each test was used for, most used first."""
    used = pairs.test_code[(pairs.test_code >= 0) & ~np.isnan(pairs.p_value)]
    codes, counts = np.unique(used, return_counts=True)
    found = {pairs.tests[code]: int(count) for code, count in zip(codes, counts, strict=True)}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def pair_headline(pair: PairResult, config: AnalysisConfig, *, family: int | None = None) -> str:
    """The answer for one pair in one sentence.

    Parameters
    ----------
    pair : PairResult
    config : AnalysisConfig
    family : int or None
        Family size, when known: a pair alone has no adjusted p besides its p.

    Returns
    -------
    str
    """
    a, b = pair.system_a, pair.system_b
    if math.isnan(pair.p_value):
        if pair.n_units == 0:
            return f"{a} and {b} share no unit, so they were not compared."
        return f"{label_of_test(pair.test)} is undefined for {a} and {b}."
    if family == 1 and (config.correction == "none" or pair.p_adjusted == pair.p_value):
        adjusted = ""
    elif config.correction == "none":
        adjusted = ", not corrected"
    else:
        label = CORRECTIONS[config.correction].label
        adjusted = f", {p_equals(pair.p_adjusted, 'adjusted p')} ({label})"
    evidence = f"{label_of_test(pair.test)}: {p_equals(pair.p_value)}{adjusted}"
    if pair.verdict == "undecided":
        return f"No evidence of a difference between {a} and {b} at {config.alpha:g} ({evidence})."
    if pair.verdict == "equivalent":
        return f"{a} and {b} are equivalent within {config.equivalence_margin:g} ({evidence})."
    other = b if pair.better == a else a
    return f"{pair.better} is better than {other} at {config.alpha:g} ({evidence})."
