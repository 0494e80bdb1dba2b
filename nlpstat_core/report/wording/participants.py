"""Sentences of a participant's page."""

import numpy as np

from nlpstat_core.board.ranking.claims import on_top
from nlpstat_core.formatting import count_of
from nlpstat_core.report.wording.sentences import correction_phrase, withheld
from nlpstat_core.report.wording.titles import about
from nlpstat_core.results.analysis import AnalysisData

_WORDS = ("no evidence of a difference", "better", "worse", "equivalent within the margin")


def verdict_word(verdict: int, is_a: bool) -> str:
    """A pair's verdict (its place in VERDICTS, about a) about one of its systems."""
    if verdict in (1, 2) and not is_a:
        verdict = 3 - verdict
    return _WORDS[verdict]


def about_sheet(analysis: AnalysisData, *, hide_others: bool, dated: str = "") -> str:
    """What a sheet is about: the task as its file names it, metric and direction, items, and the day.

    hide_others: The name of the file is left out: it may be that of another system.
    dated: The day it was made; empty where nobody says it.
    """
    scores = analysis.scores
    dataset = about(analysis).get("dataset")
    parts = [
        "" if hide_others else scores.source,
        f"data set {dataset}" if dataset else "",
        scores.metric or "",
    ]
    parts += ["lower is better" if scores.lower_is_better else "higher is better"]
    parts += [count_of(analysis.units.n_units, "item"), dated]
    return " · ".join(part for part in parts if part)


def standing(analysis: AnalysisData, system: str) -> str:
    """Where a system stands: rank, rank interval, how many it is better and worse than."""
    if (why := withheld(analysis)) is not None:
        return why
    board, pairs = analysis.leaderboard, analysis.pairs
    place, column = board.system.index(system), analysis.units.index(system)
    if np.isnan(board.score[place]):
        return "This system has no scores, so it has no rank and was compared with no other."
    among = len(board) if board.group is None else int(np.count_nonzero(board.group == board.group[place]))
    text = f"Rank {int(board.rank[place])} of {among:,}"
    if board.rank_interval is not None:
        low, high = (int(end) for end in board.rank_interval[place])
        text += f" (ranks {low} to {high} are possible)" if low < high else f" (rank {low} only)"
    sign = np.where(pairs.left == column, 1, np.where(pairs.right == column, -1, 0))
    ahead = int(np.count_nonzero(pairs.separated & (pairs.better_code * sign > 0)))
    behind = int(np.count_nonzero(pairs.separated & (pairs.better_code * sign < 0)))
    untested = np.isnan(pairs.p_value) & (pairs.verdict_code == 0)
    left_out = int(np.count_nonzero((sign != 0) & untested))
    rest = int(np.count_nonzero(sign)) - ahead - behind - left_out
    apart = f"; not compared with {left_out:,}" if left_out else ""
    top = "In the top group: no other system is significantly better. " if place in on_top(board) else ""
    return (
        f"{top}{text}: significantly better than {ahead:,}, worse than {behind:,}, not separated from "
        f"{rest:,} {correction_phrase(analysis.config)}{apart}."
    )
