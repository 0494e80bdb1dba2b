"""Which tests suit which data under which question, with one reason each."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import CodeArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig, Question
from nlpstat_core.methods.diagnosis.derived import KINDS, derived_advice
from nlpstat_core.records import Advice, SignificanceTest, Standing

# The order of the rules is the code in `DiagnosisColumns.rule`.
RULES: tuple[str, ...] = KINDS


@dataclass(frozen=True)
class Lists:
    """The three lists of tests for one rule; keys in the order of the menus.

    recommended, non_preferred, inappropriate: Keys of tests in the catalogue. Tests that don't concern such
        data at all are in no list.
    """

    recommended: tuple[str, ...]
    non_preferred: tuple[str, ...]
    inappropriate: tuple[str, ...]


def lists(rule: str, question: Question) -> Lists:
    """The tests of the catalogue sorted into three lists for one kind of data."""
    return _lists(rule, question, tuple(TESTS))


@lru_cache
def _lists(rule: str, question: Question, tests: tuple[SignificanceTest, ...]) -> Lists:
    advised = {test.key: advice(test, rule, question) for test in tests}

    def those(standing: Standing) -> tuple[str, ...]:
        return tuple(key for key, found in advised.items() if found and found.standing == standing)

    return Lists(those("recommended"), those("non-preferred"), those("inappropriate"))


def advice(test: SignificanceTest, rule: str, question: Question) -> Advice | None:
    """Where a test stands for one kind of data: as its record says, else as follows from the record.

    rule: One of `RULES`.
    Returns: None where such data don't concern the test.
    """
    own = (entry for entry in test.advice if rule in entry.kinds and question in entry.questions)
    found = next(own, None) or derived_advice(test, rule, question)
    return None if found is None or found.standing == "unlisted" else found


def reason(rule: str, test: str, question: Question) -> str:
    """The sentence on why a test stands in the list where it stands.

    rule: One of `RULES`.
    test: A test of one of the rule's lists.
    """
    found = advice(TESTS[test], rule, question)
    if found is None:
        raise ValueError(f"Test {test} doesn't concern data of the kind {rule}.")
    return found.reason


def recommended_codes(rule: CodeArray, question: Question) -> CodeArray:
    """Position in `TESTS.keys` of the test that each rule recommends.

    rule: Positions in `RULES`.
    """
    first = [(*lists(name, question).recommended, None)[0] for name in RULES]
    codes = [-1 if key is None else TESTS.keys.index(key) for key in first]
    result: CodeArray = np.array(codes, dtype=np.int8)[rule]
    return result


def disjoint_rule(config: AnalysisConfig, *, in_blocks: bool) -> str:
    """The rule for two systems that share no unit.

    in_blocks: Whether documents are named.
    Returns: One of `RULES`.

    Systems run on other language pairs or tracks differ because their units do: only an unpaired test chosen
    by name, and the procedure that chooses a test for each pair, compare them all the same.
    """
    if in_blocks:
        return "unpaired-blocks"
    by_name = config.test != RECOMMENDED and TESTS[config.test].design == "unpaired"
    return "unpaired" if by_name or config.question == "each-pair" else "no-shared-units"


def central_tendency(rule: str) -> str | None:
    """Which centre describes data of this kind: "mean", "median", or None for constant differences."""
    if rule == "constant":
        return None
    return "median" if rule == "skewed" else "mean"
