"""The sign test: R's binom.test, fractions, and the order-statistic interval of the median."""

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, binomial_p, differences_batch, one_pair, run
from golden.golden import agree, load, pair
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core import AnalysisConfig
from nlpstat_core.engine.samples.locations import medians, sign_test_order
from nlpstat_core.methods.significance import TESTS


@pytest.mark.parametrize("golden", load("sign", "binom.test"), ids=str)
def test_r(golden):
    batch = one_pair(*pair(golden.case), golden.options["delta"])
    found = run("sign", batch, alternative=golden.alternative)
    agree(golden, statistic=found.statistic[0], p_value=found.p_value[0])
    assert batch.wins[0] + batch.losses[0] == golden.values["n_nonzero"]


@pytest.mark.parametrize("golden", load("sign", "order-statistics"), ids=str)
def test_interval_of_the_median_in_r(golden):
    config = AnalysisConfig(alternative=golden.alternative, confidence_level=golden.options["level"])
    found = medians(one_pair(*pair(golden.case)), config)
    low, high = found.interval[0]
    agree(golden, lower=low, upper=high, level_achieved=found.achieved[0])


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=300), st.sampled_from(ALTERNATIVES))
def test_fractions(whole, alternative):
    z = np.array(whole, dtype=float)
    found = run("sign", differences_batch(z), alternative=alternative)
    wins, losses = int(np.sum(z > 0)), int(np.sum(z < 0))
    assert found.p_value[0] == pytest.approx(float(binomial_p(wins, losses, alternative)), rel=1e-12)
    assert found.statistic[0] == wins
    assert found.p_kind[0] == 0


def test_decimals_tie_where_floats_do_not():
    # 0.3 − 0.2 and 0.1 differ in the last bit; as scores with one decimal the differences equal 0.1.
    batch = one_pair([0.3, 0.7, 0.9], [0.2, 0.6, 0.8], delta=0.1)
    found = run("sign", batch, delta=0.1)
    assert found.p_value[0] == 1.0
    assert found.statistic[0] == 0


@pytest.mark.parametrize(("n", "order"), [(5, 0), (6, 1), (20, 6), (100, 40)])
def test_order_statistics_of_the_median(n, order):
    assert sign_test_order(n, 0.95, "two-sided")[0] == order


def test_interval_needs_units():
    found = TESTS["sign"].estimate(differences_batch([1.0, 2.0, 3.0, 4.0, 5.0]), AnalysisConfig())
    assert found.value[0] == 3.0
    np.testing.assert_array_equal(found.interval[0], [-np.inf, np.inf])
    assert found.notes["interval-needs-more-units"][0]


def test_medians_of_binary_scores_come_from_counts():
    rng = np.random.default_rng(7)
    for share in (0.2, 0.5, 0.9):
        u, v = (rng.random((2, 41)) < [[share], [0.4]]).astype(float)
        found = medians(one_pair(u, v), AnalysisConfig())
        z = np.sort(u - v)
        order, _ = sign_test_order(41, 0.95, "two-sided")
        assert found.value[0] == np.median(z)
        np.testing.assert_array_equal(found.interval[0], [z[order - 1], z[41 - order]])
