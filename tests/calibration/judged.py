"""A judge corrected by people: coverage for useful, useless and accurate judges, by documents, plans and
raters; errors of whole boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy import special

from nlpstat_core.analysis.judged.pairs import adjusted_pairs, corrected_pairs, pairs_by_max_t
from nlpstat_core.analysis.judged.raters import Ratings, clusters_of, groups_of
from nlpstat_core.analysis.judged.sides import Sides
from nlpstat_core.analysis.label_plan import plan_labels
from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.judged.corrected import corrected_means, stratified_means
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.calibration.rows import Figure, Row, measured, share

ITEMS = 1_000
LABELS = (20, 40, 100, 300)
CONFIDENCE = (0.9, 0.95, 0.99)
DOCUMENTS = 100  # of ten items each
SYSTEMS = 6
BOARDS = 1_000
BOARDS_BY_MAX_T, RESAMPLES = 2_000, 999
TASTE = 0.3  # standard deviation between raters; that of items is 1, of a rating's noise 0.7
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
        for situation, who in RATERS.items():
            yield raters_cell(situation, who, n, replications)
    for n in LABELS:
        for situation in ("normal scores", "0/1 scores"):
            yield board_cell(situation, n, "holm", BOARDS)
            yield board_cell(situation, n, "max-t", BOARDS_BY_MAX_T)
    for n in LABELS[1:]:
        yield board_cell("documents of ten items", n, "max-t", BOARDS_BY_MAX_T)


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


def board_cell(situation: str, n: int, correction: str, replications: int) -> list[Row]:
    """Boards of systems that people find equal and the judge does not: any pair claimed."""
    left, right = np.triu_indices(SYSTEMS, 1)
    codes = np.arange(ITEMS) // (ITEMS // DOCUMENTS) if situation.startswith("documents") else None

    def measure(number: int, seed: int, only: object) -> list[Row]:
        claimed = 0
        for place in range(number):
            rng = np.random.default_rng([seed, place])
            people = rng.normal(size=(ITEMS, 1)) + rng.normal(size=(ITEMS, SYSTEMS))
            judge = people + rng.normal(size=people.shape) + np.arange(SYSTEMS) / 2
            if codes is not None:
                of_document = 0.7 * rng.normal(size=(2, DOCUMENTS, SYSTEMS))[:, codes]
                people, judge = people + of_document[0], judge + of_document.sum(axis=0)
            if situation == "0/1 scores":
                people, judge = (people > 0).astype(float), (judge > 0).astype(float)
            gone = np.arange(ITEMS) >= n if codes is None else rng.permutation(ITEMS) >= n
            people[gone] = np.nan
            sides = Sides(people, judge, codes)
            if correction == "max-t":
                pairs = pairs_by_max_t(sides, left, right, 0.05, RESAMPLES)
            else:
                pairs = adjusted_pairs(corrected_pairs(sides, left, right, 0.05)[0], correction, 0.05)
            claimed += bool(pairs.significant.any())
        figures = (share("family-wise error", 0.05, claimed, number),)
        size = f"{SYSTEMS} systems, n = {n} of {ITEMS:,}"
        return [
            Row.blank("judged", f"boards of {situation}", size, number, seed).of(
                f"corrected-mean: {correction}", "at-most", figures
            )
        ]

    name = f"judged|board|{situation}|{n}" + ("" if correction == "holm" else f"|{correction}")
    return measured(name, replications, measure)


# Raters in all, raters of an item; 0: each rater has items of her own.
RATERS = {
    "crossed raters, five judge every item": (5, 5),
    "crossed raters, three of ten judge an item": (10, 3),
    "nested raters, ten with items of their own": (10, 0),
}


def raters_cell(situation: str, who: tuple[int, int], n: int, replications: int) -> list[Row]:
    """A difference of two systems that raters see unlike each other: intervals are for other raters, too."""
    n_raters, of_item = who

    def measure(number: int, seed: int, only: object) -> list[Row]:
        p_values, alone = np.empty(number), np.empty(number)
        one = np.array([0]), np.array([1])
        for place in range(number):
            rng = np.random.default_rng([seed, place])
            quality = rng.normal(size=(ITEMS, 2)) / np.sqrt(2)
            judge = quality + 0.7 * rng.normal(size=quality.shape) + np.array([0.5, 0.0])
            taste = TASTE / np.sqrt(2) * rng.normal(size=(2, n_raters))
            noise = 0.7 / np.sqrt(2) * rng.normal(size=(n, 2, n_raters))
            ratings = np.full((ITEMS, 2, n_raters), np.nan)
            ratings[:n] = quality[:n, :, None] + taste + noise
            gone = np.argsort(rng.random((n, n_raters)), axis=1) >= (of_item or n_raters)
            if not of_item:
                gone = np.arange(n)[:, None] % n_raters != np.arange(n_raters)
            ratings[:n][np.broadcast_to(gone[:, None], noise.shape)] = np.nan
            given = Ratings(ratings, tuple(map(str, range(n_raters))))
            clusters = clusters_of(groups_of(given), "people")
            kept = ratings if clusters is None else None
            sides = Sides(given.means, judge, clusters, None, kept)
            p_values[place] = corrected_pairs(sides, *one, 0.05)[0].p_value[0]
            alone[place] = corrected_pairs(Sides(given.means, judge, None), *one, 0.05)[0].p_value[0]
        figures = [
            share(f"{100 * level:g} %", level, np.count_nonzero(p_values > 1 - level), number)
            for level in CONFIDENCE
        ]
        ignored = share("95 % where raters are ignored", 0.95, np.count_nonzero(alone > 0.05), number)
        figures.append(Figure(ignored.what, None, ignored.rate, ignored.error))
        return [
            Row.blank("judged", situation, f"n = {n} of {ITEMS:,}", number, seed).of(
                "corrected-mean", "equal", tuple(figures)
            )
        ]

    return measured(f"judged|{situation}|{n}", replications, measure)


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
