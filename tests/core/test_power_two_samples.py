"""The average of Collings and Hamilton for two samples that share no units."""

import numpy as np
import pytest
from scipy import stats

from nlpstat_core import AnalysisError, Cancelled, ConfigError
from nlpstat_core.power import unpaired_power_curve
from nlpstat_core.power.bands import wilson_band

NORMAL = stats.norm.ppf((np.arange(200) + 0.5) / 200)


@pytest.mark.parametrize("test", ["welch-t", "student-t"])
def test_normal_samples_follow_the_noncentral_t(test):
    from statsmodels.stats.power import TTestIndPower

    x, y = NORMAL / NORMAL.std(ddof=1), NORMAL[::2] / NORMAL[::2].std(ddof=1) + 3
    curve = unpaired_power_curve(x, y, shift=0.4, test=test, factors=(0.4, 1.0), iterations=2000)
    expected = [TTestIndPower().power(0.4, n, 0.05, ratio=m / n) for n, m in curve.sizes]
    lower, upper = wilson_band(curve.power * 2000, 2000, 0.9999)
    assert ((lower <= expected) & (expected <= upper)).all()
    assert curve.sizes.tolist() == [[80, 40], [200, 100]]


def test_the_average_is_weighted_by_the_sizes():
    rng = np.random.default_rng(0)
    x, y = rng.normal(0, 1, 60), rng.normal(0, 4, 20)
    curve = unpaired_power_curve(x, y, shift=1.0, iterations=300)
    np.testing.assert_allclose(curve.power, (60 * curve.power_x + 20 * curve.power_y) / 80)
    assert (curve.power_x > curve.power_y).all()
    again = unpaired_power_curve(x, y, shift=1.0, iterations=300)
    np.testing.assert_array_equal(again.power, curve.power)


@pytest.mark.parametrize("test", ["welch-t", "student-t", "mann-whitney"])
def test_level_and_direction(test):
    x, y = np.random.default_rng(1).exponential(1, (2, 80)).round(2)
    null = unpaired_power_curve(x, y + 9, shift=0.0, test=test, factors=(1.0,), iterations=600)
    assert null.power[0] <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 600)
    settings = {"shift": 0.5, "test": test, "factors": (1.0,), "iterations": 200}
    up = unpaired_power_curve(x, y, alternative="greater", **settings)
    down = unpaired_power_curve(x, y, alternative="less", **settings)
    assert up.power[0] > 0.5 > down.power[0]


def test_refusals_progress_and_cancel():
    with pytest.raises(AnalysisError):
        unpaired_power_curve([1.0], [1.0, 2.0], shift=1.0)
    with pytest.raises(ConfigError, match="Did you mean 'welch-t'"):
        unpaired_power_curve([1.0, 2.0], [1.0, 2.0], shift=1.0, test="welch")
    lines = []
    unpaired_power_curve(NORMAL, NORMAL, shift=1.0, iterations=10, progress=lambda *step: lines.append(step))
    assert lines[-1] == (10, 10)
    with pytest.raises(Cancelled):
        unpaired_power_curve(NORMAL, NORMAL, shift=1.0, should_stop=lambda: True)
