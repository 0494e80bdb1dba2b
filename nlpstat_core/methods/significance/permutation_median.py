"""The permutation test of the median, in closed form."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes_from_tails, undefined_outcomes
from nlpstat_core.engine.samples.locations import clean, medians
from nlpstat_core.engine.signflip import permutation_median_columns
from nlpstat_core.methods.significance.smallest import of_half_the_units
from nlpstat_core.quantities import MEDIAN
from nlpstat_core.records import Advice, SignificanceTest
from nlpstat_core.scores.grid import MOST_DECIMALS


def permutation_median(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Sign-flip permutation test of the median difference.

    Null hypothesis: the differences u − v are symmetric about δ.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        `alternative`; δ is in the batch.

    Returns
    -------
    Outcomes
        The median difference and its exact p-value. Where the median of z is 0 the two-sided p is 1; a pair
        without any unit is undefined (note "too-few-units").

    Notes
    -----
    p is the share of the 2ⁿ sign patterns whose median is at least as large as observed, doubled for two
    sides; order statistics of |z| give it without any enumeration. Cost O(n log n) per pair.
    """
    if batch.n_units == 0:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    decimals = batch.units.decimals
    gridded = decimals < MOST_DECIMALS
    tails = permutation_median_columns(
        batch.rounded if gridded else batch.shifted,
        config.alternative,
        max_decimals=decimals if gridded and not batch.delta else None,
    )
    median = medians(batch, config).value
    return outcomes_from_tails(median, tails, clean(median - batch.delta, batch))


# Where a test of the median stands, whatever its p-values are made of.
ABOUT_A_MEDIAN = (
    Advice(
        kinds=("normal", "not-normal", "skewed"),
        standing="non-preferred",
        reason="It asks about the median of the differences, not the mean.",
        questions=("mean",),
    ),
    Advice(
        kinds=("normal", "not-normal"),
        standing="non-preferred",
        reason="It is about the median, but for symmetric differences the mean is more informative.",
        questions=("each-pair",),
    ),
    Advice(
        kinds=("binary",),
        standing="inappropriate",
        reason="The median of such differences is 0 for almost every pair.",
    ),
    Advice(kinds=("accuracy-counts",), standing="unlisted", reason=""),
)

METHOD = SignificanceTest(
    key="permutation-median",
    label="Permutation test of the median",
    summary="Flips the signs of the differences at random and counts how often the median is as large.",
    run=permutation_median,
    quantity=MEDIAN,
    null="the differences are symmetric about {delta}, so their median is {delta}",
    assumptions=(
        "items are independent",
        "under the null the differences are symmetric about the hypothesised one",
    ),
    formula=r"p = \min\bigl(1,\, 2 \cdot 2^{-n}\, \#\{\varepsilon \in \{\pm 1\}^n : "
    r"\operatorname{median}(\varepsilon_i |z_i|) \ge |\operatorname{median}(z)|\}\bigr)",
    references=("fisher1935",),
    design="paired",
    estimate=medians,
    former_keys=("permutation_med",),
    looks_at="signs",
    smallest_p=of_half_the_units,
    power_form="exact-binomial",
    advice=(
        *ABOUT_A_MEDIAN,
        Advice(
            kinds=("skewed",),
            standing="non-preferred",
            reason="It is about the median but assumes symmetric differences under the null.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("constant",),
            standing="non-preferred",
            reason="With equal differences it adds nothing.",
            questions=("mean",),
        ),
        Advice(
            kinds=("constant",),
            standing="non-preferred",
            reason="With equal differences it adds nothing to the sign test.",
            questions=("each-pair",),
        ),
    ),
)
