"""Standard errors of strengths from the battles themselves, clustered by prompt, rater or both."""

import math

import numpy as np
from scipy import linalg, sparse

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.methods.preferences.fit import Fit
from nlpstat_core.scores.battles import Battles, Clusters, TwoClusters


def difference_error(fit: Fit, battles: Battles, a: int, b: int, clusters: TwoClusters) -> float:
    """Standard error of θ_a − θ_b.

    clusters: Of one kind, or two kinds: their variances are added and that of their intersections subtracted.
    Returns: NaN where no variance is left above 0, as two kinds of clusters may have it.
    """
    contrast = np.zeros(fit.parameters.size)
    contrast[a] += 1
    contrast[b] -= 1
    weights = linalg.solve(fit.information, contrast, assume_a="pos")
    of_pair, of_tie = fit.model.residuals(
        fit.parameters, battles.left, battles.right, battles.outcome.astype(float)
    )
    influence = of_pair * (weights[battles.left] - weights[battles.right])
    if fit.model.tie_parameter:
        influence = influence + of_tie * weights[-1]
    terms = clusterings(battles, clusters)
    variance = sum(sign * _summed(influence, codes, number) for sign, codes, number in terms)
    return math.sqrt(variance) if variance > 0 else math.nan


def clusterings(battles: Battles, clusters: TwoClusters) -> list[tuple[int, IntArray, int]]:
    """Sign, codes and number of clusters of every term of the variance."""
    kinds = clusters if isinstance(clusters, tuple) and _two_kinds(clusters) else (clusters,)
    first, *more = (battles.clusters(kind) for kind in kinds)
    if not more:
        return [(1, *first)]
    second = more[0]
    both, codes = np.unique(first[0] * second[1] + second[0], return_inverse=True)
    return [(1, *first), (1, *second), (-1, codes.astype(np.int64), both.size)]


def effective_clusters(battles: Battles, clusters: TwoClusters) -> float:
    """Clusters of equal size that would carry as much information: (Σ n_c)²/Σ n_c², of the rarer kind."""
    sizes = [np.bincount(codes) for sign, codes, _ in clusterings(battles, clusters) if sign > 0]
    return min(float(one.sum() ** 2 / (one @ one)) for one in sizes)


def _two_kinds(clusters: tuple[Clusters, ...]) -> bool:
    """Whether these are two names of columns or rows of entries, not the entries of two battles."""
    if len(clusters) != 2:
        return False
    return all(isinstance(one, str) or np.ndim(np.asarray(one, dtype=object)) == 1 for one in clusters)


def _summed(influence: FloatArray, codes: IntArray, number: int) -> float:
    sums = np.bincount(codes, influence, number)
    return float(sums @ sums) * number / (number - 1)


def cluster_scores(fit: Fit, battles: Battles, codes: IntArray, number: int) -> sparse.csr_matrix:
    """Sums of the scores of each cluster's battles, shape (number, n_parameters)."""
    of_pair, of_tie = fit.model.residuals(
        fit.parameters, battles.left, battles.right, battles.outcome.astype(float)
    )
    values, columns = [of_pair, -of_pair], [battles.left, battles.right]
    if fit.model.tie_parameter:
        values, columns = [*values, of_tie], [*columns, np.full(of_tie.size, fit.parameters.size - 1)]
    entries = (np.concatenate(values), (np.tile(codes, len(values)), np.concatenate(columns)))
    return sparse.csr_matrix(entries, shape=(number, fit.parameters.size))


def covariance(fit: Fit, battles: Battles, clusters: TwoClusters) -> tuple[FloatArray, int]:
    """Covariance of all strengths, and degrees of freedom: clusters of the rarer kind less one."""
    terms = clusterings(battles, clusters)
    meat = np.zeros((fit.parameters.size, fit.parameters.size))
    for sign, codes, number in terms:
        scores = cluster_scores(fit, battles, codes, number)
        meat += sign * (scores.T @ scores).toarray() * number / (number - 1)
    half = linalg.solve(fit.information, meat, assume_a="pos")
    whole = linalg.solve(fit.information, half.T, assume_a="pos")
    m = fit.counts.n_systems
    return np.asarray(whole[:m, :m]), min(number for sign, _, number in terms if sign > 0) - 1
