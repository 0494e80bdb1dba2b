"""McNemar's test of two 0/1 columns: exact, mid-p, and asymptotic with and without continuity."""

from dataclasses import replace
from typing import get_args

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import Alternative, AnalysisConfig, McNemarVariant
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes, outcomes_from_tails, undefined_outcomes
from nlpstat_core.engine.distributions.tails import continuity_step, log_p_from_tails, normal_log_sf
from nlpstat_core.engine.samples.intervals import difference_interval
from nlpstat_core.engine.signflip import binomial_tail_columns
from nlpstat_core.engine.signflip.binomial import log_upper_tails
from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.methods.significance.smallest import of_untied_units
from nlpstat_core.quantities import WINS
from nlpstat_core.records import Advice, SignificanceTest


def mcnemar(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """McNemar's test of paired proportions.

    Null hypothesis: a unit that only one system gets right is as likely a's as b's.

    Parameters
    ----------
    batch : PairBatch
        Pairs of 0/1 columns; others are undefined (note "not-binary"), as is a hypothesised difference
        other than 0 (note "needs-zero-delta").
    config : AnalysisConfig
        `alternative` and the variant `mcnemar`.

    Returns
    -------
    Outcomes
        b, the number of units that only a gets right, and its p-value; p = 1 where the two systems get the
        same units right. The interval of the difference is Tango's score interval, for the exact test and the
        one with continuity correction with that correction.

    Notes
    -----
    See `mcnemar_from_counts`. Cost: one matrix product X'X for all pairs.
    """
    if batch.n_units == 0:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    if batch.delta:
        return undefined_outcomes(batch.n_pairs, "needs-zero-delta")
    result = mcnemar_from_counts(batch.wins, batch.losses, config.mcnemar, config.alternative)
    if not batch.is_binary:
        result = _blanked(result, ~(batch.units.binary[batch.left] & batch.units.binary[batch.right]))
    return replace(result, interval=difference_interval(batch, config, continuity=with_continuity(config)))


def with_continuity(config: AnalysisConfig) -> bool:
    """Whether the score interval that goes with the chosen variant is the one with continuity correction."""
    return config.mcnemar in ("exact", "continuity")


def mcnemar_from_counts(
    only_a: IntArray,
    only_b: IntArray,
    variant: McNemarVariant = "exact",
    alternative: Alternative = "two-sided",
) -> Outcomes:
    """McNemar's test from the two discordant counts of many tables.

    Null hypothesis: a unit that only one system gets right is as likely a's as b's.

    only_a, only_b: Units that only a gets right (b in the usual table), and only b (c).
    variant: Binomial; binomial with half the probability of the observed count; (b − c)²/(b + c) as
        chi-square; the same with |b − c| − 1.
    Returns: p = 1 in every variant where both counts are 0. The mid-p is "asymptotic": it is not guaranteed
        to hold its level.
    Raises ConfigError: Unknown variant.

    Source: McNemar (1947), doi:10.1007/BF02295996; Fagerland et al. (2013), doi:10.1186/1471-2288-13-91.
    """
    if variant not in get_args(McNemarVariant):
        raise ConfigError(unknown("variant of McNemar's test", variant, get_args(McNemarVariant)))
    statistic, direction = only_a.astype(float), (only_a - only_b).astype(float)
    if variant == "exact":
        return outcomes_from_tails(statistic, binomial_tail_columns(only_a, only_b, alternative), direction)
    if variant == "mid-p":
        return outcomes(statistic, _mid_p(only_a, only_b, alternative), direction)
    log_p = _asymptotic(only_a, only_b, alternative, continuity=variant == "continuity")
    return outcomes(statistic, log_p, direction)


def _mid_p(only_a: IntArray, only_b: IntArray, alternative: Alternative) -> FloatArray:
    """Logarithm of the mid-p: P(X > k) + ½·P(X = k), doubled for two sides."""
    total, most = only_a + only_b, np.maximum(only_a, only_b)
    with np.errstate(divide="ignore"):
        twice = np.logaddexp(log_upper_tails(total, most), log_upper_tails(total, most + 1))
    twice = np.minimum(np.where(total == 0, 0.0, twice), 0.0)
    if alternative == "two-sided":
        return twice
    half = twice - np.log(2.0)
    beyond = only_a < only_b if alternative == "greater" else only_a > only_b
    log_p: FloatArray = np.where(beyond, np.log1p(-np.exp(half)), half)
    return np.where(total == 0, 0.0, log_p)


def _asymptotic(
    only_a: IntArray, only_b: IntArray, alternative: Alternative, *, continuity: bool
) -> FloatArray:
    """Logarithm of p from Z = (b − c)/√(b + c), whose square is McNemar's chi-square."""
    centred = (only_a - only_b).astype(float)
    if continuity:
        centred = centred - continuity_step(centred, alternative)
    untied = only_a + only_b
    z = centred / np.sqrt(np.maximum(untied, 1))
    # Where no unit tells the systems apart nothing speaks against the hypothesis, on either side.
    return np.where(untied == 0, 0.0, log_p_from_tails(z, normal_log_sf, alternative))


def _blanked(whole: Outcomes, blank: BoolArray) -> Outcomes:
    """The same outcomes, undefined where `blank`."""
    return Outcomes(
        statistic=np.where(blank, np.nan, whole.statistic),
        p_value=np.where(blank, np.nan, whole.p_value),
        log10_p=np.where(blank, np.nan, whole.log10_p),
        p_kind=whole.p_kind,
        direction=np.where(blank, 0, whole.direction).astype(np.int8),
        error=whole.error,
        notes={"not-binary": blank},
    )


METHOD = SignificanceTest(
    key="mcnemar",
    label="McNemar's test",
    summary="Compares, for 0/1 scores, the items that only one of the two systems gets right.",
    run=mcnemar,
    by_wins=True,
    quantity=WINS,
    null="an item that only one system gets right is as likely the one's as the other's",
    assumptions=("items are independent", "scores are 0 or 1"),
    formula=r"p = \min\Bigl(1,\, 2 \sum_{k \ge \max(b, c)} \binom{b + c}{k} 2^{-(b + c)}\Bigr),\quad "
    r"\chi^2 = \frac{(b - c)^2}{b + c}",
    references=("mcnemar1947", "fagerland2013"),
    design="paired",
    about_means=True,
    binary_only=True,
    quick=True,
    smallest_p=of_untied_units,
    joint_null="flips",
    power_form="exact-binomial",
    planned=True,
    advice=(
        Advice(
            kinds=("binary",),
            standing="recommended",
            reason="The scores are 0 and 1: the items that only one system gets right decide on the mean.",
            questions=("mean",),
        ),
        Advice(
            kinds=("binary",),
            standing="recommended",
            reason="The scores are 0 and 1: the items that only one system gets right decide.",
            questions=("each-pair",),
        ),
    ),
)
