"""The closed-form permutation test of the median against all sign patterns."""

import math
from fractions import Fraction

import numpy as np
import pytest
from core.oracles_signflip import ALTERNATIVES, binomial_tail, enumerated_p, log_error
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.engine.signflip import KINDS, permutation_median_columns
from nlpstat_core.errors import NlpstatError


def twice_the_median(values: list[int]) -> int:
    ordered = sorted(values)
    return ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]


def p_of(z, alternative: str) -> float:
    return float(permutation_median_columns(np.asarray(z, dtype=float)[:, None], alternative).p_value[0])


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(z=st.lists(st.integers(-5, 5), min_size=1, max_size=9))
def test_ties_and_zeros(alternative, z):
    expected = float(enumerated_p(z, alternative, twice_the_median))
    assert p_of(z, alternative) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(z=st.lists(st.integers(-400, 400), min_size=1, max_size=9))
def test_decimals_tie_as_written(alternative, z):
    expected = float(enumerated_p(z, alternative, twice_the_median))
    shifted = [(one + 700) / 1000 - 0.7 for one in z]
    assert p_of(shifted, alternative) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_real_differences(alternative):
    rng = np.random.default_rng(0)
    for n in range(1, 12):
        z = rng.normal(size=n) + 0.3
        expected = float(enumerated_p(z, alternative, twice_the_median))
        assert p_of(z, alternative) == pytest.approx(expected, rel=1e-12)


def test_large_odd_samples_are_binomial():
    rng = np.random.default_rng(1)
    z = rng.normal(size=2001) + 1.0
    reach = int(np.sum(np.abs(z) >= np.median(z)))
    expected = 2 * binomial_tail(reach, 1001)
    found = permutation_median_columns(z[:, None])
    assert log_error(found.log10_p[0] * math.log(10), expected) < 1e-12
    assert found.kind[0] == KINDS.index("exact")


@pytest.mark.parametrize("n", [100, 1000, 6000])
def test_large_even_samples_with_far_apart_sizes(n):
    """With every size more than the sum of the smaller ones the upper middle value alone decides."""
    z = np.arange(1.0, n + 1.0) ** 3
    half = n // 2
    # All signs are +: t lies between a_m and a_(m+1), and so must both middle values.
    found = permutation_median_columns(z[:, None])
    assert log_error(found.log10_p[0] * math.log(10), _all_positive_p(z, half)) < 1e-12


def _all_positive_p(z: np.ndarray, half: int) -> Fraction:
    """Only a_(m+1) can be the upper middle value at or above t; then 2t − a_(m+1) = a_m must be positive."""
    n = z.size
    return 2 * Fraction(math.comb(n - half - 1, half - 1), 2 ** (n - half)) * Fraction(1, 2)


def test_mirror_and_missing_units():
    rng = np.random.default_rng(2)
    z = np.round(rng.normal(size=(40, 6)) + 0.2, 1)
    greater = permutation_median_columns(z, "greater").p_value
    less = permutation_median_columns(z, "less").p_value
    assert greater == pytest.approx(permutation_median_columns(-z, "less").p_value, rel=1e-12)
    assert np.all(greater + less >= 1 - 1e-12)
    z[3, 0] = z[5, 0] = z[6, 0] = math.nan
    z[:, 1] = math.nan
    found = permutation_median_columns(z)
    own = z[~np.isnan(z[:, 0]), 0]
    assert found.p_value[0] == p_of(own, "two-sided")
    assert math.isnan(found.p_value[1])
    assert found.p_value[2] == p_of(z[:, 2], "two-sided")


def test_copies_and_refusals():
    assert p_of(np.zeros(7), "two-sided") == 1.0
    assert p_of(np.zeros(8), "greater") == 1.0
    for alternative in ALTERNATIVES:
        assert np.isnan(permutation_median_columns(np.zeros((0, 2)), alternative).p_value).all()
    with pytest.raises(NlpstatError, match="alternative"):
        permutation_median_columns(np.ones((3, 1)), "both")
