"""What may be said of all systems and pairs together, counted from the decisions on pairs in one place."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.results.columns import SHORT_OF_DELTA, Leaderboard, PairTable


@dataclass(frozen=True, kw_only=True)
class Claims:
    """What holds of a board: sentences that say every, none, alone or "N of M" take it from here.

    compared: Pairs with a p-value.
    separated: Pairs decided in favour of one system.
    against_mean, against_order: Significant pairs that are not separated: the test points against the mean of
        the shared units, or against the order of the board.
    short_of_delta: Significant pairs whose difference is only known to be other than the hypothesised one.
    top: Systems with a score that no other is separated from and better than, best score first; empty with a
        baseline.
    beaten: How many others the first of `top` is separated from and better than.
    others: How many others have a score.
    empty: Systems without any score.
    contested: Significant pairs that are not separated and whose test speaks against a system of `top`.
    """

    compared: int
    separated: int
    against_mean: int
    against_order: int
    short_of_delta: int
    top: tuple[str, ...]
    beaten: int
    others: int
    empty: int
    contested: int

    @property
    def better_than_all(self) -> bool:
        """Whether the first system's own pair with every other that has a score is decided in its favour."""
        return bool(self.top) and self.beaten == self.others


def claims_of(pairs: PairTable, board: Leaderboard) -> Claims:
    """Count what holds of a board."""
    compared, contradicting = ~np.isnan(pairs.p_value), pairs.contradicting
    mean = contradicting & pairs.notes.get("direction-contradicts-mean", False)
    column = board.column[on_top(board)]
    behind = np.where(pairs.better_code > 0, pairs.right, pairs.left)[contradicting]
    beaten, empty = 0, int(np.count_nonzero(np.isnan(board.score)))
    if column.size:
        ahead = np.where(pairs.better_code > 0, pairs.left, pairs.right)[pairs.separated]
        beaten = int(np.count_nonzero(ahead == column[0]))
    return Claims(
        compared=int(np.count_nonzero(compared)),
        separated=int(np.count_nonzero(pairs.separated)),
        against_mean=int(np.count_nonzero(mean)),
        against_order=int(np.count_nonzero(contradicting & ~mean)),
        short_of_delta=int(np.count_nonzero(pairs.notes.get(SHORT_OF_DELTA, False))),
        top=top_group(board),
        beaten=beaten,
        others=max(len(board) - empty - 1, 0),
        empty=empty,
        contested=int(np.count_nonzero(np.isin(behind, column))),
    )


def on_top(board: Leaderboard) -> np.ndarray:
    """Places of the board whose rank interval begins at 1; systems without any score are on no place."""
    if board.rank_interval is None:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero((board.rank_interval[:, 0] == 1) & ~np.isnan(board.score))


def top_group(board: Leaderboard) -> tuple[str, ...]:
    """Systems with a score whose rank interval begins at 1: no other is separated from them and better."""
    return tuple(board.system[place] for place in on_top(board))
