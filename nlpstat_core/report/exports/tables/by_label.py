"""Precision, recall and F1 of every label as a table."""

from collections.abc import Sequence

import numpy as np

from nlpstat_core.board.submissions.by_label import LabelScores
from nlpstat_core.report.exports.data.by_label import board_by_label
from nlpstat_core.report.exports.tables.table import Column, Table, counts, fixed, intervals, names
from nlpstat_core.report.wording.titles import by_label_remark, by_label_title
from nlpstat_core.results.analysis import AnalysisData


def by_label_table(analysis: AnalysisData, most: int) -> Table | None:
    """The most frequent label first, systems as on the leaderboard; None for scores not of labels or tags."""
    found, kept = board_by_label(analysis), analysis.units.label_counts
    if found is None or kept is None:
        return None
    columns = label_columns(found, analysis.leaderboard.column.tolist(), kept.one, most)
    rows = len(found.labels) * len(found.systems)
    remark = by_label_remark(analysis, min(most, rows), rows)
    heads = {column.label: column.label[0].upper() + column.label[1:] for column in columns}
    heads["interval"] = f"{100 * analysis.config.level:g} % interval"
    lines = tuple(range(len(found.systems), min(most, rows), len(found.systems)))
    return Table(by_label_title(kept.one), columns, remark, lines).under(heads)


def label_columns(
    found: LabelScores, order: Sequence[int], one: str, most: int | None = None
) -> tuple[Column, ...]:
    """One row a label and system, the most frequent label first. `one`: "label" or "type"."""
    labels = np.argsort(-found.support, kind="stable")
    rows, columns = np.tile(order, labels.size)[:most], np.repeat(labels, len(order))[:most]
    return (
        names(one, (found.labels[place] for place in columns)),
        names("system", (found.systems[row] for row in rows)),
        counts("in gold", found.support[columns]),
        fixed("precision", found.precision[rows, columns], 3),
        fixed("recall", found.recall[rows, columns], 3),
        fixed("F1", found.f1[rows, columns], 3),
        intervals("interval", np.column_stack([found.low[rows, columns], found.high[rows, columns]]), 3),
    )
