"""Where sign flips of few or unequal weights begin to reject, against the definition solved one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

import nlpstat_core as ns
from nlpstat_core.power import board_power, flip_moves, thresholds
from nlpstat_core.power.thresholds import saddlepoint_limit

LAWS = {
    "half normal": lambda rng, n: np.abs(rng.normal(size=n)),
    "equal": lambda rng, n: np.ones(n),
    "lognormal": lambda rng, n: rng.lognormal(0, 2, n),
    "Cauchy": lambda rng, n: np.abs(rng.standard_cauchy(n)),
    "one giant": lambda rng, n: np.where(np.arange(n) == 0, 200.0, 1.0 + rng.random(n)),
    "two scales": lambda rng, n: np.where(rng.random(n) < 0.3, 300.0, 1.0) * rng.random(n),
    "nearly all zero": lambda rng, n: np.where(np.arange(n) < n - 8, 0.0, rng.random(n)),
    "minute": lambda rng, n: 1e-12 * rng.lognormal(0, 1, n),
}


def log_p(log_tilts, weights):
    """Lugannani and Rice's log P(T ≥ K′(s)) at some tilts, from the definition."""
    s = np.exp(np.atleast_1d(log_tilts))
    turn = np.outer(s, weights)
    first, second = np.tanh(turn) @ weights, np.cosh(np.minimum(turn, 300.0)) ** -2.0 @ weights**2
    growth = np.sum(np.logaddexp(turn, -turn) - np.log(2), axis=1)
    r, v = np.sqrt(2 * (s * first - growth)), s * np.sqrt(second)
    p = special.ndtr(-r) + stats.norm.pdf(r) * (1 / np.maximum(v, 1e-12) - 1 / r)
    return np.log(np.clip(p, 1e-300, 1.0))


def by_search(weights, tail):
    """The same limit by looking along a fine scale of tilts for where p first passes the tail."""
    weights = weights[weights > 0]
    if not weights.size or 2.0**-weights.size > tail:
        return np.inf
    root = np.sqrt(np.sum(weights**2))
    tilts = np.arange(np.log(special.ndtri(1 - tail) / root), np.log(20 / weights.min()) + 0.05, 0.05)
    beyond = log_p(tilts, weights) < np.log(tail)
    if not beyond.any():
        return np.inf
    at = int(np.argmax(beyond))
    tilt = optimize.brentq(
        lambda u: log_p(u, weights)[0] - np.log(tail), tilts[at - 1], tilts[at], xtol=1e-12
    )
    return float(np.sum(weights * np.tanh(np.exp(tilt) * weights)) / root)


def resamples(rng, n, number):
    return np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(number)]).astype(float)


@pytest.mark.parametrize("tail", [0.025, 1e-4, 1e-7])
@pytest.mark.parametrize("law", LAWS)
def test_the_limit_of_every_resample_is_the_one_looked_for_by_itself(law, tail):
    rng = np.random.default_rng(len(law))
    for n in (14, 40):
        sizes, times = LAWS[law](rng, n), resamples(rng, n, 24)
        found = saddlepoint_limit(sizes, times, tail)
        expected = [by_search(np.repeat(sizes, row.astype(int)), tail) for row in times]
        assert found == pytest.approx(expected, rel=2e-4)
        assert saddlepoint_limit(sizes, times[:1], tail) == pytest.approx(found[:1], rel=2e-4)


@given(
    sizes=st.lists(st.floats(1e-3, 1e3), min_size=6, max_size=30),
    seed=st.integers(0, 2**32),
    tail=st.floats(1e-9, 0.1),
)
def test_limits_hold_whatever_the_weights(sizes, seed, tail):
    sizes = np.array(sizes)
    times = resamples(np.random.default_rng(seed), sizes.size, 4)
    found, root = saddlepoint_limit(sizes, times, tail), np.sqrt(times @ sizes**2)
    finite = np.isfinite(found)
    assert np.all(found[finite] > 0)
    assert np.all((found * root)[finite] <= (times @ sizes)[finite] * (1 + 1e-12))  # all signs alike
    assert np.all(finite <= (2.0**-sizes.size <= tail))
    assert saddlepoint_limit(1e5 * sizes, times, tail) == pytest.approx(found, rel=1e-9)
    expected = [by_search(np.repeat(sizes, row.astype(int)), tail) for row in times]
    close = np.isfinite(expected) & finite
    assert found[close] == pytest.approx(np.array(expected)[close], rel=1e-3)


def test_limits_of_a_dozen_unequal_weights_are_near_those_by_counting():
    """The share of all patterns of signs at or above the limit is about the tail."""
    sizes = np.random.default_rng(3).random(16) + 0.2
    patterns = (np.arange(2**16)[:, None] >> np.arange(16)) & 1
    sums = (2 * patterns - 1) @ sizes
    for tail in (0.025, 0.002):
        limit = saddlepoint_limit(sizes, np.ones((1, 16)), tail)[0] * np.sqrt(np.sum(sizes**2))
        assert np.mean(sums >= limit) == pytest.approx(tail, rel=0.05)


def test_neither_a_finer_scale_nor_more_chords_change_a_limit(monkeypatch):
    rng = np.random.default_rng(8)
    sizes, times = rng.lognormal(0, 1.5, 60), resamples(rng, 60, 300)
    usual = saddlepoint_limit(sizes, times, 1e-4)
    monkeypatch.setattr(thresholds, "_RATIO", 1.02)
    monkeypatch.setattr(thresholds, "_CHORDS", 12)
    assert usual == pytest.approx(saddlepoint_limit(sizes, times, 1e-4), rel=2e-4)


@pytest.mark.parametrize("alpha", [0.45, 0.5, 0.6])
def test_levels_about_one_half_have_limits_too(alpha):
    values = np.random.default_rng(2).standard_cauchy((40, 2))
    labels = {"doc": tuple(f"d{i // 3}" for i in range(40))}
    config = ns.AnalysisConfig(block_column="doc", alpha=alpha, alternative="greater", baseline="B")
    analysis = ns.analyse(ns.ScoreMatrix(values=values, systems=("A", "B"), labels=labels), config)
    assert np.isfinite(board_power(analysis, 0.8).detectable).all()


def test_resamples_of_nothing_are_never_rejected():
    assert np.isinf(saddlepoint_limit(np.zeros(5), np.ones((3, 5)), 0.01)).all()
    assert np.isinf(saddlepoint_limit(np.ones(4), np.ones((3, 4)), 0.025)).all()


@pytest.mark.parametrize("law", [law for law in LAWS if law != "equal"])
def test_only_limits_near_the_quantile_need_the_saddlepoint(law, monkeypatch):
    """Against the saddlepoint for every resample: the same quantile, and as many moves up to it."""
    rng, n = np.random.default_rng(len(law)), 60
    sizes, weights = np.stack([LAWS[law](rng, n) for _ in range(2)]), np.ones((2, n))
    away = sizes * rng.choice([-1.0, 1.0], (2, n))
    away -= away.mean(axis=1, keepdims=True)
    drawn = resamples(rng, n, 2048)
    asked = (away, weights, drawn, 1e-4, 0.8, (1.0, -1.0))
    counted = []

    def counting(sizes, times, tail):
        counted.append(len(times))
        return saddlepoint_limit(sizes, times, tail)

    monkeypatch.setattr(flip_moves, "saddlepoint_limit", counting)
    found, here = flip_moves.moves_of_flips(*asked), sum(counted)
    monkeypatch.setattr(flip_moves, "_FEW", len(drawn))
    expected = flip_moves.moves_of_flips(*asked)
    assert here < sum(counted) - here
    quantiles = [np.quantile(moves, 0.8, axis=1, method="higher") for moves in (found, expected)]
    assert quantiles[0] == pytest.approx(quantiles[1], rel=1e-3)
    for moves, quantile in zip((found, expected), quantiles, strict=True):
        assert np.mean(moves <= quantile[:, None, :], axis=1) == pytest.approx(0.8, abs=2e-3)
