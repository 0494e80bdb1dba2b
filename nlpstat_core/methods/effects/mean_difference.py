"""The mean difference in metric points."""

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.distributions.tails import student_interval
from nlpstat_core.methods.effects import by_document
from nlpstat_core.methods.effects.pooled import MEAN_SHIFT
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import EffectSize


def mean_difference(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Mean of u − v.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        Metric points, with Student's t interval, cluster-robust where documents are named; undefined without
        units, the interval below two. Beside a test's own interval of the same difference that one is shown.

    Notes
    -----
    Cost O(n) per pair.
    """
    interval = None
    if with_interval and batch.units.blocks is not None:
        errors = by_document.robust_errors(
            batch, batch.units.blocks, lambda part, rows: (rows - batch.mean[part, None]) / batch.n_units
        )
        interval = by_document.about(batch.mean, errors, batch.units.blocks, config)
    elif with_interval:
        interval = student_interval(batch.mean, batch.sd, batch.n_units, config.level, config.alternative)
    return EffectColumns(value=batch.mean, interval=interval)


METHOD = EffectSize(
    key="mean-difference",
    label="Mean difference",
    summary="Mean score of the first system minus that of the second, in points of the metric.",
    run=mean_difference,
    by_wins=True,
    formula=r"\overline{u - v}",
    references=("student1908",),
    unpaired=MEAN_SHIFT,
    estimates=MEAN,
)
