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
    from nlpstat_core.methods.corrections.family import CorrectionRun
    from nlpstat_core.methods.corrections.levels import Level

Swapping = Literal["negative", "complement", "reciprocal"]
Design = Literal["paired", "blocks", "counts", "unpaired", "runs", "any"]
Standing = Literal["recommended", "non-preferred", "inappropriate", "unlisted"]
LooksAt = Literal["sizes", "ranks", "signs"]
PowerForm = Literal["noncentral-t", "signed-rank-beta", "exact-binomial"]
QUESTIONS = ("mean", "each-pair")


@dataclass(frozen=True)
class Remark:
    """A note code of a procedure's own, with its sentence.

    Attributes
    ----------
    code : str
    severity : {"info", "caution", "problem"}
    text : str
        May name what `nlpstat_core.report.wording.pair_remarks.pair_note` fills in.
    """

    code: str
    severity: Severity
    text: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Procedure:
    """What every procedure says of itself.

    Attributes
    ----------
    key : str
        The name in configurations, on the command line and in JSON.
    label : str
        The name people read.
    summary : str
        One sentence: what it does.
    run : callable
        The procedure on columns.
    null : str
        For tests, the null hypothesis in words.
    assumptions : tuple of str
    formula : str
        LaTeX.
    references : tuple of str
        Keys of `nlpstat_core.methods.references.REFERENCES`.
    design : {"paired", "blocks", "counts", "unpaired", "runs", "any"}
        What it needs: shared units, units in named blocks, counts per unit, independent samples, or none.
    error_rate : str
        For families of comparisons, which error rate it controls and under which dependence, in words.
    named : str
        The name inside a sentence; empty derives it from the label.
    former_keys : tuple of str
        Keys of NLPStatTest's configurations that mean this procedure.
    remarks : tuple of Remark
        Note codes of its own; those of several procedures have their sentences in
        `nlpstat_core.report.wording.pair_remarks`.
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

    Attributes
    ----------
    kinds : tuple of str
        Kinds of data: `nlpstat_core.methods.diagnosis.advice.RULES`.
    standing : {"recommended", "non-preferred", "inappropriate", "unlisted"}
        "unlisted": such data don't concern the test at all.
    reason : str
        One sentence.
    questions : tuple of str
        The questions under which it holds.
    """

    kinds: tuple[str, ...]
    standing: Standing
    reason: str
    questions: tuple[str, ...] = QUESTIONS


@dataclass(frozen=True, eq=False, kw_only=True)
class SignificanceTest(Procedure):
    """A test of one pair of systems, or of all pairs of a batch at once.

    Attributes
    ----------
    quantity : Quantity
        What it is about.
    interval : callable (PairBatch, AnalysisConfig, Outcomes) → Outcomes, or None
        Adds the interval of the difference to what `run` found, where it takes more than that did. Without it
        and without one from `run` the interval of the data's kind stands beside the test.
    estimate : callable or None
        For tests not about the mean: the quantity they are about, with its interval.
    by_documents : str
        For tests of single units, key of the test that asks the same of whole documents; empty for none.
    about_means : bool
        Whether its null hypothesis is one of equal means, which Shaffer's correction and a margin build on.
    binary_only : bool
        Whether it needs scores of 0 and 1.
    needs_spread : bool
        Whether it is undefined where all differences are equal.
    resampled : bool
        Whether p comes from random resamples, of which B give no p below 1/(B + 1).
    quick : bool
        Whether many simulated test sets take it no time.
    looks_at : {"sizes", "ranks", "signs"}
        What of a difference decides: its size, its rank, or its sign alone.
    exact_for_shares : bool
        Whether for scores of 0 and 1 equal means alone make it exact, however few units differ.
    sign_flips : bool
        Whether p counts random signs of the units, documents or counts that are swapped.
    lowest_with_all_signs : bool
        Whether its smallest p is always that of all signs alike: 2^(1 − n) for n units, or for n documents.
    smallest_p : callable (PairBatch, AnalysisConfig) → float array, or None
        Smallest p that each pair could get with as many units and ties; None: as small as one likes.
    joint_null : {"", "flips", "resamples"}
        How max-T draws the test's statistic for all pairs at once; empty where it can't.
    power_form : {"noncentral-t", "signed-rank-beta", "exact-binomial"}
        The closed form of its power, or the nearest one.
    planned : bool
        Whether that form is its own, so that test sets are planned with it.
    equal_variances : bool
        Of independent samples: whether they share one spread.
    of_board_scores : bool
        Of independent samples: whether it compares the board's scores also where these are made of counts.
    advice : tuple of Advice
        Where it stands for which data; what is not named here follows from the rest of the record.
    when_chosen : str
        What a methods paragraph has to add where the data chose this test.
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

    Attributes
    ----------
    costly : bool
        Computed for all pairs only when the configuration names it.
    resampled : bool
        Whether its interval comes from a bootstrap.
    swapping : {"negative", "complement", "reciprocal"}
        How the value of (a, b) becomes that of (b, a).
    unpaired : EffectSize or None
        The index of the same key for two independent samples.
    estimates : Quantity or None
        The quantity of a test that it measures in its own unit, metric points or a share.
    conventions : tuple of three float, or None
        Where small, medium and large begin, on the absolute value or on a ratio above 1.
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

    Attributes
    ----------
    controls : {"", "family-wise", "false-discovery"}
        The error rate; empty for none.
    level_of_one : Level
        The level at which one comparison is decided whatever becomes of the others.
    level_of_first : Level or None
        Largest p that can be significant when all other comparisons help; None: the family's whole level.
    steps : {"", "single", "down"}
        "single" where every p gets the same factor, "down" where factors fall from the smallest p on.
    hardest_step : bool
        Whether `level_of_one` is the hardest of several steps, so that power at it is a lower bound.
    positive_dependence : bool
        Whether it rests on positively dependent tests.
    p_values_only : bool
        Whether it needs nothing but the p-values.
    fits : callable (SignificanceTest) → bool, or None
        The tests it goes with; None means every test.
    resamples : bool
        Whether it resamples the scores of the whole family.
    all_pairs_of_a_board : bool
        Whether its logic is that of all pairs of one board.
    squared_cost : bool
        Whether its cost grows with the square of the family.
    explored : bool
        Whether it stands among the variants that show how firm a board is.
    notes : tuple of str
        Note codes that it may set.
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
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardTest(Procedure):
    """A test of all systems at once.

    Attributes
    ----------
    title : str
        The name in tables.
    sign : str
        Of its statistic.
    cited : str
        Key of the reference that stands beside its result; empty for none.
    """

    title: str = ""
    sign: str = ""
    cited: str = ""
