"""Notes on a whole analysis as sentences."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.board.ranking.additive import same_units
from nlpstat_core.config import RECOMMENDED, SIMULTANEOUS, AnalysisConfig
from nlpstat_core.formatting import count_of, is_or_are
from nlpstat_core.methods.corrections import CORRECTIONS, family_size
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.notes import Note, Severity
from nlpstat_core.report.wording.documents import documents_notes
from nlpstat_core.report.wording.few_units import few_units_note, named_pairs
from nlpstat_core.report.wording.groups import block_notes, count_notes
from nlpstat_core.report.wording.measures import measure_notes
from nlpstat_core.report.wording.question import question_text
from nlpstat_core.report.wording.ragged import disjoint_notes, order_notes
from nlpstat_core.report.wording.sentences import mixture
from nlpstat_core.report.wording.simultaneous import simultaneous_notes
from nlpstat_core.results.columns import SHORT_OF_DELTA, Leaderboard, PairTable
from nlpstat_core.scores.matrix import ScoreMatrix

Tell = Callable[[str, Severity, str], None]

# Four digits of the largest score stand within the ten decimals that signs and ranks use.
TINY_SCORES = 1e-6


def analysis_notes(
    units: ScoreMatrix,
    config: AnalysisConfig,
    board: Leaderboard,
    pairs: PairTable,
    omnibus: Omnibus | None,
    *,
    family: int | None = None,
) -> tuple[Note, ...]:
    """Everything worth knowing about the analysis as a whole. `family`: its size where it spans boards."""
    notes: list[Note] = list(disjoint_notes(units, pairs))

    def say(code: str, severity: Severity, text: str) -> None:
        notes.append(Note(code, severity, text))

    _say_about_question(say, config, pairs, runs=units.runs is not None)
    rests = few_units_note(config, pairs)
    notes.extend(() if rests is None else (rests,))
    undefined = int(np.count_nonzero(np.isnan(pairs.p_value)))
    if undefined:
        say(
            "undefined-pairs",
            "caution",
            f"{undefined:,} of {count_of(len(pairs), 'pair')} {'has' if undefined == 1 else 'have'} no "
            f"defined p-value and {is_or_are(undefined)} not in the family that was corrected together.",
        )
    contradicting = pairs.notes.get("direction-contradicts-mean")
    if contradicting is not None and contradicting.any():
        say(
            "direction-contradicts-mean",
            "problem",
            f"In {count_of(int(contradicting.sum()), 'pair')} the test and the mean difference point in "
            f"opposite directions; {'it counts' if contradicting.sum() == 1 else 'they count'} as not "
            "separated.",
        )
    short = pairs.notes.get(SHORT_OF_DELTA)
    if short is not None and short.any():
        say(
            SHORT_OF_DELTA,
            "caution",
            f"In {count_of(int(short.sum()), 'pair')} the test finds a difference other than "
            f"{config.delta:g}, but not on which side of 0 it lies: that doesn't say which system is better.",
        )
    if config.equivalence_margin is not None and config.correction != "none" and len(pairs) > 1:
        say(
            "both-claims",
            "info",
            "With an equivalence margin, pairs can be found different or equivalent; both p-values of all "
            "pairs were corrected together, so that one error rate holds for both kinds of claims.",
        )
    _say_about_correction(say, config, board)
    _say_about_fallback(say, pairs)
    if family is not None:
        say(
            "joint-family",
            "info",
            f"The correction went over {family:,} comparisons on several boards; analysed alone, this board "
            "would have other adjusted p-values.",
        )
    judged = family_size(pairs.p_value) if family is None else family
    _say_about_resampling(say, config, pairs, judged)
    notes.extend(simultaneous_notes(units, config, judged))
    _say_about_units(say, units, config, pairs)
    notes.extend(order_notes(units, board, pairs))
    notes.extend(documents_notes(units, config, pairs, judged))
    notes.extend((*block_notes(units, config, pairs, judged), *count_notes(units, pairs)))
    notes.extend(measure_notes(units, pairs))
    if omnibus is None and units.measured is None:
        say(
            "omnibus-undefined",
            "info",
            "The test of all systems together (Friedman) needs three systems and two items that every "
            "system has.",
        )
    return tuple(notes)


def _say_about_question(tell: Tell, config: AnalysisConfig, pairs: PairTable, *, runs: bool) -> None:
    """What all pairs were asked, and by which tests."""
    used = mixture(pairs)
    counts = ", ".join(f"{TESTS[key].label} for {count_of(count, 'pair')}" for key, count in used.items())
    if config.about_means and used:
        tell(
            "one-question",
            "info",
            f"All pairs compared answer one question: {question_text(config, pairs)} ({counts}).",
        )
    elif config.test == RECOMMENDED:
        if used:
            tell(
                "tests-chosen-from-data",
                "info",
                f"Each pair's test was chosen from that pair's data ({counts}).",
            )
        if len({TESTS[key].hypothesis for key in used}) > 1:
            tell(
                "tests-mixed",
                "caution",
                "The pairs were compared by tests that ask different questions. To ask one question of "
                "the whole board, whether the means it is sorted by differ, choose the question “mean”.",
            )
    elif not runs and as_run(config).test != config.test:
        tell(
            "block-test-used",
            "info",
            f"Documents are named, so {TESTS[as_run(config).test].label} was used instead of "
            f"{TESTS[config.test].label}: it asks the same question about whole documents.",
        )


def _say_about_correction(tell: Tell, config: AnalysisConfig, board: Leaderboard) -> None:
    record = CORRECTIONS[config.correction]
    if record.positive_dependence:
        label = record.label
        tell("positive-dependence", "caution", f"{label} assumes that the tests are positively dependent.")
    if board.rank_interval is not None and record.controls != "family-wise":
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
            "and is null in JSON.",
        )


def _say_about_fallback(tell: Tell, pairs: PairTable) -> None:
    if "shaffer-as-holm" in pairs.notes:
        tell(
            "shaffer-as-holm",
            "caution",
            "Holm's correction was used: Shaffer's needs one two-sided test of means (or proportions) for "
            "all pairs, no hypothesised difference and no undefined p-value.",
        )


def _say_about_resampling(tell: Tell, config: AnalysisConfig, pairs: PairTable, judged: int) -> None:
    if "few-resamples" in pairs.notes:
        tell(
            "few-resamples",
            "problem",
            f"{judged:,} p-values were judged together on {config.resamples:,} "
            f"resamples, too few for a family of this size at {config.alpha:g}: set more resamples.",
        )
    never = pairs.notes.get("never-significant")
    by_blocks = config.block_column is not None  # said there with the number of documents, if true of all
    if never is not None and not (never.all() and by_blocks):
        rows = np.flatnonzero(never)
        tell(
            "never-significant",
            "caution",
            f"{rows.size:,} of {count_of(len(pairs), 'pair')} ({named_pairs(pairs, rows)}) can't be "
            "significant whatever their scores: what they share is too little for a p-value that small.",
        )
    drawn = pairs.notes.get("monte-carlo-last-resort")
    if drawn is not None and drawn.any():
        rows = np.flatnonzero(drawn)
        tell(
            "monte-carlo-last-resort",
            "info",
            f"No exact computation settled {rows.size:,} of {count_of(len(pairs), 'pair')} "
            f"({named_pairs(pairs, rows)}): p comes from weighted random draws there, known to within "
            f"{100.0 * float(pairs.error[rows].max()):.2g} % (standard error), with no lower limit set by "
            "the number of resamples.",
        )
    if "max-t-unlike-shapes" in pairs.notes:
        count = int(pairs.notes["max-t-unlike-shapes"].sum())
        tell(
            "max-t-unlike-shapes",
            "caution",
            f"In {count:,} of {count_of(len(pairs), 'pair')} the differences are skewed, with fewer than "
            "200 items: max-T may then find a false difference somewhere two to three times as often as "
            f"{config.alpha:g} says (simulated boards at 0.05: 3.6–8.7 % from 100 items on, up to 10.8 % "
            "below).",
        )
    if "max-t-complete-units" in pairs.notes:
        tell(
            "max-t-complete-units",
            "info",
            "Scores are missing: the adjusted p-values use only the items that every system has"
            f"{', as do the simultaneous intervals' if SIMULTANEOUS in config.intervals else ''}.",
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
        unpaired = int(pairs.notes["unpaired"].sum())
        tell(
            "unpaired",
            "caution",
            f"{unpaired:,} of {count_of(len(pairs), 'pair')} "
            f"{'shares no item and was' if unpaired == 1 else 'share no item and were'} compared as "
            "independent samples, with less power than on shared items.",
        )
    if config.unit_size > 1 and same_units(units):
        tell(
            "evaluation-units",
            "info",
            f"{count_of(units.n_scored, 'item')} of {config.unit_size} rows each "
            f"{'was' if units.n_scored == 1 else 'were'} compared ({config.unit_metric} of the rows).",
        )
