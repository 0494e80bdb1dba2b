"""Permutation tests of mean and median: R, enumerations, intervals that invert the test."""

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, board, differences_batch, one_pair, p_of, permutation_p, run
from core.oracles_signflip import permutation_interval
from golden.golden import agree, differences, load, pair
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpstat_core import AnalysisConfig, compare
from nlpstat_core.methods.significance import TESTS

KEYS = {"mean": "permutation-mean", "median": "permutation-median"}
whole = st.lists(st.integers(-3, 3), min_size=1, max_size=10)
decimal = st.lists(st.floats(-2, 2).map(lambda x: round(x, 3)), min_size=1, max_size=10)


@pytest.mark.parametrize("golden", load("permutation", "enumeration"), ids=str)
def test_enumeration_in_r(golden):
    centre, delta = golden.options["centre"], golden.options["delta"]
    found = run(
        KEYS[centre], one_pair(*pair(golden.case), delta), alternative=golden.alternative, delta=delta
    )
    agree(golden, p_value=found.p_value[0])
    assert found.statistic[0] == pytest.approx(golden.values["statistic"] + delta, abs=1e-9)


@pytest.mark.parametrize("golden", load("permutation", "perm.test"), ids=str)
def test_exact_packages_in_r(golden):
    z = differences(golden.case)
    if golden.options["delta"] or not np.all(z == np.round(z)):
        u, v = pair(golden.case)
        batch = one_pair(u, v, golden.options["delta"])
    else:
        batch = differences_batch(z)
    agree(golden, p_value=run("permutation-mean", batch, alternative=golden.alternative).p_value[0], rel=1e-7)


@pytest.mark.parametrize("golden", load("permutation", "symmetry_test"), ids=str)
def test_coin_in_r(golden):
    batch = one_pair(*pair(golden.case), golden.options["delta"])
    agree(golden, p_value=run("permutation-mean", batch, alternative=golden.alternative).p_value[0], rel=1e-7)


@given(whole | decimal, st.sampled_from(ALTERNATIVES))
def test_enumeration_of_the_mean(values, alternative):
    z = np.array(values, dtype=float)
    wanted = permutation_p(z, np.mean, alternative)
    assert p_of("permutation-mean", differences_batch(z), alternative=alternative) == pytest.approx(
        wanted, rel=1e-12
    )


@given(whole | decimal, st.sampled_from(ALTERNATIVES))
def test_enumeration_of_the_median(values, alternative):
    z = np.array(values, dtype=float)
    wanted = permutation_p(z, np.median, alternative)
    found = p_of("permutation-median", differences_batch(z), alternative=alternative)
    assert found == pytest.approx(wanted, rel=1e-12)


def test_scipy_permutation_test_of_two_columns():
    rng = np.random.default_rng(9)
    u, v = rng.normal(size=(2, 11))
    wanted = stats.permutation_test(
        (u, v),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
        alternative="greater",
    )
    assert p_of("permutation-mean", one_pair(u, v), alternative="greater") == pytest.approx(
        wanted.pvalue, rel=1e-12
    )


def test_the_grid_of_the_scores_decides_ties():
    # In decimals 0.1 + 0.2 − 0.3 is 0: eight patterns of four are at least as large, floats see fewer.
    z = np.array([0.1, 0.2, -0.3, 0.4])
    assert p_of("permutation-mean", differences_batch(z)) == permutation_p(
        10 * z.round(1), np.mean, "two-sided"
    )


def test_kinds_are_told():
    rng = np.random.default_rng(3)
    real = run("permutation-mean", differences_batch(rng.normal(size=100)))
    assert (real.p_kind[0], real.error[0] > 0) == (1, True)
    assert run("permutation-mean", differences_batch(rng.normal(size=20))).p_kind[0] == 0
    assert run("permutation-mean", differences_batch(np.round(rng.normal(size=100), 2))).p_kind[0] == 0
    assert not real.notes["monte-carlo-last-resort"].any()


def test_binary_scores_give_the_sign_test():
    scores = (np.random.default_rng(1).random((60, 4)) < 0.5).astype(float)
    batch = board(scores)
    np.testing.assert_allclose(run("permutation-mean", batch).p_value, run("sign", batch).p_value, rtol=1e-12)


@pytest.mark.parametrize("golden", load("permutation", "subset-means"), ids=str)
def test_interval_of_the_mean_in_r(golden):
    low, high = permutation_interval(differences(golden.case), 6, golden.options["level"], golden.alternative)
    agree(golden, lower=low, upper=high)


@pytest.mark.parametrize(("n", "decimals"), [(8, 10), (25, 10), (34, 0), (60, 10), (120, 0), (300, 2)])
def test_interval_holds_what_the_test_does_not_reject(n, decimals):
    rng = np.random.default_rng(n)
    z = rng.normal(0.4, 1, n) if decimals == 10 else np.round(rng.normal(0.4, 1.5, n), decimals)
    low, high = permutation_interval(z, decimals, 0.9, "two-sided")
    assert low < z.mean() < high
    step = 0.05 * z.std() / np.sqrt(n)
    for end, outwards in ((low, -step), (high, step)):
        # Three decimals keep scores with ties on a lattice, where the test is exact.
        inside, outside = (z - np.round(end + side, 3) for side in (-outwards, outwards))
        assert p_of("permutation-mean", differences_batch(outside)) <= 0.1
        assert p_of("permutation-mean", differences_batch(inside)) > 0.1


def test_interval_ends_at_the_smallest_difference_where_nearly_all_units_have_it():
    """The p of θ jumps over the level there: 992 units lost 0.05, one gained 7.95."""
    z = np.append(np.full(992, -0.05), 7.95)
    low, high = permutation_interval(z, 10, 0.95, "two-sided")
    assert low == z.min()
    assert z.mean() <= high < 7.95
    assert permutation_interval(-z, 10, 0.95, "two-sided")[1] == -z.min()


def test_interval_is_mirrored_and_moves_with_the_scores():
    z = np.random.default_rng(2).normal(0.3, 1, 30)
    low, high = permutation_interval(z, 10, 0.95, "two-sided")
    assert permutation_interval(-z, 10, 0.95, "two-sided") == (-high, -low)
    moved = permutation_interval(z + 1, 10, 0.95, "two-sided")
    assert moved == pytest.approx((low + 1, high + 1), abs=1e-6)


def test_estimates():
    z = np.array([0.2, 0.5, -0.1, 0.9])
    asked = compare(z, np.zeros(4), test="permutation-mean", intervals=("estimate",))
    assert (asked.estimate.of, asked.estimate.value) == ("mean", pytest.approx(0.375))
    assert asked.interval == asked.estimate.interval == (-np.inf, np.inf)
    median = TESTS["permutation-median"].estimate(differences_batch(z), AnalysisConfig())
    assert (median.of, median.value[0]) == ("median", 0.35)


def test_equal_differences_leave_one_mean():
    assert permutation_interval(np.full(30, 0.5), 1, 0.95, "two-sided") == (0.5, 0.5)
    assert permutation_interval(np.full(8, 0.5), 1, 0.95, "two-sided") == (0.5, 0.5)


@pytest.mark.parametrize("mass", [1e-9, 1e-5, 0.02, 0.5, 0.6, 0.98, 1 - 1e-5, 1 - 1e-9])
def test_limits_at_any_level_by_the_means_of_all_subsets(mass):
    """One-sided intervals at levels below a half end beyond the mean: no p crosses before it."""
    z = np.random.default_rng(4).normal(0.2, 1, 18)
    low, high = (permutation_interval(z, 15, mass, side)[i] for i, side in enumerate(("greater", "less")))
    for end, side in ((low, z), (-high, -z)):
        sums, sizes = np.zeros(1), np.zeros(1)
        for value in side:
            sums, sizes = np.append(sums, sums + value), np.append(sizes, sizes + 1)
        ratios = np.sort(sums[1:] / sizes[1:])
        places = np.searchsorted(ratios, [end - 1e-6, end + 1e-6])
        # Of so many subsets a mean at most the end's: the level of the test, within two of its steps.
        assert places[0] - 2 <= (1 - mass) * 2**z.size <= places[1] + 2


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("n", [12, 40])
@pytest.mark.parametrize("decimals", [1, 15])
def test_no_level_is_without_a_one_sided_interval(n, decimals, alternative):
    z = np.random.default_rng(n).normal(0.2, 1, n).round(min(decimals, 6))
    side = 0 if alternative == "greater" else 1
    ends = [
        permutation_interval(z, decimals, level, alternative)[side] for level in (1e-9, 0.3, 0.7, 1 - 1e-9)
    ]
    steps = np.diff(ends) if side else -np.diff(np.array(ends))
    assert np.all(steps >= -1e-6)


@pytest.mark.parametrize("test", ["permutation-mean", "permutation-median", "wilcoxon"])
def test_single_precision_changes_no_p_of_decimals(test):
    """Four decimals kept as float32 lie off their grid by noise, which the test sees through."""
    rng = np.random.default_rng(9)
    u, v = np.round(rng.normal(0.5, 0.1, (2, 300)), 4)
    written = compare(u, v, test=test)
    noisy = compare(*(x.astype(np.float32).astype(np.float64) for x in (u, v)), test=test)
    assert noisy.p_kind == written.p_kind != "monte-carlo"
    assert noisy.p_value == written.p_value
    assert noisy.difference == pytest.approx(written.difference, abs=1e-7)
