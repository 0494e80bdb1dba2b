"""Sentences on what other corrections make of a pair."""

from collections.abc import Sequence

from nlpstat_core.board.pairs.other_corrections import AS_HOLM, COSTLY, OTHER_TEST, OtherCorrection
from nlpstat_core.catalogue import CORRECTIONS, fitting_tests
from nlpstat_core.formatting import count_of
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.pair import PairData

EXPLORATION = (
    "Exploration only: a test or a correction keeps its error rate when it is chosen before its result is "
    "seen; picking the one with the wanted answer makes the rate wrong. Report the verdict above."
)


def corrections_sentence(found: Sequence[OtherCorrection], pair: PairData, analysis: AnalysisData) -> str:
    """Under how many corrections two systems are separated."""
    computed = [item for item in found if not item.left_out]
    separated = sum(item.separated for item in computed)
    config = analysis.config
    return (
        f"{pair.system_a} and {pair.system_b} are separated at {config.alpha:g} under {separated} of "
        f"{count_of(len(computed), 'correction')} ({label_of_test(pair.test)}, "
        f"{count_of(analysis.family_size, 'pair')} corrected together); this analysis uses "
        f"{CORRECTIONS[config.correction].label}."
    )


def decision_text(item: OtherCorrection) -> str:
    """The decision under one correction, in a few words."""
    if not item.significant:
        return "no evidence of a difference"
    if item.better is None:
        return "other than the hypothesised difference, which doesn't say who is better"
    if not item.separated:
        return "not separated: the test points against the mean or the order of the board"
    return f"{item.better} is better"


def left_out_sentence(item: OtherCorrection) -> str:
    """Why a correction is not among those shown."""
    method = CORRECTIONS[item.correction]
    if item.left_out == OTHER_TEST:
        tests = ", ".join(test.label for test in fitting_tests(method.key))
        return f"{method.label} is left out: it goes with one of these tests for all pairs: {tests}."
    if item.left_out == AS_HOLM:
        return (
            f"{method.label} is left out: it needs one two-sided test of means (or proportions) for all "
            "pairs, no hypothesised difference and no undefined p-value; its p-values would be Holm's."
        )
    if item.left_out == COSTLY:
        return (
            f"{method.label} is left out: it takes long on a board of this size; choose it in the settings."
        )
    return f"{method.label} is left out: {item.problem}"
