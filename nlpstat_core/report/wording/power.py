"""Sentences about power: plans, curves, what a board could tell apart."""

from collections import Counter

import numpy as np

from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.engine.columns.blocks import VERY_FEW_BLOCKS
from nlpstat_core.formatting import count_of, format_p, format_score
from nlpstat_core.power import BoardPower, PowerCurve, PowerPlan, RunsPlan
from nlpstat_core.power.models import runs_test
from nlpstat_core.report.wording.question import label_of_test

MODEL_LABELS = {
    "noncentral-t": "noncentral t distribution",
    "block-noncentral-t": "noncentral t distribution of documents, with their design effect",
    "signed-rank-beta": "signed ranks of normal differences, beta approximation (power within 0.08 below 10 "
    "items, 0.03 below 20, 0.02 below 50)",
    "signed-rank-own": "signed ranks of the pair's own differences, beta approximation",
    "exact-binomial": "exact binomial distribution",
    "items-and-runs": "the test's own standard error and degrees of freedom for normal items, runs and "
    "residuals",
    "resampled-shift": "resamples of the pair's own items, all shifted by the same amount",
    "swap-means": "logistic swap: sizes of the differences kept, directions redrawn; resampled items",
    "swap-ranks": "logistic swap: sizes of the differences kept, directions redrawn; signed ranks",
    "swap-binomial": "logistic swap: sizes of the differences kept, directions redrawn; exact binomial",
    "swap-closed": "logistic swap: sizes of the differences kept, directions redrawn; noncentral t",
    "shape-t": "the t test's, since power of this test depends on the shape of the true difference",
}

OBSERVED_POWER = (
    "Power at the observed difference only restates the p-value: a small p always goes with high power "
    "and a large p with low power. It says nothing about whether the test set was big enough. Ask about a "
    "difference that would matter to you, or look at the smallest difference the test set could detect."
)

CURVE_NOTES: dict[str, str] = {
    "observed-power": OBSERVED_POWER,
    "lower-bound": "Power is a lower bound: it is computed at the strictest step of the correction.",
    "resamples-too-few": "The test's own resamples are too few to give a p-value as small as this level: "
    "raise their number.",
    "swapped": "These scores are tied or on a coarse scale, so nothing was added to them: items (or whole "
    "documents) keep the sizes of their differences, and directions are redrawn with probabilities that "
    "rise with the size (logistic swap). The assumed difference is a difference of means.",
    "linearised": "A measure that is not a mean is linearised: every item counts by how much exchanging its "
    "two outputs changes the difference, and these signs are flipped, as in the swap test.",
    "swapped-outputs": "To simulate another true difference, outputs are swapped with other probabilities: "
    "the more an item's outputs move the measure, the more often the better one stays with the better system "
    "(logistic swap).",
    "depends-on-shape": "Many of these differences are nearly 0 without being tied: the power of this test "
    "depends on the unknown distribution of the true difference. The curve is that of the t test.",
    "items-and-runs": "Items, runs and what is left were drawn from normal distributions with the variances "
    "of this pair; for every draw the test's own standard error and degrees of freedom decide.",
    "often-undefined": "In some of the simulated test sets the test is undefined; they count as not "
    "significant.",
}


def power_note(code: str) -> str:
    """The sentence of a note on a power curve."""
    return CURVE_NOTES[code]


def family_phrase(correction: str, comparisons: int, comparison_alpha: float) -> str:
    """Which level one comparison is decided at, and why.

    >>> family_phrase("bonferroni", 10, 0.005)
    'level 0.005 (Bonferroni, 10 pairs)'
    """
    if correction == "none" or comparisons == 1:
        return f"level {comparison_alpha:.3g}, not corrected"
    return f"level {comparison_alpha:.3g} ({CORRECTIONS[correction].label}, {comparisons:,} pairs)"


def swaps_phrase(measure: str, *, documents: bool = False) -> str:
    """The test that a plan for a measure stands for: its form is that of t, with the spread of swaps.

    documents: Whether whole documents are exchanged.

    >>> swaps_phrase("macro-F1")
    'Swap test of macro-F1 in the form of a t test'
    """
    whole = " by documents" if documents else ""
    return f"Swap test of {measure}{whole} in the form of a t test"


def plan_sentence(plan: PowerPlan, sd: float | None = None, measure: str = "") -> str:
    """A plan as one sentence.

    sd: Standard deviation of the differences, to say the effect in metric points too.
    measure: That the plan is about, where it is no mean and the t test stands for swaps of outputs.

    >>> from nlpstat_core.power import plan
    >>> plan_sentence(plan(effect=0.2, power=0.8, alpha=0.05)).split(" to find")[0]
    '199 test items are needed'
    """
    effect = effect_phrase(plan.effect, plan.effect_kind, sd)
    if measure and sd is not None:
        effect = f"a difference of {format_score(plan.effect * sd)} in {measure}"
    test = TESTS[plan.test].by_documents if plan.documents else plan.test
    named = swaps_phrase(measure, documents=bool(plan.documents)) if measure else label_of_test(test)
    how = f"{named}, {plan.alternative}, " + family_phrase(
        plan.correction, plan.comparisons, plan.comparison_alpha
    )
    reached = f"power {plan.power:.3g}"
    items = f"{plan.units:,} test items"
    if plan.documents is not None:
        items += f" in {plan.documents:,} documents"
        how += f", design effect {plan.design_effect:.3g}"
    answer = {
        "units": f"{items} are needed to find {effect} with {reached}",
        "power": f"Power is {plan.power:.3g}: the chance of finding {effect} with {items}",
        "effect": f"{items} find {effect} with {reached}; smaller ones are found less often",
        "alpha": f"At a family level of {plan.alpha:.3g} {items} find {effect} with {reached}",
    }[plan.solved]
    return f"{answer} ({how}).{_few_documents(plan)}"


def _few_documents(plan: PowerPlan) -> str:
    """A sentence where a plan has fewer documents than a test of them needs, or would have."""
    documents, fewest, enough = plan.documents, plan.fewest_documents, plan.documents_for_power
    if documents is None or fewest is None:
        return ""
    reason = (
        f"with fewer than {fewest} documents no test of documents is reliable"
        if fewest == VERY_FEW_BLOCKS
        else f"with fewer than {fewest} documents the smallest p-value of the block permutation test is "
        f"above {format_p(plan.comparison_alpha)}"
    )
    if enough is not None and enough < documents:
        return f" {count_of(enough, 'document')} would have the power, but {reason}."
    return "" if documents >= fewest else f" Caution: {reason}."


def effect_phrase(effect: float, kind: str, sd: float | None = None) -> str:
    """An effect in words.

    kind: "cohen-d" or "cohen-g".

    >>> effect_phrase(0.2, "cohen-d", 5.0), effect_phrase(0.1, "cohen-g")
    ('a difference of 1 (0.2 standard deviations)', 'winning 60 % of the decided items')
    """
    if kind == "cohen-g":
        return f"winning {format_score(100 * (0.5 + effect))} % of the decided items"
    spread = f"{format_score(effect)} standard deviations"
    return (
        f"a difference of {spread}"
        if sd is None
        else f"a difference of {format_score(effect * sd)} ({spread})"
    )


def curve_sentence(curve: PowerCurve) -> str:
    """What was simulated, in one sentence."""
    source = "resampled items" if curve.method == "bootstrap" else "normal differences"
    if curve.documents is not None:
        source = "resampled documents" if curve.method == "bootstrap" else "normal differences in documents"
    if curve.n_runs is not None:
        source = f"normal items and runs ({_runs_of(curve.n_runs)})"
    assumed = "the observed difference" if curve.at_observed else "an assumed difference"
    return (
        f"{label_of_test(curve.test)}, {curve.alternative}, "
        f"{family_phrase(curve.correction, curve.comparisons, curve.comparison_alpha)}, at {assumed} of "
        f"{format_score(curve.difference)}; {curve.iterations:,} test sets of {source} per size."
    )


def _runs_of(n_runs: tuple[int, int]) -> str:
    a, b = n_runs
    return f"{count_of(a, 'run')} per system" if a == b else f"{a:,} and {b:,} runs"


def runs_plan_sentence(plan: RunsPlan) -> str:
    """A plan of items and runs as one sentence."""
    items, runs = f"{plan.units:,} test items", f"{count_of(plan.runs, 'run')} per system"
    effect, reached = f"a difference of {format_score(plan.difference)}", f"power {plan.power:.3g}"
    how = f"{label_of_test(runs_test())}, {plan.alternative}, " + family_phrase(
        plan.correction, plan.comparisons, plan.comparison_alpha
    )
    answer = {
        "units": f"{items} with {runs} are needed to find {effect} with {reached}",
        "runs": f"{runs} with {items} are needed to find {effect} with {reached}",
        "power": f"Power is {plan.power:.3g}: the chance of finding {effect} with {items} and {runs}",
        "difference": f"{items} with {runs} find {effect} with {reached}; smaller ones are found less often",
        "alpha": f"At a family level of {plan.alpha:.3g} {items} with {runs} find {effect} with {reached}",
    }[plan.solved]
    return f"{answer} ({how}; standard error {format_score(plan.error)})."


def board_sentence(board: BoardPower, *, percent: bool = False, measure: str = "") -> str:
    """The smallest difference the board could detect, in one sentence.

    percent: Scores are shares, whose differences are told in percentage points.
    measure: By which systems are compared, where it is no mean.
    """
    known = board.detectable[np.isfinite(board.detectable)]
    chance = f"{100 * board.power:g} %"
    if np.isnan(board.detectable).all():
        if (board.model == "few-documents").any():
            return (
                "Which differences would be found is unknown: the documents are too few or too unequal "
                "in size to represent others."
            )
        return "No pair of this board has both a test and a standard deviation to compute power from."
    if not known.size:
        return "No pair of this board has a difference that could be detected with these settings."
    quantiles = np.quantile(known, [0, 0.5, 1]) * (100 if percent else 1)
    low, middle, high = (_three_digits(float(q)) for q in quantiles)
    points = " percentage points" if percent else ""
    spread = "" if low == high else f" (over all pairs, this size ranges from {low} to {high})"
    of_what = f" in {measure}" if measure else ""
    return (
        f"For a typical pair, true differences{of_what} below {middle}{points} will often be missed: a "
        f"difference of {middle} is found with a power of {chance}{spread}."
    )


def _three_digits(value: float) -> str:
    """A size for people: 12.8, not 12.75."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def models_sentence(board: BoardPower) -> str:
    """How the detectable differences of a board were computed, most pairs first."""
    counted = Counter(key for key in board.model if key is not None)
    withheld = counted.pop("few-documents", 0)
    lines = [f"{MODEL_LABELS[key]} ({count_of(times, 'pair')})" for key, times in counted.most_common()]
    sentences = [f"Computed by: {'; '.join(lines)}."] if lines else []
    if withheld:
        sentences.append(
            f"Not given for {count_of(withheld, 'pair')}, whose documents are too few or too unequal in size."
        )
    return " ".join(sentences) or "No pair has a test."


def units_text(units: float, per_document: float = 0.0) -> str:
    """A number of units that may be infinite, with the documents they come in.

    per_document: Units of a document; 0 where documents aren't compared.

    >>> units_text(1234.0), units_text(float("inf")), units_text(float("nan"))
    ('1,234', '∞', 'undefined')
    >>> units_text(60.0, 2.5)
    '60 in 24 documents'
    """
    if np.isnan(units):
        return "undefined"
    if np.isinf(units):
        return "∞"
    within = f" in {count_of(int(units / per_document + 1e-9), 'document')}" if per_document else ""
    return f"{int(units):,}{within}"
