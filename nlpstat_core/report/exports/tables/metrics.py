"""Metrics judged by people as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.report.exports.tables.table import Cell, Column, Table
from nlpstat_core.report.wording.metrics import LABELS

if TYPE_CHECKING:
    from nlpstat_core.results.metrics import MetaEvaluationData


def metrics_table(found: MetaEvaluationData) -> Table:
    """Every metric with every statistic, best first by soft pairwise accuracy."""
    order = np.argsort(-found.values("soft-pairwise-accuracy"), kind="stable")
    ranks = {name: found.ranks(name) for name in LABELS}
    rows = []
    for place in order:
        cells = [Cell(found.metrics[place], name=True)]
        for name in LABELS:
            value = found.found[place].values[name]
            shown = "n/a" if np.isnan(value) else f"{value:.3f}"
            compared = not np.isnan(value) and not np.isnan(found.p_values[name]).all()
            cells.append(Cell(f"{shown} ({ranks[name][place]})" if compared else shown, key=value))
        rows.append(tuple(cells))
    remark = "In brackets the rank of the metric's cluster: metrics that no significant difference separates."
    columns = (Column("Metric"), *(Column(label, numbers=True) for label in LABELS.values()))
    return Table("Metrics judged by people", columns, tuple(rows), remark)


def metrics_tables(found: MetaEvaluationData) -> tuple[Table, Table]:
    """Statistics of systems, and of segments: the halves of `metrics_table`, which fit on a page."""
    whole = metrics_table(found)
    over_systems = [name.startswith(("soft", "system")) for name in LABELS]
    halves = [
        [0, *(i + 1 for i, own in enumerate(over_systems) if own is wanted)] for wanted in (True, False)
    ]
    systems, segments = (
        Table(
            title,
            tuple(whole.columns[i] for i in chosen),
            tuple(tuple(row[i] for i in chosen) for row in whole.rows),
            remark,
        )
        for title, chosen, remark in ((whole.title, halves[0], ""), ("Segments", halves[1], whole.remark))
    )
    return systems, segments
