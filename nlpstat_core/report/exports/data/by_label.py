"""Precision, recall and F1 of every label as plain data."""

import math
from typing import Any

from nlpstat_core.board.submissions.by_label import LabelScores


def label_scores_to_list(found: LabelScores) -> list[dict[str, Any]]:
    """One entry a system and label; ends of an interval that is undefined are None."""

    def end(value: float) -> float | None:
        return None if math.isnan(value) else value

    return [
        {
            "system": system,
            "label": label,
            "support": int(found.support[place]),
            "precision": float(found.precision[row, place]),
            "recall": float(found.recall[row, place]),
            "f1": float(found.f1[row, place]),
            "low": end(float(found.low[row, place])),
            "high": end(float(found.high[row, place])),
        }
        for row, system in enumerate(found.systems)
        for place, label in enumerate(found.labels)
    ]
