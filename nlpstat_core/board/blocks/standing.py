"""What the decisions of all pairs say about the systems, counted block by block."""

from dataclasses import dataclass, field

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.board.pairs.decision import told_apart
from nlpstat_core.board.ranking.leaderboard import places
from nlpstat_core.board.ranking.system_scores import BoardScores
from nlpstat_core.results.columns import SHORT_OF_DELTA, Leaderboard
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(eq=False)
class Standing:
    """Counts over the blocks seen so far; those of systems have shape (n_systems,), in column order.

    order, rank: Columns by place, and the rank of every column.
    beaten_by, beats: Systems separated from it and better, or worse.
    opened, closed: By place: pairs not separated for the upper one, by their upper and their lower system.
    """

    scores: ScoreMatrix
    found: BoardScores
    delta: float
    separated: int = 0
    order: IntArray = field(init=False)
    rank: IntArray = field(init=False)

    def __post_init__(self) -> None:
        self.order, self.rank = places(self.scores, self.found)
        self._place = np.empty_like(self.order)
        self._place[self.order] = np.arange(self.order.size)
        self._beaten_by, self._beats, self._opened, self._closed = np.zeros(
            (4, self.order.size), dtype=np.int64
        )

    def add(
        self,
        left: IntArray,
        right: IntArray,
        significant: BoolArray,
        direction: CodeArray,
        difference: FloatArray,
    ) -> CodeArray:
        """Count the pairs of a block.

        Returns: +1 where a is separated from b and better, −1 where it is worse, else 0.
        """
        separated, notes = told_apart(significant, direction, difference, self.delta)
        ahead = np.sign(self.found.score[left] - self.found.score[right])
        separated &= ~(direction * ahead <= 0)
        better = advantage(direction, self.scores.lower_is_better)
        code = np.where(separated & ~notes[SHORT_OF_DELTA], better, 0).astype(np.int8)
        self.separated += int(np.count_nonzero(separated))
        empty = np.isnan(self.found.score)  # behind all that have a score: see `behind_all`
        side = np.where(empty[left] == empty[right], code, np.where(empty[right], 1, -1))
        winner, loser = np.where(side > 0, left, right)[side != 0], np.where(side > 0, right, left)[side != 0]
        n_systems = self.order.size
        self._beats += np.bincount(winner, minlength=n_systems)
        self._beaten_by += np.bincount(loser, minlength=n_systems)
        upper, lower = (
            np.minimum(self._place[left], self._place[right]),
            np.maximum(self._place[left], self._place[right]),
        )
        open_pairs = ~((side != 0) & (np.where(side > 0, self._place[left], self._place[right]) == upper))
        self._opened += np.bincount(upper[open_pairs], minlength=n_systems)
        self._closed += np.bincount(lower[open_pairs], minlength=n_systems)
        return code

    def leaderboard(self) -> Leaderboard:
        """The board, with rank intervals and clusters as `rank_systems` has them; without letters."""
        order, found = self.order, self.found
        forbidden = np.cumsum(self._opened - self._closed)
        interval = np.stack([1 + self._beaten_by, order.size - self._beats], axis=-1)
        return Leaderboard(
            system=tuple(self.scores.systems[i] for i in order),
            column=order,
            rank=self.rank[order],
            score=found.score[order],
            n_units=found.n_units[order],
            interval=found.interval[order],
            rank_interval=interval[order],
            cluster=np.concatenate([[1], 1 + np.cumsum(forbidden[:-1] == 0)]).astype(np.int64),
            own_score=None if found.own_score is None else found.own_score[order],
            group=found.group[order] if found.group.max() > 1 else None,
        )
