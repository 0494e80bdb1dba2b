"""The t test over items and runs: against lme4 and lmerTest, its definition in loops, and its properties."""

import numpy as np
import pytest
from core.oracles_runs import crossed_t as by_loops
from core.oracles_runs import simulated
from golden.golden import INPUTS, agree, columns, load, numbers
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.runs import UnitRuns, run_spread
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.samples.crossed import crossed_errors, crossed_interval
from nlpstat_core.methods.significance.crossed_t import crossed_t
from nlpstat_core.report.wording.runs import RUN_NOTES
from nlpstat_core.scores.runs import Runs


def golden_tables(case):
    """Tables items × runs by system of a case in inputs/runs.csv."""
    read = columns(INPUTS / "runs.csv")
    chosen = [row for row in zip(*read.values(), strict=True) if row[0] == case]
    found = {}
    for system in dict.fromkeys(row[1] for row in chosen):
        own = [row for row in chosen if row[1] == system]
        n_runs = len({row[2] for row in own})
        found[system] = numbers([row[4] for row in own]).reshape(n_runs, -1).T
    return found


def batch_of(tables, *, delta=0.0, blocks=None, pooled=False):
    names = tuple(tuple(map(str, range(table.shape[1]))) for table in tables)
    runs = Runs(values=tuple(tables), names=names, pooled=pooled)
    shared = np.flatnonzero(~np.isnan(runs.means).any(axis=1))
    units = UnitBlock(
        values=runs.means[shared],
        decimals=10,
        binary=np.zeros(len(tables), dtype=bool),
        block_ids=None if blocks is None else np.asarray(blocks)[shared],
        runs=UnitRuns(runs, shared),
    )
    left, right = np.triu_indices(len(tables), 1)
    return PairBatch(units, left, right, delta)


@pytest.mark.parametrize("golden", load("runs", "lmerTest"), ids=str)
def test_the_t_of_lmer_test(golden):
    a, b = golden_tables(golden.case).values()
    batch = batch_of([a, b])
    outcome = crossed_t(batch, AnalysisConfig())
    agree(
        golden,
        rel=1e-6,
        estimate=batch.difference[0],
        standard_error=crossed_errors(batch).error[0],
        statistic=outcome.statistic[0],
    )


@pytest.mark.parametrize("runs", [(2, 2), (3, 5), (10, 2), (4, 4)])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_the_definition_in_loops(runs, missing):
    rng = np.random.default_rng([7, *runs])
    a, b = simulated(rng, 25, runs, difference=0.3)
    for table in (a, b):
        table[rng.random(table.shape) < missing] = np.nan
    t, df, total, p = by_loops(a, b)
    batch = batch_of([a, b])
    found = crossed_errors(batch)
    outcome = crossed_t(batch, AnalysisConfig())
    assert found.error[0] ** 2 == pytest.approx(total, rel=1e-12)
    assert found.freedom[0] == pytest.approx(df, rel=1e-10)
    assert outcome.statistic[0] == pytest.approx(t, rel=1e-12)
    assert outcome.p_value[0] == pytest.approx(p, rel=1e-9)
    assert outcome.freedom[0] == found.freedom[0]
    assert ns.crossed_t_p_value(a, b) == pytest.approx(p, rel=1e-9)


def test_blocks_and_a_hypothesised_difference_by_the_loops():
    rng = np.random.default_rng(3)
    a, b = simulated(rng, 30, (3, 4), difference=0.5)
    documents = [i // 4 for i in range(30)]
    t, df, _, p = by_loops(a, b, delta=0.2, documents=documents)
    batch = batch_of([a, b], delta=0.2, blocks=documents)
    outcome = crossed_t(batch, AnalysisConfig())
    assert (outcome.statistic[0], outcome.freedom[0]) == pytest.approx((t, df), rel=1e-11)
    assert outcome.p_value[0] == pytest.approx(p, rel=1e-9)


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 5), st.integers(2, 5))
def test_properties(seed, n, runs_a, runs_b):
    rng = np.random.default_rng(seed)
    a, b = simulated(rng, n, (runs_a, runs_b))
    two, greater, less = (
        ns.crossed_t_p_value(a, b, alternative) for alternative in ("two-sided", "greater", "less")
    )
    assert 0 < two <= 1
    assert two == pytest.approx(min(1.0, 2 * min(greater, less)), rel=1e-9)
    assert greater + less == pytest.approx(1.0)
    assert ns.crossed_t_p_value(b, a) == pytest.approx(two, rel=1e-9)
    order = rng.permutation(n)
    assert ns.crossed_t_p_value(a[order], b[order][:, ::-1]) == pytest.approx(two, rel=1e-9)
    assert ns.crossed_t_p_value(3 * a + 5, 3 * b + 5) == pytest.approx(two, rel=1e-7)
    item = rng.normal(size=(n, 1)) * 10  # an effect of the item, common to all, changes nothing
    assert ns.crossed_t_p_value(a + item, b + item) == pytest.approx(two, rel=1e-7)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_the_interval_inverts_the_test(alternative, level):
    rng = np.random.default_rng(11)
    tables = simulated(rng, 40, (3, 2), difference=0.4)
    config = AnalysisConfig(alternative=alternative, confidence_level=level)
    low, high = crossed_interval(batch_of(tables), config)[0]
    for end in (low, high):
        if np.isfinite(end):
            at_end = crossed_t(batch_of(tables, delta=end), config).p_value[0]
            assert at_end == pytest.approx(1 - level, rel=1e-8)
    assert np.isinf(high) == (alternative == "greater")
    assert np.isinf(low) == (alternative == "less")


def test_runs_that_are_all_equal_give_the_t_test_of_items():
    rng = np.random.default_rng(5)
    u, v = rng.normal(size=(2, 20))
    p = ns.crossed_t_p_value(np.tile(u[:, None], 3), np.tile(v[:, None], 2))
    assert p == pytest.approx(stats.ttest_rel(u, v).pvalue, rel=1e-10)


def test_constant_systems():
    ones, zeros = np.ones((6, 3)), np.zeros((6, 2))
    assert ns.crossed_t_p_value(ones, ones) == 1.0
    assert ns.crossed_t_p_value(0.1 * ones, 0.1 * np.ones((6, 4))) == 1.0  # means of tenths have dust
    assert np.isnan(ns.crossed_t_p_value(ones, zeros))
    outcome = crossed_t(batch_of([ones, zeros]), AnalysisConfig())
    assert outcome.notes["no-spread"][0]


def test_runs_that_differ_without_items_that_do():
    a, b = np.tile([0.5, 0.7], (8, 1)), np.tile([0.1, 0.2, 0.3], (8, 1))
    t, df, _, p = by_loops(a, b)
    assert df < 3
    assert ns.crossed_t_p_value(a, b) == pytest.approx(p)
    assert t > 0


def test_one_run_is_refused_or_pooled():
    rng = np.random.default_rng(1)
    a, b = simulated(rng, 12, (3, 1))
    with pytest.raises(ns.AnalysisError, match="b has one run"):
        ns.crossed_t_p_value(a, b)
    outcome = crossed_t(batch_of([a, b]), AnalysisConfig())
    assert np.isnan(outcome.p_value[0])
    assert outcome.notes["one-run"][0]
    batch = batch_of([a, b], pooled=True)
    pooled = crossed_t(batch, AnalysisConfig())
    of_a = run_spread(a)
    found = crossed_errors(batch)
    items = np.var(a.mean(axis=1) - b[:, 0], ddof=1) / 12
    assert found.error[0] ** 2 == pytest.approx(items + of_a.component / 3 + of_a.component)
    assert pooled.notes["pooled-runs"][0]
    assert not pooled.notes["one-run"][0]
    assert 0 < pooled.p_value[0] <= 1


def test_one_item_only_in_one_run_and_two_items():
    a = np.array([[1.0, 2.0, np.nan], [2.0, 2.5, np.nan], [0.5, 1.0, np.nan], [1.5, 1.0, 2.0]])
    b = np.array([[0.5, 0.0], [1.0, 1.5], [np.nan, np.nan], [0.0, 1.0]])
    t, _, _, p = by_loops(a, b)
    outcome = crossed_t(batch_of([a, b]), AnalysisConfig())
    assert (outcome.statistic[0], outcome.p_value[0]) == pytest.approx((t, p))
    assert outcome.notes["runs-lack-units"][0]
    two = ns.crossed_t_p_value([[1, 2], [3, 3.5]], [[0, 1], [2.5, 2]])
    assert two == pytest.approx(by_loops([[1, 2], [3, 3.5]], [[0, 1], [2.5, 2]])[3])
    assert np.isnan(ns.crossed_t_p_value([[1, 2]], [[0, 1]]))


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ([1, 2, 3], [[1, 2]], "two dimensions"),
        ([[1, 2], [1, 2]], [[1, 2]], "same items"),
        ([[1, np.inf], [1, 2]], [[1, 2], [3, 4]], "infinite"),
        ([["x", 1], [1, 2]], [[1, 2], [3, 4]], "table of numbers"),
        ([[1, 2], [1]], [[1, 2], [3, 4]], "table of numbers"),
    ],
)
def test_tables_that_cannot_be_compared(a, b, said):
    with pytest.raises(ns.AnalysisError, match=said):
        ns.crossed_t_p_value(a, b)
    with pytest.raises(ns.ConfigError):
        ns.crossed_t_p_value([[1, 2], [3, 4]], [[1, 2], [3, 4]], alternative="both")


def test_rounding_is_no_run_effect():
    """Means of runs that hold the same tenths in other orders differ in the last digit."""
    table = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    assert run_spread(table).variance == 0.0


def test_two_runs_beside_ten_err_as_often_as_the_note_says():
    """Standard deviations of runs 0.3 and 0.05, equal means: the definition on arrays, the code on one."""
    rng = np.random.default_rng(6)
    n, boards, sides = 100, 1500, ((2, 0.3), (10, 0.05))
    tables = [rng.normal(0, s, (boards, 1, r)) + rng.normal(size=(boards, n, r)) for r, s in sides]
    d = tables[0].mean(axis=2) - tables[1].mean(axis=2)
    items = d.var(axis=1, ddof=1) / n
    variance, below = items.copy(), items**2 / (n - 1)
    for table, (r, _) in zip(tables, sides, strict=True):
        by_run = table.mean(axis=1)
        rest = (
            table
            - table.mean(axis=2, keepdims=True)
            - by_run[:, None]
            + table.mean(axis=(1, 2), keepdims=True)
        )
        residual = (rest**2).sum(axis=(1, 2)) / ((n - 1) * (r - 1))
        spread = by_run.var(axis=1, ddof=1)
        variance += np.maximum(0, spread - residual / n) / r
        below += (spread / r) ** 2 / (r - 1)
    p = 2 * stats.t.sf(np.abs(d.mean(axis=1)) / np.sqrt(variance), variance**2 / below)
    assert ns.crossed_t_p_value(tables[0][0], tables[1][0]) == pytest.approx(p[0])
    assert np.mean(p <= 0.05) == pytest.approx(0.1, abs=0.02)
    text = RUN_NOTES["unequal-runs"][1]
    assert "about 10 % with 2 and 10 runs whose standard deviations are 0.3 and 0.05" in text


@pytest.mark.parametrize(
    ("numbers", "told"),
    [((2, 10), True), ((2, 3), True), ((2, 2), False), ((3, 10), False), ((1, 5), False), ((2, 2, 5), True)],
)
def test_systems_of_two_runs_beside_others_of_more_are_told_of(numbers, told):
    rng = np.random.default_rng(2)
    tables = tuple(rng.normal(size=(40, r)) for r in numbers)
    runs = Runs(values=tables, names=tuple(tuple(map(str, range(r))) for r in numbers))
    board = ns.analyse(ns.ScoreMatrix(values=runs.means, systems=tuple("ABC"[: len(numbers)]), runs=runs))
    assert ("unequal-runs" in {note.code for note in board.notes}) == told
    found = board.pairs.notes.get("unequal-runs", np.zeros(len(board.pairs), dtype=bool))
    expected = [
        numbers[a] != numbers[b] and told for a, b in zip(board.pairs.left, board.pairs.right, strict=True)
    ]
    assert found.tolist() == expected
    if told:
        text = next(note.text for note in board.notes if note.code == "unequal-runs")
        assert text.startswith("A, B have two runs" if len(numbers) == 3 else "A has two runs")
