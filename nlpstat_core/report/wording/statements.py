"""What was found on the board, and what could have been found, as sentences of the report."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlpstat_core.errors import ConfigError
from nlpstat_core.formatting import format_score, is_or_are, p_equals
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.omnibus import OMNIBUS
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.report.wording.power import MODEL_LABELS
from nlpstat_core.report.wording.ragged import not_tested
from nlpstat_core.report.wording.sentences import counted_pairs
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import VERDICTS

POWER = 0.8
METHODS, RESULTS = "Methods", "Results"


@dataclass(frozen=True)
class Statement:
    """One sentence of the report.

    text: Without the full stop, which comes after the citation.
    references: Keys of `nlpstat_core.methods.references.REFERENCES`.
    heading: The paragraph it belongs to: METHODS or RESULTS.
    """

    text: str
    references: tuple[str, ...] = ()
    heading: str = METHODS


def stated(sentence: str, references: tuple[str, ...] = (), heading: str = METHODS) -> Statement:
    """A whole sentence as a statement: its full stop comes after the citation."""
    return Statement(sentence.removesuffix("."), references, heading)


def named_test(test: str) -> str:
    """A test's label inside a sentence: proper names keep their capital.

    >>> named_test("t"), named_test("mcnemar"), named_test("wilcoxon")
    ('the paired t test', "McNemar's test", 'the Wilcoxon signed-rank test')
    """
    return TESTS[test].in_sentence


def found_statements(analysis: AnalysisData) -> Iterator[Statement]:
    """How many pairs differ, are equivalent or undecided, and the tests of all systems together."""
    pairs, omnibus = analysis.pairs, analysis.omnibus
    if len(pairs) > 1:
        verdict = pairs.verdict_code
        text = counted_pairs(analysis)
        if pairs.equivalent is not None:
            same = int(np.count_nonzero(verdict == VERDICTS.index("equivalent")))
            text += f"; {same:,} {is_or_are(same)} equivalent within ±{analysis.config.equivalence_margin:g}"
        undecided = (verdict == VERDICTS.index("undecided")) & ~np.isnan(pairs.p_value) & ~pairs.significant
        open_pairs = int(np.count_nonzero(undecided))
        if open_pairs:
            remain = "remains" if open_pairs == 1 else "remain"
            text += f"; {open_pairs:,} {remain} undecided, which is no evidence that their systems are alike"
        text += not_tested(analysis.units, pairs)
        yield Statement(text, (), RESULTS)
    if omnibus is not None and not math.isnan(omnibus.statistic):
        known = [test for test in (omnibus, *omnibus.also) if not math.isnan(test.statistic)]
        cited = (OMNIBUS[test.test].cited for test in known)
        yield Statement(
            f"All systems together: {'; '.join(_omnibus(test, analysis.config.alpha) for test in known)}",
            tuple(key for key in cited if key),
            RESULTS,
        )


def _omnibus(omnibus: Omnibus, alpha: float) -> str:
    record = OMNIBUS[omnibus.test]
    freedom = ", ".join(f"{value:.6g}" for value in omnibus.degrees_of_freedom)
    statistic = f"{record.sign}({freedom}) = {format_score(omnibus.statistic)}"
    p = p_equals(omnibus.p_value, alpha=alpha)
    return f"{record.in_sentence} on {omnibus.n_units:,} items {statistic}, {p}"


def power_statement(analysis: AnalysisData, row: int) -> Iterator[Statement]:
    """The smallest difference that a pair's test finds with a power of 80 %; none without test or spread."""
    from nlpstat_core.power import board_power

    pairs, config = analysis.pairs, analysis.config
    if pairs.unpaired[row]:
        return
    try:
        board = board_power(analysis, POWER, rows=np.array([row]))
    except ConfigError:  # alpha above the power that is asked for
        return
    needed = float(board.detectable[row])
    if pairs.test_code[row] < 0 or math.isnan(needed):
        return
    test = named_test(pairs.tests[pairs.test_code[row]])
    a, b = pairs.systems[pairs.left[row]], pairs.systems[pairs.right[row]]
    level = f"{config.alpha:g}"
    if config.correction != "none" and analysis.family_size > 1:
        label = CORRECTIONS[config.correction].label
        level += f" after {label} for {analysis.family_size:,} pairs, taken at its strictest step,"
    if math.isinf(needed):
        yield Statement(
            f"Minimum detectable difference: with these items {test} at {level} finds no difference between "
            f"{a} and {b} with a power of 80 %",
            (),
            RESULTS,
        )
        return
    how, of_what = MODEL_LABELS[str(board.model[row])], ""
    if analysis.units.measured is not None:
        of_what = f" in {analysis.units.measured.label}"
        how = f"what exchanging outputs moves, to first order; {how}"
    yield Statement(
        f"Minimum detectable difference: for {a} and {b} {test} at {level} finds a true difference{of_what} "
        f"of {format_score(needed)} with a power of 80 % ({how}); smaller ones are found less often",
        ("cohen1988",),
        RESULTS,
    )
