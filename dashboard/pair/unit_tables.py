"""Units and groups of units of one pair as frames for the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dashboard.parts.tables import holding
from dashboard.text import printable
from nlpstat_core.formatting import format_fixed_interval, format_p, interval_decimals

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.arrays import IntArray
    from nlpstat_core.board.pairs.influence import DrivingUnits, Groups
    from nlpstat_core.scores.matrix import ScoreMatrix

EMPTY = "(empty)"


def units_table(
    units: ScoreMatrix, driving: DrivingUnits, pair: PairResult, wanted: str = ""
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Units of a pair with their labels, the largest differences first.

    wanted: Keep units whose id or label contains this text, in any case.
    Returns titles: Columns have keys of their own, because a file may call a column "difference".
    """
    columns: dict[str, object] = {"unit": units.unit_names(driving.rows)}
    titles = {"unit": "Item"}
    for place, (name, values) in enumerate(units.labels.items()):
        columns[f"label {place}"] = [values[row] for row in driving.rows]
        titles[f"label {place}"] = printable(name)
    texts = list(columns)
    columns |= {"a": driving.score_a, "b": driving.score_b}
    columns |= {"difference": driving.difference, "without": driving.without}
    titles |= {"a": printable(pair.system_a), "b": printable(pair.system_b)}
    titles |= {"difference": "Difference, first − second", "without": "Mean difference without it"}
    if units.counts is not None:
        titles["without"] = "Difference of scores without it"
    frame = pd.DataFrame(columns)
    keep = holding(frame, texts, wanted)
    order = np.argsort(-np.abs(driving.difference), kind="stable")
    return frame.iloc[order[keep[order]]], titles


def groups_table(groups: Groups, order: IntArray, title: str, alpha: float) -> pd.DataFrame:
    """Differences by the values of a label.

    order: Positions in `groups`.
    title: Of the column of differences.
    Returns: With p only where groups were tested.
    """
    columns: dict[str, object] = {
        "Value": [groups.name[i] or EMPTY for i in order],
        "Items": groups.n_units[order],
        "Score, first system": groups.score_a[order],
        "Score, second system": groups.score_b[order],
        title: groups.difference[order],
        "Interval": [
            format_fixed_interval(low, high, interval_decimals(groups.interval))
            for low, high in groups.interval[order].tolist()
        ],
    }
    if np.isfinite(groups.p_value).any():
        columns["p, this comparison alone"] = [format_p(float(p), alpha=alpha) for p in groups.p_value[order]]
    return pd.DataFrame(columns)
