"""What varies between runs as a table."""

from collections.abc import Sequence

import numpy as np

from nlpstat_core.power.variation.components import variation
from nlpstat_core.power.variation.results import Variation
from nlpstat_core.report.exports.tables.table import Column, Table, fixed, names, written
from nlpstat_core.report.wording.variation import BOARD, COMPONENTS, variation_remark, variation_title
from nlpstat_core.results.analysis import AnalysisData


def variation_table(analysis: AnalysisData, most: int) -> Table | None:
    """Components of variance of the board and its systems; None where systems have one run."""
    if analysis.scores.runs is None:
        return None
    found = variation(analysis.scores, analysis.config)
    columns = components(found, analysis.leaderboard.system[:most])
    return Table(variation_title(), columns, variation_remark(found), lines=(1,))


def components(found: Variation, order: Sequence[str]) -> tuple[Column, ...]:
    """Components of the whole board, then of its systems."""
    at = [found.systems.index(name) for name in order]
    few, many = int(found.n_runs.min()), int(found.n_runs.max())
    runs = [str(few) if few == many else f"{few}–{many}", *map(str, found.n_runs[at])]
    own = {"items": found.system_items, "runs": found.system_runs, "residual": found.system_residual}
    columns = [names("System", (BOARD, *order)), written("Number of runs", runs, [many, *found.n_runs[at]])]
    for key, label in COMPONENTS.items():
        rest = own[key][at] if key in own else np.full(len(at), np.nan)
        columns.append(fixed(label, [float(getattr(found, key)), *rest], undefined=""))
    return tuple(columns)
