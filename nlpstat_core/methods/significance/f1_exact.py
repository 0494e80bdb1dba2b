"""The exact permutation test of a difference in micro-averaged F1, from counts per unit."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EstimateColumns, Outcomes
from nlpstat_core.engine.count_statistics.exact_ratios import score_outcomes, score_with_interval
from nlpstat_core.methods.significance.smallest import of_other_counts
from nlpstat_core.quantities import F1
from nlpstat_core.records import Advice, SignificanceTest


def f1_exact(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Exact permutation test of the difference in F1, whole units swapped.

    Null hypothesis: in every unit the outputs of a and b could be exchanged.

    Parameters
    ----------
    batch : PairBatch
        Pairs with counts of true positives and of wrong items (false positives and false negatives);
        undefined without ("no-counts"), for δ ≠ 0 ("counts-need-zero-delta") and without units
        ("too-few-units").
    config : AnalysisConfig
        `alternative`; `seed` and `resamples` only for the Monte Carlo last resort.

    Returns
    -------
    Outcomes
        The difference of the micro-averaged F1 scores and its exact p-value.

    Notes
    -----
    F1 = tp/(tp + wrong/2), 0 where a side has neither, in the data and in every swap of them. A swap leaves
    tp_a + tp_b and wrong_a + wrong_b unchanged, so (tp, wrong) of the swapped units walks in two dimensions.
    See `exact_ratios` and `structured`.
    """
    return score_outcomes("f1", batch, config)


def f1_difference(batch: PairBatch, config: AnalysisConfig) -> EstimateColumns:
    """Difference of the micro-averaged F1 scores with its interval."""
    return score_with_interval("f1", batch, config)


METHOD = SignificanceTest(
    key="f1-exact",
    label="Exact test of F1",
    summary="Swaps the two systems' outputs in whole items and counts how often F1 differs as much.",
    run=f1_exact,
    quantity=F1,
    null="in every item the outputs of the two systems could be exchanged",
    assumptions=(
        "items are independent",
        "scores are counts of true positives, false positives and false negatives per item",
    ),
    formula=r"p = \min\bigl(1,\, 2\, P(\Delta^* \ge |\Delta|)\bigr),\quad \Delta = F_1^a - F_1^b,\quad "
    r"F_1 = \frac{\sum tp_i}{\sum tp_i + \frac12 \sum (fp_i + fn_i)}",
    references=("zmigrod2022",),
    design="counts",
    estimate=f1_difference,
    sign_flips=True,
    smallest_p=of_other_counts,
    advice=(
        Advice(
            kinds=("f1-counts",),
            standing="recommended",
            reason="F1 is made of counts: whole items are swapped and every swap counted.",
        ),
    ),
)
