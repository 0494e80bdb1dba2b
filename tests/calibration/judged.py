"""Coverage of the mean of a judge corrected by people: useful, useless and accurate judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy import special

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.judged.corrected import corrected_means
from tests.calibration.rows import CONFIDENCE, Figure, Row, measured, share

ITEMS = 1_000
LABELS = (20, 40, 100, 300)
REPLICATIONS = 2_000
PIECE = 200
# People's and the judge's scores of items (n_items, many), and the true mean.
Draw = Callable[[np.random.Generator, int], tuple[FloatArray, FloatArray]]


def _normal(correlation: float, judge_scale: float = 1.0) -> Draw:
    def draw(rng: np.random.Generator, many: int) -> tuple[FloatArray, FloatArray]:
        y = rng.normal(size=(ITEMS, many))
        noise = rng.normal(size=y.shape)
        return y, judge_scale * (correlation * y + np.sqrt(1 - correlation**2) * noise) + 0.4

    return draw


def _disagreeing(wrong: float) -> Draw:
    """Differences of two 0/1 systems, right in .6 and .5, for people and a judge that is sometimes wrong."""

    def draw(rng: np.random.Generator, many: int) -> tuple[FloatArray, FloatArray]:
        shape = (2, ITEMS, many)
        right = rng.random(shape) < np.array([0.6, 0.5])[:, None, None]
        seen = right ^ (rng.random(shape) < wrong)
        return tuple(x[0].astype(float) - x[1] for x in (right, seen))

    return draw


def _ratings(rng: np.random.Generator, many: int) -> tuple[FloatArray, FloatArray]:
    y = rng.choice(5, p=[0.05, 0.1, 0.2, 0.4, 0.25], size=(ITEMS, many)).astype(float)
    off = rng.choice([-1, 0, 1], p=[0.1, 0.8, 0.1], size=y.shape)
    return y, np.clip(y + off, 0, 4)


SITUATIONS: tuple[tuple[str, Draw, float, str], ...] = (
    ("normal, correlation 0.7, biased", _normal(0.7), 0.0, "equal"),
    ("normal, correlation 0.7, on another scale", _normal(0.7, 50.0), 0.0, "equal"),
    ("normal, useless judge", _normal(0.0), 0.0, "equal"),
    ("normal, judge that contradicts", _normal(-0.7), 0.0, "equal"),
    ("differences of 0/1 scores, 15 % errors", _disagreeing(0.15), 0.1, "at-least"),
    ("differences of 0/1 scores, 3 % errors", _disagreeing(0.03), 0.1, "at-least"),
    ("ratings from 0 to 4", _ratings, 2.7, "at-least"),
)


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Every judge with every number of labels."""
    for situation, draw, truth, bound in SITUATIONS:
        for n in LABELS:
            yield cell(situation, draw, truth, bound, n, replications)


def cell(situation: str, draw: Draw, truth: float, bound: str, n: int, replications: int) -> list[Row]:
    """Coverage at three levels, and the width against people alone."""

    def measure(number: int, seed: int, only: object) -> list[Row]:
        labelled = np.arange(ITEMS) < n
        off, ratio = np.empty(number), np.empty(number)
        for start in range(0, number, PIECE):
            part = slice(start, min(start + PIECE, number))
            y, f = draw(np.random.default_rng([seed, start]), part.stop - start)
            found = corrected_means(y[labelled], f, labelled)
            off[part] = np.abs(found.estimate - truth) / found.error
            ratio[part] = found.error * np.sqrt(n) / y[labelled].std(axis=0, ddof=1)
        figures = [
            share(
                f"{100 * level:g} %",
                level,
                np.count_nonzero(off <= special.stdtrit(n - 1, (1 + level) / 2)),
                number,
            )
            for level in CONFIDENCE
        ]
        width = Figure(
            "width against people alone", None, float(ratio.mean()), float(ratio.std() / np.sqrt(number))
        )
        return [
            Row.blank("judged", situation, f"n = {n} of {ITEMS:,}", number, seed).of(
                "corrected-mean", bound, (*figures, width)
            )
        ]

    return measured(f"judged|{situation}|{n}", replications, measure)
