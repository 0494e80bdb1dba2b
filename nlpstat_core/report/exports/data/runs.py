"""Runs and items as plain data and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nlpstat_core.board.items import ItemTable, item_table
from nlpstat_core.power.variation.components import variation
from nlpstat_core.report.exports.data.numbers import number
from nlpstat_core.report.wording.variation import COMPONENTS
from nlpstat_core.results.analysis import AnalysisData

if TYPE_CHECKING:
    import pandas as pd


def runs_dict(analysis: AnalysisData) -> dict[str, Any] | None:
    """What runs are taken for, how many, their means and components of variance; None for single runs."""
    runs = analysis.scores.runs
    if runs is None:
        return None
    found = variation(analysis.scores, analysis.config)
    return {
        "taken_as": analysis.config.runs,
        "column": runs.column,
        "proposal": runs.proposal,
        "systems": [
            {
                "system": name,
                "n_runs": int(found.n_runs[i]),
                "run_means": [number(mean) for mean in found.run_means[i]],
                "items": number(found.system_items[i]),
                "runs": number(found.system_runs[i]),
                "residual": number(found.system_residual[i]),
                "run_pairs": int(found.run_pairs[i]),
                "run_pairs_different": int(found.run_pairs_different[i]),
            }
            for i, name in enumerate(found.systems)
        ],
        "board": {key: number(getattr(found, key)) for key in COMPONENTS},
        "negative": list(found.negative),
    }


def items_frame(analysis: AnalysisData) -> pd.DataFrame:
    """Every item as a row in order: difficulty, agreement with the rest, what stands out, labels."""
    return items_frame_of(analysis, item_table(analysis.units, seed=analysis.config.seed))


def items_frame_of(analysis: AnalysisData, table: ItemTable) -> pd.DataFrame:
    """The same from a table that was computed already; rows in the order of the units."""
    import pandas as pd

    from nlpstat_core.report.exports.data.frames import origin

    columns: dict[str, Any] = {
        "unit": list(table.units),
        "mean": table.difficulty,
        "solved": table.solved,
        "item_rest": table.item_rest,
        "item_rest_high": table.item_rest_high,
        "p_negative": table.p_negative,
        "everybody": table.everybody,
        "nobody": table.nobody,
        "constant": table.constant,
        "negative": table.negative,
        "copy_of": [table.units[row] if row >= 0 else "" for row in table.copy_of],
    }
    for name, cells in analysis.units.labels.items():
        columns[f"label_{name}"] = list(cells)
    frame = pd.DataFrame(columns)
    frame.attrs.update(origin(analysis))
    return frame
