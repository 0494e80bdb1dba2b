"""How firm a board is: variants of an analysis."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import CodeArray, IntArray
from nlpstat_core.config import AnalysisConfig


@dataclass(frozen=True, eq=False, kw_only=True)
class Variant:
    """One other way to analyse the same scores.

    changed: What differs: test, correction, unit_size, missing, seed, metric; "" for the analysis itself.
    value: Its other value.
    top: Top group; empty with a baseline or where the variant can't be computed.
    separated: Separated pairs.
    same: Pairs decided as in the analysis itself.
    problem: Why these scores can't be analysed this way; the numbers are then 0.
    """

    changed: str
    value: object
    config: AnalysisConfig
    top: tuple[str, ...]
    separated: int
    same: int
    problem: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Robustness:
    """Variants of an analysis and how many of them agree on each pair.

    variants: The analysis itself first.
    computed: Variants that could be computed, the analysis itself included.
    decision (int8 array, shape (n_pairs,)): Of the analysis itself: +1 where a is better, −1 where b is, 0
        where not separated.
    for_a, for_b, neither (int arrays, shape (n_pairs,)): In how many computed variants a is better, b is
        better, the pair is not separated.
    """

    variants: tuple[Variant, ...]
    computed: int
    decision: CodeArray
    for_a: IntArray
    for_b: IntArray
    neither: IntArray

    @property
    def agreement(self) -> IntArray:
        """In how many computed variants each pair is decided as in the analysis itself."""
        chosen = np.where(
            self.decision > 0, self.for_a, np.where(self.decision < 0, self.for_b, self.neither)
        )
        return np.asarray(chosen, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class RankDependence:
    """How much a ranking hangs on the metric.

    metric: The one that was analysed.
    agreement (mapping of str to float): Kendall's τ-b of its systems' scores with those of every other
        metric, higher being better on both; NaN where they share fewer than two systems, or one of them has
        no order.
    moves_most: The system whose ranks lie furthest apart, among those that all metrics have.
    best, worst: Its ranks among these systems; 0 where the metrics share fewer than two.
    first: Systems that come first by at least one metric.
    """

    metric: str
    agreement: Mapping[str, float]
    moves_most: str
    best: int
    worst: int
    first: tuple[str, ...]
