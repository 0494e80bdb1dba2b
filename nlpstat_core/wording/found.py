"""What was found, and what could have been found, as sentences of the methods paragraph."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.corrections import CORRECTIONS
from nlpstat_core.effects import EFFECTS, effect_for
from nlpstat_core.errors import ConfigError
from nlpstat_core.formatting import format_interval, format_score, p_equals
from nlpstat_core.significance import TESTS
from nlpstat_core.wording.sentences import correction_phrase, label_of_test

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

POWER = 0.8
# Which planned test stands for the power of a test of the board, where planning knows one.
_PLANNED = {
    "t": "t",
    "permutation-mean": "t",
    "bootstrap-mean": "t",
    "wilcoxon": "wilcoxon",
}


@dataclass(frozen=True)
class Statement:
    """One sentence of the paragraph.

    Attributes
    ----------
    text : str
        Without the full stop, which comes after the citation.
    references : tuple of str
        Keys of `nlpstat_core.references.REFERENCES`.
    """

    text: str
    references: tuple[str, ...] = ()


def named_test(test: str) -> str:
    """A test's label inside a sentence: proper names keep their capital.

    Parameters
    ----------
    test : str

    Returns
    -------
    str

    Examples
    --------
    >>> named_test("t"), named_test("mcnemar"), named_test("wilcoxon")
    ('the paired t test', "McNemar's test", 'the Wilcoxon signed-rank test')
    """
    label = TESTS[test].label
    first = label.split()[0]
    if first.endswith("'s"):
        return label
    proper = first.startswith(("Wilcoxon", "Welch", "Student", "Mann"))
    return f"the {label if proper else label[0].lower() + label[1:]}"


def found_statements(analysis: Analysis) -> Iterator[Statement]:
    """How many pairs differ, the test of all systems at once, and the pair at the top.

    Parameters
    ----------
    analysis : Analysis

    Yields
    ------
    Statement
    """
    pairs, omnibus = analysis.pairs, analysis.omnibus
    if len(pairs) > 1:
        differ = int(np.count_nonzero(pairs.separated))
        phrase = correction_phrase(analysis.config)
        yield Statement(f"{differ:,} of {analysis.family_size:,} pairs differ {phrase}")
    if omnibus is not None and not math.isnan(omnibus.statistic):
        freedom = ", ".join(f"{value:g}" for value in omnibus.degrees_of_freedom)
        p_value = p_equals(omnibus.p_value)
        yield Statement(
            f"Friedman's test of all systems at once on {omnibus.n_units:,} units: χ²({freedom}) = "
            f"{format_score(omnibus.statistic)}, {p_value}",
            ("friedman1937",),
        )
    row = top_pair(analysis)
    if row is not None:
        yield Statement(pair_statement(analysis, row))


def top_pair(analysis: Analysis) -> int | None:
    """Row of the pair that a paper talks about first: the two best systems, or the best and the baseline.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    int or None
        None where they were not compared.
    """
    board, config = analysis.leaderboard, analysis.config
    first, second = int(board.column[0]), int(board.column[1])
    if config.baseline is not None:
        baseline = analysis.units.index(config.baseline)
        first = int(next(column for column in board.column if column != baseline))
        second = baseline
    return analysis.pairs.find(first, second)


def pair_statement(analysis: Analysis, row: int) -> str:
    """One pair with everything a report owes it.

    Parameters
    ----------
    analysis : Analysis
    row : int
        Row of the pair table.

    Returns
    -------
    str
        Sample size, difference, statistic, p, adjusted p, effect sizes with intervals.
    """
    pairs, config = analysis.pairs, analysis.config
    a, b = pairs.systems[pairs.left[row]], pairs.systems[pairs.right[row]]
    level = f"{100 * config.level:g} %"
    gap = format_score(float(pairs.difference[row]))
    ends = format_interval(*(float(end) for end in pairs.interval[row]))
    unpaired = bool(pairs.unpaired[row])
    n = f"{int(pairs.n_a[row]):,} and {int(pairs.n_b[row]):,}" if unpaired else f"{int(pairs.n_units[row]):,}"
    parts = [f"{a} − {b}: n = {n}, mean difference {gap} (single {level} interval {ends})"]
    if pairs.test_code[row] >= 0:
        statistic = format_score(float(pairs.statistic[row]))
        label = label_of_test(pairs.tests[pairs.test_code[row]])
        parts.append(f"{label}, statistic {statistic}, {p_equals(float(pairs.p_value[row]))}")
    if config.correction != "none" and len(pairs) > 1:
        label = CORRECTIONS[config.correction].label
        parts.append(f"{p_equals(float(pairs.p_adjusted[row]), 'adjusted p')} ({label})")
    for key, effect in pairs.effects.items():
        method = effect_for(key, unpaired=unpaired) or EFFECTS[key]
        told = f"{method.label} {format_score(float(effect.value[row]))}"
        if effect.interval is not None:
            told += f" {format_interval(*(float(end) for end in effect.interval[row]))}"
        parts.append(told)
    return "; ".join(parts)


def power_statement(analysis: Analysis) -> Iterator[Statement]:
    """The smallest difference that this many units show with a power of 80 %, if planning knows the test.

    Parameters
    ----------
    analysis : Analysis

    Yields
    ------
    Statement
        None for independent samples, units in blocks, counts, 0/1 scores and tests that planning does not
        know.
    """
    from nlpstat_core.power import plan

    config = analysis.config
    test = _PLANNED.get(config.test)
    if config.test == "recommended" and analysis.units.counts is None:
        test = "t"
    if test is None or config.block_column is not None or not len(analysis.pairs):
        return
    if analysis.pairs.unpaired.any():
        return
    few = int(analysis.pairs.n_units.min())
    try:
        needed = plan(
            units=few,
            power=POWER,
            alpha=config.alpha,
            test=test,
            alternative=config.alternative,
            correction=config.correction,
            comparisons=max(analysis.family_size, 1),
        ).effect
    except ConfigError:  # so few units that no difference reaches this power
        yield Statement(f"With {few:,} units no difference is found with a power of 80 %")
        return
    level = f"{config.alpha:g}"
    if config.correction != "none" and analysis.family_size > 1:
        level += f" after correction for {analysis.family_size:,} pairs at its hardest step"
    yield Statement(
        f"Minimum detectable difference: with {few:,} units, {named_test(test)} at {level} finds a "
        f"difference of {needed:.2g} standard deviations of the differences with a power of "
        "80 %, if they are normal",
        ("cohen1988",),
    )
