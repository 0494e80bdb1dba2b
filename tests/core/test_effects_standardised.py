"""Cohen's d, d_av and Hedges' g: R's formulas, noncentral t intervals, quadrature, resampling by hand."""

import math

import numpy as np
import pytest
from core.oracles import board, differences_batch, noncentral_t, one_pair
from golden.golden import agree, load, pair
from scipy import stats

from nlpstat_core import AnalysisConfig
from nlpstat_core.engine.distributions.noncentral_t import noncentral_t_cdf, noncentrality_at
from nlpstat_core.engine.resampling.streams import count_chunks
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.effects.bootstrap import STREAM
from nlpstat_core.methods.effects.cohen_d import noncentral_interval
from nlpstat_core.methods.effects.pooled import unbiasing_factor
from tests.calibration.other_intervals import normal_interval


def effect(key, batch, **settings):
    return EFFECTS[key].run(batch, AnalysisConfig(**settings), True)


@pytest.mark.parametrize("golden", load("effects", "formula"), ids=str)
def test_values_in_r(golden):
    batch = one_pair(*pair(golden.case))
    agree(
        golden,
        mean_difference=effect("mean-difference", batch).value[0],
        median_difference=effect("median-difference", batch).value[0],
        cohen_d=effect("cohen-d", batch).value[0],
        hedges_correction=unbiasing_factor(batch.n_units - 1),
        hedges_g=effect("hedges-g", batch).value[0],
        cohen_d_av=EFFECTS["cohen-d-av"].run(batch, AnalysisConfig(), False).value[0],
        common_language=effect("common-language", batch).value[0],
        rel=1e-7 if golden.case == "offset-30" else 1e-9,
    )


@pytest.mark.parametrize("golden", load("effects", "noncentral-t"), ids=str)
def test_noncentral_interval_in_r(golden):
    batch = one_pair(*pair(golden.case))
    found = effect("cohen-d", batch, alternative=golden.alternative, confidence_level=golden.options["level"])
    low, high = found.interval[0]
    agree(golden, lower=low, upper=high, rel=1e-6, absolute=1e-8)


@pytest.mark.parametrize("golden", load("effects", "hedges_g"), ids=str)
def test_effectsize_package_in_r(golden):
    batch = one_pair(*pair(golden.case))
    found = effect("hedges-g", batch, alternative=golden.alternative)
    low, high = found.interval[0]
    agree(golden, hedges_g=found.value[0], lower=low, upper=high, rel=2e-4, absolute=1e-4)


@pytest.mark.parametrize("golden", load("effects", "normal"), ids=str)
def test_normal_interval_in_r(golden):
    batch = one_pair(*pair(golden.case))
    d = effect("cohen-d", batch).value
    low, high = normal_interval(d, batch.n_units, golden.options["level"], golden.alternative)[0]
    agree(golden, lower=low, upper=high, rel=1e-7)


def test_figure_of_the_manual():
    low, high = normal_interval(np.array([0.73526]), 500, 0.95, "two-sided")[0]
    assert (low, high) == (pytest.approx(0.63647, abs=5e-6), pytest.approx(0.83405, abs=5e-6))
    assert unbiasing_factor(499) * 0.73526 == pytest.approx(0.73415, abs=5e-6)


@pytest.mark.parametrize("df", [1, 2, 7, 30, 250])
@pytest.mark.parametrize("t", [0.0, 0.8, 3.0, 12.0])
@pytest.mark.parametrize("shift", [-2.0, 0.0, 1.5])
def test_noncentral_t_by_quadrature_and_scipy(df, t, shift):
    delta = t + shift * math.sqrt(1 + t * t / (2 * df))
    found = noncentral_t_cdf(np.array([t]), df, np.array([delta]))[0]
    assert found == pytest.approx(noncentral_t(t, df, delta), abs=1e-9)
    assert found == pytest.approx(stats.nct.cdf(t, df, delta), abs=1e-9)


@pytest.mark.parametrize(("t", "df"), [(42.3, 99), (1e3, 1), (1e4, 99), (500.0, 4), (3.0, 1e5), (1e8, 1)])
@pytest.mark.parametrize("probability", [0.975, 0.5, 0.025])
def test_noncentrality_far_out(t, df, probability):
    found = noncentrality_at(np.array([t]), df, probability)
    assert noncentral_t_cdf(np.array([t]), df, found)[0] == pytest.approx(probability, abs=1e-12)


@pytest.mark.parametrize("steepness", [0.3, 2.0])
def test_the_integrals_agree_where_they_meet(steepness):
    for df in (1, 9, 499, 50_000):
        t = np.full(9, steepness * math.sqrt(2 * df))
        delta = t + np.linspace(-3, 3, 9) * np.sqrt(1 + t**2 / (2 * df))
        just_above = noncentral_t_cdf(np.nextafter(t, np.inf), df, delta)
        np.testing.assert_allclose(noncentral_t_cdf(t, df, delta), just_above, atol=1e-11)


def test_reflection_is_exact():
    d = np.array([0.3, -0.3, 0.0, np.nan, -4.2, 4.2])
    low, high = noncentral_interval(d, 40, 0.95, "two-sided").T
    assert (low[0], high[0]) == (-high[1], -low[1])
    assert (low[4], high[4]) == (-high[5], -low[5])
    assert low[2] == pytest.approx(-high[2])
    assert np.isnan([low[3], high[3]]).all()


def test_interval_and_test_agree():
    # The interval of d holds 0 exactly when the paired t test does not reject at the same level.
    rng = np.random.default_rng(12)
    for _ in range(20):
        z = rng.normal(0.35, 1, 30)
        low, high = effect("cohen-d", differences_batch(z)).interval[0]
        assert (low <= 0 <= high) == (stats.ttest_1samp(z, 0).pvalue >= 0.05)


@pytest.mark.parametrize("n", [3, 4, 10, 200])
def test_hedges_factor_by_moments(n):
    # J makes E[J·d] the true effect: E[1/s] of a normal sample is 1/J.
    m = n - 1
    expectation = (
        stats.chi(m).expect(lambda x: math.sqrt(m) / x, epsabs=1e-10) if n > 3 else math.sqrt(math.pi)
    )
    assert unbiasing_factor(m) == pytest.approx(1 / expectation, rel=1e-6)


def test_undefined_cases():
    two = differences_batch([1.0, 2.0])
    assert np.isnan(effect("hedges-g", two).value[0])
    assert effect("hedges-g", two).notes["too-few-units"][0]
    constant = differences_batch([1.0, 1.0, 1.0])
    for key in ("cohen-d", "hedges-g"):
        assert np.isnan(effect(key, constant).value[0])
        assert np.isnan(effect(key, constant).interval).all()
        assert effect(key, constant).notes["no-spread"][0]
    flat = one_pair([2.0, 2.0, 2.0], [1.0, 1.0, 1.0])
    assert effect("cohen-d-av", flat).notes["no-spread"][0]
    assert np.isnan(effect("cohen-d-av", flat).interval).all()


def test_bootstrap_of_d_av_by_hand():
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(23, 3)) + np.array([0.0, 0.4, 1.0])
    found = effect("cohen-d-av", board(scores), resamples=300, seed=5)
    values = np.empty((300, 3))
    row = 0
    for _, counts in count_chunks(23, 300, 5, STREAM):
        for count in counts.astype(int):
            drawn = np.repeat(scores, count, axis=0)
            spread = drawn.var(axis=0, ddof=1)
            for number, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
                gap = drawn[:, a].mean() - drawn[:, b].mean()
                values[row, number] = gap / np.sqrt((spread[a] + spread[b]) / 2)
            row += 1
    ordered = np.sort(values, axis=0)
    # 301 · 0.025 = 7.525: between the seventh and the eighth smallest
    np.testing.assert_allclose(
        found.interval[:, 0], ordered[6] + 0.525 * (ordered[7] - ordered[6]), rtol=1e-9
    )
