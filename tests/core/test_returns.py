"""Returns of φ: what is dismissed early is bounded, or next to nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from core.searched_pairs import searched_pair

from nlpstat_core.engine.signflip import returns
from nlpstat_core.engine.signflip.columns import sign_flip_columns
from nlpstat_core.engine.signflip.returns import likely_return
from nlpstat_core.engine.signflip.vanishing import left_to_the_period

# Of an area: what single precision costs, and at most what turns have that few of the weights dismiss.
SINGLE, DISMISSED = 2e-4, 0.02


def _rounded_fractions(seed, n_pairs=12, n=300):
    """Whole numbers near multiples of a seventh or a third, few of them astray; tilts small to large."""
    rng = np.random.default_rng(seed)
    weights = np.rint(rng.integers(1, 60, (n_pairs, n)) * 10_000 / rng.choice([3, 7], (n_pairs, 1)))
    stray = rng.random((n_pairs, n)) < rng.choice([0.0, 0.01, 0.1, 1.0], (n_pairs, 1))
    weights = np.sort(np.where(stray, rng.integers(1, 200_000, (n_pairs, n)), weights), axis=1)
    tau = rng.uniform(0.0, 8.0, n_pairs) / np.sqrt((weights**2).sum(axis=1))
    sd = np.sqrt((weights**2 / np.cosh(tau[:, None] * weights) ** 2).sum(axis=1))
    return weights, tau, sd, 36.0 / sd


def _areas(pairs, negligible, hopeless, whole):
    weights, tau, sd, beyond = pairs
    return likely_return(weights, tau, sd, beyond, negligible, hopeless, whole)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_returns_dismissed_early_leave_out_next_to_nothing(seed, whole):
    pairs = _rounded_fractions(seed)
    if not whole:
        weights, tau, sd, beyond = pairs
        pairs = weights / 1e4, tau * 1e4, sd / 1e4, beyond * 1e4
    none, ever = np.zeros(12), np.full(12, np.inf)
    all_weights = _areas(pairs, -ever, ever, whole)
    assert all_weights.max() > 1e-3
    early = _areas(pairs, none + 1e-8, ever, whole)
    assert np.all(early >= all_weights * (1.0 - DISMISSED) - 1e-5)
    assert np.all(early <= 2.0 * all_weights + 1e-5)
    stopped = _areas(pairs, none + 1e-8, none + 1e-3, whole)
    assert np.all(stopped >= early * (1.0 - SINGLE))
    assert np.any(stopped > early)
    one = [part[3:4] for part in (*pairs, none + 1e-8, none + 1e-3)]
    assert _areas(one[:4], *one[4:], whole)[0] == stopped[3]


@pytest.mark.parametrize("number", [31_051_596, 31_067_156, 31_115_146])
def test_weights_that_tell_the_most_are_asked_first(number, monkeypatch):
    """Found by searching: thousands of turns at which nearly all weights come back, and a few don't."""
    z = searched_pair(number, 3_000)[:, None]
    looks, factors = [0], returns._factors

    def counted(phases, *others):
        looks[0] += phases.size
        return factors(phases, *others)

    monkeypatch.setattr(returns, "_factors", counted)
    found, few = sign_flip_columns(z), looks[0]
    monkeypatch.setattr(returns, "MANY_TURNS", 1 << 40)
    as_they_come = sign_flip_columns(z)
    assert few < 0.3 * (looks[0] - few)
    assert found.p_value[0] == as_they_come.p_value[0]
    assert found.error[0] == pytest.approx(as_they_come.error[0], rel=1.0)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_to_the_period_is_a_bound_of_the_integral(seed):
    """Against ∫|φ|·|kernel| on a dense grid, for few and many weights, tilted or not, and near a lattice."""
    rng = np.random.default_rng(seed)
    finite = 0
    for n in (60, 150, 300):
        for coarse in (1, 5):
            weights = np.sort(rng.integers(1, 60, n) * coarse).astype(float)
            weights[0] = 1.0
            sd = math.sqrt(float(weights @ weights))
            tau, begin, share = rng.choice([0.0, 0.5, 3.0]) / sd + 1e-6, 30.0 / sd, 0.05
            arguments = (np.array([tau]), np.array([begin]), np.log([share]))
            bound = left_to_the_period(np.sort(weights)[None, :], *arguments)[0]
            y = np.linspace(begin, math.pi / 2.0, 20_001)
            factors = 1.0 - np.sin(np.outer(y, weights)) ** 2 / np.cosh(tau * weights) ** 2
            modulus = np.exp(0.5 * np.log(np.maximum(factors, 1e-300)).sum(axis=1))
            kernel = 2.0 / np.abs(-np.expm1(-2.0 * (tau + 1j * y)))
            left = float((modulus * kernel).mean()) * (math.pi / 2.0 - begin) / math.pi / share
            assert bound >= left, (n, coarse)
            finite += bound <= 1e-7
    assert finite >= 2
