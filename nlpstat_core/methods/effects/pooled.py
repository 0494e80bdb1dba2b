"""Differences of two independent samples: of the means, and in pooled standard deviations (d and g)."""

import math

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.distributions.noncentral_t import noncentrality_at
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.engine.samples.independent import shift, shift_interval, too_few
from nlpstat_core.records import EffectSize


def mean_shift(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Mean of a's own units minus mean of b's.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts, shared or not.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        Metric points, with Welch's t interval; undefined without units on a side, the interval below two.

    Notes
    -----
    Cost O(N·S).
    """
    found = shift(batch, of_units=True)
    interval = shift_interval(found, config.level, config.alternative) if with_interval else None
    return EffectColumns(value=found.difference, interval=interval, notes=too_few(batch, 2))


def cohen_d_pooled(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Difference of two independent means in pooled standard deviations.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts; at least three in all and one on each side, else undefined.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        NaN where neither side has a spread (note "no-pooled-spread") or units are too few
        ("too-few-own-units").

    Notes
    -----
    d = (ū − v̄)/s_p; t = d/√(1/n_u + 1/n_v) is noncentral t on n_u + n_v − 2 degrees of freedom, which gives
    the interval. Cost O(N·S), with intervals one solution per pair.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition; interval: Steiger and
    Fouladi (1997).
    """
    own = batch.units.own.of_units
    n, mean, variance = own.n, own.score, own.variance
    a, b = batch.left, batch.right
    freedom = n[a] + n[b] - 2
    few = (freedom < 1) | (n[a] < 1) | (n[b] < 1)
    squares = np.nan_to_num(variance) * np.maximum(n - 1, 0)
    pooled = np.sqrt((squares[a] + squares[b]) / np.where(few, np.nan, freedom))
    d = (mean[a] - mean[b]) / np.where(pooled > 0, pooled, np.nan)
    interval = None
    if with_interval:
        root = np.sqrt(1 / np.maximum(n[a], 1) + 1 / np.maximum(n[b], 1))
        interval = _noncentral_interval(d, root, freedom, config)
    notes = {"no-pooled-spread": ~few & (pooled == 0), "too-few-own-units": few}
    return EffectColumns(value=d, interval=interval, notes=notes)


def hedges_g_pooled(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Cohen's d of two independent samples, freed of its bias in small samples.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        J times d and its interval; undefined with fewer than four units in all (note "too-few-own-units").

    Notes
    -----
    J = Γ(m/2)/(√(m/2)·Γ((m − 1)/2)), m = n_u + n_v − 2.
    """
    n = batch.units.own.of_units.n
    freedom = n[batch.left] + n[batch.right] - 2
    d = cohen_d_pooled(batch, config, with_interval)
    distinct, which = np.unique(freedom, return_inverse=True)
    factor = np.array([unbiasing_factor(float(df)) for df in distinct])[which]
    few: BoolArray = d.notes["too-few-own-units"] | (freedom < 2)
    return EffectColumns(
        value=factor * d.value,
        interval=None if d.interval is None else factor[:, None] * d.interval,
        notes={**d.notes, "too-few-own-units": few},
    )


def _noncentral_interval(
    d: FloatArray, root: FloatArray, freedom: FloatArray, config: AnalysisConfig
) -> FloatArray:
    """Limits of d from the noncentralities at which t = d/root is in either tail."""
    mass = two_sided_mass(config.level, config.alternative)
    near, far = np.full(d.shape, np.nan), np.full(d.shape, np.nan)
    for df in np.unique(freedom[~np.isnan(d)]):
        here = np.flatnonzero((freedom == df) & ~np.isnan(d))
        size = np.abs(d[here]) / root[here]
        near[here] = noncentrality_at(size, float(df), 1 - mass) * root[here]
        far[here] = noncentrality_at(size, float(df), mass) * root[here]
    negative = d < 0
    return one_sided(np.where(negative, -far, near), np.where(negative, -near, far), config.alternative)


MEAN_SHIFT = EffectSize(
    key="mean-difference",
    label="Mean difference (unpaired)",
    summary="Mean of the first system's items minus the mean of the second's, in metric points.",
    run=mean_shift,
    formula=r"\bar u - \bar v",
    references=("welch1947",),
    design="unpaired",
)
COHEN_D = EffectSize(
    key="cohen-d",
    label="Cohen's d (unpaired)",
    summary="Difference of the means divided by the pooled standard deviation of the two samples.",
    run=cohen_d_pooled,
    formula=r"d = \frac{\bar u - \bar v}{s_p},\quad "
    r"s_p^2 = \frac{(n_u - 1) s_u^2 + (n_v - 1) s_v^2}{n_u + n_v - 2}",
    references=("cohen1988", "steiger1997"),
    design="unpaired",
)
HEDGES_G = EffectSize(
    key="hedges-g",
    label="Hedges' g (unpaired)",
    summary="Cohen's d with the pooled standard deviation, corrected for its bias in small samples.",
    run=hedges_g_pooled,
    formula=r"g = J \cdot d,\quad J = \frac{\Gamma(m/2)}{\sqrt{m/2}\;\Gamma((m-1)/2)},\ m = n_u + n_v - 2",
    references=("hedges1981",),
    design="unpaired",
)


def unbiasing_factor(df: float) -> float:
    """Hedges' J for this many degrees of freedom.

    Returns: NaN up to one degree of freedom, where d has no mean.

    J = Γ(m/2)/(√(m/2)·Γ((m − 1)/2)) for m degrees of freedom.

    Source: Hedges (1981), doi:10.3102/10769986006002107.
    """
    if df <= 1:
        return math.nan
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
