"""A judge corrected by people: coverage for useful, useless and accurate judges and by documents; errors of
whole boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy import special

from nlpstat_core.analysis.judged.pairs import adjusted_pairs, corrected_pairs
from nlpstat_core.analysis.judged.sides import Sides
from nlpstat_core.analysis.label_plan import plan_labels
from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.judged.corrected import corrected_means
from nlpstat_core.methods.judged.stratified import stratified_means
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.calibration.rows import Figure, Row, measured, share

ITEMS = 1_000
LABELS = (20, 40, 100, 300)
CONFIDENCE = (0.9, 0.95, 0.99)
DOCUMENTS = 100  # of ten items each
SYSTEMS = 6
BOARDS = 1_000
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


def _in_documents(rng: np.random.Generator, many: int) -> tuple[FloatArray, FloatArray]:
    """Items of a document are alike for people (0.3 of the variance) and for the judge's errors."""
    parts = [
        np.sqrt(0.3) * np.repeat(rng.normal(size=(DOCUMENTS, many)), ITEMS // DOCUMENTS, axis=0)
        + np.sqrt(0.7) * rng.normal(size=(ITEMS, many))
        for _ in range(2)
    ]
    return parts[0], parts[0] + parts[1] + 0.4


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
    for n in LABELS[1:]:
        yield cell("documents of ten items", _in_documents, 0.0, "equal", n, replications, documents=True)
    for n in LABELS:
        yield plan_cell(n, replications)
    for n in LABELS:
        for situation, zero_one in (("normal scores", False), ("0/1 scores", True)):
            yield board_cell(situation, zero_one, n, BOARDS)


def cell(
    situation: str,
    draw: Draw,
    truth: float,
    bound: str,
    n: int,
    replications: int,
    *,
    documents: bool = False,
) -> list[Row]:
    """Coverage at three levels, and the width against people alone.

    documents: Items belong together by ten; labels are drawn over all of them.
    """

    def measure(number: int, seed: int, only: object) -> list[Row]:
        labelled = np.arange(ITEMS) < n
        codes = np.arange(ITEMS) // (ITEMS // DOCUMENTS) if documents else None
        if documents:
            labelled = np.isin(np.arange(ITEMS), np.random.default_rng(seed).permutation(ITEMS)[:n])
        freedom = n - 1 if codes is None else np.unique(codes[labelled]).size - 1
        off, ratio = np.empty(number), np.empty(number)
        for start in range(0, number, PIECE):
            part = slice(start, min(start + PIECE, number))
            y, f = draw(np.random.default_rng([seed, start]), part.stop - start)
            found = corrected_means(y[labelled], f, labelled, codes)
            off[part] = np.abs(found.estimate - truth) / found.error
            ratio[part] = found.error * np.sqrt(n) / y[labelled].std(axis=0, ddof=1)
        figures = [
            share(
                f"{100 * level:g} %",
                level,
                np.count_nonzero(off <= special.stdtrit(freedom, (1 + level) / 2)),
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


def board_cell(situation: str, zero_one: bool, n: int, replications: int) -> list[Row]:
    """Boards of systems that people find equal and the judge does not: any pair claimed, with Holm."""
    left, right = np.triu_indices(SYSTEMS, 1)

    def measure(number: int, seed: int, only: object) -> list[Row]:
        claimed = 0
        for place in range(number):
            rng = np.random.default_rng([seed, place])
            people = rng.normal(size=(ITEMS, 1)) + rng.normal(size=(ITEMS, SYSTEMS))
            judge = people + rng.normal(size=people.shape) + np.arange(SYSTEMS) / 2
            if zero_one:
                people, judge = (people > 0).astype(float), (judge > 0).astype(float)
            people[n:] = np.nan
            pairs, _ = corrected_pairs(Sides(people, judge, None), left, right, 0.05)
            claimed += bool(adjusted_pairs(pairs, "holm", 0.05).significant.any())
        figures = (share("family-wise error", 0.05, claimed, number),)
        size = f"{SYSTEMS} systems, n = {n} of {ITEMS:,}"
        return [
            Row.blank("judged", f"boards of {situation}", size, number, seed).of(
                "corrected-mean: holm", "at-most", figures
            )
        ]

    return measured(f"judged|board|{situation}|{n}", replications, measure)


def plan_cell(n: int, replications: int) -> list[Row]:
    """A difference of systems whose disagreement varies between items, labels drawn by `plan_labels`."""

    def measure(number: int, seed: int, only: object) -> list[Row]:
        off, freedom, errors = np.empty(number), np.empty(number), np.empty((2, number))
        for place in range(number):
            rng = np.random.default_rng([seed, place])
            spread = np.exp(rng.normal(size=(ITEMS, 1)))
            people = rng.normal(size=(ITEMS, 1)) + np.arange(4) / 5 + spread * rng.normal(size=(ITEMS, 4))
            judge = people + spread * rng.normal(size=people.shape) + np.arange(4)[::-1]
            plan = plan_labels({"judge": ScoreMatrix(values=judge, systems="ABCD")}, n, seed=place)
            y, f, strata = people[:, [1]] - people[:, [0]], judge[:, [1]] - judge[:, [0]], plan.stratum - 1
            found = stratified_means(y[plan.chosen], f, plan.chosen, strata, np.bincount(strata))
            alike = np.isin(np.arange(ITEMS), rng.permutation(ITEMS)[:n])
            equal = corrected_means(y[alike], f, alike)
            off[place] = abs(float(found.estimate[0]) - 0.2) / float(found.error[0])
            freedom[place] = float(np.broadcast_to(found.freedom, 1)[0])
            errors[:, place] = float(found.error[0]), float(equal.error[0])
        figures = [
            share(
                f"{100 * level:g} %",
                level,
                np.count_nonzero(off <= special.stdtrit(freedom, (1 + level) / 2)),
                number,
            )
            for level in CONFIDENCE
        ]
        mean = errors.mean(axis=1)
        ratio = float(mean[0] / mean[1])
        spread = float((errors[0] - ratio * errors[1]).std() / mean[1] / np.sqrt(number))
        width = Figure("error against equal probabilities", None, ratio, spread)
        situation = "labels by plan, disagreement varies"
        return [
            Row.blank("judged", situation, f"n = {n} of {ITEMS:,}", number, seed).of(
                "corrected-mean", "at-least", (*figures, width)
            )
        ]

    return measured(f"judged|plan|{n}", replications, measure)
