"""The studentised bootstrap test of the mean, with the interval that agrees with it."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, undefined_outcomes
from nlpstat_core.engine.resampling.bootstrap_t import Tails, studentised_outcomes
from nlpstat_core.engine.resampling.studentised import observed_t, resampled_t
from nlpstat_core.methods.significance.smallest import of_resamples
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest


def bootstrap_mean(batch: PairBatch, config: AnalysisConfig, *, tails: Tails = "symmetric") -> Outcomes:
    """Studentised bootstrap test of the mean difference.

    Null hypothesis: the mean of u − v is δ.

    Parameters
    ----------
    batch : PairBatch
        Pairs with their shared units; below two units undefined (note "too-few-units").
    config : AnalysisConfig
        `alternative`, `level`, `resamples`, `seed`; δ is in the batch.
    tails : {"symmetric", "equal"}
        How two sides share the error: by |t*|, or half of it each by t*.

    Returns
    -------
    Outcomes
        The mean difference, its Monte Carlo p-value and the bootstrap-t interval, which excludes δ exactly
        when p ≤ 1 − level. A difference without spread has p = 1 where it equals δ and is undefined
        elsewhere (note "no-spread"). A resample without spread counts as extreme in every tail; over 1 % of
        them bring the note "flat-resamples".

    Notes
    -----
    t* = (z̄* − z̄)/(s*/√n), t = z̄/(s/√n), z = u − v − δ. Symmetric: p = (1 + #{|t*| ≥ |t|})/(B + 1), interval
    z̄ ± q·s/√n with q the ⌈level·(B + 1)⌉-th smallest |t*|. Equal: p = 2·min of the one-sided p-values,
    interval [z̄ − q_u·s/√n, z̄ + q_l·s/√n]. Cost O(B·n) per pair: one matrix product for all pairs.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 12 and 16; Hall (1988),
    doi:10.1214/aos/1176350933.
    """
    if batch.n_units < 2:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    return studentised_outcomes(batch, config, batch.mean, observed_t(batch), resampled_t, tails=tails)


METHOD = SignificanceTest(
    key="bootstrap-mean",
    label="Bootstrap test of the mean",
    summary="Resamples the items and compares the mean difference, in standard errors, with its resamples.",
    run=bootstrap_mean,
    quantity=MEAN,
    null="the mean difference is {delta}",
    assumptions=(
        "items are independent",
        "there are enough items to represent those that could have been tested (bootstrap)",
    ),
    formula=r"p = \frac{1 + \#\{|t^*| \ge |t|\}}{B + 1},\quad t^* = \frac{\bar z^* - \bar z}{s^*/\sqrt n}",
    references=("efron1993", "hall1988"),
    design="paired",
    about_means=True,
    by_documents="block-bootstrap",
    resampled=True,
    former_keys=("bootstrap",),
    needs_spread=True,
    smallest_p=of_resamples,
    joint_null="resamples",
    advice=(
        Advice(
            kinds=("skewed",),
            standing="non-preferred",
            reason="It needs random resamples, but with few items and strong skewness it errs less often.",
            questions=("mean",),
        ),
        Advice(
            kinds=("skewed",),
            standing="non-preferred",
            reason="It is valid for the mean, which is not the quantity recommended here.",
            questions=("each-pair",),
        ),
        Advice(kinds=("accuracy-counts",), standing="unlisted", reason=""),
    ),
)
