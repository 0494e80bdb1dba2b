"""What each cluster holds of every contrast of strengths, as sums over clusters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.methods.preferences.fit import Fit
from nlpstat_core.methods.preferences.models import PairCounts, laplacian
from nlpstat_core.methods.preferences.sandwich import cluster_scores
from nlpstat_core.scores.battles import Battles
from nlpstat_core.stopping import stop_if_asked

# A cluster with at least this share of what is known of some system is looked at by itself, the largest
# first as far as the number of multiplications goes; of smaller ones the local sums are within a per cent.
LARGE = 1 / 200
_MOST_MULTIPLICATIONS, _MOST_LARGE = 2e10, 2_000
_BATTLES_AT_ONCE = 500_000
# Pairs that met times contrasts, up to which single battles are looked at pair by pair.
_MOST_SINGLE = 5_000_000


@dataclass(frozen=True, eq=False)
class ClusterShares:
    """Sums over clusters for every contrast; arrays have shape (n_systems + n_pairs,).

    Each cluster has the share s of what is known of a contrast, and its term the variance g.
    variance: Σg.
    ss, gg, sg, sgg, ssg: Σs², Σg², Σsg, Σsg², Σs²g.
    """

    variance: FloatArray
    ss: FloatArray
    gg: FloatArray
    sg: FloatArray
    sgg: FloatArray
    ssg: FloatArray


@dataclass(frozen=True, eq=False)
class _Clusters:
    """Clusters of battles, those that hold much of a system's battles apart.

    inverse (floats, shape (n_systems, n_systems)): Of the information.
    left, right: Systems of the pairs whose contrasts follow those of the systems.
    large: Of each large cluster its systems, its own information about these, and how many there are of it.
    squares (floats, shape (n_systems, n_systems)): Sum of the squared informations of all clusters.
    small, small_squares: What the other clusters know of each system over the square of what is known of it:
        summed, and the sums of products.
    """

    inverse: FloatArray
    left: IntArray
    right: IntArray
    large: list[tuple[IntArray, FloatArray, float]]
    squares: FloatArray
    small: FloatArray
    small_squares: FloatArray

    def contrasts(self, matrix: FloatArray) -> FloatArray:
        """wᵀMw of systems and pairs."""
        diagonal = np.diag(matrix)
        pairs = diagonal[self.left] + diagonal[self.right] - 2 * matrix[self.left, self.right]
        return np.concatenate([diagonal, pairs])


def cluster_shares(
    fit: Fit, battles: Battles, codes: IntArray, number: int, left: IntArray, right: IntArray
) -> ClusterShares:
    """Shares and variances of clusters, summed; `degrees_of_freedom` says what they are."""
    m = battles.n_systems
    known = _known(fit)
    of = _clusters(fit, battles, codes, number, left, right)
    whole = of.contrasts(of.inverse @ known @ of.inverse)
    noise, taste = _variances(fit, battles, codes, number, known, of)
    variance = noise * whole + taste * of.contrasts(of.inverse @ of.squares @ of.inverse)
    sums = np.zeros((5, m + left.size))
    rest_s, rest_g = np.ones(m + left.size), variance.copy()
    for systems, own, times in of.large:
        stop_if_asked()
        through = own @ of.inverse[systems]
        held = of.contrasts(of.inverse[:, systems] @ through)
        s = held / whole
        g = noise * held + taste * of.contrasts(through.T @ through)
        sums += times * np.array([s * s, g * g, s * g, s * g * g, s * s * g])
        rest_s -= times * s
        rest_g -= times * g
    # The others are as uneven as what they hold of each system, and their g goes with their s.
    rest_s, rest_g = np.maximum(rest_s, 0.0), np.maximum(rest_g, 0.0)
    uneven = _unevenness(of)
    even = uneven * rest_s * rest_g
    sums += rest_s**2 * uneven, rest_g**2 * uneven, even, even * rest_g * uneven, even * rest_s * uneven
    return ClusterShares(variance, *sums)


def _known(fit: Fit) -> FloatArray:
    """The information about strengths that battles hold, shape (n_systems, n_systems)."""
    counts = fit.counts
    weight, _ = fit.model.slope(fit.parameters, counts.left, counts.right)
    return laplacian(counts, _numbers(counts) * weight)


def _numbers(counts: PairCounts) -> FloatArray:
    return counts.wins_left + counts.wins_right + counts.ties


def _variances(
    fit: Fit, battles: Battles, codes: IntArray, number: int, known: FloatArray, of: _Clusters
) -> tuple[float, float]:
    """Noise φ of battles over what the model has, and variance τ² of clusters' tastes by moments, at least 0.

    E Σ|u_c|² = φ·Σtr(L_c − L_cHL_c) + τ²·Σtr(L_c² − 2L_cHL_c² + L_cH(ΣL²)HL_c) with H the inverse.
    """
    m = battles.n_systems
    of_pair, _ = fit.model.residuals(
        fit.parameters, battles.left, battles.right, battles.outcome.astype(float)
    )
    # Where only ties were seen nothing varies: any noise has the same shares.
    noise = float(of_pair @ of_pair) / (np.trace(known) / 2) or 1.0
    scores = cluster_scores(fit, battles, codes, number)[:, :m]
    through = of.inverse @ of.squares
    third = sum(
        times * float(((own @ of.inverse[np.ix_(systems, systems)]) * (own @ own)).sum())
        for systems, own, times in of.large
    )
    of_noise = float(np.trace(known) - np.trace(through))
    of_taste = float(np.trace(of.squares) - 2 * third + (through * through.T).sum())
    found = float(scores.multiply(scores).sum()) - noise * of_noise
    return noise, max(0.0, found / of_taste) if of_taste > 0 else 0.0


def _unevenness(of: _Clusters) -> FloatArray:
    """Σs²/(Σs)² of the small clusters by what they hold of the systems; 0 where they hold nothing."""
    summed = np.concatenate([of.small, of.small[of.left] + of.small[of.right]])
    diagonal = np.diag(of.small_squares)
    crossed = of.small_squares[of.left, of.right]
    squares = np.concatenate([diagonal, diagonal[of.left] + diagonal[of.right] + 2 * crossed])
    found = np.divide(squares, summed**2, out=np.zeros(summed.size), where=summed > 0)
    return np.asarray(found, dtype=float)


def _clusters(
    fit: Fit, battles: Battles, codes: IntArray, number: int, left: IntArray, right: IntArray
) -> _Clusters:
    counts, m = fit.counts, battles.n_systems
    inverse = np.asarray(linalg.inv(fit.information)[:m, :m])
    by_pair, _ = fit.model.slope(fit.parameters, counts.left, counts.right)
    if number == battles.n_battles:
        return _single(counts, by_pair, inverse, left, right)
    weight, _ = fit.model.slope(fit.parameters, battles.left, battles.right)
    entries = (np.tile(weight, 2), (np.tile(codes, 2), np.concatenate([battles.left, battles.right])))
    held = sparse.csr_matrix(entries, shape=(number, m))
    known = np.asarray(held.sum(axis=0)).ravel()
    large = _large(held, known)
    apart = np.zeros(number, dtype=bool)
    apart[large] = True
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=number))])
    own, squares = [], np.zeros((m, m))
    for cluster in large:
        rows = order[starts[cluster] : starts[cluster + 1]]
        systems, information = _information(battles.left[rows], battles.right[rows], weight[rows])
        own.append((systems, information, 1.0))
        squares[np.ix_(systems, systems)] += information @ information
    for rows in _blocks(order, starts, apart, codes):
        squares += _squares(codes[rows], battles.left[rows], battles.right[rows], weight[rows], m)
    local = by_columns(held[~apart], 1 / known**2)
    return _Clusters(
        inverse,
        left,
        right,
        own,
        squares,
        np.asarray(local.sum(axis=0), dtype=float).ravel(),
        np.asarray((local.T @ local).toarray()),
    )


def _single(
    counts: PairCounts, weight: FloatArray, inverse: FloatArray, left: IntArray, right: IntArray
) -> _Clusters:
    """Clusters of one battle each: those of a pair are alike, so sums by pair are enough.

    weight (floats, shape (n_met,)): Information of one battle of the pair.
    """
    number = _numbers(counts)
    squares = laplacian(counts, number * weight**2)
    known = np.diag(laplacian(counts, number * weight))
    own = []
    if counts.left.size * (known.size + left.size) <= _MOST_SINGLE:
        around = np.array([[1.0, -1.0], [-1.0, 1.0]])
        pairs = zip(np.stack([counts.left, counts.right], axis=1), weight, number, strict=True)
        own = [(systems, one * around, float(times)) for systems, one, times in pairs]
    local = np.abs(squares) / np.outer(known, known) ** 2
    return _Clusters(inverse, left, right, own, 2 * squares, 1 / known, local)


def _large(held: sparse.csr_matrix, known: FloatArray) -> IntArray:
    """Clusters that hold much of some system, the largest share first."""
    share = largest_shares(held, known)
    order = np.argsort(-share, kind="stable")[:_MOST_LARGE]
    order = order[share[order] >= LARGE]
    systems = np.diff(held.indptr)[order]
    return order[np.cumsum(6.0 * systems * known.size**2) <= _MOST_MULTIPLICATIONS]


def by_columns(matrix: sparse.csr_matrix, factors: FloatArray) -> sparse.csr_matrix:
    """The matrix with its columns multiplied."""
    values = matrix.data * factors[matrix.indices]
    return sparse.csr_matrix((values, matrix.indices, matrix.indptr), shape=matrix.shape)


def largest_shares(held: sparse.csr_matrix, known: FloatArray) -> FloatArray:
    """Of every cluster the largest share of what is known of some system, shape (n_clusters,)."""
    return np.asarray(by_columns(held, 1 / known).max(axis=1).toarray(), dtype=float).ravel()


def _information(left: IntArray, right: IntArray, weight: FloatArray) -> tuple[IntArray, FloatArray]:
    """Systems of some battles, and the information of these battles about them."""
    systems, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    k = systems.size
    first, second = place[: left.size], place[left.size :]
    met = np.bincount(first * k + second, weight, k * k).reshape(k, k)
    met = met + met.T
    return systems, np.diag(met.sum(axis=1)) - met


def _blocks(order: IntArray, starts: IntArray, apart: np.ndarray, codes: IntArray) -> Iterator[IntArray]:
    """Battles of the clusters that aren't apart, whole clusters at a time."""
    at = 0
    while at < order.size:
        end = int(np.searchsorted(starts, at + _BATTLES_AT_ONCE))
        upto = int(starts[min(end, starts.size - 1)])
        rows = order[at:upto]
        rows = rows[~apart[codes[rows]]]
        if rows.size:
            yield rows
        at = upto


def _squares(codes: IntArray, left: IntArray, right: IntArray, weight: FloatArray, m: int) -> FloatArray:
    """Sum of the squared informations of clusters: rows of all of them stacked, times themselves."""
    keys = np.concatenate([codes * m + left, codes * m + right])
    kinds, rows = np.unique(keys, return_inverse=True)
    values = np.concatenate([weight, weight, -weight, -weight])
    columns = np.concatenate([left, right, right, left])
    stacked = sparse.csr_matrix((values, (np.tile(rows, 2), columns)), shape=(kinds.size, m))
    return np.asarray((stacked.T @ stacked).toarray())
