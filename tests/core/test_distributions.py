"""Tails and quantiles: SciPy where it is accurate, quadrature and asymptotic series where it is not."""

import math

import numpy as np
import pytest
from core.oracles import log_t_tail
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special, stats

from nlpstat_core.engine.distributions.tails import (
    chi2_log_sf,
    continuity_step,
    f_log_sf,
    log_p_from_tails,
    normal_log_sf,
    normal_quantile,
    one_sided,
    student_interval,
    t_log_sf,
    two_sided_mass,
)


@pytest.mark.parametrize("df", [1, 2, 9.5, 80, 2000])
def test_t_against_scipy(df):
    t = np.array([-30.0, -2.0, 0.0, 0.5, 3.0, 20.0])
    np.testing.assert_allclose(t_log_sf(t, df), stats.t.logsf(t, df), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(("t", "df"), [(200.0, 300), (1e4, 80), (1e150, 3), (45.0, 2000), (1e30, 12)])
def test_t_far_out(t, df):
    found = t_log_sf(np.array([t]), df)[0]
    if t < 1e6:
        assert found == pytest.approx(log_t_tail(t, df), rel=1e-9)
    else:  # the leading term of the tail, a power of t
        constant = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - 0.5 * math.log(math.pi * df)
        power = constant + (df + 1) / 2 * math.log(df) - math.log(df) - df * math.log(t)
        assert found == pytest.approx(power, rel=1e-9)


def test_t_without_digits_lost_between_its_two_ways():
    df = 500
    t = np.linspace(30, 60, 200)
    steps = np.diff(t_log_sf(t, df))
    assert (steps < 0).all()
    assert np.abs(np.diff(steps)).max() < 0.05


def test_nan_stays_nan():
    assert np.isnan(t_log_sf(np.array([np.nan]), 5)[0])


def test_normal():
    z = np.array([-9.0, 0.0, 1.5, 40.0])
    np.testing.assert_allclose(normal_log_sf(z), stats.norm.logsf(z), rtol=1e-12)
    assert normal_quantile(0.975) == pytest.approx(1.959963984540054, rel=1e-15)


@pytest.mark.parametrize("df", [1, 4, 119])
def test_chi_square(df):
    x = np.array([0.0, 0.3, 5.0, 200.0])
    np.testing.assert_allclose(chi2_log_sf(x, df), stats.chi2.logsf(x, df), rtol=1e-9, atol=1e-15)
    far = 3000.0
    log_density = stats.chi2.logpdf(far, df)
    area, _ = integrate.quad(lambda s: math.exp(stats.chi2.logpdf(far + s, df) - log_density), 0, 200)
    assert chi2_log_sf(np.array([far]), df)[0] == pytest.approx(log_density + math.log(area), rel=1e-9)


@pytest.mark.parametrize(("between", "within"), [(1, 5), (3, 40), (11, 4000)])
def test_f(between, within):
    f = np.array([0.0, 0.7, 4.0, 30.0])
    np.testing.assert_allclose(
        f_log_sf(f, between, within), stats.f.logsf(f, between, within), rtol=1e-8, atol=1e-14
    )


def test_f_of_one_numerator_is_t_squared():
    t = np.array([2.0, 50.0, 300.0])
    np.testing.assert_allclose(f_log_sf(t**2, 1, 500), t_log_sf(t, 500) + math.log(2), rtol=1e-10)


@given(st.floats(-30, 30))
def test_tails_make_p_values(z):
    two, greater, less = (
        float(np.exp(log_p_from_tails(np.array([z]), normal_log_sf, a)[0]))
        for a in ("two-sided", "greater", "less")
    )
    assert two == pytest.approx(min(1.0, 2 * min(greater, less)), rel=1e-12)
    assert greater + less == pytest.approx(1.0)


def test_one_sided_intervals():
    low, high = np.array([1.0, np.nan]), np.array([2.0, np.nan])
    np.testing.assert_array_equal(one_sided(low, high, "greater"), [[1.0, np.inf], [np.nan, np.nan]])
    np.testing.assert_array_equal(one_sided(low, high, "less", 0.0, 9.0), [[0.0, 2.0], [np.nan, np.nan]])
    assert two_sided_mass(0.95, "two-sided") == pytest.approx(0.025)
    assert two_sided_mass(0.95, "less") == pytest.approx(0.05)


def test_student_interval_is_scipys():
    z = np.random.default_rng(0).normal(size=12)
    wanted = stats.ttest_1samp(z, 0).confidence_interval(0.9)
    found = student_interval(np.array([z.mean()]), np.array([z.std(ddof=1)]), 12, 0.9, "two-sided")[0]
    np.testing.assert_allclose(found, [wanted.low, wanted.high], rtol=1e-12)
    assert np.isnan(student_interval(np.array([1.0]), np.array([np.nan]), 1, 0.9, "less")).all()


def test_continuity_moves_towards_the_null():
    centred = np.array([-2.0, 0.0, 3.0])
    np.testing.assert_array_equal(continuity_step(centred, "two-sided"), [-1, 0, 1])
    np.testing.assert_array_equal(continuity_step(centred, "greater"), [1, 1, 1])
    np.testing.assert_array_equal(continuity_step(centred, "less"), [-1, -1, -1])
