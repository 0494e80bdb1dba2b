"""Which question an analysis asks, in words: menus, headlines and methods paragraphs share them."""

from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig, Question
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.quantities import ACCURACY, F1, MEAN, MEASURE, QUANTITIES, Quantity
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.matrix import ScoreMatrix

RECOMMENDED_LABELS: dict[Question, str] = {
    "mean": "Recommended test of the mean",
    "each-pair": "Recommended test for each pair",
}


def label_of_test(key: str | None) -> str:
    """Name of a test for people."""
    if key is None:
        return "no test"
    return "Recommended" if key == RECOMMENDED else TESTS[key].label


def quantities() -> tuple[Quantity, ...]:
    """Everything that tests are about, in the order of the menus; a test's own quantity comes last."""
    return tuple(dict.fromkeys((*QUANTITIES, *(test.quantity for test in TESTS))))


def quantity_of(key: str) -> Quantity:
    """The quantity with a key."""
    return next(quantity for quantity in quantities() if quantity.key == key)


def tests_by_question() -> tuple[str, ...]:
    """Keys of all tests, those that ask the same standing together."""
    groups = quantities()
    return tuple(sorted(TESTS.keys, key=lambda key: groups.index(TESTS[key].quantity)))


def title_of_test(config: AnalysisConfig, *, runs: bool = False) -> str:
    """Name of the test that was asked for, or of the rule that chooses it; of training runs if `runs`."""
    if config.test == RECOMMENDED:
        return RECOMMENDED_LABELS[config.question]
    return TESTS[as_run(config, runs=runs).test].label


def one_hypothesis(config: AnalysisConfig, pairs: PairTable) -> str | None:
    """What all tests of a board are about.

    Returns: `hypothesis` of the tests; "mean" where McNemar's test compares the means of 0/1 scores beside
        other tests of the mean; None where pairs answer different questions.
    """
    used = {pairs.tests[code] for code in set(pairs.test_code.tolist()) if code >= 0}
    about = {TESTS[key].hypothesis for key in used}
    if config.about_means:
        return next(iter(about & {ACCURACY.key, F1.key, MEASURE.key}), MEAN.key)
    return about.pop() if len(about) == 1 else None


def question_text(config: AnalysisConfig, pairs: PairTable) -> str:
    """The one question that all pairs were asked under the question "mean"; begins with "whether"."""
    return quantity_of(one_hypothesis(config, pairs) or MEAN.key).whether


def differ_in(config: AnalysisConfig, pairs: PairTable) -> str:
    """In what the pairs of a board differ, after "differ": "in the mean", or "each by its own test"."""
    about = one_hypothesis(config, pairs)
    return "each by its own test" if about is None else quantity_of(about).differ


def with_measure(text: str, scores: ScoreMatrix) -> str:
    """A text about "the measure", or about the mean that a measure of outputs is, with the measure's name.

    Any other board's text stays as it is.

    >>> import numpy as np
    >>> with_measure("in the mean", ScoreMatrix(values=np.eye(2), systems="AB"))
    'in the mean'
    """
    if scores.measured is None:
        of_outputs = scores.metric is not None and scores.reading.get("format") == "submissions"
        return text.replace(MEAN.differ, f"in {scores.metric}") if of_outputs else text
    return text.replace(MEASURE.asks, scores.measured.label)
