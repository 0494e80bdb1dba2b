"""Where replications come from: two systems on n units, drawn for many replications at once.

E: the two systems are exchangeable, so differences are symmetric about 0. M: means are equal, differences
skewed. D: the median difference is 0, differences are skewed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock

Draw = Callable[[np.random.Generator, tuple[int, int]], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class Population:
    """A null hypothesis that is true: its kind (E, M, D), how scores are drawn, decimals of the scores."""

    kind: str
    draw: Draw
    decimals: int = 10


def noisy(noise: Callable[[np.random.Generator, tuple[int, int]], FloatArray]) -> Draw:
    """Both systems: the unit's difficulty plus independent noise of the same law."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        unit = rng.normal(size=shape)
        return unit + noise(rng, shape), unit + noise(rng, shape)

    return draw


def shifted(difference: Callable[[np.random.Generator, tuple[int, int]], FloatArray]) -> Draw:
    """a scores above b by a difference of the given law."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        unit = rng.normal(size=shape)
        return unit + difference(rng, shape), unit

    return draw


def beta(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    unit = rng.beta(4, 2, size=shape)
    return rng.beta(8 * unit, 8 * (1 - unit)), rng.beta(8 * unit, 8 * (1 - unit))


def likert(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    unit = 3.4 + 0.8 * rng.normal(size=shape)
    a, b = (np.clip(np.rint(unit + 0.7 * rng.normal(size=shape)), 1, 5) for _ in range(2))
    return a, b


def binary(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    unit = rng.beta(2, 1, size=shape)
    return (rng.random(shape) < unit).astype(float), (rng.random(shape) < unit).astype(float)


def counts(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    unit = rng.gamma(4.0, 1.0, size=shape)
    return rng.poisson(unit).astype(float), rng.poisson(unit).astype(float)


POPULATIONS: dict[str, Population] = {
    "normal": Population("E", noisy(lambda rng, shape: rng.normal(size=shape))),
    "beta": Population("E", beta),
    "t3": Population("E", noisy(lambda rng, shape: rng.standard_t(3, size=shape))),
    "cauchy": Population("E", noisy(lambda rng, shape: rng.standard_cauchy(size=shape))),
    "lognormal": Population("E", noisy(lambda rng, shape: rng.lognormal(size=shape))),
    "likert": Population("E", likert, 0),
    "binary": Population("E", binary, 0),
    "counts": Population("E", counts, 0),
    "exponential, means equal": Population("M", shifted(lambda rng, shape: rng.exponential(size=shape) - 1)),
    "lognormal, means equal": Population(
        "M", shifted(lambda rng, shape: rng.lognormal(size=shape) - math.exp(0.5))
    ),
    "exponential, median 0": Population(
        "D", shifted(lambda rng, shape: rng.exponential(size=shape) - math.log(2))
    ),
    "lognormal, median 0": Population("D", shifted(lambda rng, shape: rng.lognormal(size=shape) - 1)),
}


def batch_of(u: FloatArray, v: FloatArray, decimals: int, **units: object) -> PairBatch:
    """Replications as pairs of one batch: column k of u against column k of v."""
    many = u.shape[1]
    values = np.ascontiguousarray(np.concatenate([u, v], axis=1))
    two = np.all((values == 0) | (values == 1), axis=0)
    block = UnitBlock(values, decimals, two, **units)  # type: ignore[arg-type]
    return PairBatch(block, np.arange(many), np.arange(many) + many)
