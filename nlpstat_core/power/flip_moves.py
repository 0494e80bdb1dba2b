"""From which difference on sign flips reject resamples: exactly where a quantile is decided."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.power.thresholds import expansion_doubt, flip_limit, saddlepoint_limit

# Where the last terms of the expansion are larger, in standard deviations, the saddlepoint takes over.
_DOUBTFUL = 0.01
# Every so many resamples of more than so many are looked at first; how often their largest error may
# be passed.
_EVERY, _FEW, _SURE = 16, 1024, 4.0


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums over every resample of every pair, of what is flipped and of its units: (n_pairs, resamples)."""

    total: FloatArray
    squares: FloatArray
    units: FloatArray
    products: FloatArray
    own_squares: FloatArray

    def moves(self, limit: FloatArray, pair: int | slice = slice(None)) -> FloatArray:
        """The larger root of T² = limit²·Σw² in the difference; infinity where there is none."""
        bound = np.minimum(limit, 1e9) ** 2
        total, units = self.total[pair], self.units[pair]
        first = units**2 - bound * self.own_squares[pair]
        second = total * units - bound * self.products[pair]
        third = total**2 - bound * self.squares[pair]
        root = np.sqrt(np.maximum(second**2 - first * third, 0.0)) - second
        can = first > 0
        return np.where(can, root / np.where(can, first, 1.0), np.inf)


def moves_of_flips(
    away: FloatArray,
    weights: FloatArray,
    drawn: FloatArray,
    tail: float,
    power: float,
    turns: tuple[float, ...],
) -> FloatArray:
    """From which difference on the sign-flip test rejects: shape (directions, resamples, n_pairs).

    away (float array, shape (n_pairs, n)): What is flipped where the true difference is δ.
    weights (float array, shape (n_pairs, n)): What a difference of 1 adds to it.
    drawn (float array, shape (resamples, n)): Counts of each unit.
    power: The quantile over resamples that is wanted: of those that aren't near it only the side is known
        (`_exact_near`).
    turns: 1 upwards, −1 downwards.
    """
    sums = [
        _Sums(
            *(each @ drawn.T for each in (turn * away, away**2, weights, turn * away * weights, weights**2))
        )
        for turn in turns
    ]
    # The weights' shape is that at the difference which was found before, at first at none in any direction.
    at_first = _foreseen(np.abs(away), drawn, tail).limit
    found = []
    for turn, own in zip(turns, sums, strict=True):
        middle = np.quantile(own.moves(at_first), power, axis=1, method="higher")
        moved = turn * away + np.where(np.isfinite(middle), middle, 0.0)[:, None] * weights
        found.append(_exact_near(_foreseen(np.abs(moved), drawn, tail), own, drawn, tail, power).T)
    return np.stack(found)


def limits_of_flips(sizes: FloatArray, drawn: FloatArray, tail: float) -> FloatArray:
    """Where each resample is rejected, in standard deviations, shape (resamples, n_pairs).

    sizes (float array, shape (n_pairs, n)): |w|.
    """
    limit, _, doubtful = _expanded(sizes, drawn, tail)
    for pair in doubtful:
        limit[pair] = saddlepoint_limit(sizes[pair], drawn, tail)
    return limit.T


def _expanded(sizes: FloatArray, drawn: FloatArray, tail: float) -> tuple[FloatArray, FloatArray, list[int]]:
    """The limits by their expansion, shape (n_pairs, resamples), and the pairs for which that is too rough.

    Returns shapes (float array, shape (4, n_pairs, resamples)): Norms of the weights over √Σw², in the
        first, fourth, sixth and eighth power.
    """
    scaled = sizes / np.maximum(sizes.max(axis=1, keepdims=True), 1e-300)
    squares = scaled**2 @ drawn.T
    nothing = squares == 0
    squares[nothing] = np.inf
    fourth, sixth = scaled**4 @ drawn.T / squares**2, scaled**6 @ drawn.T / squares**3
    limit = flip_limit(tail, fourth, sixth)
    limit[nothing] = np.inf
    rough = np.median(expansion_doubt(tail, fourth, sixth), axis=1) > _DOUBTFUL
    first = scaled @ drawn.T / np.sqrt(squares * sizes.shape[1])
    eighth = scaled**8 @ drawn.T / squares**4
    shapes = np.stack(
        [first, np.sqrt(np.sqrt(fourth)), np.cbrt(np.sqrt(sixth)), np.sqrt(np.sqrt(np.sqrt(eighth)))]
    )
    return limit, shapes, np.flatnonzero(rough).tolist() if tail < 0.5 else []


@dataclass(frozen=True, eq=False)
class _Foreseen:
    """Limits before any quantile is asked for.

    sizes (float array, shape (n_pairs, n)): |w|.
    limit (float array, shape (n_pairs, resamples)).
    doubt: What the limits of a pair may be off by, for pairs whose resamples aren't all known.
    """

    sizes: FloatArray
    limit: FloatArray
    doubt: dict[int, float]


def _foreseen(sizes: FloatArray, drawn: FloatArray, tail: float) -> _Foreseen:
    """Limits by the expansion or, where that is too rough, from the shape of each resample's weights.

    What a quadratic in the shape misses of the limits of every sixteenth resample tells how far off it may be
    for the others.
    """
    limit, shapes, doubtful = _expanded(sizes, drawn, tail)
    sample, doubt = np.ascontiguousarray(drawn[::_EVERY]), {}
    a, b = np.triu_indices(shapes.shape[0])
    for pair in doubtful:
        exact = saddlepoint_limit(sizes[pair], sample, tail)
        if drawn.shape[0] <= _FEW or not np.isfinite(exact).all():
            limit[pair] = saddlepoint_limit(sizes[pair], drawn, tail)
            continue
        own = shapes[:, pair]
        features = np.concatenate([np.ones_like(own[:1]), own, own[a] * own[b]])
        some = features[:, ::_EVERY]
        coefficients = np.linalg.lstsq(some.T, exact, rcond=None)[0]
        limit[pair] = coefficients @ features
        doubt[pair] = _SURE * float(np.max(np.abs(coefficients @ some - exact)))
    return _Foreseen(sizes, limit, doubt)


def _exact_near(foreseen: _Foreseen, sums: _Sums, drawn: FloatArray, tail: float, power: float) -> FloatArray:
    """The moves, shape (n_pairs, resamples), by the saddlepoint wherever they may be the quantile."""
    limit = foreseen.limit.copy()
    for pair, doubt in foreseen.doubt.items():
        low, high = sums.moves(limit[pair] - doubt, pair), sums.moves(limit[pair] + doubt, pair)
        least, most = (np.quantile(ends, power, method="higher") for ends in (low, high))
        near = (high >= least) & (low <= most)
        limit[pair, near] = saddlepoint_limit(foreseen.sizes[pair], drawn[near], tail)
    return sums.moves(limit)


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
    """
    resamples, n = drawn.shape
    every = np.tile(np.arange(n), resamples)
    return np.repeat(every, drawn.astype(np.int64).ravel()).reshape(resamples, n)


def moves_needed(away: FloatArray, weights: FloatArray, chosen: IntArray, tail: float) -> FloatArray:
    """From which difference on the test rejects each resample of one pair.

    away (float array, shape (n,)): Sums of the documents where the true difference is δ.
    weights (float array, shape (n,)): Their units: what a difference of 1 adds to each sum.
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
