"""Which tests suit which data under which question, with one reason each."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import CodeArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig, Question
from nlpstat_core.quantities import MEAN, MEDIAN
from nlpstat_core.records import Advice, SignificanceTest, Standing

SHAPES = ("normal", "not-normal", "skewed", "binary", "constant")
# Kinds of data; their order is the code in `DiagnosisColumns.rule`.
KINDS = (
    *SHAPES,
    *("accuracy-counts", "f1-counts"),
    *("blocks", "few-blocks"),
    "runs",
    "measure",
    *("unpaired", "no-shared-units", "unpaired-blocks"),
)

_SAMPLES = "It needs random resamples where a closed-form test does not."
_NO_SPREAD = "All differences are equal, so there is no spread to compare the mean with."
_ONE_RUN = "It treats these runs as fixed: other training runs of the same systems may differ more."
_NO_MEAN = "The measure is not a mean of item scores, so a test of item scores says nothing about it."
_OF_UNITS: dict[str, tuple[Standing, str]] = {
    "accuracy-counts": ("non-preferred", "It weights every item equally, whatever its total."),
    "f1-counts": ("inappropriate", "F1 of a system is not the mean of its items' scores."),
    "blocks": ("inappropriate", "Items of one document are not independent of each other."),
    "few-blocks": ("inappropriate", "Items of one document are not independent of each other."),
    "runs": ("inappropriate", _ONE_RUN),
    "measure": ("inappropriate", _NO_MEAN),
}
_OF_DOCUMENTS: dict[str, tuple[Standing, str]] = {
    "blocks": ("non-preferred", "It is about whole documents too; another test is the usual one for them."),
    "few-blocks": ("non-preferred", "It is about whole documents too, of which there are few."),
    "runs": ("inappropriate", _ONE_RUN),
    "measure": ("inappropriate", _NO_MEAN),
}
_OF_SAMPLES: dict[str, tuple[Standing, str]] = {
    "unpaired": ("non-preferred", "The systems share no items; another test is the usual one for that."),
    "no-shared-units": (
        "non-preferred",
        "The systems share no items: taken as independent samples, the difference between their items counts "
        "as one between the systems. Use it only for items drawn from one population, and choose it by name.",
    ),
    "unpaired-blocks": (
        "inappropriate",
        "The systems share no items, and items of one document are not independent of each other.",
    ),
}


def derived_advice(test: SignificanceTest, kind: str, question: Question) -> Advice | None:
    """What a test's design, quantity and needs say about it for one kind of data.

    Returns: Never "recommended", which a test has to claim itself; None where such data don't concern the
        test.
    """
    tables = {"paired": _OF_UNITS, "blocks": _OF_DOCUMENTS, "unpaired": _OF_SAMPLES}
    standing, reason = tables.get(test.design, {}).get(kind, (None, ""))
    if kind == "accuracy-counts" and test.binary_only:
        return None
    if kind == "unpaired" and test.resampled:
        reason = _SAMPLES
    if kind in SHAPES and test.design == "paired" and not test.binary_only:
        standing, reason = _for_shape(test, kind, question)
    return None if standing is None else Advice(kinds=(kind,), standing=standing, reason=reason)


def _for_shape(test: SignificanceTest, kind: str, question: Question) -> tuple[Standing, str]:
    """A test of single units on scores that are no counts."""
    about_mean = test.quantity == MEAN
    if kind == "constant" and test.needs_spread:
        return "inappropriate", _NO_SPREAD
    if kind == "constant":
        return "non-preferred", "All differences are equal; it adds nothing to counting wins and losses."
    if question == "mean" and not about_mean and kind != "binary":
        return "non-preferred", f"It asks about {test.quantity.asks}, not about the mean."
    if test.resampled:
        return "non-preferred", _SAMPLES
    if kind == "binary":
        return "non-preferred", "For 0/1 scores the items that only one system gets right decide."
    if question == "mean":
        return "non-preferred", "It is about the mean too, but is not the test chosen for every pair."
    if kind == "skewed" and test.quantity != MEDIAN:
        return (
            "inappropriate" if not about_mean else "non-preferred",
            f"It asks about {test.quantity.asks}, which is not the quantity recommended here.",
        )
    return "non-preferred", f"It asks about {test.quantity.asks}; another test suits this shape better."


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

    Returns: None where such data don't concern the test.
    """
    own = (entry for entry in test.advice if rule in entry.kinds and question in entry.questions)
    found = next(own, None) or derived_advice(test, rule, question)
    return None if found is None or found.standing == "unlisted" else found


def reason(rule: str, test: str, question: Question) -> str:
    """The sentence on why a test stands in the list where it stands."""
    found = advice(TESTS[test], rule, question)
    if found is None:
        raise ValueError(f"Test {test} doesn't concern data of the kind {rule}.")
    return found.reason


def recommended_codes(rule: CodeArray, question: Question) -> CodeArray:
    """Position in `TESTS.keys` of the test that each rule recommends; `rule`: positions in `RULES`."""
    first = [(*lists(name, question).recommended, None)[0] for name in RULES]
    codes = [-1 if key is None else TESTS.keys.index(key) for key in first]
    result: CodeArray = np.array(codes, dtype=np.int8)[rule]
    return result


def disjoint_rule(config: AnalysisConfig, *, in_blocks: bool) -> str:
    """The rule for two systems that share no unit.

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
