"""Wilcoxon's signed-rank test."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.catalogue import Method
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.distributions.tails import continuity_step, normal_log_sf
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.pairs.outcomes import (
    Outcomes,
    SignificanceRun,
    outcomes,
    outcomes_from_tails,
    undefined_outcomes,
)
from nlpstat_core.samples.locations import pseudo_medians
from nlpstat_core.samples.signed_ranks import SignedRanks, doubled_signed_ranks
from nlpstat_core.signflip import weighted_sign_flip_columns

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


METHOD: Method[SignificanceRun] = Method(
    key="wilcoxon",
    label="Wilcoxon signed-rank test",
    summary="Compares the ranks of the positive and of the negative differences.",
    run=wilcoxon,
    hypothesis="symmetric-about-zero",
    null="the differences are symmetric about {delta}",
    assumptions=(
        "units are independent",
        "read as a test of the median or the mean: the differences are symmetric",
    ),
    formula=r"W^+ = \sum_{z_i > 0} \operatorname{rank}|z_i|,\quad "
    r"Z = \frac{W^+ - \tfrac14 n(n+1)}{\sqrt{\tfrac1{24} n(n+1)(2n+1) - \tfrac1{48}\sum(t^3 - t)}}",
    references=("wilcoxon1945", "pratt1959"),
    design="paired",
    estimate=pseudo_medians,
)
