"""Friedman and Iman–Davenport: R, SciPy, another form of the statistic, all orders of ranks."""

import itertools
import math

import numpy as np
import pytest
from golden.golden import agree, load, matrix
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from nlpstat_core.engine.samples.row_ranks import row_ranks
from nlpstat_core.methods.omnibus.friedman import friedman
from nlpstat_core.methods.omnibus.iman_davenport import iman_davenport


def complete(case):
    _, values = matrix(case)
    return values[~np.isnan(values).any(axis=1)]


@pytest.mark.parametrize("golden", load("omnibus", "friedman.test"), ids=str)
def test_friedman_in_r(golden):
    found = friedman(complete(golden.case))
    agree(
        golden,
        n=found.n_units,
        statistic=found.statistic,
        df=found.degrees_of_freedom[0],
        p_value=found.p_value,
    )
    assert found.log10_p == pytest.approx(math.log10(golden.values["p_value"]), rel=1e-9)


@pytest.mark.parametrize("golden", load("omnibus", "iman-davenport"), ids=str)
def test_iman_davenport_in_r(golden):
    found = iman_davenport(complete(golden.case))
    df1, df2 = found.degrees_of_freedom
    agree(golden, statistic=found.statistic, df1=df1, df2=df2, p_value=found.p_value)


def test_binary_scores_give_cochrans_q():
    for golden in load("omnibus", "cochran-q"):
        found = friedman(complete(golden.case))
        agree(golden, statistic=found.statistic, df=found.degrees_of_freedom[0], p_value=found.p_value)


@pytest.mark.parametrize("seed", range(4))
def test_scipy_and_the_form_with_squared_ranks(seed):
    values = np.random.default_rng(seed).integers(0, 5, (30, 6)).astype(float)
    found = friedman(values)
    wanted = stats.friedmanchisquare(*values.T)
    assert found.statistic == pytest.approx(wanted.statistic)
    assert found.p_value == pytest.approx(wanted.pvalue)
    ranks = stats.rankdata(values, axis=1)
    spread = np.sum((ranks.sum(axis=0) - 30 * 7 / 2) ** 2)
    assert found.statistic == pytest.approx(5 * spread / (np.sum(ranks**2) - 30 * 6 * 49 / 4))


def test_statistic_has_mean_of_its_degrees_of_freedom_over_all_orders():
    # Under the null every order of three systems is as likely: the mean of chi-square is exactly S − 1.
    orders = list(itertools.permutations([1.0, 2.0, 3.0]))
    values = [friedman(np.array(rows)).statistic for rows in itertools.product(orders, repeat=3)]
    assert np.mean(values) == pytest.approx(2.0)


def test_all_ties_is_no_evidence():
    found = friedman(np.ones((5, 4)))
    assert (found.statistic, found.p_value, found.log10_p) == (0.0, 1.0, 0.0)
    assert iman_davenport(np.ones((5, 4))).p_value == 1.0


def test_unit_effects_and_order_do_not_matter():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(20, 5))
    base = friedman(values).statistic
    assert friedman(values + 100 * rng.normal(size=(20, 1))).statistic == pytest.approx(base)
    assert friedman(values[rng.permutation(20)][:, rng.permutation(5)]).statistic == pytest.approx(base)


def test_tiny_p_keeps_its_logarithm():
    values = np.arange(12.0) + 0.1 * np.random.default_rng(0).normal(size=(400, 12))
    found = friedman(values)
    assert found.p_value == 5e-324
    # e^(−y)·y^(a−1)/Γ(a)·(1 + (a − 1)/y + …), the asymptotic series of the tail
    y, a = found.statistic / 2, 5.5
    series = 1 + (a - 1) / y * (1 + (a - 2) / y * (1 + (a - 3) / y * (1 + (a - 4) / y)))
    log_p = -y + (a - 1) * math.log(y) - math.lgamma(a) + math.log(series)
    assert found.log10_p == pytest.approx(log_p / math.log(10), rel=1e-9)
    agreed = iman_davenport(np.tile(np.arange(4.0), (3, 1)))
    assert agreed.statistic == math.inf
    assert agreed.p_value == pytest.approx((1 / 24) ** 2)


TIED = st.sampled_from([0.0, -0.0, 0.5, 1.0, 2.25, np.nan])


@given(arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 7)), elements=TIED))
def test_ranks_within_rows_are_scipys(values):
    expected = stats.rankdata(values, axis=1, nan_policy="omit")
    assert np.array_equal(row_ranks(values), expected, equal_nan=True)
