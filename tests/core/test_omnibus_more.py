"""Cochran's Q, analysis of variance, Skillings–Mack: R, statsmodels, enumeration, each other."""

import itertools
import math

import numpy as np
import pytest
from golden.golden import agree, load, matrix
from statsmodels.stats.contingency_tables import cochrans_q

import nlpstat_core as ns
from nlpstat_core.methods.omnibus.anova import repeated_measures_anova
from nlpstat_core.methods.omnibus.cochran_q import cochran_q
from nlpstat_core.methods.omnibus.every import omnibus_tests
from nlpstat_core.methods.omnibus.friedman import friedman
from nlpstat_core.methods.omnibus.skillings_mack import skillings_mack


def complete(case):
    _, values = matrix(case)
    return values[~np.isnan(values).any(axis=1)]


def board(values):
    return ns.ScoreMatrix(values=values, systems=tuple(f"s{i}" for i in range(values.shape[1])))


@pytest.mark.parametrize("golden", load("omnibus", "cochran-q"), ids=str)
def test_cochrans_q_in_r(golden):
    found = cochran_q(complete(golden.case))
    agree(golden, statistic=found.statistic, df=found.degrees_of_freedom[0], p_value=found.p_value)


@pytest.mark.parametrize("seed", range(5))
def test_cochrans_q_in_statsmodels_and_as_friedmans_test(seed):
    rng = np.random.default_rng(seed)
    values = (rng.random((25, 4)) < rng.random(4)).astype(float)
    found, wanted = cochran_q(values), cochrans_q(values)
    assert found.statistic == pytest.approx(wanted.statistic)
    assert found.p_value == pytest.approx(wanted.pvalue)
    assert found.statistic == pytest.approx(friedman(values).statistic)
    assert cochran_q(np.ones((5, 3))).p_value == 1.0


@pytest.mark.parametrize("golden", load("omnibus", "anova"), ids=str)
def test_anova_in_r(golden):
    plain, corrected = repeated_measures_anova(complete(golden.case))
    df1, df2 = plain.degrees_of_freedom
    agree(golden, statistic=plain.statistic, df1=df1, df2=df2, p_value=plain.p_value)
    epsilon = corrected.degrees_of_freedom[0] / df1
    agree(golden, p_greenhouse_geisser=corrected.p_value, epsilon=epsilon)
    assert corrected.degrees_of_freedom[1] == pytest.approx(epsilon * df2)


def test_anova_from_its_sums_of_squares():
    values = np.array([[1.0, 2, 4], [2, 2, 5], [0, 3, 3], [4, 4, 9]])
    grand = values.mean()
    between = sum(4 * (values[:, j].mean() - grand) ** 2 for j in range(3))
    residual = sum(
        (values[i, j] - values[i].mean() - values[:, j].mean() + grand) ** 2
        for i in range(4)
        for j in range(3)
    )
    assert repeated_measures_anova(values)[0].statistic == pytest.approx((between / 2) / (residual / 6))
    # two systems: F is the square of the paired t, and no correction is possible
    u, v = values[:, 0], values[:, 1]
    t = (u - v).mean() / ((u - v).std(ddof=1) / 2)
    plain, corrected = repeated_measures_anova(values[:, :2])
    assert plain.statistic == pytest.approx(t**2)
    assert corrected.p_value == pytest.approx(plain.p_value)


@pytest.mark.parametrize(("n_units", "n_systems"), [(9, 4), (5, 12)])
def test_sphericity_from_the_covariance(n_units, n_systems):
    values = np.random.default_rng(3).normal(size=(n_units, n_systems)) * np.arange(1, n_systems + 1)
    contrasts = np.linalg.qr(np.column_stack([np.ones(n_systems), np.eye(n_systems)[:, 1:]]))[0][:, 1:]
    roots = np.linalg.eigvalsh(contrasts.T @ np.cov(values.T) @ contrasts)
    plain, corrected = repeated_measures_anova(values)
    epsilon = corrected.degrees_of_freedom[0] / plain.degrees_of_freedom[0]
    assert epsilon == pytest.approx(roots.sum() ** 2 / ((n_systems - 1) * (roots**2).sum()))


def test_anova_of_constants():
    assert repeated_measures_anova(np.full((4, 3), 0.1))[0].p_value == 1.0
    assert repeated_measures_anova(np.tile([0.1, 0.2, 0.7], (6, 1)) + np.arange(6.0)[:, None]) == ()


@pytest.mark.parametrize("golden", load("omnibus", "skillings-mack"), ids=str)
def test_skillings_mack_in_r(golden):
    found = skillings_mack(matrix(golden.case)[1])
    agree(golden, statistic=found.statistic, df=found.degrees_of_freedom[0], p_value=found.p_value)


@pytest.mark.parametrize("case", ["five-12", "likert-six-40", "binary-four-30"])
def test_skillings_mack_without_gaps_is_friedmans_test(case):
    values = complete(case)
    assert skillings_mack(values).statistic == pytest.approx(friedman(values).statistic)
    with_lone = np.vstack([values, np.full((2, values.shape[1]), np.nan)])
    with_lone[-1, 0] = 3.0
    assert skillings_mack(with_lone).statistic == pytest.approx(friedman(values).statistic)


def test_skillings_mack_has_mean_of_its_degrees_of_freedom_over_all_orders():
    # Units with gaps and ties: over all orders within units the mean of the statistic is exactly its df.
    rows = [[1.0, 2, 3, np.nan], [1, 1, 2, 3], [np.nan, 5, np.nan, 4]]
    orders = []
    for row in rows:
        there = [value for value in row if not math.isnan(value)]
        orders.append(
            [
                [next(one) if not math.isnan(value) else math.nan for value in row]
                for shuffled in itertools.permutations(there)
                for one in [iter(shuffled)]
            ]
        )
    found = [skillings_mack(np.array(chosen)).statistic for chosen in itertools.product(*orders)]
    assert np.mean(found) == pytest.approx(3.0)


def test_groups_of_systems_that_share_no_unit():
    rng = np.random.default_rng(0)
    values = np.full((12, 5), np.nan)
    values[:6, :2], values[6:, 2:] = rng.normal(size=(6, 2)), rng.normal(size=(6, 3))
    found = skillings_mack(values)
    parts = friedman(values[:6, :2]).statistic + friedman(values[6:, 2:]).statistic
    assert found.statistic == pytest.approx(parts)
    assert found.degrees_of_freedom == (3.0,)
    alone = skillings_mack(np.where(np.eye(3) == 1, 1.0, np.nan))
    assert (alone.p_value, alone.n_units) == (1.0, 0)
    assert skillings_mack(np.ones((4, 3))).p_value == 1.0


def names(omnibus):
    return [test.test for test in omnibus.also]


def test_what_stands_beside_friedmans_test():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(20, 4))
    found = ns.analyse(board(values)).omnibus
    assert names(found) == ["iman-davenport", "anova", "anova-greenhouse-geisser"]
    assert names(ns.analyse(board((values > 0).astype(float))).omnibus) == ["iman-davenport", "cochran-q"]
    values[3, 2] = np.nan
    analysis = ns.analyse(board(values))
    assert names(analysis.omnibus)[-1] == "skillings-mack"
    assert analysis.omnibus.n_units == 19
    assert analysis.omnibus.also[-1].n_units == 20
    plain = analysis.to_dict()["omnibus"]
    assert [test["test"] for test in plain["also"]] == names(analysis.omnibus)
    assert set(plain) == {
        *("test", "statistic", "p_value", "log10_p", "degrees_of_freedom", "n_units", "also")
    }


@pytest.mark.parametrize("shape", [(1, 4), (10, 2)])
def test_too_small_for_a_test_of_all_systems(shape):
    values = np.random.default_rng(2).normal(size=(shape[0] + 1, shape[1]))
    values[-1, 0] = np.nan
    analysis = ns.analyse(board(values))
    assert analysis.omnibus is None
    assert analysis.to_dict()["omnibus"] is None
    assert "omnibus-undefined" in {note.code for note in analysis.notes}


def test_tiny_p_keeps_its_logarithm():
    values = np.arange(6.0) + 0.01 * np.random.default_rng(0).normal(size=(300, 6))
    plain, corrected = repeated_measures_anova(values)
    assert plain.p_value == 5e-324
    assert plain.log10_p < corrected.log10_p < -308


@pytest.mark.parametrize("kind", ["real", "ratings", "binary", "missing"])
def test_order_of_units_and_systems_does_not_matter(kind):
    rng = np.random.default_rng(11)
    values = {
        "real": rng.normal(size=(12, 4)),
        "ratings": rng.integers(1, 6, (12, 4)).astype(float),
        "binary": rng.integers(0, 2, (12, 4)).astype(float),
        "missing": np.where(rng.random((12, 4)) < 0.1, np.nan, rng.normal(size=(12, 4))),
    }[kind]
    mixed = values[rng.permutation(12)][:, rng.permutation(4)]
    first, second = (omnibus_tests(ns.ScoreMatrix(values=v, systems=tuple("ABCD"))) for v in (values, mixed))
    for one, two in zip((first, *first.also), (second, *second.also), strict=True):
        assert one.test == two.test
        assert two.statistic == pytest.approx(one.statistic, rel=1e-9)
        assert two.log10_p == pytest.approx(one.log10_p, rel=1e-9)
