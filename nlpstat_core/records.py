"""The records of procedures: everything that the rest of the house has to know of one, in its own file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from nlpstat_core.notes import Severity
from nlpstat_core.quantities import MEAN, Quantity

if TYPE_CHECKING:
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.engine.columns.batch import PairBatch
    from nlpstat_core.engine.columns.outcomes import EffectRun, EstimateRun, IntervalRun, SignificanceRun
    from nlpstat_core.methods.corrections.family import CorrectionRun, Level

Swapping = Literal["negative", "complement", "reciprocal"]
Design = Literal["paired", "blocks", "counts", "unpaired", "runs", "measure", "any"]
Standing = Literal["recommended", "non-preferred", "inappropriate", "unlisted"]
LooksAt = Literal["sizes", "ranks", "signs"]
PowerForm = Literal["noncentral-t", "signed-rank-beta", "exact-binomial"]
QUESTIONS = ("mean", "each-pair")


@dataclass(frozen=True)
class Remark:
    """A note code of a procedure's own, with its sentence.

    text: May name what `nlpstat_core.report.wording.pair_remarks.pair_note` fills in.
    """

    code: str
    severity: Severity
    text: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Procedure:
    """What every procedure says of itself.

    key: The name in configurations, on the command line and in JSON.
    label: The name people read.
    summary: One sentence: what it does.
    run: The procedure on columns.
    null: For tests, the null hypothesis in words; may name {a}, {b}, {delta} and {shift}, which is nothing
        where δ is 0.
    formula: LaTeX.
    references: Keys of `nlpstat_core.methods.references.REFERENCES`.
    design: What it needs: shared units, units in named blocks, counts per unit, independent samples, the
        outputs behind a measure, or none.
    error_rate: For families of comparisons, which error rate it controls and under which dependence, in
        words.
    named: The name inside a sentence; empty derives it from the label.
    former_keys: Keys of NLPStatTest's configurations that mean this procedure.
    remarks: Note codes of its own; those of several procedures have their sentences in
        `nlpstat_core.report.wording.pair_remarks`.
    by_wins: Whether of 0/1 scores it needs only how many items a alone, and b alone, gets right: equal counts
        then give the same digits.
    """

    key: str
    label: str
    summary: str
    run: Callable[..., Any]
    null: str = ""
    assumptions: tuple[str, ...] = ()
    formula: str = ""
    references: tuple[str, ...] = ()
    design: Design = "any"
    error_rate: str = ""
    named: str = ""
    former_keys: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    by_wins: bool = False

    @property
    def in_sentence(self) -> str:
        """The name inside a sentence: "the sign test", "McNemar's test"."""
        if self.named:
            return self.named
        if self.label.split()[0].endswith("'s"):
            return self.label
        return f"the {self.label[:1].lower()}{self.label[1:]}"


@dataclass(frozen=True, kw_only=True)
class Advice:
    """Where a test stands for some kinds of data, and why.

    kinds: Kinds of data: `nlpstat_core.methods.diagnosis.advice.RULES`.
    standing: "unlisted": such data don't concern the test at all.
    reason: One sentence.
    questions: The questions under which it holds.
    """

    kinds: tuple[str, ...]
    standing: Standing
    reason: str
    questions: tuple[str, ...] = QUESTIONS


@dataclass(frozen=True, eq=False, kw_only=True)
class SignificanceTest(Procedure):
    """A test of one pair of systems, or of all pairs of a batch at once.

    quantity: What it is about.
    interval (callable (PairBatch, AnalysisConfig, Outcomes) → Outcomes, or None): Adds the interval of the
        difference to what `run` found, where it takes more than that did. Without it and without one from
        `run` the interval of the data's kind stands beside the test.
    estimate: For tests not about the mean: the quantity they are about, with its interval.
    by_documents: For tests of single units, key of the test that asks the same of whole documents; empty for
        none.
    about_means: Whether its null hypothesis is one of equal means, which Shaffer's correction and a margin
        build on.
    binary_only: Whether it needs scores of 0 and 1.
    needs_spread: Whether it is undefined where all differences are equal.
    resampled: Whether p comes from random resamples, of which B give no p below 1/(B + 1).
    quick: Whether many simulated test sets take it no time.
    looks_at: What of a difference decides: its size, its rank, or its sign alone.
    exact_for_shares: Whether for scores of 0 and 1 equal means alone make it exact, however few units differ.
    sign_flips: Whether p counts random signs of the units, documents or counts that are swapped.
    lowest_with_all_signs: Whether its smallest p is always that of all signs alike: 2^(1 − n) for n units, or
        for n documents.
    smallest_p (callable (PairBatch, AnalysisConfig) → float array, or None): Smallest p that each pair could
        get with as many units and ties; None: as small as one likes.
    joint_null: How max-T draws the test's statistic for all pairs at once; empty where it can't.
    power_form: The closed form of its power, or the nearest one.
    planned: Whether that form is its own, so that test sets are planned with it.
    equal_variances: Of independent samples: whether they share one spread.
    of_board_scores: Of independent samples: whether it compares the board's scores also where these are made
        of counts.
    advice: Where it stands for which data; what is not named here follows from the rest of the record.
    when_chosen: What a methods paragraph has to add where the data chose this test.
    """

    run: SignificanceRun
    quantity: Quantity = MEAN
    interval: IntervalRun | None = None
    estimate: EstimateRun | None = None
    by_documents: str = ""
    about_means: bool = False
    binary_only: bool = False
    needs_spread: bool = False
    resampled: bool = False
    quick: bool = False
    looks_at: LooksAt = "sizes"
    exact_for_shares: bool = False
    sign_flips: bool = False
    lowest_with_all_signs: bool = False
    smallest_p: Callable[[PairBatch, AnalysisConfig], FloatArray] | None = None
    joint_null: Literal["", "flips", "resamples"] = ""
    power_form: PowerForm = "noncentral-t"
    planned: bool = False
    equal_variances: bool = False
    of_board_scores: bool = False
    advice: tuple[Advice, ...] = ()
    when_chosen: str = ""

    @property
    def hypothesis(self) -> str:
        """Key of the quantity that the test is about, as in JSON."""
        return self.quantity.key


@dataclass(frozen=True, eq=False, kw_only=True)
class EffectSize(Procedure):
    """A measure of how large the difference of a pair is.

    run: The last argument says whether the interval is computed, too.
    costly: Computed for all pairs only when the configuration names it.
    resampled: Whether its interval comes from a bootstrap.
    swapping: How the value of (a, b) becomes that of (b, a).
    unpaired: The index of the same key for two independent samples.
    estimates: The quantity of a test that it measures in its own unit, metric points or a share.
    conventions: Where small, medium and large begin, on the absolute value or on a ratio above 1.
    """

    run: EffectRun
    costly: bool = False
    resampled: bool = False
    swapping: Swapping = "negative"
    unpaired: EffectSize | None = None
    estimates: Quantity | None = None
    conventions: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Correction(Procedure):
    """A correction of a family of p-values for multiple comparisons.

    controls: The error rate; empty for none.
    level_of_one: The level at which one comparison is decided whatever becomes of the others.
    level_of_first: Largest p that can be significant when all other comparisons help; None: the family's
        whole level.
    steps: "single" where every p gets the same factor, "down" where factors fall from the smallest p on.
    hardest_step: Whether `level_of_one` is the hardest of several steps, so that power at it is a lower
        bound.
    positive_dependence: Whether it rests on positively dependent tests.
    p_values_only: Whether it needs nothing but the p-values.
    fits (callable (SignificanceTest) → bool, or None): The tests it goes with; None means every test.
    resamples: Whether it resamples the scores of the whole family.
    all_pairs_of_a_board: Whether its logic is that of all pairs of one board.
    squared_cost: Whether its cost grows with the square of the family.
    explored: Whether it stands among the variants that show how firm a board is.
    in_blocks: Whether counts of p-values settle it, so that pairs needn't stand in memory together.
    notes: Note codes that it may set.
    """

    run: CorrectionRun
    level_of_one: Level
    controls: Literal["", "family-wise", "false-discovery"] = "family-wise"
    level_of_first: Level | None = None
    steps: Literal["", "single", "down"] = ""
    hardest_step: bool = False
    positive_dependence: bool = False
    p_values_only: bool = True
    fits: Callable[[SignificanceTest], bool] | None = None
    resamples: bool = False
    all_pairs_of_a_board: bool = False
    squared_cost: bool = False
    explored: bool = False
    in_blocks: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardTest(Procedure):
    """A test of all systems together.

    title: The name in tables.
    sign: Of its statistic.
    cited: Key of the reference that stands beside its result; empty for none.
    """

    title: str = ""
    sign: str = ""
    cited: str = ""
