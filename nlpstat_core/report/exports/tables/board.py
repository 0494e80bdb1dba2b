"""The leaderboard as a table of text, and the summary statistics of every system."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.board.ranking.claims import on_top
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.formatting import common_decimals, interval_decimals
from nlpstat_core.methods.diagnosis.summary import summarise
from nlpstat_core.report.exports.tables.square import cluster_lines
from nlpstat_core.report.exports.tables.table import (
    Cell,
    Column,
    Table,
    counts,
    fixed,
    intervals,
    names,
    ranges,
    words,
    written,
)
from nlpstat_core.report.wording.few_units import MARK, marked_systems
from nlpstat_core.report.wording.ranks import TOP_MARK
from nlpstat_core.report.wording.titles import board_remark, board_title, systems_remark, systems_title
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.ranks import RankDistribution

# Resamples × units × systems that take a few seconds; a bigger board goes without the last column.
MOST_DRAWS = 5_000_000_000
MOST_RANKED = 1_000
PLAIN = "{}"  # ranks and their like have no commas


def score_decimals(analysis: AnalysisData) -> int:
    """Decimals of every score in metric points: four digits of a score, two of its interval's half."""
    board = analysis.leaderboard
    return max(common_decimals(board.score.tolist(), 4), interval_decimals(board.interval))


def behind_best(analysis: AnalysisData) -> BoolArray:
    """Whether each system is significantly worse than the best one, in the order of the leaderboard."""
    pairs, board = analysis.pairs, analysis.leaderboard
    best = int(board.column[0])
    behind = np.zeros(len(board), dtype=bool)
    behind[pairs.right[(pairs.left == best) & (pairs.verdict_code == 1)]] = True
    behind[pairs.left[(pairs.right == best) & (pairs.verdict_code == 2)]] = True
    found: BoolArray = behind[board.column]
    return found


def board_columns(
    analysis: AnalysisData,
    shown: Sequence[int],
    ranks: RankDistribution | None = None,
    decimals: int | None = None,
) -> dict[str, Column]:
    """Columns of the leaderboard by their keys, in their order; those that are defined.

    shown: Places on the leaderboard.
    ranks: How often a system is the best.
    decimals: Of scores; None takes those of `score_decimals`.
    """
    board, at = analysis.leaderboard, np.asarray(shown, dtype=np.int64)
    decimals = score_decimals(analysis) if decimals is None else decimals
    columns = {} if board.group is None else {"group": counts("Group", board.group[at], PLAIN)}
    columns |= {
        "rank": counts("Rank", board.rank[at], PLAIN),
        "system": names("System", (board.system[i] for i in at)),
        "score": fixed("Score", board.score[at], decimals),
        "interval": intervals(
            f"{100 * analysis.config.level:g} % interval", board.interval[at], decimals, undefined=""
        ),
    }
    if board.own_score is not None:
        columns["own_score"] = fixed("On own items", board.own_score[at], decimals)
    if board.rank_interval is not None:
        columns["ranks"] = ranges("Ranks", board.rank_interval[at], len(board))
    if board.cluster is not None:
        columns["cluster"] = counts("Cluster", board.cluster[at], PLAIN)
    if board.letters is not None:
        columns["letters"] = words("Letters", (board.letters[i] for i in at))
    unranked = np.isnan(board.score[at])
    for key in {"rank", "ranks", "cluster", "letters"} & set(columns):
        columns[key] = _blank(columns[key], unranked)
    few = marked_systems(analysis)
    if few.any():
        texts = (f"{number:,}" if number else "" for number in few[at])
        columns["few"] = written(f"Pairs {MARK}", texts, few[at], 0)
    if ranks is not None:
        best = ranks.best[board.column[at]]
        columns["best"] = _blank(written("Best", map(_share, best), best), unranked)
    if len(set(board.n_units.tolist())) > 1:
        columns["units"] = counts("Items", board.n_units[at])
    return columns


def _blank(column: Column, empty: BoolArray) -> Column:
    """The column without what it says of systems that have no scores: nothing was tested of them."""
    cells = (Cell("–", np.nan) if none else cell for cell, none in zip(column.cells, empty, strict=True))
    return replace(column, cells=tuple(cells))


def top_marks(analysis: AnalysisData, shown: Sequence[int]) -> list[str]:
    """The mark of the top group for some places on the leaderboard, "" for others."""
    top = set(on_top(analysis.leaderboard).tolist())
    return [TOP_MARK if place in top else "" for place in shown]


def board_table(analysis: AnalysisData, most: int) -> Table:
    """The leaderboard as text, best first; rank intervals, clusters and letters only where defined."""
    shown, ranks = range(min(len(analysis.leaderboard), most)), ranks_of(analysis)
    return Table(
        title=board_title(analysis),
        columns=tuple(board_columns(analysis, shown, ranks).values()),
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


def systems_table(analysis: AnalysisData, most: int) -> Table:
    """Summary statistics of the systems' scores on evaluation units, in the order of the leaderboard."""
    board, values = analysis.leaderboard, analysis.units.values
    shown = board.system[:most]
    found = [summarise(column[~np.isnan(column)]) for column in values.T[board.column[: len(shown)]]]
    labels = {"mean": "Mean", "sd": "SD", "min": "Minimum", "median": "Median", "max": "Maximum"}
    spread = common_decimals((summary.sd for summary in found), 3)
    decimals = max(score_decimals(analysis), spread)
    statistics = (
        fixed(label, (getattr(one, name) for one in found), decimals) for name, label in labels.items()
    )
    return Table(
        title=systems_title(analysis),
        columns=(names("System", shown), counts("Items", (one.n for one in found)), *statistics),
        remark=systems_remark(analysis, len(shown)),
    )
