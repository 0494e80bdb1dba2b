"""What varies between runs as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.formatting import format_score
from nlpstat_core.power.variation.components import variation
from nlpstat_core.report.exports.tables.table import Cell, Column, Table
from nlpstat_core.report.wording.variation import BOARD, COMPONENTS, variation_remark, variation_title

if TYPE_CHECKING:
    from nlpstat_core.power.variation.results import Variation
    from nlpstat_core.results.analysis import AnalysisData


def variation_table(analysis: AnalysisData, most: int) -> Table | None:
    """Components of variance of the board and its systems.

    most: Systems at most.
    Returns: None where systems have one run.
    """
    if analysis.scores.runs is None:
        return None
    found = variation(analysis.scores, analysis.config)
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
