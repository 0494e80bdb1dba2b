"""Notes on one pair as sentences."""

from collections.abc import Iterable

import numpy as np

from nlpstat_core.catalogue import CORRECTIONS, EFFECTS, TESTS
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.effects import effect_for
from nlpstat_core.notes import Note, Severity
from nlpstat_core.records import Procedure
from nlpstat_core.report.wording.few_units import PAIR_NOTE, facts_of
from nlpstat_core.report.wording.groups import GROUP_NOTES, block_facts
from nlpstat_core.report.wording.question import label_of_test, with_measure
from nlpstat_core.report.wording.runs import RUN_NOTES
from nlpstat_core.report.wording.sentences import hypothesis_text
from nlpstat_core.results.analysis import AnalysisData

PAIR_NOTES: dict[str, tuple[Severity, str]] = {
    "no-shared-units": (
        "problem",
        "{a} and {b} share no item, so no paired test is possible; a test of independent samples, such as "
        "Welch's t test, has to be chosen by name.",
    ),
    "unpaired": (
        "info",
        "{a} and {b} share no item: {units_a} of {a} and {n_b} of {b} were compared as independent "
        "samples, and effect sizes are those of independent samples.",
    ),
    "pairing-ignored": (
        "caution",
        "{a} and {b} share {units}, but this test takes their {n_a} and {units_b} as independent "
        "samples, as do the effect sizes; a paired test would use what they share.",
    ),
    "blocks-need-shared-units": (
        "problem",
        "{a} and {b} share no item: tests of documents need shared items, and a test of independent samples "
        "would take the items of one document as independent, so none was used.",
    ),
    "too-few-own-units": ("problem", "{units_a} of {a} and {n_b} of {b} are too few: it is undefined."),
    "no-pooled-spread": ("problem", "Neither system's scores vary, so it is undefined."),
    "no-overlap": (
        "info",
        "Every score of one system is above every score of the other, where this interval is undefined.",
    ),
    "interval-needs-more-own-units": (
        "info",
        "With {units_a} of {a} and {n_b} of {b} no finite interval reaches this level, so an end of the "
        "interval is open.",
    ),
    "needs-shared-units": ("info", "It is made of differences on shared items, so it is undefined here."),
    "needs-independent-samples": (
        "info",
        "It compares independent samples; the rank-biserial correlation and the common-language effect size "
        "use the pairing.",
    ),
    "too-few-units": ("problem", "Too few shared items: it is undefined."),
    "no-spread": (
        "problem",
        "The difference is the same for every item; a test that needs a spread is undefined.",
    ),
    "below-decimals": (
        "caution",
        "The scores differ by less than the ten decimals that signs and ranks are taken on, so no item "
        "counts as won or lost; multiply all scores by a power of ten.",
    ),
    "identical-scores": (
        "info",
        "{a} and {b} have the same score on every shared item: nothing in these data tells them apart.",
    ),
    "not-binary": ("problem", "McNemar's test needs scores of 0 and 1; these are others."),
    "direction-short-of-delta": (
        "caution",
        "The test finds a difference other than the hypothesised one, but not on which side of 0 it lies: "
        "the pair counts as not separated.",
    ),
    "direction-contradicts-mean": (
        "problem",
        "The test's own statistic and the mean difference point in opposite directions: the pair "
        "counts as not separated. {test} asks about {hypothesis}, not about the mean.",
    ),
    "direction-contradicts-board": (
        "problem",
        "On the items that both systems have, the decision goes against the order of the board, which uses "
        "all items of each: the pair counts as not separated.",
    ),
    "needs-zero-delta": (
        "problem",
        "McNemar's test compares with a difference of 0; choose another test for a hypothesised difference.",
    ),
    "constant-differences": (
        "info",
        "The difference is the same for every item, so skewness and normality are undefined.",
    ),
    "shapiro-many-units": (
        "info",
        "With {units} the p-value of the normality test is approximate (it was made for up to 5,000).",
    ),
    "skewed-few-units": ("caution", PAIR_NOTE),
    "no-untied-units": ("info", "{a} and {b} have the same score on every shared item, so it is undefined."),
    "interval-too-few-units": ("info", "Too few items with a difference for an interval."),
    "interval-needs-more-units": (
        "info",
        "With {units} no finite interval reaches this level, so an end of the interval is open.",
    ),
    "interval-by-inversion": (
        "info",
        "The interval holds all mean differences that the permutation test does not reject; Student's "
        "interval, given for the other pairs, would disagree with the test here.",
    ),
    "interval-of-other-quantity": (
        "info",
        "The test and the interval disagree here, because they are about different things: {test} asks "
        "about {hypothesis}, the interval is one of the mean difference.",
    ),
    "interval-of-other-kind": (
        "info",
        "The test and the interval disagree here, because they are computed in different ways and this "
        "pair is close to the limit: {test} decides, the interval is a separate approximation.",
    ),
    "interval-on-request": (
        "info",
        "With {units} its bootstrap interval takes long; name the effect size under `intervals` for it.",
    ),
    "interval-with-ties": (
        "info",
        "With ties or zeros the interval is approximate and may disagree with the p-value.",
    ),
    "bootstrap-undefined": (
        "info",
        "Too many resamples of the {units} leave it undefined, so it has no interval.",
    ),
    "infinite-odds": ("info", "{b} is right alone on no item, so the ratio is infinite."),
    "interval-at-bound": ("info", "All differences have the same sign, where this interval is undefined."),
    "monte-carlo-last-resort": (
        "caution",
        "No exact computation settled this pair; p comes from weighted random draws, with a relative "
        "standard error of {error}. The number of resamples sets no lower limit to it.",
    ),
    "flat-resamples": (
        "problem",
        "In over 1 % of the resamples all differences are the same; each counts against a difference, so p "
        "is too large. A permutation test needs no spread.",
    ),
    "median-ties": (
        "caution",
        "Many differences equal their median, so this test hardly ever rejects; prefer the sign test.",
    ),
    "simultaneous-undefined": (
        "info",
        "There is no simultaneous interval for this pair: it needs two items, and for max-T differences with "
        "a spread.",
    ),
    "few-resamples": (
        "problem",
        "{family} p-values were judged together on {resamples} resamples, so few that "
        "{family}/({resamples} + 1) is above {alpha}: set more resamples.",
    ),
    "never-significant": (
        "problem",
        "On what {a} and {b} share, even if every difference had the same sign, p could not be small enough "
        "to be significant among {family} p-values at {alpha}.",
    ),
    "max-t-complete-units": (
        "info",
        "The adjusted p-value uses only the items that every system has, the p-value the items of this pair.",
    ),
    "max-t-unlike-shapes": (
        "caution",
        "The differences are skewed and there are fewer than 200 items: max-T may then find a false "
        "difference somewhere on the board two to three times as often as {alpha} says.",
    ),
    "shaffer-as-holm": ("info", "Shaffer's correction does not apply here; Holm's was used."),
    "open-interval-below": ("info", "The intervals are one-sided: their lower end is open."),
    "open-interval-above": ("info", "The intervals are one-sided: their upper end is open."),
    **GROUP_NOTES,
    **RUN_NOTES,
}


def note_texts() -> dict[str, tuple[Severity, str]]:
    """Severity and sentence of every note of a pair, those of single procedures included."""
    records: tuple[Procedure, ...] = (*TESTS, *EFFECTS, *CORRECTIONS)
    return PAIR_NOTES | {own.code: (own.severity, own.text) for record in records for own in record.remarks}


def pair_notes(analysis: AnalysisData, row: int, codes: Iterable[str]) -> tuple[Note, ...]:
    """The notes of one pair as sentences; codes of an effect size's begin with its key and a colon."""
    pairs, config = analysis.pairs, analysis.config
    low, high = pairs.interval[row]
    ends = {"open-interval-below": np.isneginf(low), "open-interval-above": np.isposinf(high)}
    wanted = sorted({*codes, *(code for code in ends if ends[code])})
    if not wanted:
        return ()
    test = None if pairs.test_code[row] < 0 else pairs.tests[pairs.test_code[row]]
    present = analysis.units.present
    shared = present[:, pairs.left[row]] & present[:, pairs.right[row]]
    n_a, n_b = (int(np.count_nonzero(present[:, column[row]])) for column in (pairs.left, pairs.right))
    facts: dict[str, object] = {
        "a": pairs.systems[pairs.left[row]],
        "b": pairs.systems[pairs.right[row]],
        "units": count_of(int(pairs.n_units[row]), "item"),
        "n_a": f"{n_a:,}",
        "n_b": f"{n_b:,}",
        "units_a": count_of(n_a, "item"),
        "units_b": count_of(n_b, "item"),
        "alpha": f"{config.alpha:g}",
        "test": label_of_test(test),
        "hypothesis": with_measure(
            hypothesis_text(TESTS[test].hypothesis if test else None, config.delta), analysis.units
        ),
        "unpaired": bool(pairs.unpaired[row]),
        "resamples": f"{config.resamples:,}",
        "family": f"{analysis.family_size:,}",
        "error": f"{100.0 * pairs.error[row]:.2g} %",
        **block_facts(analysis.units, config, shared),
        **facts_of(analysis.units, config, pairs, row),
    }
    return tuple(pair_note(code, facts) for code in wanted)


def pair_note(code: str, facts: dict[str, object]) -> Note:
    """One note of a pair as a sentence.

    facts: What the sentence may name: a, b, units, n_a, n_b, units_a, units_b, alpha, test, hypothesis,
        unpaired, resamples, family, error, documents, effective, smallest_p, averaged, skewness, wanted.
    """
    owner, _, bare = code.rpartition(":")
    severity, text = PAIR_NOTES.get(bare) or note_texts()[bare]
    sentence = text.format(**facts)
    if not owner:
        return Note(code, severity, sentence)
    method = effect_for(owner, unpaired=bool(facts.get("unpaired"))) or EFFECTS[owner]
    return Note(code, severity, f"{method.label}: {sentence}")
