"""The leaderboard as a table of text, and the summary statistics of every system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.formatting import common_decimals, format_fixed, format_fixed_interval
from nlpstat_core.methods.diagnosis.summary import summarise
from nlpstat_core.report.exports.tables.square import cluster_lines
from nlpstat_core.report.exports.tables.table import Cell, Column, Table
from nlpstat_core.report.wording.few_units import MARK, marked_systems
from nlpstat_core.report.wording.titles import board_remark, board_title, systems_remark, systems_title
from nlpstat_core.results.ranks import RankDistribution

if TYPE_CHECKING:
    from nlpstat_core.results.analysis import AnalysisData

# Resamples × units × systems that take a few seconds; a bigger board goes without the last column.
MOST_DRAWS = 5_000_000_000
MOST_RANKED = 1_000

Part = list[tuple[Column, list[Cell]]]


def score_decimals(analysis: AnalysisData) -> int:
    """Decimals of every score in metric points: four digits of a score, two of its interval's half."""
    board = analysis.leaderboard
    halves = (board.interval[:, 1] - board.interval[:, 0]) / 2
    return max(common_decimals(board.score.tolist(), 4), common_decimals(halves.tolist(), 2))


def board_table(analysis: AnalysisData, most: int) -> Table:
    """The leaderboard as text, best system first.

    Returns: Rank intervals, clusters and letters only where they are defined.
    """
    board = analysis.leaderboard
    shown = list(range(min(len(board), most)))
    ranks = ranks_of(analysis)
    columns = [*_scores(analysis, shown), *_groups(analysis, shown)]
    if ranks is not None:
        best = ranks.best[board.column]
        cells = [Cell(_share(float(best[i])), float(best[i])) for i in shown]
        columns.append((Column("Best", True), cells))
    if len(set(board.n_units.tolist())) > 1:
        units = [Cell(f"{board.n_units[i]:,}", float(board.n_units[i])) for i in shown]
        columns.append((Column("Units", True), units))
    return Table(
        title=board_title(analysis),
        columns=tuple(column for column, _ in columns),
        rows=tuple(zip(*(cells for _, cells in columns), strict=True)),
        remark=board_remark(analysis, len(shown), ranks),
        lines=tuple(after for after in cluster_lines(analysis) if after < len(shown)),
    )


def _share(share: float) -> str:
    if 0 < share < 0.005:
        return "< 1 %"
    return f"{100 * share:.0f} %"


def ranks_of(analysis: AnalysisData) -> RankDistribution | None:
    """How ranks vary over resamples, where that takes seconds."""
    units = analysis.units
    draws = units.n_units * units.n_systems * analysis.config.resamples
    if draws > MOST_DRAWS or units.n_systems > MOST_RANKED:
        return None
    return board_rank_distribution(analysis)


def _scores(analysis: AnalysisData, shown: list[int]) -> Part:
    board, decimals = analysis.leaderboard, score_decimals(analysis)
    ends = [(float(board.interval[i, 0]), float(board.interval[i, 1])) for i in shown]
    intervals = [
        Cell("" if np.isnan(low) else format_fixed_interval(low, high, decimals), low) for low, high in ends
    ]
    scores = [Cell(format_fixed(float(board.score[i]), decimals), float(board.score[i])) for i in shown]
    part: Part = [
        (Column("Rank", True), [Cell(str(board.rank[i]), float(board.rank[i])) for i in shown]),
        (Column("System"), [Cell(board.system[i], name=True) for i in shown]),
        (Column("Score", True), scores),
        (Column(f"{100 * analysis.config.level:g} % interval", True), intervals),
    ]
    if board.own_score is not None:
        own = [float(board.own_score[i]) for i in shown]
        part.append((Column("Own units", True), [Cell(format_fixed(mean, decimals), mean) for mean in own]))
    if board.group is not None:
        part.insert(
            0, (Column("Group", True), [Cell(str(number), float(number)) for number in board.group[shown]])
        )
    return part


def _groups(analysis: AnalysisData, shown: list[int]) -> Part:
    board, part = analysis.leaderboard, []
    if board.rank_interval is not None:
        cells = []
        for i in shown:
            low, high = (int(end) for end in board.rank_interval[i])
            cells.append(Cell(f"{low}" if low == high else f"{low}–{high}", low + high / (len(board) + 1)))
        part.append((Column("Ranks", True), cells))
    if board.cluster is not None:
        cells = [Cell(str(board.cluster[i]), float(board.cluster[i])) for i in shown]
        part.append((Column("Cluster", True), cells))
    if board.letters is not None:
        part.append((Column("Letters"), [Cell(board.letters[i]) for i in shown]))
    few = marked_systems(analysis)
    if few.any():
        cells = [Cell(f"{few[i]:,}" if few[i] else "", float(few[i])) for i in shown]
        part.append((Column(f"Pairs {MARK}", True), cells))
    return part


def systems_table(analysis: AnalysisData, most: int) -> Table:
    """Summary statistics of the systems' scores on evaluation units, in the order of the leaderboard."""
    board, values = analysis.leaderboard, analysis.units.values
    shown = list(range(min(len(board), most)))
    found = [summarise(column[~np.isnan(column)]) for column in values.T[board.column[: len(shown)]]]
    names = {"mean": "Mean", "sd": "SD", "min": "Minimum", "median": "Median", "max": "Maximum"}
    decimals = max(
        score_decimals(analysis), common_decimals((summary.sd for summary in found), 3) if found else 0
    )
    columns: Part = [
        (Column("System"), [Cell(board.system[i], name=True) for i in shown]),
        (Column("Units", True), [Cell(f"{summary.n:,}", float(summary.n)) for summary in found]),
    ]
    for field, label in names.items():
        numbers = [float(getattr(summary, field)) for summary in found]
        columns.append((Column(label, True), [Cell(format_fixed(n, decimals), n) for n in numbers]))
    return Table(
        title=systems_title(analysis),
        columns=tuple(column for column, _ in columns),
        rows=tuple(zip(*(cells for _, cells in columns), strict=True)),
        remark=systems_remark(analysis, len(shown)),
    )
