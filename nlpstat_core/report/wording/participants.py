"""Sentences of a participant's page."""

import numpy as np

from nlpstat_core.report.wording.sentences import correction_phrase, withheld
from nlpstat_core.results.analysis import AnalysisData

_WORDS = ("no evidence of a difference", "better", "worse", "equivalent within the margin")


def verdict_word(verdict: int, is_a: bool) -> str:
    """A pair's verdict about one of its systems.

    verdict: Position in `results.VERDICTS`, about system a.
    is_a: Whether the system is a.
    """
    if verdict in (1, 2) and not is_a:
        verdict = 3 - verdict
    return _WORDS[verdict]


def standing(analysis: AnalysisData, system: str) -> str:
    """Where a system stands: rank, rank interval, how many it is better and worse than."""
    if (why := withheld(analysis)) is not None:
        return why
    board, pairs = analysis.leaderboard, analysis.pairs
    place, column = board.system.index(system), analysis.units.index(system)
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
    return (
        f"{text}: significantly better than {ahead:,}, worse than {behind:,}, not separated from {rest:,} "
        f"{correction_phrase(analysis.config)}{apart}."
    )
