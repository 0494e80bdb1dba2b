"""The trimmed mean difference in metric points."""

from __future__ import annotations

import numpy as np
from scipy import special

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.records import EffectSize

CUT = 0.2


def trimmed_difference(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Mean of the middle 60 % of u − v.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level.
    with_interval : bool
        Whether to give the interval.

    Returns
    -------
    EffectColumns
        Metric points, with the two-sided interval of the winsorised standard error.

    Notes
    -----
    Cost O(n log n) per pair.

    References
    ----------
    Yuen (1974), doi:10.1093/biomet/61.1.165.
    """
    n, cut = batch.n_units, int(CUT * batch.n_units)
    value, error = np.full(batch.n_pairs, np.nan), np.full(batch.n_pairs, np.nan)
    for part, rows in batch.rows() if n > 1 else ():
        rows.sort(axis=1)
        inner = rows[:, cut : n - cut]
        value[part] = inner.mean(axis=1)
        spread = np.clip(rows, inner[:, :1], inner[:, -1:]).std(axis=1, ddof=1)
        error[part] = spread / ((1 - 2 * CUT) * np.sqrt(n))
    if not with_interval:
        return EffectColumns(value=value)
    reach = special.stdtrit(max(n - 2 * cut - 1, 1), (1 + config.level) / 2) * error
    return EffectColumns(value=value, interval=np.stack([value - reach, value + reach], axis=1))


METHOD = EffectSize(
    key="trimmed-difference",
    label="Trimmed mean difference",
    summary="Mean score of the first system minus that of the second, without a fifth of the items at each "
    "end.",
    run=trimmed_difference,
    formula=r"\bar z_t",
    references=("student1908",),
    conventions=(1.0, 2.0, 3.0),
)
