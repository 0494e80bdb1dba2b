"""Measures that are no means: level of the swap test, coverage of the jackknife, max-T over boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import nlpstat_core as ns
from nlpstat_core.scores.submissions import Submissions
from tests.calibration.rows import Figure, Row, measured, share

REPLICATIONS = 2_000
BOARDS = 500
DRAWS = 1_000
SYSTEMS = 5
SIZES = (100, 300)
# Gold and the outputs of systems that are wrong equally often, each in its own way.
Draw = Callable[[np.random.Generator, int, int], tuple[list[Any], list[list[Any]]]]


def _labels(shares: tuple[float, ...], right: float) -> Draw:
    def draw(rng: np.random.Generator, n: int, systems: int) -> tuple[list[Any], list[list[Any]]]:
        gold = rng.choice(len(shares), n, p=shares)
        gold[: len(shares)] = range(len(shares))
        hard = rng.random(n) < 0.3
        outputs = [
            np.where(
                rng.random(n) < np.where(hard, 0.5 * right, right), gold, rng.choice(len(shares), n, p=shares)
            )
            for _ in range(systems)
        ]
        return [f"l{one}" for one in gold], [[f"l{one}" for one in column] for column in outputs]

    return draw


def _ratings(rng: np.random.Generator, n: int, systems: int) -> tuple[list[Any], list[list[Any]]]:
    truth = rng.normal(size=n)
    gold = np.clip(np.rint(3 + truth), 1, 5)
    columns = [np.clip(np.rint(3 + truth + rng.normal(size=n)), 1, 5) for _ in range(systems)]
    return [f"{one:.0f}" for one in gold], [[f"{one:.0f}" for one in column] for column in columns]


def _numbers(rng: np.random.Generator, n: int, systems: int) -> tuple[list[Any], list[list[Any]]]:
    gold = rng.normal(size=n)
    return gold.tolist(), [(gold + rng.normal(size=n)).tolist() for _ in range(systems)]


SITUATIONS: tuple[tuple[str, str, str, Draw], ...] = (
    ("macro-F1, three labels, one rare", "macro-f1", "labels", _labels((0.6, 0.35, 0.05), 0.8)),
    ("MCC, one rare label", "mcc", "labels", _labels((0.9, 0.1), 0.8)),
    ("quadratic weighted kappa, 5 ratings", "qwk", "labels", _ratings),
    ("Pearson correlation, normal", "pearson", "numbers", _numbers),
)


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Two equal systems for every measure and size, and boards of five."""
    for situation, measure, kind, draw in SITUATIONS:
        for n in SIZES:
            yield pair_cell(situation, measure, kind, draw, n, replications)
    yield board_cell(replications * BOARDS // REPLICATIONS)


def _analysed(
    measure: str, kind: Any, draw: Draw, rng: np.random.Generator, n: int, systems: int, correction: str
) -> ns.Analysis:
    gold, columns = draw(rng, n, systems)
    board = Submissions(
        kind=kind,
        items=[f"i{place:04d}" for place in range(n)],
        gold=gold,
        outputs={f"s{place}": column for place, column in enumerate(columns)},
        measures=[measure],
    )
    seed = int(rng.integers(2**31))
    return ns.analyse(board, ns.AnalysisConfig(correction=correction, resamples=DRAWS, seed=seed))


def pair_cell(situation: str, measure: str, kind: str, draw: Draw, n: int, replications: int) -> list[Row]:
    """How often p is at most a level, and the 95 % interval holds 0."""

    def measure_cell(number: int, seed: int, only: object) -> list[Row]:
        rng = np.random.default_rng(seed)
        p, held = np.empty(number), 0
        for place in range(number):
            pairs = _analysed(measure, kind, draw, rng, n, 2, "none").pairs
            p[place] = pairs.p_value[0]
            held += bool(pairs.interval[0, 0] <= 0 <= pairs.interval[0, 1])
        levels = [
            share(f"{100 * level:g} %", level, np.count_nonzero(p <= level), number) for level in (0.01, 0.05)
        ]
        inside = share("95 % interval", 0.95, held, number)
        blank = Row.blank("measures", situation, f"n = {n}", number, seed)
        return [
            blank.of("swap", "at-most", tuple(levels)),
            blank.of("swap (jackknife interval)", "at-least", (inside,)),
        ]

    return measured(f"measures|{situation}|{n}", replications, measure_cell)


def board_cell(boards: int) -> list[Row]:
    """How often some pair of five equal systems is found to differ in macro-F1."""
    situation, measure, kind, draw = SITUATIONS[0]

    def measure_cell(number: int, seed: int, only: object) -> list[Row]:
        rng = np.random.default_rng(seed)
        found = [
            bool(_analysed(measure, kind, draw, rng, 100, SYSTEMS, "max-t").pairs.significant.any())
            for _ in range(number)
        ]
        figures: tuple[Figure, ...] = (share("family-wise error", 0.05, sum(found), number),)
        blank = Row.blank("measures", f"{SYSTEMS} systems, {situation}", "n = 100", number, seed)
        return [blank.of("max-t: swap", "at-most", figures)]

    return measured("measures|boards", boards, measure_cell)
