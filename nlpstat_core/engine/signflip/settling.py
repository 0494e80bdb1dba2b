"""Settling the tails of many pairs, route by route, until every pair has its probability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray
from nlpstat_core.engine.signflip.binomial import ROUNDING, log_upper_tails
from nlpstat_core.engine.signflip.contour import SMALL_SAMPLE, log_tails_by_contour
from nlpstat_core.engine.signflip.counting import DIGITS_ALIKE, counting_steps, log_at_most_counted
from nlpstat_core.engine.signflip.effort import Effort, Settled
from nlpstat_core.engine.signflip.grouping import grouped
from nlpstat_core.engine.signflip.lattice import inversion_steps
from nlpstat_core.engine.signflip.outcome import CONTOUR, EXACT
from nlpstat_core.engine.signflip.routes import (
    CONTOUR_TARGET,
    QUICK_COUNT,
    STEPS_PER_SUBSET,
    TIE_TOLERANCE,
    log_at_most,
)
from nlpstat_core.engine.signflip.rows import counted, rows_of
from nlpstat_core.stopping import stop_if_asked

OPEN = -1
# Up to so many whole-number weights pairs with the same ones may share one table of counts.
FEW_WEIGHTS = 150
# From so many whole-number weights on, grouping equal ones is cheaper than summing powers of all.
GROUPED_FIRST = 4000
# A value that so many units have in the mean is worth grouping sooner.
UNITS_PER_VALUE = 16


@dataclass(frozen=True)
class Problems:
    """Tails to find, P(T ≥ t) or P(T > t) for each pair, and what is known of them.

    weights (ndarray, shape (n_pairs, n_units)): 0 or more, ascending in each row; whole numbers where
        `whole`.
    t (ndarray, shape (n_pairs,)): 0 or more.
    whole, strict (ndarray of bool, shape (n_pairs,)): Whether the weights are whole numbers; whether T must
        exceed t.
    log_tail, error (ndarray, shape (n_pairs,)): Filled while routes settle pairs.
    kind (ndarray of int8, shape (n_pairs,)): Position in KINDS, or `OPEN`.
    log_strict (ndarray, shape (n_pairs,)): log P(T > t) where it came along with P(T ≥ t), else NaN.
    followed (ndarray of bool, shape (n_pairs,)): Whether the contour left its tail and error, too large.
    """

    weights: FloatArray
    t: FloatArray
    whole: BoolArray
    strict: BoolArray
    log_tail: FloatArray
    error: FloatArray
    kind: CodeArray
    log_strict: FloatArray
    followed: BoolArray

    @classmethod
    def of(cls, weights: FloatArray, t: FloatArray, whole: BoolArray, strict: BoolArray) -> Problems:
        """Problems of which none is settled; shapes as in the attributes."""
        kind = np.full(t.shape, OPEN, dtype=np.int8)
        followed = np.zeros(t.shape, dtype=np.bool_)
        unknown = np.full(t.shape, np.nan)
        return cls(weights, t, whole, strict, np.zeros(t.shape), np.zeros(t.shape), kind, unknown, followed)

    def settle(
        self,
        pairs: NDArray[np.intp],
        log_tail: FloatArray | float,
        kind: CodeArray | int,
        error: FloatArray | float,
        log_strict: FloatArray | float = np.nan,
    ) -> None:
        """Enter the tails of some pairs."""
        self.log_tail[pairs], self.kind[pairs], self.error[pairs] = log_tail, kind, error
        self.log_strict[pairs] = np.where(self.strict[pairs], np.nan, log_strict)

    @cached_property
    def n(self) -> NDArray[np.intp]:
        """Number of weights above 0 of each pair."""
        return counted(self.weights)

    @cached_property
    def largest(self) -> FloatArray:
        """Largest weight of each pair."""
        return self.weights[:, -1] if self.weights.shape[1] else np.zeros(self.t.shape)

    @cached_property
    def total(self) -> FloatArray:
        """Sum of the weights of each pair."""
        return np.asarray(self.weights.sum(axis=1), dtype=np.float64)

    def open_pairs(self, among: BoolArray | bool = True) -> NDArray[np.intp]:
        """Pairs that no route has settled, of all or of some."""
        return np.flatnonzero((self.kind == OPEN) & among)


def settle_all(problems: Problems, effort: Effort) -> None:
    """Try the routes in turn until every pair is settled.

    problems: Filled in place.
    effort: How far the exact routes go for one pair.

    Equal weights are binomial. Few whole-number weights are counted, once for all pairs with the same ones.
    Long ones and those of a few values, each occurring many times, are grouped and inverted on their lattice.
    Other pairs with many weights share one vectorised contour, which on a lattice is often proved exact;
    where it is not, an exact route follows if it is quick, or if the contour's error is large. All others
    take each its own cheapest route, at worst that of random signs. Which route a pair takes depends on its
    own numbers alone.
    """
    _settle_equal_weights(problems)
    _settle_by_counting(problems, effort.one_table)
    repeated = UNITS_PER_VALUE * problems.largest <= problems.n
    long = (problems.n >= GROUPED_FIRST) | (repeated & (problems.n > FEW_WEIGHTS))
    exactly = replace(effort, contour=False)
    _settle_one_by_one(problems, problems.open_pairs(problems.whole & long), exactly)
    _settle_by_contour(problems, effort)
    unproved = np.flatnonzero(problems.whole & ~long & (problems.kind == CONTOUR))
    worth = _steps_to_exact(problems, unproved, effort) <= _quick_steps(problems, unproved)
    _settle_one_by_one(problems, unproved[worth], exactly)
    _settle_one_by_one(problems, problems.open_pairs(), effort)


def _settle_equal_weights(problems: Problems) -> None:
    if not np.any(problems.whole):
        return
    most, n = problems.largest, problems.n
    pairs = problems.open_pairs(problems.whole & (problems.total == n * most))
    wins = (n[pairs] + np.rint(problems.t[pairs] / np.maximum(most[pairs], 1.0)).astype(np.int64)) // 2
    log_tail = log_upper_tails(n[pairs], wins + problems.strict[pairs])
    # Without any weight T is 0, and only the strict tail is asked for at t = 0.
    problems.settle(pairs, np.where(n[pairs] == 0, -np.inf, log_tail), EXACT, ROUNDING)


def _settle_by_counting(problems: Problems, one_table: bool) -> None:
    """Few whole-number weights; pairs with the same ones, as untied ranks have, share one table.

    Unless all digits are the same in any case, a pair's way of counting must not depend on other pairs.
    """
    few = problems.n <= FEW_WEIGHTS
    pairs = problems.open_pairs(problems.whole & few)
    same: dict[bytes | int, list[int]] = {}
    ordered = problems.weights[pairs]
    for position, row in enumerate(ordered):
        shares = one_table or problems.n[pairs[position]] <= DIGITS_ALIKE
        same.setdefault(row.tobytes() if shares else position, []).append(position)
    for positions in same.values():
        stop_if_asked()
        weights = ordered[positions[0]]
        own = weights[weights > 0.0]
        shared = pairs[positions]
        limits = ((own.sum() - problems.t[shared]) / 2.0 - problems.strict[shared]).astype(np.int64)
        steps = own.size * np.maximum(limits, 0)
        cheap = steps <= min(QUICK_COUNT, STEPS_PER_SUBSET * 2.0 ** (own.size / 2.0))
        if np.any(cheap):
            both = np.concatenate([limits[cheap], limits[cheap] - 1])
            log_tail, log_strict = log_at_most_counted(own, both, one_table=one_table).reshape(2, -1)
            problems.settle(shared[cheap], log_tail, EXACT, ROUNDING, log_strict)


def _settle_by_contour(problems: Problems, effort: Effort) -> None:
    """All pairs with many weights share one contour."""
    whole = problems.whole
    reached = problems.t + 2.0 * (whole & problems.strict)
    many = problems.n > effort.most_bits
    pairs = problems.open_pairs(many & (reached < problems.total * (1.0 - TIE_TOLERANCE)))
    if pairs.size == 0:
        return
    counted_anyway = _steps_to_count(problems, pairs) <= _quick_steps(problems, pairs)
    found = log_tails_by_contour(
        rows_of(problems.weights, pairs),
        reached[pairs],
        np.where(whole[pairs], 2.0, 0.0),
        effort.most_factors,
        proved_only=whole[pairs] & counted_anyway,
    )
    good = found.error <= CONTOUR_TARGET
    kind = np.where(found.exact, EXACT, CONTOUR).astype(np.int8)
    problems.settle(pairs[good], found.log_tail[good], kind[good], found.error[good], found.log_strict[good])
    # Those left open keep what was found, so that nobody follows their contour again.
    open_pairs = pairs[~good]
    problems.settle(open_pairs, found.log_tail[~good], OPEN, found.error[~good], found.log_strict[~good])
    problems.followed[open_pairs] = True


def _quick_steps(problems: Problems, pairs: NDArray[np.intp]) -> FloatArray:
    """Steps within which an exact route follows on the contour whatever the contour's error."""
    # With few weights that error is a guess.
    return np.where(problems.n[pairs] < SMALL_SAMPLE, 10.0 * QUICK_COUNT, QUICK_COUNT)


def _steps_to_count(problems: Problems, pairs: NDArray[np.intp]) -> FloatArray:
    """What counting costs at most."""
    n, total = problems.n[pairs], problems.total[pairs]
    return counting_steps(n, (total - problems.t[pairs]) / 2.0 - 1.0, total)


def _steps_to_exact(problems: Problems, pairs: NDArray[np.intp], effort: Effort) -> FloatArray:
    """What the cheapest exact route of pairs on a lattice costs at least, as far as sizes tell."""
    weights = rows_of(problems.weights, pairs)
    limit = (problems.total[pairs] - problems.t[pairs]) / 2.0 - 1.0
    distinct = np.count_nonzero(weights[:, 1:] > weights[:, :-1], axis=1) + 1
    spread = np.einsum("ij,ij->i", weights, weights)
    listed_in = STEPS_PER_SUBSET * 2.0 ** (np.where(distinct <= effort.most_bits, distinct, np.inf) / 2.0)
    # A weight above the limit can't be flipped, and those left may be few.
    listed_in = np.where(limit < problems.largest[pairs], 0.0, listed_in)
    steps = np.minimum(_steps_to_count(problems, pairs), listed_in)
    steps = np.minimum(steps, inversion_steps(distinct, spread))
    return np.asarray(steps, dtype=np.float64)


def _settle_one_by_one(problems: Problems, pairs: NDArray[np.intp], effort: Effort) -> None:
    """Each pair by its own cheapest route; those of two systems with the same scores once."""
    known: dict[tuple[bytes, float, bool], Settled] = {}
    for pair in pairs:
        stop_if_asked()
        whole, t = bool(problems.whole[pair]), float(problems.t[pair])
        same = problems.weights[pair].tobytes(), t, bool(problems.strict[pair])
        if same in known:
            problems.settle(np.array([pair]), *known[same])
            continue
        values, counts = grouped(problems.weights[pair], whole)
        if values.size == 0:
            continue
        total, side = float((values * counts).sum()), -1.0 if problems.strict[pair] else 1.0
        limit = (total - t) / 2.0 + side * (0.5 if whole else TIE_TOLERANCE * total)
        own = effort
        if problems.followed[pair]:
            tails = problems.log_tail[pair], problems.log_strict[pair]
            found = Settled(float(tails[0]), CONTOUR, float(problems.error[pair]), float(tails[1]))
            own = replace(effort, followed=found)
        settled = log_at_most(values, counts, limit, whole, own)
        if settled is not None:
            known[same] = settled
            problems.settle(np.array([pair]), *settled)
