"""Signed ranks of a whole batch of pairs by sorting columns: Wilcoxon's test and effect sizes use them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import ZeroMethod
from nlpstat_core.engine.columns.by_size import Keys, has_grid, rounded_keys, sorted_keys
from nlpstat_core.engine.columns.differences import PairDifferences


@dataclass(frozen=True, eq=False, kw_only=True)
class SignedRanks:
    """Rank sums of many pairs, zeros dropped; all arrays have shape (n_pairs,).

    w_plus: Sum of the midranks of the positive differences among the non-zero ones (R's V).
    nonzero, zeros, positive: Units with z ≠ 0, z = 0 and z > 0.
    ties: Σ(t³ − t) over the groups of t equal |z| among the non-zero differences.
    """

    w_plus: FloatArray
    nonzero: IntArray
    zeros: IntArray
    positive: IntArray
    ties: FloatArray

    def statistic(self, zero_method: ZeroMethod = "wilcox") -> FloatArray:
        """W⁺ under a treatment of zeros.

        zero_method: Drop the zeros; rank them and drop their ranks; rank them and give half to each side.
        Returns float array, shape (n_pairs,).
        """
        if zero_method == "wilcox":
            return self.w_plus
        ranked = self.w_plus + self.zeros.astype(float) * self.positive
        return ranked + self.zeros * (self.zeros + 1.0) / 4 if zero_method == "zsplit" else ranked

    def mean(self, zero_method: ZeroMethod = "wilcox") -> FloatArray:
        """Mean of W⁺ when signs are random, shape (n_pairs,)."""
        if zero_method == "wilcox":
            return self.nonzero * (self.nonzero + 1.0) / 4
        everything = (self.nonzero + self.zeros).astype(float)
        whole: FloatArray = everything * (everything + 1) / 4
        return whole if zero_method == "zsplit" else whole - self.zeros * (self.zeros + 1.0) / 4

    def sd(self, zero_method: ZeroMethod = "wilcox") -> FloatArray:
        """Standard deviation of W⁺ when the signs of the non-zero differences are random, ties included.

        Var W⁺ = ¼·Σ rank². Splitting the zeros' ranks moves W⁺ and its mean alike, so "zsplit" has the
        spread of "pratt"; SciPy counts the zeros' ranks as random there and gets a larger one.
        """

        def squares(count: IntArray) -> FloatArray:
            k = count.astype(float)
            total: FloatArray = k * (k + 1) * (2 * k + 1)
            return total

        if zero_method == "wilcox":
            rank_squares = squares(self.nonzero)
        else:
            rank_squares = squares(self.nonzero + self.zeros) - squares(self.zeros)
        result: FloatArray = np.sqrt((rank_squares - self.ties / 2) / 24)
        return result


def signed_ranks(batch: PairDifferences, ordered: Iterable[tuple[slice, Keys]]) -> SignedRanks:
    """Rank sums, tie terms and counts of every pair of a batch.

    batch: Ranks are taken on `batch.rounded`, so scores written with few decimals tie where they should.
    ordered: The batch's sorted keys, some pairs at a time; not looked at where scores are 0/1.

    0/1 scores need only wins and losses. Otherwise each column is sorted once by |z| with the sign in the
    lowest bit. Within a group of equal |z| with p positive and q negative differences the positive ones then
    stand first, so the sum of plain positions of the positive ones misses the sum of their midranks by
    exactly pq/2. Cost O(n log n) per pair; memory: a few cache-sized tables.
    """
    if batch.is_binary:
        wins, losses = batch.right_alone
        return _from_counts(wins, losses, batch.n_units)
    n_pairs = batch.n_pairs
    w_plus, ties = np.zeros(n_pairs), np.zeros(n_pairs)
    zeros, positive = np.zeros(n_pairs, np.int64), np.zeros(n_pairs, np.int64)
    if batch.n_units:
        for part, keys in ordered:
            w_plus[part], ties[part], zeros[part], positive[part] = _sums(_tied(batch, keys))
    return SignedRanks(
        w_plus=w_plus, nonzero=batch.n_units - zeros, zeros=zeros, positive=positive, ties=ties
    )


def doubled_signed_ranks(
    batch: PairDifferences, chosen: IntArray, most: int, zero_method: ZeroMethod
) -> FloatArray:
    """Twice the signed midranks of pairs with few non-zero differences, as whole numbers.

    chosen (int array, shape (k,)): Pairs of the batch.
    most: Upper bound of their numbers of non-zero differences.
    Returns float array, shape (most, k): In rising order of |z|; 0 where a pair has fewer non-zero
        differences.
    """
    result = np.zeros((most, chosen.shape[0]))
    small = PairDifferences(batch.units, batch.left[chosen], batch.right[chosen], batch.delta)
    for part, differences in small.rows():
        keys = _tied(small, sorted_keys(small, differences))
        zeros = np.count_nonzero(keys == 0, axis=1)
        last = keys[:, max(0, keys.shape[1] - most) :]
        width = last.shape[1]
        magnitude = last >> 1
        position = np.broadcast_to(np.arange(keys.shape[1] - width, keys.shape[1]), last.shape)
        opens = np.ones(last.shape, dtype=bool)
        opens[:, 1:] = magnitude[:, 1:] != magnitude[:, :-1]
        closes = np.ones(last.shape, dtype=bool)
        closes[:, :-1] = opens[:, 1:]
        first = np.maximum.accumulate(np.where(opens, position, 0), axis=1)
        final = np.where(closes, position, keys.shape[1])
        final = np.minimum.accumulate(final[:, ::-1], axis=1)[:, ::-1]
        rank = (first + final + 2).astype(float)
        if zero_method == "wilcox":
            rank -= 2 * zeros[:, None]
        signed = np.where(last & 1, -rank, rank)
        result[most - width :, part] = np.where(magnitude == 0, 0.0, signed).T
    return result


def _tied(batch: PairDifferences, keys: Keys) -> Keys:
    """The keys with ties where the scores have them."""
    return keys if has_grid(batch) else rounded_keys(keys, batch.units.decimals)


def _sums(keys: Keys) -> tuple[FloatArray, FloatArray, IntArray, IntArray]:
    """W⁺, tie term, zeros and positives from sorted keys, shape (pairs, n_units)."""
    n = keys.shape[1]
    negative = (keys & 1).astype(np.uint8).astype(float)  # straight from uint64 is ten times slower
    zeros = np.count_nonzero(keys == 0, axis=1)
    positions = np.stack([np.ones(n), np.arange(1.0, n + 1)], axis=1)
    losses, sum_of_positions = (negative @ positions).T
    nonzero = n - zeros
    cross, ties = _tie_terms(keys, negative)
    minus = sum_of_positions - zeros * losses - cross / 2
    w_plus = nonzero * (nonzero + 1.0) / 2 - minus
    return w_plus, ties - (zeros.astype(float) ** 3 - zeros), zeros, nonzero - losses.astype(np.int64)


def _tie_terms(keys: Keys, negative: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Σ p·q and Σ(t³ − t) over the groups of equal |z| of each row, the group of zeros among them."""
    rows, n = keys.shape
    same = np.zeros(keys.shape, dtype=bool)
    np.less_equal(keys[:, 1:] ^ keys[:, :-1], 1, out=same[:, :-1])
    linked = np.flatnonzero(same)
    if not linked.size:
        return np.zeros(rows), np.zeros(rows)
    opens = np.flatnonzero(np.diff(linked, prepend=-2) > 1)
    size = np.diff(opens, append=linked.size) + 1.0
    last = linked[np.append(opens[1:], linked.size) - 1] + 1
    flat = negative.ravel()
    minus = np.add.reduceat(flat[linked], opens) + flat[last]
    row = last // n
    cross = np.bincount(row, weights=(size - minus) * minus, minlength=rows).astype(float)
    cubes = np.bincount(row, weights=size**3 - size, minlength=rows).astype(float)
    return cross, cubes


def _from_counts(wins: IntArray, losses: IntArray, n_units: int) -> SignedRanks:
    """Signed ranks of 0/1 scores: all non-zero differences share one midrank."""
    nonzero = wins + losses
    k = nonzero.astype(float)
    return SignedRanks(
        w_plus=wins * (k + 1) / 2, nonzero=nonzero, zeros=n_units - nonzero, positive=wins, ties=k**3 - k
    )
