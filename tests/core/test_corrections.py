"""Corrections: golden values from R's p.adjust, an oracle from the definitions, properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core import AnalysisError, ConfigError, adjust_p_values
from nlpstat_core.methods.corrections import CORRECTIONS, family_size

OF_P_VALUES = [record.key for record in CORRECTIONS if record.p_values_only]
P_LISTS = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=30)


def holm_by_definition(p):
    """Each p-value: the largest (m − j + 1) p_(j) over the hypotheses no larger than it."""
    m, order = len(p), sorted(range(len(p)), key=lambda i: p[i])
    out, running = [0.0] * m, 0.0
    for step, i in enumerate(order):
        running = max(running, min(1.0, (m - step) * p[i]))
        out[i] = running
    return out


def benjamini_hochberg_by_definition(p):
    m, order = len(p), sorted(range(len(p)), key=lambda i: p[i])
    return [min(min(1.0, m / (k + 1) * p[order[k]]) for k in range(order.index(i), m)) for i in range(m)]


def hommel_by_closed_testing(p):
    """Largest Simes p-value of all intersections that contain the hypothesis."""
    from itertools import combinations

    m = len(p)
    out = list(p)
    for size in range(1, m + 1):
        for subset in combinations(range(m), size):
            ranked = sorted(p[i] for i in subset)
            simes = min(1.0, min(size / (k + 1) * value for k, value in enumerate(ranked)))
            for i in subset:
                out[i] = max(out[i], simes)
    return out


@given(P_LISTS)
def test_holm_is_its_definition(p):
    np.testing.assert_allclose(adjust_p_values(p, "holm"), holm_by_definition(p), rtol=1e-12)


@given(P_LISTS)
def test_benjamini_hochberg_is_its_definition(p):
    np.testing.assert_allclose(
        adjust_p_values(p, "benjamini-hochberg"), benjamini_hochberg_by_definition(p), rtol=1e-12
    )


@given(st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=6))
def test_hommel_is_the_closed_test_of_simes(p):
    np.testing.assert_allclose(adjust_p_values(p, "hommel"), hommel_by_closed_testing(p), rtol=1e-12)


@pytest.mark.parametrize("method", OF_P_VALUES)
@given(p=P_LISTS)
def test_adjusted_never_falls_below_p_nor_out_of_order(method, p):
    adjusted = adjust_p_values(p, method)
    assert np.all(adjusted >= np.array(p) - 1e-15)
    assert np.all(adjusted <= 1)
    order = np.argsort(p, kind="stable")
    assert np.all(np.diff(adjusted[order]) >= -1e-12)


@pytest.mark.parametrize("method", OF_P_VALUES)
def test_undefined_leaves_the_family(method):
    p = np.array([0.01, np.nan, 0.04, 0.03])
    adjusted = adjust_p_values(p, method)
    assert np.isnan(adjusted[1])
    np.testing.assert_allclose(adjusted[[0, 2, 3]], adjust_p_values(p[[0, 2, 3]], method))
    assert family_size(p) == 3


@pytest.mark.parametrize("method", OF_P_VALUES)
def test_empty_family_and_single_test(method):
    assert adjust_p_values([], method).size == 0
    np.testing.assert_allclose(adjust_p_values([0.2], method), [0.2])


def test_trap_22_bonferroni_grows_with_the_family():
    p = [0.001, 0.02, 0.5]
    assert np.all(adjust_p_values(p + [0.9] * 20, "bonferroni")[:3] >= adjust_p_values(p, "bonferroni"))


def test_trap_23_step_down_keeps_the_running_maximum():
    np.testing.assert_allclose(adjust_p_values([0.01, 0.011, 0.2], "holm"), [0.03, 0.03, 0.2])


def test_refusals():
    with pytest.raises(ConfigError, match=r"Did you mean 'bonferroni'"):
        adjust_p_values([0.1], "bonferoni")
    with pytest.raises(AnalysisError, match="between 0 and 1"):
        adjust_p_values([0.1, 1.5])
    with pytest.raises(AnalysisError, match="one list"):
        adjust_p_values(np.zeros((2, 2)))
    with pytest.raises(AnalysisError, match="hochberg or holm"):
        adjust_p_values(np.full(100_001, 0.5), "hommel")
