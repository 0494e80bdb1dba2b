"""Notes as sentences: what to know about a whole analysis, and about one pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.corrections import CORRECTIONS, family_size
from nlpstat_core.effects import EFFECTS
from nlpstat_core.notes import Note, Severity
from nlpstat_core.results import Leaderboard, Omnibus, PairTable
from nlpstat_core.scores import ScoreMatrix
from nlpstat_core.significance import TESTS
from nlpstat_core.wording.groups import GROUP_NOTES, block_facts, block_notes, count_notes
from nlpstat_core.wording.sentences import hypothesis_text, label_of_test, mixture

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

Tell = Callable[[str, Severity, str], None]

PAIR_NOTES: dict[str, tuple[Severity, str]] = {
    "no-shared-units": ("problem", "{a} and {b} share no unit, so no paired test is possible."),
    "unpaired": (
        "info",
        "{a} and {b} share no unit: {n_a} units of {a} and {n_b} of {b} were compared as independent "
        "samples.",
    ),
    "pairing-ignored": (
        "caution",
        "{a} and {b} share {n} units, but this test takes their {n_a} and {n_b} units as independent "
        "samples; a paired test would use what they share.",
    ),
    "too-few-units": ("problem", "Too few shared units: it is undefined."),
    "no-spread": (
        "problem",
        "The difference is the same for every unit; a test that needs a spread is undefined.",
    ),
    "identical-scores": (
        "info",
        "{a} and {b} have the same score on every shared unit: nothing in these data tells them apart.",
    ),
    "not-binary": ("problem", "McNemar's test needs scores of 0 and 1; these are others."),
    "direction-contradicts-mean": (
        "problem",
        "The test's own statistic and the mean difference point in opposite directions: the pair "
        "counts as not separated. {test} asks about {hypothesis}, not about the mean.",
    ),
    "needs-zero-delta": (
        "problem",
        "McNemar's test compares with a difference of 0; choose another test for a hypothesised difference.",
    ),
    "constant-differences": (
        "info",
        "The difference is the same for every unit, so skewness and normality are undefined.",
    ),
    "shapiro-many-units": (
        "info",
        "With {n} units the p-value of the normality test is approximate (it was made for up to 5,000).",
    ),
    "no-untied-units": ("info", "{a} and {b} have the same score on every shared unit, so it is undefined."),
    "interval-too-few-units": ("info", "Too few units with a difference for an interval."),
    "interval-needs-more-units": (
        "info",
        "With {n} units no finite interval reaches this level, so an end of the interval is open.",
    ),
    "interval-on-request": (
        "info",
        "With {n} units its bootstrap interval takes long; name the effect size under `intervals` for it.",
    ),
    "interval-with-ties": (
        "info",
        "With ties or zeros the interval is approximate and may disagree with the p-value.",
    ),
    "bootstrap-undefined": (
        "info",
        "Too many resamples of these {n} units leave it undefined, so it has no interval.",
    ),
    "infinite-odds": ("info", "{b} is right alone on no unit, so the ratio is infinite."),
    "interval-at-bound": ("info", "All differences have the same sign, where this interval is undefined."),
    "monte-carlo-last-resort": (
        "caution",
        "The exact computation was not accurate enough here; p comes from random sign flips.",
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
    "few-resamples": (
        "problem",
        "{family} p-values were judged together on {resamples} resamples, so few that "
        "{family}/({resamples} + 1) is above {alpha}: set more resamples.",
    ),
    "max-t-complete-units": (
        "info",
        "The adjusted p-value uses only the units that every system has, the p-value the units of this pair.",
    ),
    "max-t-unlike-shapes": (
        "caution",
        "The differences are skewed and there are fewer than 200 units: max-T may then find a false "
        "difference somewhere on the board two to three times as often as {alpha} says.",
    ),
    "shaffer-as-holm": ("info", "Shaffer's correction does not apply here; Holm's was used."),
    "open-interval-below": ("info", "The intervals are one-sided: their lower end is open."),
    "open-interval-above": ("info", "The intervals are one-sided: their upper end is open."),
    **GROUP_NOTES,
}

# Four digits of the largest score stand within the ten decimals that signs and ranks use.
TINY_SCORES = 1e-6
_POSITIVE_DEPENDENCE = ("hochberg", "hommel", "benjamini-hochberg")
_FALSE_DISCOVERY = ("benjamini-hochberg", "benjamini-yekutieli")


def analysis_notes(
    units: ScoreMatrix,
    config: AnalysisConfig,
    board: Leaderboard,
    pairs: PairTable,
    omnibus: Omnibus | None,
) -> tuple[Note, ...]:
    """Everything worth knowing about the analysis as a whole.

    Parameters
    ----------
    units : ScoreMatrix
    config : AnalysisConfig
    board : Leaderboard
    pairs : PairTable
    omnibus : Omnibus or None

    Returns
    -------
    tuple of Note
    """
    notes: list[Note] = []

    def say(code: str, severity: Severity, text: str) -> None:
        notes.append(Note(code, severity, text))

    used = mixture(pairs)
    if config.test == RECOMMENDED:
        counts = ", ".join(f"{TESTS[key].label} {count}" for key, count in used.items())
        say(
            "tests-chosen-from-data",
            "info",
            f"Each pair's test was chosen from that pair's data ({counts} "
            f"{'pairs' if len(pairs) > 1 else 'pair'}).",
        )
        if len(used) > 1:
            say(
                "tests-mixed",
                "caution",
                "The pairs were compared by different tests, which ask different questions. For one "
                "question on the whole board choose one test for all pairs, for example the permutation "
                "test of the mean, the quantity the board is sorted by.",
            )
    undefined = int(np.count_nonzero(np.isnan(pairs.p_value)))
    if undefined:
        say(
            "undefined-pairs",
            "caution",
            f"{undefined} of {len(pairs)} pairs have no defined p-value and are not in the family "
            "that was corrected together.",
        )
    contradicting = pairs.notes.get("direction-contradicts-mean")
    if contradicting is not None and contradicting.any():
        say(
            "direction-contradicts-mean",
            "problem",
            f"In {int(contradicting.sum())} pairs the test and the mean difference point in opposite "
            "directions; they count as not separated.",
        )
    _say_about_correction(say, config, board)
    _say_about_fallback(say, pairs)
    _say_about_resampling(say, config, pairs)
    _say_about_units(say, units, config, pairs)
    notes.extend((*block_notes(units, config, pairs), *count_notes(units, pairs)))
    if omnibus is None:
        say(
            "omnibus-undefined",
            "info",
            "The test of all systems at once (Friedman) needs three systems and two units that every "
            "system has.",
        )
    return tuple(notes)


def _say_about_correction(tell: Tell, config: AnalysisConfig, board: Leaderboard) -> None:
    if config.correction in _POSITIVE_DEPENDENCE:
        label = CORRECTIONS[config.correction].label
        tell("positive-dependence", "caution", f"{label} assumes that the tests are positively dependent.")
    if board.rank_interval is not None and config.correction in (*_FALSE_DISCOVERY, "none"):
        tell(
            "rank-intervals-not-simultaneous",
            "caution",
            "The rank intervals are not confidence intervals: the chosen correction does not control the "
            "family-wise error rate.",
        )
    if config.baseline is not None:
        tell(
            "baseline-only",
            "info",
            "Only comparisons with the baseline were made, so rank intervals, clusters and letters are "
            "undefined.",
        )
    elif board.rank_interval is not None and board.letters is None:
        tell(
            "too-many-letters",
            "info",
            "More than 1,000 groups of systems can't be told apart, so there are no letters; rank intervals "
            "and clusters say what is known.",
        )
    if config.alternative != "two-sided":
        side = "upper" if config.alternative == "greater" else "lower"
        tell(
            "one-sided",
            "info",
            f"The tests are one-sided ({config.alternative}); the {side} end of every interval is open "
            "and stands as null in JSON.",
        )


def _say_about_fallback(tell: Tell, pairs: PairTable) -> None:
    if "shaffer-as-holm" in pairs.notes:
        tell(
            "shaffer-as-holm",
            "caution",
            "Holm's correction was used: Shaffer's needs one two-sided test of means (or proportions) for "
            "all pairs, no hypothesised difference and no undefined p-value.",
        )


def _say_about_resampling(tell: Tell, config: AnalysisConfig, pairs: PairTable) -> None:
    if "few-resamples" in pairs.notes:
        tell(
            "few-resamples",
            "problem",
            f"{family_size(pairs.p_value):,} p-values were judged together on {config.resamples:,} "
            f"resamples, too few for a family of this size at {config.alpha:g}: set more resamples.",
        )
    if "max-t-unlike-shapes" in pairs.notes:
        count = int(pairs.notes["max-t-unlike-shapes"].sum())
        tell(
            "max-t-unlike-shapes",
            "caution",
            f"In {count:,} of {len(pairs):,} pairs the differences are skewed, with fewer than 200 units: "
            "max-T may then find a false difference somewhere two to three times as often as "
            f"{config.alpha:g} says.",
        )
    if "max-t-complete-units" in pairs.notes:
        tell(
            "max-t-complete-units",
            "info",
            "Scores are missing: the adjusted p-values use only the units that every system has.",
        )


def _say_about_units(tell: Tell, units: ScoreMatrix, config: AnalysisConfig, pairs: PairTable) -> None:
    largest = float(np.nanmax(np.abs(units.values), initial=0.0))
    if 0 < largest < TINY_SCORES:
        tell(
            "tiny-scores",
            "caution",
            "The scores are so small that signs and ranks, taken at ten decimals, lose differences; multiply "
            "all scores by a power of ten first.",
        )
    if "unpaired" in pairs.notes:
        tell(
            "unpaired",
            "caution",
            f"{int(pairs.notes['unpaired'].sum()):,} of {len(pairs):,} pairs share no unit and were compared "
            "as independent samples, with less power than on shared units.",
        )
    if units.has_missing:
        few, many = int(pairs.n_units.min()), int(pairs.n_units.max())
        counted = f"{few:,} to {many:,}" if few < many else f"{few:,}"
        tell(
            "pairwise-units",
            "caution",
            f"Scores are missing: each pair uses the units both systems have ({counted}), and the "
            "order of the board uses each system's own units.",
        )
    elif config.unit_size > 1:
        tell(
            "evaluation-units",
            "info",
            f"{units.n_units} evaluation units of {config.unit_size} rows were compared "
            f"({config.unit_metric} of the rows).",
        )


def pair_notes(analysis: Analysis, row: int, codes: Iterable[str]) -> tuple[Note, ...]:
    """The notes of one pair as sentences.

    Parameters
    ----------
    analysis : Analysis
    row : int
        Row of the pair table.
    codes : iterable of str
        Note codes; an effect size's code has its key and a colon before it.

    Returns
    -------
    tuple of Note
    """
    pairs, config = analysis.pairs, analysis.config
    test = None if pairs.test_code[row] < 0 else pairs.tests[pairs.test_code[row]]
    present = analysis.units.present
    shared = present[:, pairs.left[row]] & present[:, pairs.right[row]]
    facts: dict[str, object] = {
        "a": pairs.systems[pairs.left[row]],
        "b": pairs.systems[pairs.right[row]],
        "n": int(pairs.n_units[row]),
        "n_a": int(np.count_nonzero(present[:, pairs.left[row]])),
        "n_b": int(np.count_nonzero(present[:, pairs.right[row]])),
        "alpha": f"{config.alpha:g}",
        "test": label_of_test(test),
        "hypothesis": hypothesis_text(TESTS[test].hypothesis if test else None, config.delta),
        "resamples": f"{config.resamples:,}",
        "family": f"{analysis.family_size:,}",
        **block_facts(analysis.units, config, shared),
    }
    low, high = pairs.interval[row]
    ends = {"open-interval-below": np.isneginf(low), "open-interval-above": np.isposinf(high)}
    return tuple(pair_note(code, facts) for code in sorted({*codes, *(code for code in ends if ends[code])}))


def pair_note(code: str, facts: dict[str, object]) -> Note:
    """One note of a pair as a sentence.

    Parameters
    ----------
    code : str
    facts : mapping
        What the sentence may name: a, b, n, n_a, n_b, alpha, test, hypothesis, resamples, family, blocks,
        effective, smallest_p.

    Returns
    -------
    Note
    """
    owner, _, bare = code.rpartition(":")
    severity, text = PAIR_NOTES[bare]
    sentence = text.format(**facts)
    return Note(code, severity, f"{EFFECTS[owner].label}: {sentence}" if owner else sentence)
