"""Predicted power on tied scores against the truth: directions drawn anew, or all differences moved."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power.sampling import Sample, bootstrap_batches, shifted
from nlpstat_core.power.swap import chances, strength_for_mean
from tests.calibration.rows import Figure, Measure, Row, measured

UNITS, PILOTS, TRUTH, PREDICTED = 200, 24, 4_000, 1_000
KEYS = ("t", "wilcoxon", "sign")
# Scores of two systems, the first one better by a step, shape (n, 2).
Scores = Callable[[np.random.Generator, int, float], FloatArray]


def likert(rng: np.random.Generator, n: int, better: float) -> FloatArray:
    """Ratings from 1 to 5 of a quality that two systems share in part."""
    quality = 3.3 + 0.8 * rng.normal(size=(n, 1)) + 0.6 * rng.normal(size=(n, 2))
    return np.clip(np.rint(quality + np.array([better, 0.0])), 1, 5)


def penalties(rng: np.random.Generator, n: int, better: float) -> FloatArray:
    """Minus the mean of three raters' penalties: many segments without an error, some with grave ones."""
    hard = rng.gamma(0.6, 1.0, (n, 1)) * np.exp(np.array([-better, 0.0]))
    grave, slight, tiny = (rng.poisson(rate * hard, (3, n, 2)) for rate in (0.3, 0.8, 0.2))
    return -np.round(np.minimum(5 * grave + slight + 0.1 * tiny, 25).mean(axis=0), 2)


def precision(rng: np.random.Generator, n: int, better: float) -> FloatArray:
    """Relevant documents among the first ten, in topics easy and hard."""
    ease = rng.normal(-0.3, 1.3, (n, 1)) + rng.normal(0, 0.8, (n, 2)) + np.array([better, 0.0])
    return rng.binomial(10, 1 / (1 + np.exp(-ease))) / 10


POPULATIONS: dict[str, tuple[Scores, tuple[float, ...]]] = {
    "ratings 1 to 5": (likert, (0.08, 0.13, 0.19)),
    "penalties of raters (MQM)": (penalties, (0.15, 0.25, 0.35)),
    "precision at 10": (precision, (0.12, 0.2, 0.3)),
}


def found(z: FloatArray, key: str) -> float:
    """Share of the columns that the test rejects."""
    values = np.hstack([z, np.zeros((z.shape[0], 1))])
    k = z.shape[1]
    batch = PairBatch(UnitBlock(values, 2, np.zeros(k + 1, bool)), np.arange(k), np.full(k, k))
    return share_found(batch, key)


def share_found(batch: PairBatch, key: str) -> float:
    return float(np.mean(TESTS[key].run(batch, AnalysisConfig()).p_value <= 0.05))


def swapped(z: FloatArray, difference: float) -> Sample:
    """Every size of difference with either sign and the chances of both."""
    size = np.abs(z)
    up = chances(size, strength_for_mean(size, difference)) / z.size
    return Sample(
        columns=np.concatenate([size, -size])[:, None],
        decimals=2,
        binary=False,
        delta=0.0,
        weights=np.concatenate([up, 1 / z.size - up]),
    )


def moved(z: FloatArray, difference: float) -> Sample:
    """All differences moved by what the mean lacks."""
    plain = Sample(columns=z[:, None], decimals=2, binary=False, delta=0.0)
    return shifted(plain, np.array([difference - z.mean()]))


def predicted(sample: Sample, key: str, seed: int) -> float:
    batches = list(bootstrap_batches(sample, UNITS, PREDICTED, seed))
    rates = [share_found(batch, key) for batch in batches]
    return float(np.average(rates, weights=[batch.n_pairs for batch in batches]))


def cell(scores: Scores, steps: tuple[float, ...], situation: str) -> Measure:
    """Errors of both predictions, from pilots in which neither system is better."""

    def measure(many: int, seed: int, only: Container[str] | None) -> list[Row]:
        rng = np.random.default_rng(seed)
        errors: dict[str, list[tuple[float, float]]] = {key: [] for key in KEYS}
        for better in steps:
            both = scores(rng, UNITS * TRUTH, better)
            z = np.round(both[:, 0] - both[:, 1], 2)
            truth = {key: found(z.reshape(UNITS, TRUTH), key) for key in KEYS}
            for pilot in range(many // len(steps)):
                before = scores(rng, UNITS, 0.0)
                own = np.round(before[:, 0] - before[:, 1], 2)
                for key in KEYS:
                    guesses = (predicted(make(own, float(z.mean())), key, pilot) for make in (swapped, moved))
                    first, second = (abs(guess - truth[key]) for guess in guesses)
                    errors[key].append((first, second))
        row = Row.blank("power-ties", situation, f"n = {UNITS}", many, seed)
        rows = []
        for key in KEYS:
            off = np.array(errors[key])
            figures = tuple(
                Figure(what, None, float(off[:, i].mean()), float(off[:, i].std(ddof=1) / np.sqrt(many)))
                for i, what in enumerate(("directions drawn anew", "all moved"))
            )
            rows.append(row.of(f"power of {key}", "equal", figures))
        return [row for row in rows if only is None or row.subject in only]

    return measure


def rows(replications: int = PILOTS) -> Iterator[list[Row]]:
    """Three kinds of tied scores; replications are pilots, a third of them for each true difference."""
    for situation, (scores, steps) in POPULATIONS.items():
        yield measured(f"power-ties|{situation}", replications, cell(scores, steps, situation))
