"""Whole boards of battles: level, family-wise error, coverage of strengths, differences and ranks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from nlpstat_core.analysis.preferences import rank_preferences
from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.preferences import max_t
from nlpstat_core.methods.preferences.fit import newton
from nlpstat_core.methods.preferences.models import DAVIDSON, HALF, PairCounts
from nlpstat_core.results.preferences import Preferences
from nlpstat_core.scores.battles import Battles
from tests.calibration.rows import LEVELS, Figure, Row, measured, share

M = 8
SYSTEMS = tuple(f"s{i}" for i in range(M))
LEFT, RIGHT = np.triu_indices(M, 1)
PAIRS = np.array([(a, b) for a in range(M) for b in range(M) if a != b])
EVENLY = np.full(M, 1 / M)
SELDOM = np.array([0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05])
STRENGTHS = {
    "all equal": np.zeros(M),
    "three groups": np.array([0.6, 0.6, 0.0, 0.0, 0.0, 0.0, -0.6, -0.6]),
}
TIES = {"no ties": 0.0, "a quarter ties": 0.7, "60 % ties": 3.0}
REPLICATIONS = 500
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)


@dataclass(frozen=True)
class Design:
    """How battles come about.

    number: Of battles.
    prompts, raters: Shares of the battles by each; one share only where there is no such column.
    taste: Standard deviation of what each prompt and each rater adds to a strength.
    often: How often systems are drawn.
    """

    number: int
    prompts: FloatArray
    raters: FloatArray
    taste: float
    often: FloatArray

    @property
    def clusters(self) -> str | tuple[str, ...] | None:
        named = tuple(
            name for name, one in (("prompt", self.prompts), ("rater", self.raters)) if one.size > 1
        )
        return None if not named else named[0] if len(named) == 1 else named


def _even(number: int) -> FloatArray:
    return np.full(number, 1 / number)


def _uneven(number: int, ratio: float) -> FloatArray:
    weights = ratio ** np.arange(number)
    return np.asarray(weights / weights.sum())


ONE = np.ones(1)
DESIGNS = {
    "600 independent battles": Design(600, ONE, ONE, 0.0, EVENLY),
    "600 battles, 60 prompts": Design(600, _even(60), ONE, 0.7, EVENLY),
    "600 battles, 60 prompts, some systems seldom": Design(600, _even(60), ONE, 0.7, SELDOM),
    "1,000 battles, 10 raters": Design(1_000, ONE, _even(10), 0.7, EVENLY),
    "1,000 battles, 40 uneven raters": Design(1_000, ONE, _uneven(40, 0.8), 0.7, EVENLY),
    "1,000 battles, 50 prompts, 20 raters": Design(1_000, _even(50), _even(20), 0.5, EVENLY),
    "1,000 battles, 5 raters": Design(1_000, ONE, _even(5), 0.7, EVENLY),
    "1,000 battles, 8 uneven raters": Design(1_000, ONE, _uneven(8, 0.6), 0.7, EVENLY),
    "1,000 battles, 60 prompts, 40 uneven raters": Design(1_000, _even(60), _uneven(40, 0.8), 0.5, EVENLY),
}
# Tried with one share of ties: hardly any raters, and uneven ones beside prompts.
FEW = (
    "1,000 battles, 5 raters",
    "1,000 battles, 8 uneven raters",
    "1,000 battles, 60 prompts, 40 uneven raters",
)


def battles(rng: np.random.Generator, design: Design, strengths: FloatArray, ties: float) -> Battles:
    """Battles of one board; ties: ν of Davidson's model."""
    pairs = PAIRS[rng.choice(len(PAIRS), size=design.number, p=_chances(design))]
    own = np.tile(strengths, (design.number, 1))
    labels = {}
    for name, shares in (("prompt", design.prompts), ("rater", design.raters)):
        if shares.size > 1:
            labels[name] = rng.choice(shares.size, size=design.number, p=shares)
            own = own + design.taste * rng.normal(size=(shares.size, M))[labels[name]]
    place = np.arange(design.number)
    d = own[place, pairs[:, 0]] - own[place, pairs[:, 1]]
    weights = np.column_stack([np.exp(d / 2), np.full(d.size, ties), np.exp(-d / 2)])
    chances = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    outcome = np.clip(1 - (rng.random(d.size)[:, None] > chances).sum(axis=1), -1, 1)
    return Battles(
        systems=SYSTEMS,
        left=pairs[:, 0],
        right=pairs[:, 1],
        outcome=outcome.astype(np.int8),
        labels=labels,
    )


def _chances(design: Design) -> FloatArray:
    chances = design.often[PAIRS].prod(axis=1)
    return np.asarray(chances / chances.sum())


def true_strengths(model: str, design: Design, strengths: FloatArray, ties: float) -> FloatArray:
    """What battles without end would give: tastes that differ make averaged outcomes more even, so that these
    are smaller than the strengths of any one prompt or rater."""
    kinds = sum(one.size > 1 for one in (design.prompts, design.raters))
    spread = design.taste * np.sqrt(2 * kinds)
    d = strengths[LEFT][:, None] - strengths[RIGHT][:, None] + spread * NODES
    weights = np.stack([np.exp(d / 2), np.exp(-d / 2), np.full(d.shape, ties)])
    win, loss, tie = (weights / weights.sum(axis=0)) @ (WEIGHTS / WEIGHTS.sum())
    often = 1_000 * design.often[LEFT] * design.often[RIGHT]
    counts = PairCounts(M, LEFT, RIGHT, often * win, often * loss, often * tie)
    return newton(DAVIDSON if model == "davidson" and ties else HALF, counts)[:M]


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Designs with each share of ties and equal systems, and with unequal ones and some ties."""
    for size in FEW:
        yield cell("a quarter ties, all equal", size, replications)
    for size in DESIGNS:
        if size in FEW:
            continue
        for ties in TIES:
            yield cell(f"{ties}, all equal", size, replications)
        yield cell("a quarter ties, three groups", size, replications)


def cell(situation: str, size: str, replications: int) -> list[Row]:
    """One design, share of ties and set of strengths."""
    ties, kind = situation.split(", ")
    design, strengths = DESIGNS[size], STRENGTHS[kind]

    def measure(many: int, seed: int, only: object) -> list[Row]:
        blank = Row.blank("preference-boards", situation, size, many, seed)
        found = []
        for model in ("half", "davidson") if TIES[ties] else ("half",):
            truth = true_strengths(model, design, strengths, TIES[ties])
            told = []
            for place in range(many):
                drawn = battles(np.random.default_rng([seed, place]), design, strengths, TIES[ties])
                try:
                    with _fewer_draws():
                        board = rank_preferences(
                            drawn, ties=model, clusters=design.clusters, correction="max-t"
                        )
                except AnalysisError:  # no finite strengths
                    continue
                told.append(_told(board, truth))
            found += _rows(blank, model, told)
        return found

    return measured(f"preference-boards|{situation}|{size}", replications, measure)


@contextmanager
def _fewer_draws() -> Iterator[None]:
    """max-T by 999 draws while it runs."""
    before = max_t.RESAMPLES
    max_t.RESAMPLES = 999
    try:
        yield
    finally:
        max_t.RESAMPLES = before


def _told(board: Preferences, truth: FloatArray) -> dict[str, float]:
    """Shares of pairs and systems of one board, and whether anything false is claimed of it."""
    order = [board.systems.index(name) for name in SYSTEMS]
    rows = board.rows_of(np.array(order)[LEFT], np.array(order)[RIGHT])
    sign = np.where(board.left[rows] == np.array(order)[LEFT], 1, -1)
    true = truth[LEFT] - truth[RIGHT]
    null = np.abs(true) < 1e-9
    p = board.p_value[rows]
    claimed = {
        "holm": adjust_p_values(board.p_value, "holm")[rows] <= 0.05,
        "max-t": board.p_adjusted[rows] <= 0.05,
    }
    difference = sign * board.difference[rows]
    half = (board.pair_upper - board.pair_lower)[rows] / 2
    inside = np.abs(difference - true) <= half
    strength = board.strength[order] - truth
    wide = (board.upper - board.lower)[order] / 2
    found = {f"{100 * level:g} %": float(np.mean(p[null] <= level)) for level in LEVELS}
    found["pairs"] = float(inside.mean())
    found["strengths"] = float(np.mean(np.abs(strength) <= wide))
    for name, one in claimed.items():
        found[name] = float((one & (null | (np.sign(true) != np.sign(difference)))).any())
    low = np.array([1 + np.sum(truth > one + 1e-9) for one in truth])
    high = np.array([M - np.sum(truth < one - 1e-9) for one in truth])
    found["ranks"] = float(
        ((board.rank_interval[order, 0] <= low) & (board.rank_interval[order, 1] >= high)).all()
    )
    return found


def _rows(blank: Row, model: str, told: list[dict[str, float]]) -> Iterator[Row]:
    def averaged(name: str, nominal: float) -> Figure:
        values = np.array([one[name] for one in told])
        return Figure(name, nominal, float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size)))

    def counted(name: str, what: str, nominal: float) -> Figure:
        return share(what, nominal, sum(one[name] for one in told), len(told))

    levels = tuple(averaged(f"{100 * level:g} %", level) for level in LEVELS)
    yield blank.of(f"{model}: level", "at-most", levels)
    yield blank.of(f"{model}: holm", "at-most", (counted("holm", "5 %", 0.05),))
    yield blank.of(f"{model}: max-t", "at-most", (counted("max-t", "5 %", 0.05),))
    yield blank.of(f"{model}: intervals", "at-least", (averaged("pairs", 0.95), averaged("strengths", 0.95)))
    yield blank.of(f"{model}: ranks", "at-least", (counted("ranks", "95 %", 0.95),))
