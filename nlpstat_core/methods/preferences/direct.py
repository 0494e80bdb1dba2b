"""The sign test of two systems by the battles between them alone."""

import numpy as np
from scipy import sparse

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.signflip.binomial import binomial_tail_columns
from nlpstat_core.engine.signflip.columns import sign_flip_rows
from nlpstat_core.methods.preferences.counts import PairCounts, rows_of
from nlpstat_core.methods.preferences.sandwich import clusterings
from nlpstat_core.scores.battles import Battles, TwoClusters


def sign_tests(battles: Battles, counts: PairCounts, clusters: TwoClusters) -> FloatArray:
    """p-values of the pairs that met, shape (n_pairs,).

    Null hypothesis: in every cluster a win and a loss are equally likely, whatever else belongs together.

    Exact: without clusters the binomial sign test of wins and losses; with them the sign-flip test of each
    cluster's wins minus losses. Of two kinds of clusters the larger p. Ties say nothing; a pair of ties alone
    has p = 1.
    """
    if clusters is None:
        tails = binomial_tail_columns(counts.wins_left.astype(np.int64), counts.wins_right.astype(np.int64))
        return tails.p_value
    kinds = [codes for sign, codes, _ in clusterings(battles, clusters) if sign > 0]
    return np.asarray(np.max([_by_cluster(battles, counts, codes) for codes in kinds], axis=0), float)


def _by_cluster(battles: Battles, counts: PairCounts, codes: IntArray) -> FloatArray:
    outcome = np.where(battles.left < battles.right, battles.outcome, -battles.outcome).astype(float)
    n_pairs = counts.left.size
    sums = sparse.csr_matrix(
        (outcome, (rows_of(counts, battles), codes)), shape=(n_pairs, int(codes.max()) + 1)
    )
    sums.eliminate_zeros()
    widest = int(np.diff(sums.indptr).max())
    if not widest:
        return np.ones(n_pairs)

    def rows(part: slice) -> FloatArray:
        some = sums[part]
        many = np.diff(some.indptr)
        found = np.zeros((many.size, widest))
        place = np.arange(some.indices.size) - np.repeat(some.indptr[:-1], many)
        found[np.repeat(np.arange(many.size), many), place] = some.data
        return found

    return sign_flip_rows(rows, n_pairs, widest, max_decimals=0).p_value
