"""Tables on several metrics or data sets, for the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from nlpstat_core.arrays import IntArray
from nlpstat_core.report.exports.data.several_boards import agreement_frame
from nlpstat_core.report.exports.tables.several_boards import systems_by_board
from nlpstat_core.results.several_boards import Replicability

MOST_IN_TABLE = 200

if TYPE_CHECKING:
    from nlpstat_core.analysis.several_boards.boards import Boards


def systems_frame(boards: Boards) -> pd.DataFrame:
    """One row per system, one column per board: score (rank), † where the board's best is better."""
    ranks, cells = systems_by_board(boards, lambda score, rank, far: f"{score} ({rank}){'†' * far}", "")
    frame = pd.DataFrame(cells)
    frame.insert(0, "System", list(ranks))
    frame.insert(1, "Mean rank", [round(rank, 2) for rank in ranks.values()])
    return frame


def agreement_table(boards: Boards) -> pd.DataFrame:
    """One row per pair, what the boards disagree on first."""
    found = boards.agreement
    order = np.lexsort((found.alike / np.maximum(found.boards, 1), ~found.contradicting))
    frame = agreement_frame(boards).iloc[order]
    names = [
        "System A",
        "System B",
        "Compared on",
        "System A is better",
        "System B is better",
        "Not separated",
    ]
    return frame.set_axis(names, axis=1)


def order_by_wins(found: Replicability, together: bool) -> IntArray:
    """Systems by the sum of their counts, most first. Returns int array, shape (n_systems,)."""
    counts = found.matrix(together)
    # Where two have won as much, the one that lost less stands above.
    return np.lexsort((np.nansum(counts, axis=0), -np.nansum(counts, axis=1)))


def counts_table(found: Replicability, together: bool) -> pd.DataFrame:
    """The matrix of counts with names: the row beats the column.

    Returns: Whole numbers, empty on the diagonal and where no data set compares the two; the first 200
        systems.
    """
    order = order_by_wins(found, together)[:MOST_IN_TABLE]
    names = [found.systems[i] for i in order]
    counts = found.matrix(together)[np.ix_(order, order)]
    frame = pd.DataFrame(counts, index=names, columns=names).astype("Int64")
    return frame.rename_axis("Row beats column").reset_index()


def statements_table(found: Replicability, together: bool) -> pd.DataFrame:
    """Every direction that is shown in at least one data set, with the names of the data sets."""
    counts = found.at_least_together if together else found.at_least
    named = found.named_together if together else found.named
    rows = [
        {
            "Better": found.systems[found.better[row]],
            "Worse": found.systems[found.worse[row]],
            "In at least": int(counts[row]),
            "Of": int(found.n_datasets[row]),
            "Data sets": ", ".join(
                name for name, there in zip(found.datasets, named[:, row], strict=True) if there
            ),
        }
        for row in np.argsort(-counts, kind="stable")
        if counts[row]
    ]
    return pd.DataFrame(rows, columns=["Better", "Worse", "In at least", "Of", "Data sets"])
