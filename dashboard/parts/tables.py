"""Results as small frames for the screen: numbers stay numbers, intervals become text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dashboard.figures.bins import bin_edges
from dashboard.figures.system_pairs import standing, standing_table
from dashboard.parts.result_table import frame_of
from nlpstat_core.arrays import BoolArray, IntArray
from nlpstat_core.formatting import format_p, format_score
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.report.exports.tables.board import board_columns, top_marks
from nlpstat_core.report.wording.few_units import MARK
from nlpstat_core.report.wording.ranks import omnibus_name
from nlpstat_core.results.columns import Leaderboard
from nlpstat_core.scores.matrix import ScoreMatrix

if TYPE_CHECKING:
    from dashboard.figures.cells import Cells
    from nlpstat_core.analysis.result import Analysis

# Columns of the leaderboard, and their heads on the page.
HEADS = {
    "rank": "Rank",
    "system": "System",
    "score": "Score",
    "interval": "Interval",
    "own_score": "On own items",
    "group": "Group",
    "ranks": "Rank interval",
    "cluster": "Cluster",
    "letters": "Letters",
    "few": f"Pairs {MARK}",
}
SPARK_BARS = 16
SPARK_TAIL = 0.005


def leaderboard_table(analysis: Analysis, shown: Sequence[int] | None = None) -> pd.DataFrame:
    """The leaderboard for people, best system first.

    shown: Positions in the leaderboard; None shows all.
    Returns: Columns that are undefined for the whole board are left out.
    """
    board = analysis.leaderboard
    at = np.arange(len(board)) if shown is None else np.asarray(shown)
    found = board_columns(analysis, at.tolist(), decimals=decimals(board))
    if board.cluster is not None and len(set(board.cluster.tolist())) == 1:  # one cluster says nothing
        del found["cluster"]
    frame = frame_of([replace(found[key], label=head) for key, head in HEADS.items() if key in found])
    if board.rank_interval is not None:
        frame.insert(list(frame.columns).index("System") + 1, "Top", top_marks(analysis, at.tolist()))
        frame["Rank interval"] = frame["Rank interval"].str.replace("–", " to ")
    if analysis.config.baseline is not None:
        for name, values in _against_baseline(analysis, at).items():
            frame[name] = values
    if analysis.units.measured is None:  # what items add to a measure is no score of theirs
        frame["Distribution"] = distributions(analysis.units, board.column[at])
    if "units" in found:
        frame["Items"] = board.n_units[at]
    return frame


def _against_baseline(analysis: Analysis, at: IntArray) -> dict[str, list[Any]]:
    """What the baseline's comparisons say of every system; blank for the baseline itself."""
    baseline = str(analysis.config.baseline)
    table = standing_table(standing(analysis, baseline, others_first=True), analysis.config)
    table = table.set_index("System").reindex([analysis.leaderboard.system[i] for i in at])
    found: dict[str, list[Any]] = {name: list(table[name]) for name in table.columns}
    found["Verdict"] = ["baseline" if isinstance(text, float) else text for text in table["Verdict"]]
    return found


def omnibus_table(omnibus: Omnibus, alpha: float) -> pd.DataFrame:
    """The tests of all systems together, one row each."""
    tests = (omnibus, *omnibus.also)
    return pd.DataFrame(
        {
            "All systems together": [omnibus_name(test) for test in tests],
            "Statistic": [format_score(test.statistic) for test in tests],
            "df": [", ".join(f"{df:,.6g}" for df in test.degrees_of_freedom) for test in tests],
            "p": [format_p(test.p_value, test.log10_p, alpha=alpha) for test in tests],
            "Items": [f"{test.n_units:,}" for test in tests],
        }
    )


def missing_table(scores: ScoreMatrix) -> pd.DataFrame:
    """How many scores each system has and lacks, the emptiest first."""
    there = scores.present.sum(axis=0)
    order = np.argsort(there, kind="stable")
    return pd.DataFrame(
        {
            "System": [scores.systems[i] for i in order],
            "Scores": there[order],
            "Missing": scores.n_units - there[order],
            "Missing (%)": np.round(100 * (1 - there[order] / scores.n_units), 1),
        }
    )


def decimals(board: Leaderboard) -> int:
    """Decimals that show the scores of a board as exactly as their intervals allow, the same in every row.

    Returns: Two digits of the typical half width of an interval; between 0 and 8.
    """
    half = (board.interval[:, 1] - board.interval[:, 0]) / 2
    half = half[np.isfinite(half) & (half > 0)]
    if not half.size:
        return 4
    return int(np.clip(1 - np.floor(np.log10(np.median(half))), 0, 8))


def distributions(scores: ScoreMatrix, columns: IntArray) -> list[list[int]]:
    """Counts of every system's scores on one common axis, for small bar charts."""
    values = scores.values[scores.present]
    edges = bin_edges(values)
    low, high = edges[0], edges[-1]
    if len(edges) - 1 > SPARK_BARS:
        # A single value far out would leave all others in one bar; the outermost bars hold what is beyond.
        low, high = np.quantile(values, (SPARK_TAIL, 1 - SPARK_TAIL))
        edges = np.linspace(low, high if high > low else low + 1.0, SPARK_BARS + 1)
    clipped = np.clip(scores.values, low, high)
    return [np.histogram(clipped[:, c], bins=edges)[0].tolist() for c in columns]


def first_rows(scores: ScoreMatrix, rows: int = 4) -> pd.DataFrame:
    """The beginning of the scores as they were understood: ids, labels, systems."""
    return scores.rows(np.arange(min(rows, scores.n_units))).to_frame()


def holding(frame: pd.DataFrame, columns: Sequence[str], part: str) -> BoolArray:
    """The rows with a text in one of some columns, in any case; all of them where the text is empty."""
    found = np.full(len(frame), not part.strip())
    if part.strip():
        for column in columns:
            found |= [part.strip().casefold() in str(value).casefold() for value in frame[column]]
    return found


def cells_table(cells: Cells) -> pd.DataFrame:
    """The heatmap as a table: the same order, every cell its sign and value."""
    return pd.DataFrame(cells.text, index=list(cells.names), columns=list(cells.names))
