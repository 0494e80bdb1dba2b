"""Cohen's d for paired scores (d_z)."""

from __future__ import annotations

import numpy as np

from nlpstat_core.batch import PairBatch
from nlpstat_core.catalogue import Method
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.outcomes import EffectColumns, EffectRun


def cohen_d(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Mean difference in standard deviations of the differences.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level.
    with_interval : bool
        Whether to compute the interval.

    Returns
    -------
    EffectColumns
        NaN where the differences have no spread.

    Notes
    -----
    d_z = mean(u − v)/sd(u − v). Cost O(n) per pair.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(batch.sd > 0, batch.mean / batch.sd, np.nan)
    return EffectColumns(value=value, notes={"no-spread": batch.sd == 0})


METHOD: Method[EffectRun] = Method(
    key="cohen-d",
    label="Cohen's d",
    summary="Mean difference in standard deviations of the differences (d_z).",
    run=cohen_d,
    formula=r"d_z = \frac{\overline{u - v}}{s_{u-v}}",
    references=("cohen1988",),
)
