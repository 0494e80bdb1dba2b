"""The Hodges–Lehmann estimate: the pseudo-median of the differences."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.samples.location_shifts import location_shifts
from nlpstat_core.engine.samples.locations import pseudo_medians
from nlpstat_core.methods.effects import by_document
from nlpstat_core.quantities import RANKS
from nlpstat_core.records import EffectSize


def hodges_lehmann(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Median of the Walsh averages of u − v.

    Parameters
    ----------
    batch : PairBatch
        All units count, zeros included.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        Metric points, with the interval that inverts the signed-rank test (`locations.pseudo_medians`), by
        document where these are named (`by_document`).

    Notes
    -----
    Cost O(n log n) per pair.
    """
    by_unit = with_interval and batch.units.blocks is None
    found = pseudo_medians(batch, config, by_unit)
    if not with_interval:
        return EffectColumns(value=found.value)
    if not by_unit:
        interval = by_document.pseudo_median(found.value, batch, config)
        notes = {"interval-needs-more-units": np.asarray(np.isinf(interval).all(axis=1))}
        return EffectColumns(value=found.value, interval=interval, notes=notes)
    return EffectColumns(value=found.value, interval=found.interval, notes=found.notes)


def hodges_lehmann_shift(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Median of all differences between a unit of a and a unit of b.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts, shared or not.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        Metric points, with the interval that inverts the Mann–Whitney test
        (`location_shifts.location_shifts`).

    Notes
    -----
    Cost O(n_u·n_v) per pair up to a million differences, O(n·log n) above.
    """
    found = location_shifts(batch, config, with_interval)
    return EffectColumns(
        value=found.value, interval=found.interval if with_interval else None, notes=found.notes
    )


SHIFT = EffectSize(
    key="hodges-lehmann",
    label="Hodges–Lehmann shift (unpaired)",
    summary="Median of all differences of an item of the first system and one of the second.",
    run=hodges_lehmann_shift,
    formula=r"\operatorname{median}_{i, j} (u_i - v_j)",
    references=("hodges1963",),
    design="unpaired",
    costly=True,
)
METHOD = EffectSize(
    key="hodges-lehmann",
    label="Hodges–Lehmann estimate",
    summary="Median of the averages of every two differences: the centre that Wilcoxon's test is about.",
    run=hodges_lehmann,
    formula=r"\operatorname{median}_{i \le j} \tfrac12 (z_i + z_j),\quad z = u - v",
    references=("hodges1963",),
    costly=True,
    unpaired=SHIFT,
    estimates=RANKS,
    former_keys=("hl",),
)
