"""Metrics judged by people as tables."""

import numpy as np

from nlpstat_core.report.exports.tables.table import Table, names, written
from nlpstat_core.report.wording.metrics import LABELS
from nlpstat_core.results.metrics import MetaEvaluationData


def metrics_tables(found: MetaEvaluationData) -> tuple[Table, Table]:
    """Statistics of systems, and of segments, best first by soft pairwise accuracy; each fits on a page."""
    order = np.argsort(-found.values("soft-pairwise-accuracy"), kind="stable")
    metrics = names("Metric", (found.metrics[place] for place in order))
    columns = {}
    for name, label in LABELS.items():
        values, ranks = found.values(name)[order], found.ranks(name)[order]
        texts = ["n/a" if np.isnan(value) else f"{value:.3f}" for value in values]
        if not np.isnan(found.p_values[name]).all():
            texts = [
                text if np.isnan(value) else f"{text} ({rank})"
                for text, value, rank in zip(texts, values, ranks, strict=True)
            ]
        columns[name] = written(label, texts, values)
    over_systems = [column for name, column in columns.items() if name.startswith(("soft", "system"))]
    others = [column for name, column in columns.items() if not name.startswith(("soft", "system"))]
    remark = "In brackets the rank of the metric's cluster: metrics that no significant difference separates."
    return (
        Table("Metrics judged by people", (metrics, *over_systems)),
        Table("Segments", (metrics, *others), remark),
    )
