"""max-T over all pairs of strengths: the joint law of their differences by signs of clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy import linalg, sparse

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling import monte_carlo_p
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.engine.resampling.streams import bit_generator
from nlpstat_core.methods.preferences.fit import Fit
from nlpstat_core.methods.preferences.sandwich import cluster_scores, clusterings
from nlpstat_core.methods.preferences.shares import largest_shares
from nlpstat_core.scores.battles import Battles, TwoClusters
from nlpstat_core.stopping import stop_if_asked

MAX_T = "max-t"
RESAMPLES, SEED = 10_000, 0
# With this many degrees of freedom errors are as good as known: clusters need no signs of their own.
KNOWN = 200
_CHUNK = 256
_MOST_CELLS = 2**21


@dataclass(frozen=True, eq=False)
class Tested:
    """Wald tests of all pairs; arrays have shape (n_pairs,).

    t: Difference over its sandwich error; NaN leaves the family.
    freedom, found: Degrees of freedom, and the share of the variance that the sandwich finds.
    covariance (floats, shape (n_systems, n_systems)): Of strengths.
    """

    left: IntArray
    right: IntArray
    t: FloatArray
    error: FloatArray
    freedom: FloatArray
    found: FloatArray
    covariance: FloatArray


def max_t_p_values(fit: Fit, battles: Battles, clusters: TwoClusters, tested: Tested) -> FloatArray:
    """p-values of all pairs, adjusted by the step-down maximum of |t|, each t put on the normal scale by its
    own degrees of freedom.

    Returns: (C + 1)/(B + 1); NaN where t is.

    Clusters of one kind change their signs under equal strengths, and every draw is studentised anew
    (`Signs`), so that few clusters, and few that hold most battles, count as what they are. Where
    every pair has 200 degrees of freedom or more, differences are drawn from the normal law with their
    covariance, divided by one χ² a draw. Two kinds of clusters have no signs: differences are drawn from that
    law, and errors from Wishart's with the fewest degrees of freedom of any pair.

    Source: Westfall and Young (1993), step-down; signs under the null hypothesis: Cameron, Gelbach and Miller
    (2008), doi:10.1162/rest.90.3.414; six values: Webb (2014), doi:10.1111/caje.12661.
    """
    there = ~np.isnan(tested.t)
    found = np.full(tested.t.shape, np.nan)
    if not there.any():
        return found
    observed = np.where(there, normal_scale(_shrunk(tested), tested.freedom), 0.0)
    walk = StepDown(observed, 1e-9 * observed, RESAMPLES, there)
    kinds = [one for one in clusterings(battles, clusters) if one[0] > 0]
    if len(kinds) == 1 and float(tested.freedom[there].min()) < KNOWN:
        _by_signs(walk, fit, battles, kinds[0][1], kinds[0][2], tested)
    else:
        _by_covariance(walk, tested, int(tested.freedom[there].min()), known=len(kinds) == 1)
    found[there] = monte_carlo_p(walk.counts(), RESAMPLES)[there]
    return found


def _shrunk(tested: Tested) -> FloatArray:
    return np.asarray(np.abs(tested.t) * np.sqrt(tested.found))


def normal_scale(t: FloatArray, freedom: FloatArray | float) -> FloatArray:
    """About the normal quantile with the tail that t has: Wallace (1959), doi:10.1214/aoms/1177706096.

    It rises with t, and is the same for draws and for what was observed, so that only its evenness counts.
    """
    scale = (8 * np.asarray(freedom) + 1) / (8 * np.asarray(freedom) + 3)
    return np.asarray(scale * np.sqrt(freedom * np.log1p(t * t / freedom)))


def _chunks(many: int) -> Iterator[tuple[int, slice]]:
    for number, start in enumerate(range(0, RESAMPLES, many)):
        yield number, slice(start, min(start + many, RESAMPLES))


def _by_signs(
    walk: StepDown, fit: Fit, battles: Battles, codes: IntArray, number: int, tested: Tested
) -> None:
    signs = signs_of(fit, battles, codes, number)
    difference = tested.t * tested.error
    at_once = max(1, _MOST_CELLS // max(signs.number, _CHUNK))
    for first in range(0, walk.order.size, at_once):
        part = slice(first, min(first + at_once, walk.order.size))
        rows = walk.order[part]
        law = signs.law(tested.left[rows], tested.right[rows], difference[rows])
        freedom, shrink = tested.freedom[rows, None], np.sqrt(tested.found[rows, None])
        for chunk, which in _chunks(_CHUNK):
            stop_if_asked()
            drawn = law(signs.multipliers(SEED, chunk, which.stop - which.start))
            walk.add(part, which, normal_scale(drawn * shrink, freedom))


def _by_covariance(walk: StepDown, tested: Tested, freedom: int, *, known: bool) -> None:
    """known: Whether errors vary together, by one χ² a draw, as many degrees of freedom allow."""
    values, vectors = np.linalg.eigh(tested.covariance)
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    m = values.size
    many = _CHUNK if known else max(1, min(_CHUNK, _MOST_CELLS // (m * max(m, freedom))))
    pairs_at_once = max(1, _MOST_CELLS // many)
    for number, which in _chunks(many):
        stop_if_asked()
        rng = Generator(bit_generator(SEED, "preferences max-t", number))
        size = which.stop - which.start
        normal = root @ rng.standard_normal((m, size))
        scale = np.sqrt(freedom / rng.chisquare(freedom, size)) if known else np.ones(size)
        if not known:
            own = root @ rng.standard_normal((size, m, freedom))
            drawn_covariance = own @ own.transpose(0, 2, 1) / freedom
            diagonal = np.diagonal(drawn_covariance, axis1=1, axis2=2)
        for first in range(0, walk.order.size, pairs_at_once):
            part = slice(first, min(first + pairs_at_once, walk.order.size))
            rows = walk.order[part]
            a, b = tested.left[rows], tested.right[rows]
            apart = normal[a] - normal[b]
            if known:
                drawn = apart / tested.error[rows, None] * scale
            else:
                variance = diagonal[:, a] + diagonal[:, b] - 2 * drawn_covariance[:, a, b]
                drawn = apart / np.sqrt(np.maximum(variance.T, 1e-12 * tested.error[rows, None] ** 2))
            walk.add(part, which, normal_scale(np.abs(drawn), freedom))


# Clusters with signs of their own; more are merged, the smallest with each other.
MOST_SIGNS = 400
# Up to so many clusters signs alone have too few patterns: Webb's six values instead.
FEW_SIGNS = 10
_WEBB = np.sqrt([0.5, 1.0, 1.5])


@dataclass(frozen=True, eq=False)
class Signs:
    """What is needed to draw statistics of pairs.

    scores (floats, shape (n_clusters, n_parameters)): Summed scores of clusters.
    held (floats, shape (n_clusters, n_systems)): What each cluster knows of a system over the square of all
        that is known of it, so that a cluster's share of a pair is the sum of both over the clusters' sum.
    """

    scores: FloatArray
    held: FloatArray
    information: FloatArray
    n_systems: int

    @property
    def number(self) -> int:
        """Clusters with multipliers of their own."""
        return int(self.scores.shape[0])

    def multipliers(self, seed: int, number: int, many: int) -> FloatArray:
        """Shape (many, n_clusters): signs, or Webb's six values where clusters are few."""
        rng = Generator(bit_generator(seed, "preferences max-t", number))
        signs = rng.integers(0, 2, (many, self.number)) * 2.0 - 1.0
        if self.number <= FEW_SIGNS:
            signs = signs * _WEBB[rng.integers(0, 3, signs.shape)]
        return np.asarray(signs, dtype=float)

    def law(
        self, left: IntArray, right: IntArray, difference: FloatArray
    ) -> Callable[[FloatArray], FloatArray]:
        """From multipliers, shape (many, n_clusters), to |t| of some pairs, shape (n_pairs, many).

        Terms of clusters are those under equal strengths of the pair, w·u_c + s_c·d, so that their sum is the
        difference itself when all signs are 1; s_c is the cluster's share of what is known of the pair. The
        error of a draw is the sandwich of what is left of it after its own sum was fitted.
        """
        place = np.arange(left.size)
        contrasts = np.zeros((self.information.shape[0], left.size))
        contrasts[left, place] = 1
        contrasts[right, place] -= 1
        terms = self.scores @ linalg.solve(self.information, contrasts, assume_a="pos")
        share = self.held[:, left] + self.held[:, right]
        share /= share.sum(axis=0)
        terms += share * difference
        shared, squares = share * terms, terms**2
        whole, factor = (share**2).sum(axis=0), self.number / (self.number - 1)
        plain = squares.sum(axis=0)

        def drawn(multipliers: FloatArray) -> FloatArray:
            total = multipliers @ terms
            around = plain if self.number > FEW_SIGNS else multipliers**2 @ squares
            variance = around - 2 * total * (multipliers @ shared) + total**2 * whole
            floor = 1e-12 * plain
            return np.asarray(np.abs(total) / np.sqrt(factor * np.maximum(variance, floor))).T

        return drawn


def signs_of(fit: Fit, battles: Battles, codes: IntArray, number: int) -> Signs:
    """Clusters of battles, the smallest merged where there are more than 400."""
    m = battles.n_systems
    weight, _ = fit.model.slope(fit.parameters, battles.left, battles.right)
    entries = (np.tile(weight, 2), (np.tile(codes, 2), np.concatenate([battles.left, battles.right])))
    held = sparse.csr_matrix(entries, shape=(number, m))
    known = np.asarray(held.sum(axis=0)).ravel()
    scores = cluster_scores(fit, battles, codes, number)
    if number > MOST_SIGNS:
        merge = _merged(largest_shares(held, known))
        held, scores = merge @ held, merge @ scores
    return Signs(scores.toarray(), held.toarray() / known**2, fit.information, m)


def _merged(share: FloatArray) -> sparse.csr_matrix:
    """Sums of clusters, the larger half of the signs for one cluster each, shape (MOST_SIGNS, n_clusters).

    share: Largest share of a cluster in what is known of a system.
    """
    order = np.argsort(-share, kind="stable")
    alone = MOST_SIGNS // 2
    row = np.empty(share.size, dtype=np.int64)
    row[order[:alone]] = np.arange(alone)
    row[order[alone:]] = alone + np.arange(share.size - alone) % (MOST_SIGNS - alone)
    return sparse.csr_matrix((np.ones(share.size), (row, np.arange(share.size))))
