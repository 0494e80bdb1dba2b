"""Differences as a search for slow pairs draws them (mass near zero, several scales, giants), and their p."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import FloatArray

Kind = Callable[[np.random.Generator, int], FloatArray]


def _near_zero(rng: np.random.Generator, n: int) -> FloatArray:
    tiny = rng.exponential(10.0 ** rng.uniform(-7, -3), n)
    return rng.choice([-1, 1], n) * np.where(rng.random(n) < rng.uniform(0.5, 0.99), tiny, rng.random(n))


def _two_clusters(rng: np.random.Generator, n: int) -> FloatArray:
    small = rng.normal(0, 10.0 ** rng.uniform(-6, -1), n)
    return np.where(rng.random(n) < rng.uniform(0.01, 0.99), rng.normal(0, 1, n), small)


def _giants(rng: np.random.Generator, n: int) -> FloatArray:
    z = rng.normal(0, 1, n)
    z[: rng.integers(1, 6)] *= 10.0 ** rng.uniform(1, 6)
    return z


def _products(rng: np.random.Generator, n: int) -> FloatArray:
    quarters = rng.choice([0, 0.25, 0.5, 0.75, 1], (2, n))
    return quarters[0] * rng.random(n) - quarters[1] * rng.random(n)


def _grid(rng: np.random.Generator, n: int) -> FloatArray:
    most = rng.integers(2, 400)
    return rng.integers(-most, most + 1, n) / rng.choice([1, 3, 7, 10, 16, 100, 1000])


def _half_a_lattice(rng: np.random.Generator, n: int) -> FloatArray:
    fine = rng.normal(0, 10.0 ** rng.uniform(-4, 0), n)
    return np.where(rng.random(n) < 0.5, rng.integers(-5, 6, n) / 4, fine)


KINDS: dict[str, Kind] = {
    "shares": lambda rng, n: rng.beta(*(own := rng.uniform(0.1, 3, 2)), n) - rng.beta(*own, n),
    "normal": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.uniform(-2, 2),
    "lognormal": lambda rng, n: rng.lognormal(0, rng.uniform(0.5, 4), n) * rng.choice([-1, 1], n),
    "cauchy": lambda rng, n: rng.standard_cauchy(n) * 10.0 ** rng.uniform(-3, 1),
    "products": _products,
    "two clusters": _two_clusters,
    "near zero": _near_zero,
    "giants": _giants,
    "grid": _grid,
    "half a lattice": _half_a_lattice,
}


def searched_pair(number: int, most_units: int = 3_000) -> FloatArray:
    """The differences of one number: 20 units to `most_units`, 2 to 7 decimals or all of them."""
    rng = np.random.default_rng([77, number])
    n = int(np.exp(rng.uniform(np.log(20), np.log(most_units))))
    z = KINDS[list(KINDS)[number % len(KINDS)]](rng, n)
    z = z + rng.choice([0, 0, 0.1, 0.3, 1]) * np.std(z) * rng.uniform(0, 1)
    return np.round(z, rng.integers(2, 8)) if rng.random() < 0.85 else z


def counted(z: FloatArray, most_steps: float = 1e8) -> float | None:
    """Two-sided p on the grid of the decimals by adding one sign after the other; None where that is long."""
    for decimals in range(8):
        steps = np.rint(z * 10.0**decimals)
        if np.all((np.abs(steps - z * 10.0**decimals) < 1e-6) & ((steps != 0.0) == (z != 0.0))):
            break
    else:
        return None
    steps = steps[steps != 0.0].astype(np.int64)
    steps //= max(1, int(np.gcd.reduce(steps)))
    flips = np.sort(np.abs(steps))
    last = (int(flips.sum()) - abs(int(steps.sum()))) // 2
    if flips.size * last > most_steps:
        return None
    share = np.zeros(last + 1)
    share[0] = 1.0
    reached = 0
    for flip in flips.tolist():
        share[: reached + 1] *= 0.5
        if flip <= last:
            reached = min(last, reached + flip)
            share[flip : reached + 1] += share[: reached + 1 - flip].copy()
    return min(1.0, 2.0 * float(share.sum()))
