"""Signs of clusters: the joint law of studentised differences of strengths where all systems are equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy import linalg, sparse

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import bit_generator
from nlpstat_core.methods.preferences.fit import Fit
from nlpstat_core.methods.preferences.sandwich import cluster_scores
from nlpstat_core.methods.preferences.shares import largest_shares
from nlpstat_core.scores.battles import Battles

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
    information: Of the fit.
    n_systems: Number of systems.
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
