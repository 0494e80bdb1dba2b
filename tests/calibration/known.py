"""Populations whose every quantity is known: what intervals should hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from nlpstat_core.arrays import FloatArray
from tests.calibration.populations import Draw, binary, likert

GAP = 0.5
_ROOT = math.sqrt(0.5)


@dataclass(frozen=True)
class Known:
    """How scores are drawn, their decimals, and the true values by name.

    `win` is P(z > 0), `pair_win` P(z_1 + z_2 > 0), ties counting half in both.
    """

    draw: Draw
    truths: Mapping[str, float]
    win: float
    pair_win: float
    decimals: int = 10

    def value(self, name: str, n: int) -> float:
        """A true value; that of Wilcoxon's r depends on the number of units."""
        if name != "wilcoxon-r":
            if name not in self.truths:
                raise LookupError(
                    f"Give {name!r} its true value in every population of {__name__}, or UNKNOWN."
                )
            return self.truths[name]
        centred = n * (self.win - 0.5) + n * (n - 1) / 2 * (self.pair_win - 0.5)
        return centred / math.sqrt(n * (n + 1) * (2 * n + 1) / 24 * n)


def known(
    draw: Draw, *, win: float, pair_win: float, tie: float = 0.0, decimals: int = 10, **truths: float
) -> Known:
    """A population with the values that follow from its shares of wins and ties."""
    only_a, only_b = win - tie / 2, 1 - win - tie / 2
    shares = {
        "common-language": win,
        "odds-ratio": only_a / only_b,
        "cohen-g": only_a / (only_a + only_b) - 0.5,
        "rank-biserial": 2 * pair_win - 1,
    }
    named = {key.replace("_", "-"): value for key, value in truths.items()}
    return Known(draw, {**shares, **named}, win, pair_win, decimals)


def apart(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """Normal scores, differences of mean 0.5 and spread 1."""
    unit = rng.normal(size=shape)
    return unit + GAP + _ROOT * rng.normal(size=shape), unit + _ROOT * rng.normal(size=shape)


def plus(difference: Callable[[np.random.Generator, tuple[int, int]], FloatArray]) -> Draw:
    """Any law of the differences."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        unit = rng.normal(size=shape)
        return unit + difference(rng, shape), unit

    return draw


def one_better(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """0/1 scores: only a is right on 30 % of the units, only b on 15 %."""
    at = rng.random(shape)
    both = (at > 0.45) & (at < 0.8)
    return ((at < 0.3) | both).astype(float), (((at >= 0.3) & (at < 0.45)) | both).astype(float)


def _same(draw: Draw) -> Known:
    return known(
        draw,
        win=0.5,
        pair_win=0.5,
        decimals=0,
        mean=0.0,
        median=0.0,
        pseudo_median=0.0,
        cohen_d=0.0,
        cohen_d_av=0.0,
    )


_T3 = math.sqrt(3.0)
KNOWN: dict[str, Known] = {
    "normal": known(
        apart,
        win=float(special.ndtr(GAP)),
        pair_win=float(special.ndtr(GAP * math.sqrt(2))),
        mean=GAP,
        median=GAP,
        pseudo_median=GAP,
        cohen_d=GAP,
        cohen_d_av=GAP / math.sqrt(1.5),
    ),
    "t3": known(
        plus(lambda rng, shape: GAP + rng.standard_t(3, size=shape)),
        win=float(stats.t.cdf(GAP, 3)),
        pair_win=0.5,
        mean=GAP,
        median=GAP,
        pseudo_median=GAP,
        cohen_d=GAP / _T3,
        cohen_d_av=GAP / math.sqrt(2.5),
    ),
    "exponential": known(
        plus(lambda rng, shape: rng.exponential(size=shape) - GAP),
        win=math.exp(-GAP),
        pair_win=(1 + 2 * GAP) * math.exp(-2 * GAP),
        mean=1 - GAP,
        median=math.log(2) - GAP,
        pseudo_median=float(special.gammaincinv(2, 0.5)) / 2 - GAP,
        cohen_d=1 - GAP,
        cohen_d_av=(1 - GAP) / math.sqrt(1.5),
    ),
    "likert, no difference": _same(likert),
    "binary, no difference": _same(binary),
    "binary": known(
        one_better,
        win=0.575,
        pair_win=0.5,
        tie=0.55,
        decimals=0,
        mean=0.15,
        cohen_d=0.15 / math.sqrt(0.45 - 0.15**2),
        cohen_d_av=0.15 / math.sqrt((0.65 * 0.35 + 0.5 * 0.5) / 2),
    ),
}
# What a population does not know: a sum of two t3 variables has no simple law.
UNKNOWN = {
    "t3": ("rank-biserial", "wilcoxon-r"),
    "binary": ("rank-biserial", "wilcoxon-r", "median", "pseudo-median"),
}
