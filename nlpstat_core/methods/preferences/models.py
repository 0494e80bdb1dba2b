"""Counts of pairs, and the two models on them: log-likelihood, score and information of (θ, log ν)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.scores.battles import Battles


@dataclass(frozen=True)
class PairCounts:
    """Outcomes of the pairs of systems that met, one row a pair.

    left, right (integers, shape (n_pairs,)): Systems of a pair, left before right.
    wins_left, wins_right, ties (floats, shape (n_pairs,)): Battles with that outcome.
    """

    n_systems: int
    left: IntArray
    right: IntArray
    wins_left: FloatArray
    wins_right: FloatArray
    ties: FloatArray

    @property
    def has_ties(self) -> bool:
        """Whether any battle is a tie."""
        return bool(self.ties.any())


def counted(battles: Battles) -> PairCounts:
    """The counts of all battles, whichever system was shown first."""
    n = battles.n_systems
    first = np.minimum(battles.left, battles.right)
    second = np.maximum(battles.left, battles.right)
    # −1, 0, 1 from the view of the system that comes first in the names.
    outcome = np.where(battles.left < battles.right, battles.outcome, -battles.outcome)
    pairs, row = np.unique(first * n + second, return_inverse=True)
    by_outcome = [
        np.bincount(row[outcome == sign], minlength=pairs.size).astype(float) for sign in (1, -1, 0)
    ]
    return PairCounts(n, pairs // n, pairs % n, *by_outcome)


def rows_of(counts: PairCounts, battles: Battles) -> IntArray:
    """Which row of the counts each battle belongs to."""
    n = counts.n_systems
    keys = np.minimum(battles.left, battles.right) * n + np.maximum(battles.left, battles.right)
    return np.searchsorted(counts.left * n + counts.right, keys)


def onto_systems(counts: PairCounts, of_pairs: FloatArray) -> FloatArray:
    """Σ over pairs of value·(e_left − e_right), shape (n_systems,)."""
    n = counts.n_systems
    return np.asarray(np.bincount(counts.left, of_pairs, n) - np.bincount(counts.right, of_pairs, n), float)


def laplacian(counts: PairCounts, of_pairs: FloatArray) -> FloatArray:
    """Σ over pairs of value·(e_left − e_right)(e_left − e_right)ᵀ, shape (n_systems, n_systems)."""
    n = counts.n_systems
    matrix = np.zeros((n, n))
    matrix[counts.left, counts.right] = -of_pairs
    matrix += matrix.T
    matrix[np.diag_indices(n)] = -matrix.sum(axis=1)
    return matrix


@dataclass(frozen=True)
class Model:
    """A model of battles whose parameters are the strengths, and log ν behind them where ties have their own.

    log_likelihood: Of parameters, on counts.
    derivatives: Score, shape (n_parameters,), and information, shape (n_parameters, n_parameters).
    residuals: Of parameters at battles (left, right, outcome): what each adds to the score of its pair,
        along e_left − e_right, and to that of log ν.
    share: Of parameters, for two systems: expected points of the first, a tie being half a point.
    slope: How that moves with the difference of the two strengths, and with log ν.
    tie_parameter: Whether log ν is a parameter.
    """

    log_likelihood: Callable[[FloatArray, PairCounts], float]
    derivatives: Callable[[FloatArray, PairCounts], tuple[FloatArray, FloatArray]]
    residuals: Callable[[FloatArray, IntArray, IntArray, FloatArray], tuple[FloatArray, FloatArray]]
    share: Callable[[FloatArray, IntArray, IntArray], FloatArray]
    slope: Callable[[FloatArray, IntArray, IntArray], tuple[FloatArray, FloatArray]]
    tie_parameter: bool


def win_probability(difference: FloatArray) -> FloatArray:
    """σ(d), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(difference / 2)))


def _half_log_likelihood(theta: FloatArray, counts: PairCounts) -> float:
    d = theta[counts.left] - theta[counts.right]
    left, right = counts.wins_left + counts.ties / 2, counts.wins_right + counts.ties / 2
    return -float(left @ np.logaddexp(0.0, -d) + right @ np.logaddexp(0.0, d))


def _half_derivatives(theta: FloatArray, counts: PairCounts) -> tuple[FloatArray, FloatArray]:
    p = win_probability(theta[counts.left] - theta[counts.right])
    number = counts.wins_left + counts.wins_right + counts.ties
    score = counts.wins_left + counts.ties / 2 - number * p
    return onto_systems(counts, score), laplacian(counts, number * p * (1 - p))


def _half_residuals(
    theta: FloatArray, left: IntArray, right: IntArray, outcome: FloatArray
) -> tuple[FloatArray, FloatArray]:
    observed = (1 + outcome) / 2
    return observed - win_probability(theta[left] - theta[right]), np.zeros(outcome.size)


def davidson_probabilities(
    difference: FloatArray, log_nu: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Probabilities that the first system wins, the second wins, and of a tie."""
    logs = np.stack([difference / 2, -difference / 2, np.full(difference.shape, log_nu)])
    parts = np.exp(logs - logs.max(axis=0))
    first, second, tie = parts / parts.sum(axis=0)
    return first, second, tie


def _davidson_log_likelihood(parameters: FloatArray, counts: PairCounts) -> float:
    d = parameters[counts.left] - parameters[counts.right]
    log_nu = float(parameters[-1])
    number = counts.wins_left + counts.wins_right + counts.ties
    log_z = np.logaddexp(np.logaddexp(d / 2, -d / 2), log_nu)
    won = (counts.wins_left - counts.wins_right) @ d / 2
    return float(won + counts.ties.sum() * log_nu - number @ log_z)


def _davidson_derivatives(parameters: FloatArray, counts: PairCounts) -> tuple[FloatArray, FloatArray]:
    first, second, tie = davidson_probabilities(
        parameters[counts.left] - parameters[counts.right], float(parameters[-1])
    )
    number = counts.wins_left + counts.wins_right + counts.ties
    half = (first - second) / 2
    score = (counts.wins_left - counts.wins_right) / 2 - number * half
    n = counts.n_systems
    information = np.empty((n + 1, n + 1))
    information[:n, :n] = laplacian(counts, number * ((first + second) / 4 - half**2))
    information[:n, n] = information[n, :n] = onto_systems(counts, -number * half * tie)
    information[n, n] = float(number @ (tie * (1 - tie)))
    of_ties = float((counts.ties - number * tie).sum())
    return np.append(onto_systems(counts, score), of_ties), information


def _davidson_residuals(
    parameters: FloatArray, left: IntArray, right: IntArray, outcome: FloatArray
) -> tuple[FloatArray, FloatArray]:
    first, second, tie = davidson_probabilities(parameters[left] - parameters[right], float(parameters[-1]))
    return (outcome - (first - second)) / 2, (outcome == 0) - tie


def _half_share(parameters: FloatArray, left: IntArray, right: IntArray) -> FloatArray:
    return win_probability(parameters[left] - parameters[right])


def _davidson_share(parameters: FloatArray, left: IntArray, right: IntArray) -> FloatArray:
    first, _, tie = davidson_probabilities(parameters[left] - parameters[right], float(parameters[-1]))
    return first + tie / 2


def _half_slope(parameters: FloatArray, left: IntArray, right: IntArray) -> tuple[FloatArray, FloatArray]:
    p = _half_share(parameters, left, right)
    return p * (1 - p), np.zeros(p.size)


def _davidson_slope(parameters: FloatArray, left: IntArray, right: IntArray) -> tuple[FloatArray, FloatArray]:
    first, second, tie = davidson_probabilities(parameters[left] - parameters[right], float(parameters[-1]))
    half = (first - second) / 2
    return (first + second) / 4 - half**2, -half * tie


HALF = Model(
    _half_log_likelihood,
    _half_derivatives,
    _half_residuals,
    _half_share,
    _half_slope,
    tie_parameter=False,
)
DAVIDSON = Model(
    _davidson_log_likelihood,
    _davidson_derivatives,
    _davidson_residuals,
    _davidson_share,
    _davidson_slope,
    tie_parameter=True,
)
