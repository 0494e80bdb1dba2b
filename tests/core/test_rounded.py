"""Weights rounded to a grid and counted: what the counts say of their error holds against exact counts."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpstat_core.engine.signflip.counting import log_at_most_counted
from nlpstat_core.engine.signflip.rounded import log_at_most_rounded

MOST_UNITS = 40_000


def _giants(rng, n):
    return np.append(rng.integers(1, 60, n - 3), rng.integers(MOST_UNITS // 8, MOST_UNITS // 3, 3))


# Whole numbers, so that sums can be counted exactly: smooth, heavy-tailed, on a coarse lattice, near one.
MAKES = {
    "even": lambda rng, n: rng.integers(1, 400, n),
    "heavy tails": lambda rng, n: np.minimum(np.rint(np.exp(2.5 * rng.normal(size=n)) * 3) + 1, MOST_UNITS),
    "giants": _giants,
    "lattice": lambda rng, n: rng.integers(1, 7, n) * 333,
    "near a lattice": lambda rng, n: rng.integers(1, 7, n) * 333 + rng.integers(-1, 2, n),
    "two scales": lambda rng, n: np.where(
        rng.random(n) < 0.5, rng.integers(1, 4, n), 500 + rng.integers(0, 9, n)
    ),
    "half a lattice": lambda rng, n: np.where(rng.random(n) < 0.5, 1_000, rng.integers(1, 5, n)),
}


@pytest.mark.parametrize("make", MAKES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(25, 300), depth=st.floats(0.02, 0.5))
def test_stated_errors_hold_against_exact_counts(make, seed, n, depth):
    rng = np.random.default_rng(seed)
    weights = np.sort(MAKES[make](rng, n).astype(float))
    # A sum that some subset has, so that the limit lies right beside one, as an observed sum does.
    flipped = rng.random(n) < depth
    flipped[:2] = True
    limit = float(weights[flipped].sum()) + 0.5
    exact, below = log_at_most_counted(weights, np.array([int(limit), int(limit) - 1]))
    for cells in (1 << 11, 1 << 13):
        found = log_at_most_rounded(weights, limit, cells, step=1.0)
        assert abs(math.expm1(found.log_p - exact)) <= found.error
        assert found.log_below <= found.log_p + 1e-12
        if below > -math.inf and math.isfinite(found.log_below):
            assert math.exp(found.log_below) == pytest.approx(
                math.exp(below), abs=2.0 * (found.error + 0.02) * math.exp(exact)
            )


def test_finer_grids_state_smaller_errors_and_have_them():
    rng = np.random.default_rng(3)
    weights = np.sort(np.rint(np.exp(2 * rng.normal(size=150)) * 100))
    limit = math.floor(0.35 * float(weights.sum())) + 0.5
    exact = float(log_at_most_counted(weights, np.array([int(limit)]))[0])
    stated, apart = [], []
    for bits in (10, 12, 14, 16):
        found = log_at_most_rounded(weights, limit, 1 << bits)
        stated.append(found.error)
        apart.append(abs(math.expm1(found.log_p - exact)))
    assert all(later < 0.5 * sooner for sooner, later in pairwise(stated))
    assert apart[-1] < 1e-5
    assert stated[-1] < 1e-3


def test_thousands_of_weights_and_probabilities_too_small_for_floats():
    """The binomial distribution, whose numbers of subsets are beyond floating point, and so is p."""
    n, most = 3_000, 300
    weights = np.full(n, 1.0)
    found = log_at_most_rounded(weights, most + 0.5, 4_096)
    log_terms = [
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
        for k in range(most + 1)
    ]
    exact = max(log_terms) + math.log(sum(math.exp(term - max(log_terms)) for term in log_terms))
    assert exact < -700
    assert abs(found.log_p - exact) <= found.error + 1e-9


def test_the_same_weights_in_another_unit():
    rng = np.random.default_rng(4)
    weights = np.sort(rng.lognormal(0, 2, 90))
    limit = 0.3 * float(weights.sum())
    one, other = (log_at_most_rounded(weights * unit, limit * unit, 1 << 13) for unit in (1.0, 2.0**40))
    assert one == pytest.approx(other, nan_ok=True)


def test_what_would_not_be_useful_is_not_counted():
    rng = np.random.default_rng(5)
    weights = np.sort(rng.lognormal(0, 1, 2_000))
    limit = 0.1 * float(weights.sum())
    assert log_at_most_rounded(weights, limit, 500).error > 0.01
    assert log_at_most_rounded(weights, limit, 500, useful=1e-3).error == math.inf
