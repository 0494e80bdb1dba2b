"""Student's paired t test: R's t.test, a quadrature, and what must hold for any data."""

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, differences_batch, log_t_tail, one_pair, p_of, run
from golden.golden import agree, load, pair
from scipy import stats

from nlpstat_core.engine.distributions.tails import student_interval


@pytest.mark.parametrize("golden", load("t", "t.test"), ids=str)
def test_r(golden):
    delta, level = golden.options["delta"], golden.options["level"]
    batch = one_pair(*pair(golden.case), delta)
    found = run("t", batch, alternative=golden.alternative)
    low, high = student_interval(batch.mean, batch.sd, batch.n_units, level, golden.alternative)[0]
    rel = 1e-7 if golden.case == "offset-30" else 1e-9  # scores near a million with three decimals
    # R's own p underflows to 0 far out; its logarithm does not.
    p_value = {"p_value": found.p_value[0]} if golden.values["p_value"] > 1e-300 else {}
    agree(
        golden,
        statistic=found.statistic[0],
        log10_p=found.log10_p[0],
        lower=low,
        upper=high,
        rel=rel,
        **p_value,
    )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scipy_on_a_board(alternative):
    scores = np.random.default_rng(3).normal(size=(25, 6)).cumsum(axis=1)
    left, right = np.triu_indices(6, 1)
    for a, b in zip(left, right, strict=True):
        wanted = stats.ttest_rel(scores[:, a], scores[:, b], alternative=alternative)
        found = run("t", one_pair(scores[:, a], scores[:, b]), alternative=alternative)
        assert found.statistic[0] == pytest.approx(wanted.statistic, rel=1e-10)
        assert found.p_value[0] == pytest.approx(wanted.pvalue, rel=1e-9)


@pytest.mark.parametrize(("t", "n"), [(1.5, 4), (5.0, 12), (60.0, 30), (300.0, 200), (2e4, 400)])
def test_tail_by_quadrature(t, n):
    z = np.linspace(-1, 1, n)
    z = z - z.mean()
    z = z / (z.std(ddof=1) / np.sqrt(n)) + t
    found = run("t", differences_batch(z), alternative="greater")
    assert found.statistic[0] == pytest.approx(t, rel=1e-9)
    assert found.log10_p[0] * np.log(10) == pytest.approx(
        log_t_tail(float(found.statistic[0]), n - 1), rel=1e-9
    )


def test_too_few_units_and_no_spread():
    single = run("t", one_pair([1.0], [0.5]))
    assert np.isnan(single.p_value[0])
    assert single.notes["too-few-units"][0]
    equal = run("t", one_pair([1, 2, 3], [1, 2, 3]))
    assert equal.p_value[0] == 1.0
    constant = run("t", one_pair([0.3, 0.5, 0.9], [0.2, 0.4, 0.8]))
    assert np.isnan(constant.p_value[0])
    assert constant.notes["no-spread"][0]
    shifted = run("t", one_pair([0.3, 0.5, 0.9], [0.2, 0.4, 0.8], delta=0.1), delta=0.1)
    assert shifted.p_value[0] == 1.0


def test_nearly_cancelling_differences():
    rng = np.random.default_rng(0)
    z = rng.normal(size=40)
    z -= z.mean()
    assert p_of("t", differences_batch(z)) == pytest.approx(1.0, abs=1e-12)
