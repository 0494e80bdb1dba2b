"""Measures that are no means: the swap test's level and power, the jackknife, max-T over boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from typing import Any

import numpy as np

import nlpstat_core as ns
from nlpstat_core.engine.swaps.intervals import jackknife_interval
from nlpstat_core.engine.swaps.pair import swapped_pair
from nlpstat_core.engine.swaps.routes import pair_tails
from nlpstat_core.engine.swaps.units import item_values
from nlpstat_core.engine.swaps.values import exchanged_of, values_of
from nlpstat_core.measures import MEASURES
from nlpstat_core.methods.significance.swap import ENOUGH, FIRST_DRAWS
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.measured import Measured
from tests.calibration.rows import Figure, Row, measured, seed_of, share
from tests.calibration.trials import TOGETHER

REPLICATIONS = 2_000
BOARDS = 500
DRAWS = 1_000
SYSTEMS = 5
SIZES = (100, 300, 1_000)
# Items from which the true difference of systems that are apart is taken.
MANY = 200_000
# Sentences that replications of BLEU are drawn from, with what sacreBLEU counts in them.
SENTENCES = 20_000
# Share of words by which the third of their systems changes more than the first two.
WORSE = 0.02

Outputs = tuple[list[Any], list[list[Any]]]
# Gold and the outputs of systems: alike, or (apart > 0) the second worse by so much.
Draw = Callable[[np.random.Generator, int, int, float], Outputs]


def _labels(
    rng: np.random.Generator, n: int, systems: int, apart: float, *, shares: tuple[float, ...], right: float
) -> Outputs:
    """Labels, each there once at least; three tenths of the items are hard."""
    gold = rng.choice(len(shares), n, p=shares)
    gold[: len(shares)] = range(len(shares))
    hard = rng.random(n) < 0.3
    columns = []
    for system in range(systems):
        able = right - apart * (system == 1)
        wrong = rng.choice(len(shares), n, p=shares)
        columns.append(np.where(rng.random(n) < np.where(hard, 0.5 * able, able), gold, wrong))
    return gold.tolist(), [column.tolist() for column in columns]


def _ratings(rng: np.random.Generator, n: int, systems: int, apart: float) -> Outputs:
    truth = rng.normal(size=n)
    columns = [
        np.clip(np.rint(3 + truth + (1 + apart * (system == 1)) * rng.normal(size=n)), 1, 5)
        for system in range(systems)
    ]
    return np.clip(np.rint(3 + truth), 1, 5).tolist(), [column.tolist() for column in columns]


def _numbers(
    rng: np.random.Generator, n: int, systems: int, apart: float, *, lognormal: bool = False
) -> Outputs:
    gold = rng.normal(size=n)
    errors = np.exp(rng.normal(size=(systems, n))) if lognormal else rng.normal(size=(systems, n))
    columns = [gold + (1 + apart * (system == 1)) * error for system, error in enumerate(errors)]
    return gold.tolist(), [column.tolist() for column in columns]


@lru_cache
def _translations() -> Measured:
    """What sacreBLEU counts in many sentences of three systems: two alike and one worse."""
    rng = np.random.default_rng(2)
    words = np.array([f"word{rank}" for rank in range(5_000)])
    chance = 1 / np.arange(1, words.size + 1)
    chance /= chance.sum()
    gold: list[tuple[str, ...]] = []
    columns: list[list[str]] = [[], [], []]
    for difficulty in rng.beta(2, 4, SENTENCES):
        sentence = rng.choice(words, rng.integers(8, 35), p=chance)
        gold.append((" ".join(sentence),))
        for column, more in zip(columns, (0.0, 0.0, WORSE), strict=True):
            changed = np.where(
                rng.random(sentence.size) < difficulty + more, rng.choice(words, sentence.size), sentence
            )
            column.append(" ".join(changed[rng.random(sentence.size) > 0.03]))
    return MEASURES["bleu"].measured(gold, columns)[0]


@dataclass(frozen=True)
class Situation:
    """A measure of systems that are alike, or apart.

    apart: By how much, in the terms of `draw`; 0 for alike.
    draw: None for translations.
    """

    name: str
    measure: str
    apart: float = 0.0
    draw: Draw | None = None

    def board(self, rng: np.random.Generator, n: int, systems: int = 2) -> Measured:
        """Systems on n items."""
        if self.draw is None:
            return _sampled(rng, n, apart=self.apart > 0)
        gold, columns = self.draw(rng, n, systems, self.apart)
        if MEASURES[self.measure].kind == "labels":
            gold, *columns = [[f"{one:g}" for one in column] for column in (gold, *columns)]
        return MEASURES[self.measure].measured(gold, columns)[0]

    def truth(self, n: int) -> float:
        """The first system's measure less the second's, of the mean sums of boards of n items."""
        if not self.apart:
            return 0.0
        if self.draw is None:
            first, second = _values(_translations().columns([0, 2]))
            return first - second
        rng = np.random.default_rng(seed_of(f"{self.name}|truth"))
        boards = [self.draw(rng, n, 2, self.apart) for _ in range(MANY // n)]
        gold = [one for right, _ in boards for one in right]
        columns = [[one for _, both in boards for one in both[system]] for system in range(2)]
        first, second = _values(MEASURES[self.measure].measured(gold, columns)[0])
        return first - second


def _sampled(rng: np.random.Generator, n: int, apart: bool) -> Measured:
    """Two systems on sentences drawn anew; those that are alike exchange what falls so by a fair coin."""
    chosen = rng.integers(0, SENTENCES, n)
    found = _translations().columns([0, 2] if apart else [0, 1]).rows(chosen)
    if apart:
        return found
    own, other = found.outputs[: found.k], found.outputs[found.k :]
    swapped = rng.random(n) < 0.5
    both = [np.where(swapped, other, own), np.where(swapped, own, other)]
    return replace(found, outputs=np.concatenate(both))


def _values(found: Measured) -> list[float]:
    return [float(one) for one in values_of(found).weighted(np.ones((found.n_items, 1)))[:, 0]]


_THREE = partial(_labels, shares=(0.6, 0.35, 0.05), right=0.8)
_RARE = partial(_labels, shares=(0.9, 0.1), right=0.8)
_TAILS = partial(_numbers, lognormal=True)
ALIKE = (
    Situation("macro-F1, three labels, one rare", "macro-f1", draw=_THREE),
    Situation("MCC, one rare label", "mcc", draw=_RARE),
    Situation("quadratic weighted kappa, 5 ratings", "qwk", draw=_ratings),
    Situation("Pearson correlation, normal", "pearson", draw=_numbers),
    Situation("Pearson correlation, lognormal errors", "pearson", draw=_TAILS),
    Situation("corpus BLEU", "bleu"),
)
# How far apart: 300 items then find the difference about every second time.
APART = {"macro-f1": 0.15, "mcc": 0.22, "qwk": 0.25, "pearson": 0.25, "bleu": WORSE}


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Two systems that are alike, or apart, for every measure and size, and boards of five."""
    for alike in ALIKE:
        apart = replace(alike, name=f"{alike.name}; apart", apart=APART[alike.measure])
        for situation, n in product((alike, apart), SIZES):
            yield pair_cell(situation, n, replications)
    yield board_cell(replications * BOARDS // REPLICATIONS)


def pair_cell(situation: Situation, n: int, replications: int) -> list[Row]:
    """How often p is at most a level, and the 95 % interval holds the true difference."""

    def measure_cell(number: int, seed: int, only: object) -> list[Row]:
        rng, truth = np.random.default_rng(seed), situation.truth(n)
        p, held, items = np.empty(number), 0, np.arange(n)
        for start in range(0, number, TOGETHER):
            boards = [situation.board(rng, n) for _ in range(min(TOGETHER, number - start))]
            pairs = [swapped_pair(exchanged_of(board), 0, 1, items) for board in boards]
            tails = pair_tails(pairs, False, "two-sided", seed=seed + start, draws=FIRST_DRAWS, enough=ENOUGH)
            p[start : start + len(tails)] = np.exp([tail.log_p for tail in tails])
            for board in boards:
                _, low, high = jackknife_interval(board, items, 0.95)
                held += bool(low <= truth <= high)
        found = [share("two-sided", level, np.count_nonzero(p <= level), number) for level in (0.01, 0.05)]
        blank = Row.blank("measures", situation.name, f"n = {n:,}", number, seed)
        tests = blank.of("swap", "at-most", tuple(found))
        if situation.apart:  # then nothing is promised
            power = tuple(replace(figure, nominal=None) for figure in found)
            tests = blank.of("power of swap", "equal", power)
        inside = share("95 %", 0.95, held, number)
        return [tests, blank.of("swap (jackknife interval)", "at-least", (inside,))]

    return measured(f"measures|{situation.name}|{n}", replications, measure_cell)


def board_cell(boards: int) -> list[Row]:
    """How often some pair of five equal systems is found to differ in macro-F1."""
    situation = ALIKE[0]

    def measure_cell(number: int, seed: int, only: object) -> list[Row]:
        rng = np.random.default_rng(seed)
        found = [_finds(situation.board(rng, 100, SYSTEMS), rng) for _ in range(number)]
        figures: tuple[Figure, ...] = (share("family-wise error", 0.05, sum(found), number),)
        blank = Row.blank("measures", f"{SYSTEMS} systems, {situation.name}", "n = 100", number, seed)
        return [blank.of("max-t: swap", "at-most", figures)]

    return measured("measures|boards", boards, measure_cell)


def _finds(found: Measured, rng: np.random.Generator) -> bool:
    """Whether a board by max-T has a pair that differs."""
    scores = ScoreMatrix(
        values=item_values(found), systems=[f"s{place}" for place in range(found.n_systems)], measured=found
    )
    config = ns.AnalysisConfig(correction="max-t", resamples=DRAWS, seed=int(rng.integers(2**31)))
    return bool(ns.analyse(scores, config).pairs.significant.any())
