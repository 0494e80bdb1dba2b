"""The columns of an analysis: one entry per pair or per system, never a list of objects."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray, ObjectArray, names_of
from nlpstat_core.catalogue import TESTS
from nlpstat_core.engine.columns.outcomes import P_KINDS, EffectColumns
from nlpstat_core.formatting import count_of, some_names
from nlpstat_core.methods.diagnosis.few_units import rests_on_few
from nlpstat_core.methods.diagnosis.lists import DiagnosisColumns
from nlpstat_core.scores.direction import advantage

# The note of a significant pair whose test doesn't say on which side of 0 the difference lies.
SHORT_OF_DELTA = "direction-short-of-delta"
VERDICTS = ("undecided", "better", "worse", "equivalent")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Pairs:
    """Pairs of systems, column by column. `systems`: names that `left` and `right` point into."""

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {count_of(len(self), 'pair')} of {len(self.systems):,} systems>"

    def __len__(self) -> int:
        return int(self.left.shape[0])

    @property
    def system_a(self) -> ObjectArray:
        """Names of a."""
        return names_of(self.left, self.systems)

    @property
    def system_b(self) -> ObjectArray:
        """Names of b."""
        return names_of(self.right, self.systems)

    def find(self, a: int, b: int) -> int | None:
        """Row of the pair of two columns in either order, or None."""
        hits = np.flatnonzero(((self.left == a) & (self.right == b)) | ((self.left == b) & (self.right == a)))
        return int(hits[0]) if hits.size else None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PairTable(Pairs):
    """All pairs, column by column; names are those of the JSON. Arrays have shape (n_pairs,).

    left, right: Columns of a and b.
    n_units: Units the pair shares.
    difference: score_a − score_b.
    interval (float array, shape (n_pairs, 2)): Unadjusted interval for `difference`.
    mean_skewness: Skewness of the difference where a test of the mean compares it (g1/√n of n units or
        documents), else NaN; beyond ±1/5 the test rests on a few of them.
    tests: Keys that `test_code` points into.
    test_code: Test really used, −1 where none could be.
    p_kind_code: Positions in `P_KINDS`.
    direction: Direction of the test's own statistic: +1 for larger scores of a, −1 of b.
    significant: p_adjusted ≤ alpha.
    separated: Significant, and the test's direction agrees with the mean difference.
    equivalent: p_equivalence_adjusted ≤ alpha; None without an equivalence margin.
    p_equivalence, p_equivalence_adjusted: The larger of the two one-sided p-values, alone and corrected
        together with `p_value`.
    interval_simultaneous (float array, shape (n_pairs, 2), or None): Intervals of all differences that hold
        together; None where the settings don't name them.
    df: Degrees of freedom of tests that have others for every pair; None where no test here does.
    one_sided (float array, shape (n_pairs, 2), or None): p of "greater" and of "less" where they came along
        with a two-sided p, else NaN; None unless asked for.
    effects (mapping of str to EffectColumns).
    system_scores (float array, shape (n_systems,), or None): Scores of the systems where all pairs share the
        same units.
    pair_scores (float array, shape (n_pairs, 2), or None): Scores of a and b where they don't.
    system_units (int array, shape (n_systems,)): Units that each system has, shared or not.
    estimates (mapping of str to EffectColumns): By what they are of ("pseudo-median"); NaN where the pair's
        test is about something else.
    notes (mapping of str to bool array): Note codes and the pairs they concern.
    """

    n_units: IntArray
    difference: FloatArray
    interval: FloatArray
    mean_skewness: FloatArray
    tests: tuple[str, ...]
    test_code: CodeArray
    statistic: FloatArray
    p_value: FloatArray
    log10_p: FloatArray
    error: FloatArray
    p_kind_code: CodeArray
    direction: CodeArray
    p_adjusted: FloatArray
    significant: BoolArray
    separated: BoolArray
    lower_is_better: bool
    system_scores: FloatArray | None
    pair_scores: FloatArray | None
    equivalent: BoolArray | None
    effects: Mapping[str, EffectColumns]
    diagnosis: DiagnosisColumns
    system_units: IntArray
    estimates: Mapping[str, EffectColumns] = field(default_factory=dict)
    notes: Mapping[str, BoolArray] = field(default_factory=dict)
    p_equivalence: FloatArray | None = None
    p_equivalence_adjusted: FloatArray | None = None
    interval_simultaneous: FloatArray | None = None
    df: FloatArray | None = None
    one_sided: FloatArray | None = None

    def __getitem__(self, name: str) -> Any:
        """A column by its JSON name."""
        return getattr(self, name)

    @property
    def score_a(self) -> FloatArray:
        """Mean scores of a over the shared units, metric points; micro-averaged scores for counts."""
        return self._scores(0, self.left)

    @property
    def score_b(self) -> FloatArray:
        """Mean scores of b over the shared units, metric points; micro-averaged scores for counts."""
        return self._scores(1, self.right)

    def _scores(self, side: int, columns: IntArray) -> FloatArray:
        if self.system_scores is not None:
            return self.system_scores[columns]
        assert self.pair_scores is not None
        return self.pair_scores[:, side]

    @property
    def test(self) -> ObjectArray:
        """Key of the test really used; None where none could be."""
        return names_of(self.test_code, self.tests)

    @property
    def unpaired(self) -> BoolArray:
        """Pairs compared as independent samples."""
        designs = [TESTS[key].design == "unpaired" for key in self.tests]
        result: BoolArray = np.array([*designs, False])[self.test_code]
        return result

    @property
    def n_a(self) -> IntArray:
        """Units of a that the comparison used: shared ones, or all where the samples are independent."""
        return np.where(self.unpaired, self.system_units[self.left], self.n_units)

    @property
    def n_b(self) -> IntArray:
        """Units of b that the comparison used: shared ones, or all where the samples are independent."""
        return np.where(self.unpaired, self.system_units[self.right], self.n_units)

    @property
    def hypothesis(self) -> ObjectArray:
        """What each pair's test is about."""
        return names_of(self.test_code, tuple(TESTS[key].hypothesis for key in self.tests))

    @property
    def p_kind(self) -> ObjectArray:
        """How each p was computed; None where it is undefined."""
        return names_of(np.where(np.isnan(self.p_value), -1, self.p_kind_code), P_KINDS)

    @cached_property  # every pair's sentence asks for it
    def better_code(self) -> CodeArray:
        """+1 where a is the better system by its test, −1 where b is, 0 where it says neither."""
        better = advantage(self.direction, self.lower_is_better)
        sided = self.significant & ~np.asarray(self.notes.get(SHORT_OF_DELTA, False))
        code = np.where(sided, better, 0).astype(np.int8)
        code.setflags(write=False)
        return code

    @property
    def contradicting(self) -> BoolArray:
        """Significant pairs that are not separated: the test points against the mean or the board's order."""
        result: BoolArray = (self.better_code != 0) & ~self.separated
        return result

    @property
    def better(self) -> ObjectArray:
        """Name of the better system where a significant test names one, else None."""
        code = self.better_code
        columns = np.where(code > 0, self.left, np.where(code < 0, self.right, -1))
        return names_of(columns, self.systems)

    @property
    def verdict_code(self) -> CodeArray:
        """Positions in `VERDICTS`, about system a."""
        code = np.where(self.separated, np.where(self.better_code > 0, 1, 2), 0)
        if self.equivalent is not None:
            code = np.where(~self.separated & self.equivalent, 3, code)
        return code.astype(np.int8)

    @property
    def verdict(self) -> ObjectArray:
        """better | worse | equivalent | undecided, about system a by the metric's direction."""
        return names_of(self.verdict_code, VERDICTS)

    @property
    def rests_on_few(self) -> BoolArray:
        """Decided pairs whose test of the mean rests on a few units or documents."""
        result: BoolArray = rests_on_few(self.mean_skewness) & (self.verdict_code != 0)
        return result


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Leaderboard:
    """Systems by rank; all arrays have shape (n_systems,).

    system: Names, best first.
    column: Column of each system in the scores.
    rank: 1 for the best; equal scores share a rank. Every group has its own ranks.
    score: Mean over the units, metric points; micro-averaged for counts. Where systems have different units
        the score of the additive fit of unit and system (`ranking.additive`).
    interval (float array, shape (n_systems, 2)): Student's t interval of the score, Wilson's of a share;
        cluster-robust when blocks are named.
    rank_interval (int array, shape (n_systems, 2), or None): [1 + number significantly better, S − number
        significantly worse]; None with a baseline.
    cluster: 1 for the top cluster; a new one starts where every pair across is separated.
    letters: Two systems with scores share a letter iff their pair is not separated, one without any has none;
        None with a baseline or above 1,000 groups.
    own_score: Score over the units the system has, where `score` is that of the additive fit.
    group: Systems that units connect; None where that is the whole board. Between groups nothing is
        comparable.
    """

    system: tuple[str, ...]
    column: IntArray
    rank: IntArray
    score: FloatArray
    n_units: IntArray
    interval: FloatArray
    rank_interval: IntArray | None
    cluster: IntArray | None
    letters: tuple[str, ...] | None = None
    own_score: FloatArray | None = None
    group: IntArray | None = None

    def __repr__(self) -> str:
        return f"<Leaderboard: {len(self):,} systems: {some_names(self.system)}>"

    def __len__(self) -> int:
        return len(self.system)

    def __getitem__(self, name: str) -> Any:
        """A column by its JSON name."""
        return getattr(self, name)
