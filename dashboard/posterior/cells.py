"""The square of a posterior as data: probabilities, three states, sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dashboard.figures.cells import Cells
from nlpstat_core.report.exports.tables.square import BETTER, NOTHING, SIGNS, WORSE
from nlpstat_core.report.exports.tables.square import square as square_of
from nlpstat_core.report.wording.posterior import pair_sentence
from nlpstat_core.report.wording.probabilities import probability

if TYPE_CHECKING:
    from nlpstat_core.analysis.posterior import Posterior
    from nlpstat_core.analysis.result import Analysis

VIEW = "posterior"


def posterior_cells(analysis: Analysis, found: Posterior, shown: Sequence[int]) -> Cells:
    """The square of some systems, in the order of the leaderboard.

    shown: Positions in the leaderboard.
    Returns: Values are the probability that the row is better; colours how much it exceeds that of the
        column, so that practically equivalent systems are pale.
    """
    pairs, square = found.pairs, square_of(analysis, shown=shown)
    rows = square.rows
    better, worse = pairs.better[rows], pairs.worse[rows]
    values = square.fill(better, worse)
    about_a = pairs.verdict_code[rows].astype(np.int8)
    about_b = about_a.copy()
    about_b[about_a == BETTER], about_b[about_a == WORSE] = WORSE, BETTER
    verdict = square.fill(about_a, about_b, NOTHING, np.int8)
    hover_row = np.empty(len(rows), dtype=object)
    hover_row[:] = [pair_sentence(found, int(row)) for row in rows]
    hover = np.full(values.shape, "", dtype=object)
    for r, c in zip(*np.nonzero(square.pair >= 0), strict=True):
        hover[r, c] = f"{SIGNS[verdict[r, c]]} {probability(float(values[r, c]))}".strip()
    return Cells(
        names=square.names,
        view=VIEW,
        label="P(row better) − P(column better)",
        values=values,
        colour=square.fill(better - worse, worse - better),
        ticks=((-1.0, "−1"), (-0.5, "−0.5"), (0.0, "0"), (0.5, "0.5"), (1.0, "1")),
        verdict=verdict,
        sentence=square.fill(hover_row, hover_row, "", object),
        text=hover,
    )
