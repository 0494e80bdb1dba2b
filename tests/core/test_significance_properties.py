"""What holds for any differences: symmetry, order, scale, zeros, and p that never leaves (0, 1]."""

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, differences_batch, p_of, run
from hypothesis import given
from hypothesis import strategies as st

KEYS = ("t", "wilcoxon", "sign", "permutation-mean", "permutation-median")
WITHOUT_ZEROS = ("wilcoxon", "sign", "permutation-mean")

decimals = st.integers(-500, 500).map(lambda k: k / 100)
reals = st.floats(-1e3, 1e3, allow_subnormal=False).map(lambda x: round(x, 9))
samples = st.lists(decimals, min_size=1, max_size=25) | st.lists(reals, min_size=2, max_size=25)
every_test = pytest.mark.parametrize("key", KEYS)


def tails(key, z, delta=0.0):
    batch = differences_batch(np.array(z, dtype=float), delta)
    return [p_of(key, batch, alternative=alternative, delta=delta) for alternative in ALTERNATIVES]


@every_test
@given(z=samples)
def test_probabilities_and_their_symmetry(key, z):
    two, greater, less = tails(key, z)
    back = tails(key, [-x for x in z])
    np.testing.assert_allclose(back, [two, less, greater], rtol=1e-9)
    if np.isnan(two):
        assert key == "t"
        return
    assert 0 < min(two, greater, less) <= max(two, greater, less) <= 1
    assert greater + less >= 1 - 1e-9
    assert two <= min(1.0, 2 * min(greater, less)) * (1 + 1e-9)


@every_test
@given(z=samples, seed=st.integers(0, 9))
def test_order_and_scale(key, z, seed):
    mixed = np.random.default_rng(seed).permutation(z)
    base = tails(key, z)
    np.testing.assert_allclose(tails(key, mixed), base, rtol=1e-8)
    np.testing.assert_allclose(tails(key, 4 * mixed), base, rtol=1e-8)


@pytest.mark.parametrize("key", WITHOUT_ZEROS)
@given(z=samples, zeros=st.integers(1, 5))
def test_ties_add_nothing(key, z, zeros):
    np.testing.assert_allclose(tails(key, [*z, *[0.0] * zeros]), tails(key, z), rtol=1e-9)


@every_test
@given(z=st.lists(decimals, min_size=2, max_size=25), delta=decimals)
def test_hypothesised_difference_is_a_shift(key, z, delta):
    shifted = np.round(np.array(z) - delta, 2)
    np.testing.assert_allclose(tails(key, z, delta), tails(key, shifted), rtol=1e-7)


@every_test
@given(half=st.lists(decimals.filter(bool), min_size=1, max_size=12))
def test_balanced_differences_are_no_evidence(key, half):
    z = np.array([*half, *[-x for x in half]])
    assert p_of(key, differences_batch(z)) == pytest.approx(1.0, abs=1e-9)
    assert run(key, differences_batch(z)).direction[0] == 0 or key in ("t", "permutation-mean")


@every_test
@given(z=st.lists(decimals, min_size=3, max_size=20))
def test_a_larger_advantage_is_never_less_significant(key, z):
    base = p_of(key, differences_batch(np.array(z)), alternative="greater")
    moved = p_of(key, differences_batch(np.array(z) + 0.5), alternative="greater")
    assert np.isnan(base) or np.isnan(moved) or moved <= base * (1 + 1e-9)
