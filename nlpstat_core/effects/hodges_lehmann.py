"""The Hodges–Lehmann estimate: the pseudo-median of the differences."""

from __future__ import annotations

from nlpstat_core.catalogue import Method
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.pairs.outcomes import EffectColumns, EffectRun
from nlpstat_core.samples.locations import pseudo_medians


def hodges_lehmann(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Median of the Walsh averages of u − v.

    Parameters
    ----------
    batch : PairBatch
        All units count, zeros included.
    config : AnalysisConfig
        Confidence level and `alternative`.
    with_interval : bool
        Whether to compute the interval.

    Returns
    -------
    EffectColumns
        Metric points, with the interval that inverts the signed-rank test (`locations.pseudo_medians`).

    Notes
    -----
    Cost O(n log n) per pair.

    References
    ----------
    Hodges and Lehmann (1963), doi:10.1214/aoms/1177704172.
    """
    found = pseudo_medians(batch, config, with_interval)
    if not with_interval:
        return EffectColumns(value=found.value)
    return EffectColumns(value=found.value, interval=found.interval, notes=found.notes)


METHOD: Method[EffectRun] = Method(
    key="hodges-lehmann",
    label="Hodges–Lehmann estimate",
    summary="Median of the averages of every two differences: the centre that Wilcoxon's test is about.",
    run=hodges_lehmann,
    formula=r"\operatorname{median}_{i \le j} \tfrac12 (z_i + z_j),\quad z = u - v",
    references=("hodges1963",),
    costly=True,
)
