"""Power of the block permutation test where documents are few: every sign pattern, no approximation."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

# Up to so many documents all patterns are looked at; approximations of the test's limit are off there.
MOST_DOCUMENTS = 12
# Above that, documents that weigh like fewer equal ones are too unequal for the approximations.
FEWEST_EFFECTIVE = 5.0
# Sums of one pair's resamples (16 MB), and resamples at most.
_MOST_SUMS, _MOST_RESAMPLES = 2**21, 4096


def resamples_of(n: int) -> int:
    """How many resamples of n documents are looked at."""
    return min(_MOST_RESAMPLES, _MOST_SUMS >> n)


def drawn_one_by_one(drawn: FloatArray) -> IntArray:
    """Which documents a resample holds, each as often as it was drawn.

    drawn (float array, shape (resamples, n)): Counts; every row sums to n.
    Returns int array, shape (resamples, n).
    """
    resamples, n = drawn.shape
    every = np.tile(np.arange(n), resamples)
    return np.repeat(every, drawn.astype(np.int64).ravel()).reshape(resamples, n)


def moves_needed(away: FloatArray, weights: FloatArray, chosen: IntArray, tail: float) -> FloatArray:
    """From which difference on the test rejects each resample of one pair.

    away (float array, shape (n,)): Sums of the documents where the true difference is δ.
    weights (float array, shape (n,)): Their units: what a difference of 1 adds to each sum.
    chosen (int array, shape (resamples, n)): From `drawn_one_by_one`.
    tail: Mass of one tail.
    Returns float array, shape (2, resamples): Upwards and downwards, without sign; infinite where even the
        smallest p-value is too large.

    Flipping the documents F leaves a sum at least as large as the observed one exactly when the mean over
    their units, Σ_F S/Σ_F L + difference, is at most 0. So p ≤ 2·tail holds from an order statistic of the
    means of all subsets on.

    Source: Hartigan (1969), doi:10.1080/01621459.1969.10501057.
    """
    n = chosen.shape[1]
    allowed = int(np.floor(tail * 2**n + 1e-9)) - 1
    if allowed < 0:
        return np.full((2, chosen.shape[0]), np.inf)
    subsets = _patterns(n)[:, 1:]
    means = (away[chosen] @ subsets) / (weights[chosen] @ subsets)
    low = min(allowed, means.shape[1] - 1)
    high = means.shape[1] - 1 - low
    ordered = np.partition(means, (low, high), axis=1)
    return np.stack([-ordered[:, low], ordered[:, high]])


def swaps_found(sizes: FloatArray, chosen: IntArray, tail: float) -> Callable[[FloatArray], FloatArray]:
    """Power of the test where one pair's documents are swapped with logistic chances.

    sizes (float array, shape (n,)): Sums of the documents without sign.
    chosen (int array, shape (resamples, n)): From `drawn_one_by_one`.
    tail: Mass of one tail.
    Returns: From strengths λ to the power in their direction, averaged over the resamples.

    A pattern of signs with sum T has probability exp(λT)/Π 2·cosh(λw), and is rejected where at most
    tail·2^n patterns have sums that large.
    """
    n = chosen.shape[1]
    allowed = int(np.floor(tail * 2**n + 1e-9))
    drawn = sizes[chosen]
    sums = drawn @ (2 * _patterns(n) - 1)
    top = -np.partition(-sums, min(allowed, sums.shape[1] - 1), axis=1)[:, : allowed + 1]
    rejected: BoolArray = top > top.min(axis=1, keepdims=True) + 1e-9 * drawn.sum(axis=1, keepdims=True)

    def power(strengths: FloatArray) -> FloatArray:
        found = np.empty(strengths.shape)
        for place, strength in enumerate(strengths.tolist()):
            # log(2·cosh x) of every document, without overflow
            whole = np.logaddexp(strength * drawn, -strength * drawn).sum(axis=1, keepdims=True)
            found[place] = (np.exp(strength * top - whole) * rejected).sum(axis=1).mean()
        return found

    return power


def _patterns(n: int) -> FloatArray:
    """All subsets of n documents as columns of 0 and 1, the empty one first."""
    return np.asarray((np.arange(2**n)[None, :] >> np.arange(n)[:, None]) & 1, dtype=float)
