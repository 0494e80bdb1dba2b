"""Scores and ranks of a whole board: partial pooling or the Bayesian bootstrap."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.ranking.rank_distribution import rank_steps, summands
from nlpstat_core.engine.resampling.streams import CHUNK
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.bayes.bayesian_bootstrap import drawn_posteriors, score_draws
from nlpstat_core.methods.bayes.columns import Posteriors
from nlpstat_core.methods.bayes.covariance import Shrunk, shrunk_covariance
from nlpstat_core.methods.bayes.partial_pooling import (
    Pooled,
    pool,
    pooled_draws,
    pooled_posteriors,
    score_posteriors,
)
from nlpstat_core.results.posterior import PosteriorBoard
from nlpstat_core.results.ranks import RankDistribution
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.matrix import ScoreMatrix

MOST_SYSTEMS = 500
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardScores:
    """What every unit or document adds to the scores of a board.

    upper, lower (float arrays, shape (n_drawn, n_systems)): The score of a system is the ratio of their sums.
    """

    upper: FloatArray
    lower: FloatArray
    drawn: str

    @property
    def score(self) -> FloatArray:
        """Observed scores, shape (n_systems,)."""
        result: FloatArray = self.upper.sum(axis=0) / self.lower.sum(axis=0)
        return result

    @property
    def parts(self) -> FloatArray:
        """Contributions to the scores' deviations, shape (n_drawn, n_systems); columns sum to 0."""
        result: FloatArray = (self.upper - self.score * self.lower) / self.lower.sum(axis=0)
        return result


def board_scores(units: ScoreMatrix, block_ids: IntArray | None, own_units: bool) -> BoardScores:
    """The scores of a board that can be modelled as a whole.

    own_units: Whether pairs are compared as independent samples, every system over its own units.
    Raises AnalysisError: Too many systems, fewer than two units or documents, a system without units, or
        groups of systems that no unit connects.
    """
    if units.n_systems > MOST_SYSTEMS:
        raise AnalysisError(
            f"Models of the whole board take at most {MOST_SYSTEMS} systems; there are {units.n_systems:,}."
        )
    if not units.present.any(axis=0).all():
        raise AnalysisError("A model of the whole board needs scores of every system; one has none.")
    upper, lower, groups = summands(units, block_ids, own_units)
    if len(groups) > 1:
        raise AnalysisError(
            "Some systems share no item with the others, directly or by way of other systems; "
            "a model of the whole board needs one connected board."
        )
    drawn = "units" if block_ids is None else "blocks"
    if upper.shape[0] < 2:
        named = "items" if block_ids is None else "documents"
        raise AnalysisError(f"A model of the whole board needs at least two {named}.")
    if np.any(lower.sum(axis=0) <= 0):
        raise AnalysisError("A model of the whole board needs items of every system; one has none.")
    return BoardScores(upper=upper, lower=lower, drawn=drawn)


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledBoard:
    """Partial pooling of a board, ready to be asked about pairs and ranks."""

    scores: BoardScores
    pooled: Pooled
    shrunk: Shrunk
    prior: float

    def pairs(self, left: IntArray, right: IntArray, margin: float, level: float) -> Posteriors:
        """Posteriors of pairs."""
        return pooled_posteriors(self.pooled, left, right, margin=margin, level=level)

    def board(self, units: ScoreMatrix, draws: int, seed: int, level: float) -> PosteriorBoard:
        """Shrunken scores and ranks."""
        return PosteriorBoard(
            model="partial-pooling",
            score=self.scores.score,
            estimate=self.pooled.score,
            interval=score_posteriors(self.pooled, level=level),
            ranks=ranks_of(pooled_draws(self.pooled, draws, seed), units),
            level=level,
            tau=self.pooled.mean_tau,
            prior=self.prior,
            intensity=self.shrunk.intensity,
            n_drawn=self.scores.upper.shape[0],
        )


def pooled_board(scores: BoardScores) -> PooledBoard:
    """Partial pooling of the scores of a board.

    The half-Cauchy prior of τ has the standard deviation of one unit (document) as its scale, the mean over
    systems: systems may differ by as much as units do, and rather less.
    """
    shrunk = shrunk_covariance(scores.parts)
    prior = float(np.sqrt(scores.parts.shape[0] * np.diag(shrunk.covariance).mean()))
    pooled = pool(scores.score, shrunk.covariance, prior=prior)
    return PooledBoard(scores=scores, pooled=pooled, shrunk=shrunk, prior=prior)


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapBoard:
    """Bayesian bootstrap of a board."""

    scores: BoardScores
    draws: FloatArray

    def pairs(
        self, left: IntArray, right: IntArray, freedom: FloatArray, margin: float, level: float
    ) -> Posteriors:
        """Posteriors of pairs."""
        return drawn_posteriors(self.draws, left, right, freedom=freedom, margin=margin, level=level)

    def board(self, units: ScoreMatrix, level: float) -> PosteriorBoard:
        """Scores and ranks; see `drawn_board`."""
        return drawn_board(self.draws, self.scores.score, self.scores.upper.shape[0], units, level)


def drawn_board(
    draws: FloatArray, score: FloatArray, n_drawn: int, units: ScoreMatrix, level: float
) -> PosteriorBoard:
    """Scores and ranks of a Bayesian bootstrap: of draws spread as scores are, intervals by Student's t."""
    n_systems = draws.shape[0]
    centre = draws.mean(axis=1, keepdims=True)
    wider = centre + (draws - centre) * np.sqrt((n_drawn + 1) / (n_drawn - 1))
    systems = np.append(draws, np.zeros((1, draws.shape[1])), axis=0)
    own = drawn_posteriors(
        systems, np.arange(n_systems), np.full(n_systems, n_systems), freedom=float(n_drawn - 1), level=level
    )
    return PosteriorBoard(
        model="bayesian-bootstrap",
        score=score,
        estimate=draws.mean(axis=1),
        interval=own.interval,
        ranks=ranks_of(wider, units),
        level=level,
        tau=np.nan,
        prior=np.nan,
        intensity=np.nan,
        n_drawn=n_drawn,
    )


def bootstrap_board(scores: BoardScores, draws: int, seed: int) -> BootstrapBoard:
    """Bayesian bootstrap of the scores of a board."""
    lower = None if np.all(scores.lower == 1) else scores.lower
    return BootstrapBoard(scores=scores, draws=score_draws(scores.upper, lower, draws, seed))


def ranks_of(draws: FloatArray, units: ScoreMatrix) -> RankDistribution:
    """Ranks of all systems over posterior draws of their scores."""
    n_systems, number = draws.shape
    steps = np.zeros(n_systems * (n_systems + 1))
    keys = -advantage(draws, units.lower_is_better)
    for start in range(0, number, CHUNK):
        steps += rank_steps(keys[:, start : start + CHUNK])
    shares = np.cumsum(steps.reshape(n_systems, n_systems + 1), axis=1)[:, :-1] / number
    shares[shares < _ROUNDING] = 0.0
    return RankDistribution(systems=units.systems, shares=shares, resamples=number, resampled="draws")
