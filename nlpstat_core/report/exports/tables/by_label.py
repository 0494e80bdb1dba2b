"""Precision, recall and F1 of every label as a table."""

from collections.abc import Sequence

import numpy as np

from nlpstat_core.board.submissions.by_label import LabelScores
from nlpstat_core.report.exports.tables.table import Column, counts, fixed, intervals, names


def label_columns(found: LabelScores, order: Sequence[int], one: str) -> tuple[Column, ...]:
    """One row a label and system: the most frequent label first, systems in this order.

    one: What a label is called: "label", "type".
    """
    labels = np.argsort(-found.support, kind="stable")
    rows, columns = np.tile(order, labels.size), np.repeat(labels, len(order))
    return (
        names(one, (found.labels[place] for place in columns)),
        names("system", (found.systems[row] for row in rows)),
        counts("in gold", found.support[columns]),
        fixed("precision", found.precision[rows, columns], 3),
        fixed("recall", found.recall[rows, columns], 3),
        fixed("F1", found.f1[rows, columns], 3),
        intervals("interval", np.column_stack([found.low[rows, columns], found.high[rows, columns]]), 3),
    )
