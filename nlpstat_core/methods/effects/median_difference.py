"""The median difference in metric points."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.samples.locations import medians
from nlpstat_core.methods.effects import by_document
from nlpstat_core.quantities import MEDIAN
from nlpstat_core.records import EffectSize


def median_difference(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Median of u − v.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level and `alternative`.
    with_interval : bool
        Whether to give the interval.

    Returns
    -------
    EffectColumns
        Metric points, with the order-statistic interval of `locations.medians`, by document where these are
        named (`by_document`).

    Notes
    -----
    Cost O(n) per pair.
    """
    found = medians(batch, config)
    if not with_interval:
        return EffectColumns(value=found.value)
    if batch.units.blocks is not None:
        interval = by_document.median(found.value, batch, config)
        notes = {"interval-needs-more-units": np.asarray(np.isinf(interval).all(axis=1))}
        return EffectColumns(value=found.value, interval=interval, notes=notes)
    return EffectColumns(value=found.value, interval=found.interval, notes=found.notes)


METHOD = EffectSize(
    key="median-difference",
    label="Median difference",
    summary="The difference in metric points that half of the items exceed.",
    run=median_difference,
    formula=r"\operatorname{median}(u - v)",
    references=("thompson1936",),
    estimates=MEDIAN,
)
