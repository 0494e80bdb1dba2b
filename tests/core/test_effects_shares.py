"""Common-language effect size, odds ratio, Cohen's g: R, statsmodels, published values."""

import numpy as np
import pytest
from core.oracles import differences_batch, one_pair
from golden.golden import agree, load
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from nlpstat_core import AnalysisConfig
from nlpstat_core.methods.effects import EFFECTS


def effect(key, batch, **settings):
    return EFFECTS[key].run(batch, AnalysisConfig(**settings), True)


def counts_batch(b, c, both=3):
    """0/1 columns with b units that only a gets right and c that only b does."""
    return one_pair([1] * b + [0] * c + [1] * both, [0] * b + [1] * c + [1] * both)


@pytest.mark.parametrize("method", ["odds-ratio", "cohen-g"])
def test_r(method):
    for golden in load("effects", method):
        batch = counts_batch(int(golden.options["b"]), int(golden.options["c"]))
        found = effect(
            method, batch, alternative=golden.alternative, confidence_level=golden.options["level"]
        )
        low, high = found.interval[0]
        agree(golden, **{method.replace("-", "_"): found.value[0]}, lower=low, upper=high)


def test_published_table():
    there, back = counts_batch(994, 476), counts_batch(476, 994)
    odds, g = effect("odds-ratio", there), effect("cohen-g", there)
    assert odds.value[0] == pytest.approx(2.0882, abs=5e-5)
    np.testing.assert_allclose(odds.interval[0], [1.8702, 2.3342], atol=5e-5)
    assert g.value[0] == pytest.approx(0.17619, abs=5e-6)
    np.testing.assert_allclose(g.interval[0], [0.15160, 0.20008], atol=5e-6)
    assert effect("odds-ratio", back).value[0] == pytest.approx(1 / odds.value[0])
    np.testing.assert_allclose(effect("odds-ratio", back).interval[0], 1 / odds.interval[0, ::-1], rtol=1e-9)
    assert effect("cohen-g", back).value[0] == -g.value[0]


def test_ends_of_the_odds():
    won = effect("odds-ratio", counts_batch(4, 0))
    assert np.isinf(won.value[0])
    assert won.notes["infinite-odds"][0]
    assert won.interval[0, 0] > 0
    assert np.isinf(won.interval[0, 1])
    lost = effect("odds-ratio", counts_batch(0, 4))
    assert (lost.value[0], lost.interval[0, 0]) == (0.0, 0.0)
    for key in ("odds-ratio", "cohen-g"):
        ties = effect(key, counts_batch(0, 0))
        assert np.isnan(ties.value[0])
        assert np.isnan(ties.interval).all()
        assert ties.notes["no-untied-units"][0]


def test_common_language_without_ties_is_wilson():
    z = np.array([1.0] * 14 + [-1.0] * 7)
    found = effect("common-language", differences_batch(z))
    assert found.value[0] == pytest.approx(14 / 21)
    np.testing.assert_allclose(found.interval[0], proportion_confint(14, 21, method="wilson"), rtol=1e-9)


def test_common_language_with_ties_uses_their_variance():
    z = np.array([1.0] * 20 + [-1.0] * 10 + [0.0] * 170)
    scores = np.array([1.0] * 20 + [0.0] * 10 + [0.5] * 170)
    found = effect("common-language", differences_batch(z))
    assert found.value[0] == scores.mean()
    # for many units the interval is that of a mean of the unit scores
    margin = stats.norm.ppf(0.975) * scores.std() / np.sqrt(200)
    np.testing.assert_allclose(found.interval[0], [scores.mean() - margin, scores.mean() + margin], atol=1e-3)
    plain = np.ptp(proportion_confint(105, 200, method="wilson"))
    assert 2.4 < plain / np.ptp(found.interval[0]) < 3


def test_common_language_covers_its_level():
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(400):
        z = rng.choice([-1.0, 0.0, 1.0], 80, p=[0.1, 0.7, 0.2])
        low, high = effect("common-language", differences_batch(z)).interval[0]
        inside += low <= 0.55 <= high
    assert inside / 400 == pytest.approx(0.95, abs=0.035)


def test_ends_of_the_share():
    won = effect("common-language", differences_batch(np.ones(10)))
    assert won.value[0] == 1.0
    np.testing.assert_allclose(won.interval[0], proportion_confint(10, 10, method="wilson"), rtol=1e-9)
    ties = effect("common-language", differences_batch(np.zeros(10)))
    assert ties.value[0] == 0.5
    assert np.isnan(ties.interval).all()
    assert ties.notes["no-untied-units"][0]


def test_one_sided_intervals_end_at_the_bounds():
    batch = counts_batch(12, 5)
    assert effect("common-language", batch, alternative="greater").interval[0, 1] == 1.0
    assert effect("common-language", batch, alternative="less").interval[0, 0] == 0.0
    assert effect("cohen-g", batch, alternative="greater").interval[0, 1] == 0.5
    assert np.isinf(effect("odds-ratio", batch, alternative="greater").interval[0, 1])
