"""Hedges' g for paired scores: Cohen's d without its small-sample bias."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.methods.effects.cohen_d import cohen_d
from nlpstat_core.methods.effects.pooled import HEDGES_G, unbiasing_factor
from nlpstat_core.records import EffectSize


def hedges_g(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Cohen's d_z times the factor that makes it unbiased for normal differences.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        J·d with J times the interval of d; undefined below three units (note "too-few-units") and where the
        differences have no spread ("no-spread").

    Notes
    -----
    J = Γ(m/2)/(√(m/2)·Γ((m − 1)/2)), m = n − 1. Papers print approximations of J for other designs.
    """
    d = cohen_d(batch, config, with_interval)
    factor = unbiasing_factor(batch.n_units - 1)
    return EffectColumns(
        value=factor * d.value,
        interval=None if d.interval is None else factor * d.interval,
        notes={**d.notes, "too-few-units": np.full(batch.n_pairs, batch.n_units < 3)},
    )


METHOD = EffectSize(
    key="hedges-g",
    label="Hedges' g",
    summary="Cohen's d corrected for its bias in small samples.",
    run=hedges_g,
    by_wins=True,
    formula=r"g = J \cdot d_z,\quad J = \frac{\Gamma(m/2)}{\sqrt{m/2}\;\Gamma((m-1)/2)},\ m = n - 1",
    references=("hedges1981",),
    unpaired=HEDGES_G,
    conventions=(0.2, 0.5, 0.8),
    former_keys=("hedgesg",),
)
