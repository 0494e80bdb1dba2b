"""Student's paired t test."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes
from nlpstat_core.engine.distributions.tails import log_p_from_tails, t_log_sf
from nlpstat_core.engine.samples.intervals import mean_interval
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest


def paired_t(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Student's t test of the mean difference.

    Null hypothesis: the mean of u − v is δ.

    Parameters
    ----------
    batch : PairBatch
        Pairs with their shared units; at least two units, else undefined.
    config : AnalysisConfig
        `alternative`; δ is in the batch.

    Returns
    -------
    Outcomes
        t and its asymptotic p-value on n − 1 degrees of freedom. A difference that is the same for
        every unit has no spread: p = 1 where it equals δ, undefined elsewhere (note "no-spread").

    Notes
    -----
    t = (mean(u − v) − δ) / (sd/√n). Cost O(n) per pair.
    """
    n = batch.n_units
    shift = batch.mean - batch.delta
    constant = batch.sd == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = shift / (batch.sd / np.sqrt(n))
    zero = constant & (batch.wins + batch.losses == 0)
    t = np.where(zero, 0.0, np.where(constant, np.nan, t))
    log_p = log_p_from_tails(t, lambda x: t_log_sf(x, n - 1), config.alternative)
    log_p = np.where(zero, 0.0, log_p)
    undefined = constant & ~zero
    notes = {"no-spread": undefined, "too-few-units": np.full(batch.n_pairs, n < 2)}
    return outcomes(t, log_p, t, interval=mean_interval(batch, config), notes=notes)


METHOD = SignificanceTest(
    key="t",
    label="Paired t test",
    summary="Compares the mean difference with its standard error.",
    run=paired_t,
    by_wins=True,
    quantity=MEAN,
    null="the mean difference is {delta}",
    assumptions=(
        "items are independent",
        "the mean difference is approximately normal (normal differences, or many items)",
    ),
    formula=r"t = \frac{\bar z}{s_z/\sqrt n},\quad z = u - v - \delta",
    references=("student1908",),
    design="paired",
    about_means=True,
    by_documents="block-t",
    needs_spread=True,
    quick=True,
    joint_null="flips",
    planned=True,
    advice=(
        Advice(
            kinds=("normal",),
            standing="non-preferred",
            reason="It is about the mean too and gives nearly the same p-value.",
            questions=("mean",),
        ),
        Advice(
            kinds=("normal",),
            standing="recommended",
            reason="The differences look symmetric and normal: no test of the mean has more power.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("not-normal", "skewed"),
            standing="non-preferred",
            reason="It is about the mean too; with many items its p-value is nearly the same.",
            questions=("mean",),
        ),
        Advice(
            kinds=("not-normal",),
            standing="inappropriate",
            reason="Normality is rejected, and with it the assumption of t; ranks need none.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("skewed",),
            standing="inappropriate",
            reason="It is not a test of the median: skewed differences pull the mean away from it.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("binary",),
            standing="non-preferred",
            reason="Differences of 0/1 scores are not normal; with many items it comes close.",
            questions=("mean",),
        ),
        Advice(
            kinds=("binary",),
            standing="inappropriate",
            reason="Differences of 0/1 scores are not normal; acceptable only with many items.",
            questions=("each-pair",),
        ),
    ),
)
