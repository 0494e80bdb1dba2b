"""What leaves the core about runs and items: plain data, the table of components, items.csv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.formatting import format_score
from nlpstat_core.report.exports.numbers import number
from nlpstat_core.report.exports.table import Cell, Column, Table
from nlpstat_core.report.wording.variation import BOARD, COMPONENTS, variation_remark, variation_title

if TYPE_CHECKING:
    import pandas as pd

    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.board.items import ItemTable
    from nlpstat_core.board.variation.results import Variation


def runs_dict(analysis: Analysis) -> dict[str, Any] | None:
    """Runs as plain data: what they are taken for, how many, their means and components of variance.

    Returns: None where systems have one run.
    """
    runs = analysis.scores.runs
    if runs is None:
        return None
    found = analysis.variation()
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


def variation_table(analysis: Analysis, most: int) -> Table | None:
    """Components of variance of the board and its systems.

    most: Systems at most.
    Returns: None where systems have one run.
    """
    if analysis.scores.runs is None:
        return None
    found = analysis.variation()
    shown = analysis.leaderboard.system[:most]
    rows = [_board_row(found)]
    for name in shown:
        i = found.systems.index(name)
        parts = (found.system_items[i], np.nan, found.system_runs[i], found.system_residual[i])
        rows.append(
            (
                Cell(name, name=True),
                Cell(str(int(found.n_runs[i])), float(found.n_runs[i])),
                *(_score(float(part)) for part in parts),
            )
        )
    labels = ("Number of runs", *COMPONENTS.values())
    return Table(
        title=variation_title(),
        columns=(Column("System"), *(Column(label, numbers=True) for label in labels)),
        rows=tuple(rows),
        remark=variation_remark(found),
        lines=(1,),
    )


def _board_row(found: Variation) -> tuple[Cell, ...]:
    few, many = int(found.n_runs.min()), int(found.n_runs.max())
    counted = str(few) if few == many else f"{few}–{many}"
    return (
        Cell(BOARD),
        Cell(counted, float(many)),
        *(_score(float(getattr(found, key))) for key in COMPONENTS),
    )


def _score(value: float) -> Cell:
    return Cell("" if np.isnan(value) else format_score(value), value)


def items_frame(analysis: Analysis) -> pd.DataFrame:
    """Every item as a row: difficulty, agreement with the rest, what stands out, labels.

    Returns: Rows in the order of the units.
    """
    return items_frame_of(analysis, analysis.items())


def items_frame_of(analysis: Analysis, table: ItemTable) -> pd.DataFrame:
    """The same from a table that was computed already.

    Returns: Rows in the order of the units.
    """
    import pandas as pd

    from nlpstat_core.report.exports.frames import origin

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
