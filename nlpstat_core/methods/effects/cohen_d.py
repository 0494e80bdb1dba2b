"""Cohen's d for paired scores (d_z)."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.distributions.noncentral_t import noncentrality_at
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.methods.effects import by_document
from nlpstat_core.methods.effects.pooled import COHEN_D
from nlpstat_core.records import EffectSize


def cohen_d(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Mean difference in standard deviations of the differences.

    Parameters
    ----------
    batch : PairBatch
        At least two units, else undefined (note "too-few-units").
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        NaN where the differences have no spread (note "no-spread").

    Notes
    -----
    d_z = mean(u − v)/sd(u − v). The interval takes the noncentralities δ for which the observed t = d·√n is
    the upper and the lower limit of a noncentral t, over √n (`noncentral_interval`); where documents are
    named it is d ± t·se, cluster-robust (`by_document`). Cost O(n) per pair.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition; interval: Steiger and
    Fouladi (1997).
    """
    spread = batch.sd > 0
    value = np.where(spread, batch.mean / np.where(spread, batch.sd, 1.0), np.nan)
    interval = None
    if with_interval and batch.units.blocks is not None:
        interval = by_document.standardised_mean(value, batch, config)
    elif with_interval:
        wanted = (batch.n_units, config.level, config.alternative)
        interval = batch.once(("noncentral", wanted), lambda: noncentral_interval(value, *wanted))
    notes = {"no-spread": batch.sd == 0, "too-few-units": np.full(batch.n_pairs, batch.n_units < 2)}
    return EffectColumns(value=value, interval=interval, notes=notes)


def noncentral_interval(d: FloatArray, n: int, level: float, alternative: Alternative) -> FloatArray:
    """Exact interval for the standardised mean of normal differences.

    d (float array, shape (n_pairs,)): Mean over standard deviation; NaN where undefined.
    Returns float array, shape (n_pairs, 2): NaN where d is.

    Solved for each distinct |d| and reflected for negative d, so that swapping a and b gives the mirrored
    interval to the last digit.
    """
    defined = ~np.isnan(d)
    if n < 2 or not defined.any():
        return np.full((d.shape[0], 2), np.nan)
    mass, root = two_sided_mass(level, alternative), np.sqrt(n)
    size, place = np.unique(np.abs(d[defined]), return_inverse=True)
    near = noncentrality_at(size * root, n - 1, 1 - mass)[place] / root
    far = noncentrality_at(size * root, n - 1, mass)[place] / root
    low, high = np.full(d.shape, np.nan), np.full(d.shape, np.nan)
    negative = d[defined] < 0
    low[defined] = np.where(negative, -far, near)
    high[defined] = np.where(negative, -near, far)
    return one_sided(low, high, alternative)


METHOD = EffectSize(
    key="cohen-d",
    label="Cohen's d",
    summary="Mean difference divided by the standard deviation of the differences (d_z).",
    run=cohen_d,
    by_wins=True,
    formula=r"d_z = \frac{\overline{u - v}}{s_{u-v}}",
    references=("cohen1988", "steiger1997"),
    unpaired=COHEN_D,
    conventions=(0.2, 0.5, 0.8),
    former_keys=("cohend",),
)
