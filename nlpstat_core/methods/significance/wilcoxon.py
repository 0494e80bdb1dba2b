"""Wilcoxon's signed-rank test."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes, outcomes_from_tails, undefined_outcomes
from nlpstat_core.engine.columns.signed_ranks import SignedRanks, doubled_signed_ranks
from nlpstat_core.engine.distributions.tails import continuity_step, normal_log_sf
from nlpstat_core.engine.samples.locations import pseudo_medians
from nlpstat_core.engine.signflip import weighted_sign_flip_columns
from nlpstat_core.methods.significance.smallest import all_signs_alike
from nlpstat_core.quantities import RANKS
from nlpstat_core.records import Advice, SignificanceTest

MOST_EXACT = 50


def wilcoxon(batch: PairBatch, config: AnalysisConfig, *, exact: bool | None = None) -> Outcomes:
    """Wilcoxon's signed-rank test of paired differences.

    Null hypothesis: the differences u − v are symmetric about δ.

    Parameters
    ----------
    batch : PairBatch
        Ranks are taken on the differences rounded to the scores' decimals.
    config : AnalysisConfig
        `alternative`, `zero_method`, `continuity` (of the normal approximation); δ is in the batch.
    exact : bool or None
        None: exact up to 50 non-zero differences, normal above. True or False: for every pair.

    Returns
    -------
    Outcomes
        W⁺, the sum of the ranks of the positive differences (R's V). A pair without non-zero difference
        has p = 1, without any unit it is undefined (note "too-few-units").

    Notes
    -----
    Equal |z| get midranks. The exact p counts sign patterns of these very midranks, so ties are exact too.
    The approximation takes Z = (W⁺ − E)/√Var with Var = ¼·Σ rank², which is the tie correction.
    Cost O(n log n) per pair.

    References
    ----------
    Wilcoxon (1945), doi:10.2307/3001968; zeros: Pratt (1959), doi:10.1080/01621459.1959.10501526.
    """
    if batch.n_units == 0:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    ranks = batch.signed_ranks
    chosen = ranks.nonzero <= MOST_EXACT if exact is None else np.full(batch.n_pairs, exact)
    chosen = chosen | (ranks.nonzero == 0)
    result = _normal(ranks, config)
    return _with_exact(result, batch, config, chosen) if chosen.any() else result


def _normal(ranks: SignedRanks, config: AnalysisConfig) -> Outcomes:
    """The normal approximation for all pairs."""
    statistic = ranks.statistic(config.zero_method)
    centred = statistic - ranks.mean(config.zero_method)
    direction = np.sign(centred)
    if config.continuity:
        centred = centred - 0.5 * continuity_step(centred, config.alternative)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = centred / ranks.sd(config.zero_method)
    if config.alternative == "two-sided":
        log_p = normal_log_sf(z * np.where(direction == 0, 1.0, direction)) + np.log(2.0)
    else:
        log_p = normal_log_sf(z if config.alternative == "greater" else -z)
    return outcomes(statistic, log_p, direction)


def _with_exact(result: Outcomes, batch: PairBatch, config: AnalysisConfig, chosen: BoolArray) -> Outcomes:
    """The same outcomes with the p-values of some pairs counted over all sign patterns."""
    ranks = batch.signed_ranks
    pairs = np.flatnonzero(chosen)
    most = max(1, int(ranks.nonzero[pairs].max()))
    weights = np.abs(doubled_signed_ranks(batch, pairs, most, config.zero_method))
    centred = ranks.statistic(config.zero_method)[pairs] - ranks.mean(config.zero_method)[pairs]
    tails = weighted_sign_flip_columns(weights, np.rint(4 * centred), config.alternative)
    exact = outcomes_from_tails(result.statistic[pairs], tails, centred)
    for name in ("p_value", "log10_p", "p_kind", "error", "direction"):
        getattr(result, name)[pairs] = getattr(exact, name)
    return result


def _smallest_p(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """p when every difference has the same sign: of all patterns up to 50 of them, else of the normal one."""
    decided = (batch.wins + batch.losses).astype(float)
    return np.where(decided > MOST_EXACT, _normal_limit(decided, config), all_signs_alike(decided, config))


def _normal_limit(decided: FloatArray, config: AnalysisConfig) -> FloatArray:
    sides = 1.0 if config.alternative == "two-sided" else 0.0
    k = np.maximum(decided, 1.0)
    z = (k * (k + 1) / 4) / np.sqrt(k * (k + 1) * (2 * k + 1) / 24)
    with np.errstate(under="ignore"):
        limit: FloatArray = np.exp(normal_log_sf(z)) * 2**sides
    return limit


METHOD = SignificanceTest(
    key="wilcoxon",
    label="Wilcoxon signed-rank test",
    summary="Compares the ranks of the positive and of the negative differences.",
    run=wilcoxon,
    by_wins=True,
    quantity=RANKS,
    null="the differences are symmetric about {delta}",
    assumptions=(
        "items are independent",
        "read as a test of the median or the mean: the differences are symmetric",
    ),
    formula=r"W^+ = \sum_{z_i > 0} \operatorname{rank}|z_i|,\quad "
    r"Z = \frac{W^+ - \tfrac14 n(n+1)}{\sqrt{\tfrac1{24} n(n+1)(2n+1) - \tfrac1{48}\sum(t^3 - t)}}",
    references=("wilcoxon1945", "pratt1959"),
    design="paired",
    estimate=pseudo_medians,
    named="the Wilcoxon signed-rank test",
    quick=True,
    looks_at="ranks",
    smallest_p=_smallest_p,
    power_form="signed-rank-beta",
    planned=True,
    advice=(
        Advice(
            kinds=("normal",),
            standing="non-preferred",
            reason="It is valid, but for normal differences t has a little more power.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("not-normal",),
            standing="recommended",
            reason="The differences look symmetric but not normal: ranks withstand long tails.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("skewed",),
            standing="inappropriate",
            reason="As a test of the median it assumes symmetric differences.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("binary",),
            standing="non-preferred",
            reason="All non-zero differences share one rank, so ranks add nothing.",
        ),
        Advice(
            kinds=("constant",),
            standing="non-preferred",
            reason="All differences share one rank, so ranks add nothing.",
        ),
        Advice(
            kinds=("accuracy-counts",),
            standing="non-preferred",
            reason="It ranks items, whatever their totals.",
        ),
    ),
)
