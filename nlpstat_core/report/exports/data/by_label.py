"""Precision, recall and F1 of every label as plain data."""

from typing import Any

from nlpstat_core.board.submissions.by_label import LabelScores, scores_by_label
from nlpstat_core.report.exports.data.numbers import number
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.scores.documents import block_ids


def board_by_label(analysis: AnalysisData) -> LabelScores | None:
    """Every system on every label of gold; None where scores don't come from labels or tags."""
    units, config = analysis.units, analysis.config
    if units.label_counts is None:
        return None
    groups = block_ids(units, config)
    return scores_by_label(units.label_counts, units.systems, units.present, config.level, groups)


def label_scores_to_list(found: LabelScores) -> list[dict[str, Any]]:
    """One entry a system and label; ends of an interval that is undefined are None."""
    return [
        {
            "system": system,
            "label": label,
            "support": int(found.support[place]),
            "precision": float(found.precision[row, place]),
            "recall": float(found.recall[row, place]),
            "f1": float(found.f1[row, place]),
            "low": number(found.low[row, place]),
            "high": number(found.high[row, place]),
        }
        for row, system in enumerate(found.systems)
        for place, label in enumerate(found.labels)
    ]
