"""Where a model of battles and the battles disagree: pairs, direct sign tests, cycles of three."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.signflip.binomial import binomial_tail_columns
from nlpstat_core.engine.signflip.columns import sign_flip_rows
from nlpstat_core.methods.preferences.fit import Fit
from nlpstat_core.methods.preferences.models import PairCounts, rows_of
from nlpstat_core.methods.preferences.sandwich import cluster_scores, clusterings
from nlpstat_core.scores.battles import Battles, TwoClusters

_MOST_CELLS = 20_000_000
MOST_CYCLES = 20


@dataclass(frozen=True, eq=False)
class Residuals:
    """Observed less fitted share of the pairs that met; arrays have shape (n_pairs,).

    error: Standard error by clusters of the residual; NaN where nothing is left free to vary.
    """

    observed: FloatArray
    fitted: FloatArray
    error: FloatArray


def residuals(fit: Fit, battles: Battles, clusters: TwoClusters) -> Residuals:
    """Share of points of the left system (a tie is half a point) beside what its strength makes likely.

    The error knows that strengths were fitted to the same battles: a cluster's part of the residual is its
    own sum less what it moves the fitted share by.
    """
    counts = fit.counts
    number = counts.wins_left + counts.wins_right + counts.ties
    observed = (counts.wins_left + counts.ties / 2) / number
    fitted = fit.model.share(fit.parameters, counts.left, counts.right)
    of_strength, of_tie = fit.model.slope(fit.parameters, counts.left, counts.right)
    of_pair, _ = fit.model.residuals(
        fit.parameters, battles.left, battles.right, battles.outcome.astype(float)
    )
    own = np.where(battles.left < battles.right, of_pair, -of_pair)
    rows = rows_of(counts, battles)
    variance = np.zeros(number.size)
    for sign, codes, many in clusterings(battles, clusters):
        sums = sparse.csc_matrix((own, (codes, rows)), shape=(many, number.size))
        scores = cluster_scores(fit, battles, codes, many)
        factor = sign * many / (many - 1)
        meat = (scores.T @ scores).toarray()
        at_once = max(1, _MOST_CELLS // fit.parameters.size)
        for start in range(0, number.size, at_once):
            part = slice(start, start + at_once)
            gradient = np.zeros((fit.parameters.size, counts.left[part].size))
            place = np.arange(counts.left[part].size)
            gradient[counts.left[part], place] = (number * of_strength)[part]
            gradient[counts.right[part], place] = -(number * of_strength)[part]
            if fit.model.tie_parameter:
                gradient[-1] = (number * of_tie)[part]
            moved = linalg.solve(fit.information, gradient, assume_a="pos")
            some = sums[:, part]
            squares = np.asarray(some.multiply(some).sum(axis=0)).ravel()
            crossed = (scores.T @ some).toarray()
            variance[part] += factor * (
                squares - 2 * (moved * crossed).sum(axis=0) + (moved * (meat @ moved)).sum(axis=0)
            )
    # What is left by rounding of a residual that can't vary, as of two systems alone, is none.
    least = 1e-9 * np.maximum(number, 1.0)
    error = np.sqrt(np.where(variance > least, variance, np.nan)) / number
    return Residuals(observed, fitted, error)


def cycles(shares: FloatArray, decided: BoolArray) -> list[tuple[int, int, int]]:
    """Three systems each of which beats the next and the last the first, by direct battles.

    shares (floats, shape (n_systems, n_systems)): Observed share of the row; NaN where two never met.
    decided (bools, same shape): Pairs whose own battles decide who is better.
    Returns: The clearest first: by the smallest of the three shares; at most 20.
    """
    beats = decided & (np.nan_to_num(shares, nan=0.5) > 0.5)
    found: list[tuple[float, int, int, int]] = []
    for first in range(shares.shape[0]):
        # The first has the smallest position, so that each cycle is found once.
        behind = np.flatnonzero(beats[first, first + 1 :]) + first + 1
        ahead = np.flatnonzero(beats[first + 1 :, first]) + first + 1
        seconds, thirds = np.nonzero(beats[np.ix_(behind, ahead)])
        seconds, thirds = behind[seconds], ahead[thirds]
        smallest = np.minimum(shares[first, seconds], shares[seconds, thirds])
        smallest = np.minimum(smallest, shares[thirds, first])
        clearest = np.argsort(-smallest, kind="stable")[:MOST_CYCLES]
        found += [(-float(smallest[i]), first, int(seconds[i]), int(thirds[i])) for i in clearest]
    return [(a, b, c) for _, a, b, c in sorted(found)[:MOST_CYCLES]]


def matrix_of(n_systems: int, left: IntArray, right: IntArray, shares: FloatArray) -> FloatArray:
    """Shares of all ordered pairs, NaN where there is none."""
    whole = np.full((n_systems, n_systems), np.nan)
    whole[left, right], whole[right, left] = shares, 1 - shares
    return whole


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
