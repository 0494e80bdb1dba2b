"""The permutation test of the median, in closed form."""

from __future__ import annotations

from nlpstat_core.catalogue import Method
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.pairs.outcomes import Outcomes, SignificanceRun, outcomes_from_tails, undefined_outcomes
from nlpstat_core.samples.locations import clean, medians
from nlpstat_core.scores import MOST_DECIMALS
from nlpstat_core.signflip import permutation_median_columns


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

    References
    ----------
    Fisher (1935), The Design of Experiments.
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


METHOD: Method[SignificanceRun] = Method(
    key="permutation-median",
    label="Permutation test of the median",
    summary="Flips the signs of the differences at random and counts how often the median is as large.",
    run=permutation_median,
    hypothesis="median",
    null="the differences are symmetric about {delta}, so their median is {delta}",
    assumptions=(
        "units are independent",
        "under the null the differences are symmetric about the hypothesised one",
    ),
    formula=r"p = \min\bigl(1,\, 2 \cdot 2^{-n}\, \#\{\varepsilon \in \{\pm 1\}^n : "
    r"\operatorname{median}(\varepsilon_i |z_i|) \ge |\operatorname{median}(z)|\}\bigr)",
    references=("fisher1935",),
    design="paired",
    estimate=medians,
)
