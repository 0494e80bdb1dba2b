"""Strengths beside what else decides battles: which answer was shown first, how long or how styled it was."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.preferences.models import win_probability
from nlpstat_core.methods.preferences.sandwich import clusterings, effective_clusters
from nlpstat_core.scores.battles import Battles, TwoClusters
from nlpstat_core.stopping import stop_if_asked

_SMALL, _MOST_STEPS, _TOO_LARGE = 1e-8, 50, 15.0
# Share of what a covariate says that isn't said by the systems already; below it nothing is left.
_OWN = 1e-6


@dataclass(frozen=True, eq=False)
class Controlled:
    """Strengths at equal covariates.

    strength (floats, shape (n_systems,)): Natural logarithms, mean zero.
    covariance (floats, shape (n_systems, n_systems)): Of strengths.
    coefficient, error (floats, shape (n_covariates,)): Log odds that one unit of a covariate adds to the left
        system's chances.
    freedom: Degrees of freedom: clusters of equal size that would carry as much information, less one.
    """

    strength: FloatArray
    covariance: FloatArray
    coefficient: FloatArray
    error: FloatArray
    freedom: float


def controlled(battles: Battles, covariates: FloatArray, clusters: TwoClusters) -> Controlled:
    """Bradley and Terry's model with covariates of single battles, ties as half wins.

    P(left beats right) = σ(θ_left − θ_right + xβ); errors are sandwich errors by cluster.

    covariates (floats, shape (n_battles, n_covariates)): Of the left answer less the right one; 1 for the
        order of showing. The strengths alone must exist.
    Raises AnalysisError: A covariate that the systems determine already, or one that decides every battle.
    """
    m, k = battles.n_systems, covariates.shape[1]
    left, right = battles.left, battles.right
    y = (1 + battles.outcome.astype(float)) / 2
    at = np.zeros(m + k)
    best = -np.inf
    for _ in range(_MOST_STEPS):
        stop_if_asked()
        p, information = _at(at, battles, covariates)
        score = np.concatenate(
            [np.bincount(left, y - p, m) - np.bincount(right, y - p, m), covariates.T @ (y - p)]
        )
        _refuse_determined(information, m)
        step = linalg.solve(information, score, assume_a="pos")
        size = float(np.abs(step).max())
        for _ in range(60):
            found = _log_likelihood(at + step, battles, covariates, y)
            if found >= best - 1e-13 * abs(best):
                break
            step = step / 2
        at, best = at + step, found
        if np.abs(at).max() > _TOO_LARGE:
            break
        if size <= _SMALL:
            return _with_errors(at, battles, covariates, y, clusters)
    raise AnalysisError(
        "Controlled strengths are infinite: order or style decides the battles of some systems alone; "
        "leave these covariates out."
    )


def _at(at: FloatArray, battles: Battles, covariates: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Probabilities of the left systems, and the information with its constant."""
    m = battles.n_systems
    left, right = battles.left, battles.right
    p = win_probability(_linear(at, battles, covariates))
    weight = p * (1 - p)
    size = at.size
    information = np.empty((size, size))
    joint = np.bincount(left * m + right, weight, m * m).reshape(m, m)
    joint = joint + joint.T
    information[:m, :m] = np.diag(joint.sum(axis=1)) - joint + 1 / m
    for place in range(size - m):
        weighted = weight * covariates[:, place]
        crossed = np.bincount(left, weighted, m) - np.bincount(right, weighted, m)
        information[:m, m + place] = information[m + place, :m] = crossed
    information[m:, m:] = covariates.T @ (covariates * weight[:, None])
    return p, information


def _linear(at: FloatArray, battles: Battles, covariates: FloatArray) -> FloatArray:
    return at[battles.left] - at[battles.right] + covariates @ at[battles.n_systems :]


def _log_likelihood(at: FloatArray, battles: Battles, covariates: FloatArray, y: FloatArray) -> float:
    d = _linear(at, battles, covariates)
    return float(y @ d - np.logaddexp(0.0, d).sum())


def _refuse_determined(information: FloatArray, m: int) -> None:
    """Refuse covariates that are combinations of the systems and of each other."""
    own = information[m:, m:]
    left_over = own - information[m:, :m] @ linalg.solve(
        information[:m, :m], information[:m, m:], assume_a="pos"
    )
    scale = np.sqrt(np.diag(own))
    if (scale == 0).any() or np.linalg.eigvalsh(left_over / np.outer(scale, scale)).min() < _OWN:
        raise AnalysisError(
            "Order or style can't be separated from the systems: each is the same wherever the same two met; "
            "leave these covariates out."
        )


def _with_errors(
    at: FloatArray, battles: Battles, covariates: FloatArray, y: FloatArray, clusters: TwoClusters
) -> Controlled:
    m = battles.n_systems
    p, information = _at(at, battles, covariates)
    residual = y - p
    n = battles.n_battles
    rows = np.tile(np.arange(n), 2)
    columns = np.concatenate([battles.left, battles.right])
    strengths = sparse.csr_matrix((np.concatenate([residual, -residual]), (rows, columns)), shape=(n, m))
    scores = sparse.hstack([strengths, sparse.csr_matrix(covariates * residual[:, None])], format="csr")
    terms = clusterings(battles, clusters)
    meat = np.zeros((at.size, at.size))
    for sign, codes, number in terms:
        sums = sparse.csr_matrix((np.ones(n), (codes, np.arange(n))), shape=(number, n)) @ scores
        meat += sign * (sums.T @ sums).toarray() * number / (number - 1)
    half = linalg.solve(information, meat, assume_a="pos")
    whole = linalg.solve(information, half.T, assume_a="pos")
    own = np.diag(whole)[m:]
    return Controlled(
        strength=at[:m] - at[:m].mean(),
        covariance=whole[:m, :m],
        coefficient=at[m:],
        error=np.sqrt(np.where(own > 0, own, np.nan)),
        freedom=max(1.0, effective_clusters(battles, clusters) - 1),
    )
