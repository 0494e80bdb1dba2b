"""Pairs of systems that share the same units: what every procedure on columns is given."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray, distinct
from nlpstat_core.engine.columns.by_size import Keys, short_steps, sorted_keys
from nlpstat_core.engine.columns.contributions import standard_errors
from nlpstat_core.engine.columns.differences import PairDifferences
from nlpstat_core.engine.columns.moments import Moments, moments
from nlpstat_core.engine.columns.signed_ranks import SignedRanks, signed_ranks


@dataclass(frozen=True, eq=False)
class PairBatch(PairDifferences):
    """Some pairs (a, b) of one UnitBlock; every property is one column per pair.

    Attributes are those of `PairDifferences`.
    """

    @cached_property
    def _kept(self) -> dict[Hashable, FloatArray]:
        return {}

    def once(self, key: Hashable, computed: Callable[[], FloatArray]) -> FloatArray:
        """An array that several procedures need, computed for the first of them; not to be written to."""
        if key not in self._kept:
            self._kept[key] = computed()
        return self._kept[key]

    @property
    def unshifted(self) -> PairBatch:
        """The same pairs with δ = 0: effect sizes are about u − v."""
        return self._without_shift if self.delta else self  # itself kept in itself would outlive its work

    @cached_property
    def _without_shift(self) -> PairBatch:
        return PairBatch(self.units, self.left, self.right)

    @cached_property
    def moments(self) -> Moments:
        """Mean, spread, skewness and win counts, from one walk over the differences."""
        return moments(self)

    @property
    def wins(self) -> IntArray:
        """Units with z > 0, shape (n_pairs,)."""
        return self.moments.wins

    @property
    def losses(self) -> IntArray:
        """Units with z < 0, shape (n_pairs,)."""
        return self.moments.losses

    @property
    def counts_suffice(self) -> bool:
        """Whether wins and losses say all of every pair's scores but how high they are."""
        units = self.units
        behind = (units.block_ids, units.counts, units.runs, units.measured)
        return self.is_binary and self.n_units > 0 and all(more is None for more in behind)

    @property
    def alike(self) -> tuple[IntArray, IntArray]:
        """One pair of each that have the same wins and losses, and where each pair's stands among these."""
        wins, losses = self.right_alone
        return distinct(wins * (self.n_units + 1) + losses, (self.n_units + 1) ** 2)

    @cached_property
    def signed_ranks(self) -> SignedRanks:
        """Rank sums of z, shared by Wilcoxon's test and the effect sizes built on it."""
        return signed_ranks(self, self._ordered())

    @cached_property
    def by_size(self) -> Keys:
        """Sorted keys of all pairs, one row per pair (see `sorted_keys`): for signed ranks and sign flips."""
        kind = np.uint32 if short_steps(self) else np.uint64
        keys = np.empty((self.n_pairs, self.n_units), dtype=kind)
        for part, differences in self.rows():
            keys[part] = sorted_keys(self, differences)
        return keys

    def _ordered(self) -> Iterator[tuple[slice, Keys]]:
        for part in self.parts():
            yield part, self.by_size[part]

    @cached_property
    def score_a(self) -> FloatArray:
        """Score of a over the shared units: mean, micro-average of counts, or measure, shape (n_pairs,)."""
        return self.units.scores[self.left]

    @cached_property
    def score_b(self) -> FloatArray:
        """Score of b over the shared units: mean, micro-average of counts, or measure, shape (n_pairs,)."""
        return self.units.scores[self.right]

    @property
    def difference(self) -> FloatArray:
        """Score of a minus score of b, shape (n_pairs,)."""
        plain = self.units.counts is None and self.units.measured is None
        return self.mean if plain else self.score_a - self.score_b

    @cached_property
    def score_error(self) -> FloatArray:
        """Standard error of `difference` over independent units, shape (n_pairs,); NaN below two units."""
        n = self.n_units
        if self.units.counts is None or n < 2:
            return self.sd / np.sqrt(n) if n else self.sd
        parts = self.units.contributions.parts
        return standard_errors(parts[self.left] - parts[self.right], n)

    @property
    def mean(self) -> FloatArray:
        """Mean of u − v, shape (n_pairs,)."""
        return self.moments.mean

    @cached_property
    def sd(self) -> FloatArray:
        """Standard deviation of u − v (ddof 1), shape (n_pairs,); NaN below two units."""
        if self.n_units < 2:
            return np.full(self.n_pairs, np.nan)
        result: FloatArray = np.sqrt(self.moments.squares / (self.n_units - 1))
        return result

    @cached_property
    def skewness(self) -> FloatArray:
        """Biased skewness g1 = m3/m2^1.5 of u − v, shape (n_pairs,); NaN for constant differences."""
        n, squares = self.n_units, self.moments.squares
        with np.errstate(divide="ignore", invalid="ignore"):
            result: FloatArray = self.moments.cubes / n / (squares / n) ** 1.5 if n else squares
        return result

    def take(self, chosen: BoolArray | IntArray) -> PairBatch:
        """The same units with some of the pairs; the batch itself, with what it has found, where that is all.

        chosen (bool array of shape (n_pairs,) or positions).
        """
        if chosen.dtype == bool and chosen.all():
            return self
        part = PairBatch(self.units, self.left[chosen], self.right[chosen], self.delta)
        if "right_alone" in vars(self):  # counted already
            vars(part)["right_alone"] = tuple(counts[chosen] for counts in self.right_alone)
        return part
