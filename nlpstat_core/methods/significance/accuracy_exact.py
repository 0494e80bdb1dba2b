"""The exact permutation test of a difference in micro-averaged accuracy, from counts per unit."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EstimateColumns, Outcomes
from nlpstat_core.engine.count_statistics.exact_ratios import score_outcomes, score_with_interval
from nlpstat_core.methods.significance.smallest import of_other_counts
from nlpstat_core.quantities import ACCURACY
from nlpstat_core.records import Advice, SignificanceTest


def accuracy_exact(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Exact permutation test of the difference in accuracy, whole units swapped.

    Null hypothesis: in every unit the outputs of a and b could be exchanged.

    Parameters
    ----------
    batch : PairBatch
        Pairs with counts of correct and wrong items; undefined without ("no-counts"), for δ ≠ 0
        ("counts-need-zero-delta") and without units ("too-few-units").
    config : AnalysisConfig
        `alternative`; `seed` and `resamples` only for the Monte Carlo last resort.

    Returns
    -------
    Outcomes
        The difference of the micro-averaged accuracies and its exact p-value.

    Notes
    -----
    With the same number of items in every unit it is the sign-flip test of the differences of correct items,
    with one item in every unit McNemar's exact test; otherwise (correct, wrong) of the swapped units walks in
    two dimensions. See `exact_ratios`.
    """
    return score_outcomes("accuracy", batch, config)


def accuracy_difference(batch: PairBatch, config: AnalysisConfig) -> EstimateColumns:
    """Difference of the micro-averaged accuracies with its interval."""
    return score_with_interval("accuracy", batch, config)


METHOD = SignificanceTest(
    key="accuracy-exact",
    label="Exact test of accuracy",
    summary="Swaps the two systems' outputs in whole items and counts how often accuracy differs as much.",
    run=accuracy_exact,
    quantity=ACCURACY,
    null="in every item the outputs of the two systems could be exchanged",
    assumptions=("items are independent", "scores are counts of correct answers per item"),
    formula=r"p = \min\bigl(1,\, 2\, P(\Delta^* \ge |\Delta|)\bigr),\quad "
    r"\Delta = \frac{\sum c^a_i}{\sum t^a_i} - \frac{\sum c^b_i}{\sum t^b_i}",
    references=("zmigrod2022",),
    design="counts",
    estimate=accuracy_difference,
    sign_flips=True,
    smallest_p=of_other_counts,
    advice=(
        Advice(
            kinds=("accuracy-counts",),
            standing="recommended",
            reason="The scores are counts: whole items are swapped and every swap counted.",
        ),
    ),
)
