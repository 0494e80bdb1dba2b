"""What varies, against lme4; items, against psych; and both at their edges."""

import numpy as np
import pytest
from core.test_crossed_t import golden_tables
from golden.golden import INPUTS, agree, columns, load, numbers
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.board.items import cronbach_alpha, item_rest_correlations, item_table
from nlpstat_core.power import plan_runs
from nlpstat_core.power.variation.components import variation
from nlpstat_core.scores.runs import Runs


def board(tables):
    names = tuple(tuple(map(str, range(table.shape[1]))) for table in tables)
    runs = Runs(values=tuple(tables), names=names)
    systems = [f"S{i + 1}" for i in range(len(tables))]
    return ns.ScoreMatrix(values=runs.means, systems=systems, runs=runs)


@pytest.mark.parametrize("golden", load("runs", "lmer"), ids=str)
def test_the_components_of_lme4(golden):
    found = variation(board(list(golden_tables(golden.case).values())))
    agree(
        golden,
        rel=1e-6,
        items=found.items,
        items_systems=found.items_systems,
        runs=found.runs,
        residual=found.residual,
    )
    assert found.negative == ()


@pytest.mark.parametrize("case", ["small", "two-runs"])
def test_the_standard_error_now_is_that_of_the_test(case):
    """With positive estimates the parts add up to the V of the test over items and runs."""
    scores = board(list(golden_tables(case).values()))
    analysis = ns.analyse(scores)
    pair, parts = analysis.pair("S1", "S2"), analysis.variation().pair("S1", "S2")
    assert parts.now == pytest.approx(abs(pair.difference / pair.statistic), rel=1e-10)
    assert parts.twice_units < parts.now
    assert parts.twice_runs < parts.now
    average = analysis.variation().pair()
    assert average.now == pytest.approx(parts.now, rel=1e-10)


def test_the_cheapest_design_is_the_cheapest_of_all():
    parts = variation(board(list(golden_tables("small").values()))).pair("S1", "S2")
    found = parts.cheapest(0.5, cost_unit=1, cost_run=7)
    half = {"sd_items": (parts.interaction / 2) ** 0.5, "sd_runs": (parts.runs / 2) ** 0.5}
    spread = {**half, "sd_residual": (parts.residual / 2) ** 0.5}
    costs = {}
    for runs in (found.n_runs - 1, found.n_runs, found.n_runs + 1):
        units = plan_runs(runs=runs, difference=0.5, power=0.8, alpha=0.05, **spread).units
        costs[runs] = units + 7 * runs
    assert found.cost == pytest.approx(min(costs.values()), rel=0.02)
    assert found.error < 0.5 / (stats.norm.ppf(0.975) + stats.norm.ppf(0.8))
    assert parts.cheapest(1e-6) is None
    with pytest.raises(ns.ConfigError, match="difference must be"):
        parts.cheapest(0)


def test_runs_of_one_system_against_each_other():
    tables = list(golden_tables("middle").values())
    found = variation(board(tables))
    for system, table in enumerate(tables):
        p = [stats.ttest_rel(table[:, a], table[:, b]).pvalue for a, b in ((0, 1), (0, 2), (1, 2))]
        assert found.run_pairs[system] == 3
        assert found.run_pairs_different[system] == sum(value <= 0.05 for value in p)
    constant = variation(board([np.ones((4, 2)), np.zeros((4, 3))]))
    assert (constant.items, constant.runs, constant.residual) == (0.0, 0.0, 0.0)
    assert constant.run_pairs_different.tolist() == [0, 0]


def test_a_negative_component_stands_as_zero_and_is_named():
    table = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    found = variation(board([table, 1 - table]))
    assert found.runs == 0.0
    assert "runs" in found.negative


def test_one_run_a_system_varies_in_nothing_known():
    scores = ns.ScoreMatrix(values=[[1, 2], [3, 4], [2, 2]], systems="AB")
    with pytest.raises(ns.AnalysisError, match="one run per system"):
        ns.analyse(scores).variation()
    some = variation(board([*golden_tables("small").values(), np.arange(20.0)[:, None]]))
    assert np.isnan(some.system_runs[2])
    assert some.pair("S1", "S3").now > 0
    with pytest.raises(ns.ConfigError, match="S4"):
        some.pair("S1", "S4")
    with pytest.raises(ns.ConfigError, match="twice"):
        some.pair("S1", "S1")


def answers(case):
    read = columns(INPUTS / "items" / f"{case}.csv")
    return np.column_stack([numbers(read[name]) for name in read if name != "item"])


@pytest.mark.parametrize("golden", load("items", "alpha"), ids=str)
def test_the_alpha_of_psych(golden):
    agree(golden, raw_alpha=cronbach_alpha(answers(golden.case)))


@pytest.mark.parametrize("case", ["binary", "graded"])
def test_the_item_statistics_of_psych(case):
    values = answers(case)
    scores = ns.ScoreMatrix(values=values, systems=[f"S{i}" for i in range(values.shape[1])])
    table = item_table(scores)
    for golden in load("items", "item"):
        if golden.case == case:
            i = int(golden.options["item"]) - 1
            agree(golden, mean=table.difficulty[i], r_drop=table.item_rest[i])


def test_item_rest_correlation_by_its_definition():
    values = np.random.default_rng(0).normal(size=(12, 9))
    found = item_rest_correlations(values)
    for i, r in enumerate(found):
        rest = np.delete(values, i, axis=0).sum(axis=0)
        assert r == pytest.approx(np.corrcoef(values[i], rest)[0, 1])


def test_items_that_some_system_lacks_are_correlated_over_the_others():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(15, 12)) + np.linspace(-1, 1, 12)
    values[3, [0, 5]] = np.nan
    values[7, :6] = np.nan  # six systems are too few
    values[9, 11] = np.nan
    values[9, :11] = 0.25
    found = item_table(ns.ScoreMatrix(values=values, systems=[f"s{i}" for i in range(12)]))
    whole = np.delete(values, [3, 7, 9], axis=0)
    there = ~np.isnan(values[3])
    expected = np.corrcoef(values[3, there], whole.sum(axis=0)[there])[0, 1]
    assert found.item_rest[3] == pytest.approx(expected)
    low = np.tanh(np.arctanh(expected) + stats.norm.ppf(0.975) / np.sqrt(10 - 3))
    assert found.item_rest_high[3] == pytest.approx(low)
    assert np.isnan(found.item_rest[[7, 9]]).all()
    rest = whole[1:].sum(axis=0)
    assert found.item_rest[0] == pytest.approx(np.corrcoef(values[0], rest)[0, 1])


def test_items_that_stand_out():
    rng = np.random.default_rng(4)
    strength = np.linspace(-2, 2, 24)
    values = (rng.random((40, 24)) < 1 / (1 + np.exp(-2 * strength))).astype(float)
    values[0], values[1] = 1.0, 0.0
    values[2] = (strength < 0).astype(float)
    values[4] = values[3]
    table = item_table(ns.ScoreMatrix(values=values, systems=[f"s{i}" for i in range(24)]))
    assert np.flatnonzero(table.everybody).tolist() == [0]
    assert np.flatnonzero(table.nobody).tolist() == [1]
    assert np.flatnonzero(table.negative).tolist() == [2]
    assert table.copy_of[4] == 3
    assert table.solved[0] == 1.0
    assert 0.9 < table.split_half <= 1
    assert table.agreement[-1] > table.agreement[0]
    assert table.enough < 40


def test_few_systems_missing_cells_and_lower_is_better():
    values = np.array([[1.0, 2, np.nan], [2, 2, 2], [0, 0, 0], [3, 1, 2], [np.nan] * 3])
    scores = ns.ScoreMatrix(values=values, systems="ABC", lower_is_better=True)
    table = item_table(scores)
    assert np.isnan(table.item_rest).all()
    assert np.isnan(table.difficulty[4])
    assert table.everybody.tolist() == [False, False, True, False, False]
    assert table.constant.tolist() == [False, True, True, False, False]
    with pytest.raises(ns.AnalysisError, match="at least two items"):
        item_table(ns.ScoreMatrix(values=[[1, 2]], systems="AB"))
