"""Level of the comparison of two equal systems of eight by their battles, with prompts of unlike taste."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import special

from nlpstat_core.methods.preferences.fit import fitted
from nlpstat_core.methods.preferences.sandwich import difference_error
from nlpstat_core.scores.battles import Battles
from tests.calibration.rows import LEVELS, Row, measured, share

SYSTEMS = tuple(f"s{i}" for i in range(8))
# The first two are equal; how often systems are drawn is as unequal as in arenas.
STRENGTHS = np.array([0.3, 0.3, 0.9, 0.5, 0.1, -0.2, -0.6, -1.3])
OFTEN = np.array([0.2, 0.1, 0.1, 0.1, 0.15, 0.15, 0.1, 0.1])
PAIRS = np.array([(a, b) for a in range(8) for b in range(8) if a != b])
CHANCES = OFTEN[PAIRS].prod(axis=1) / OFTEN[PAIRS].prod(axis=1).sum()
REPLICATIONS = 1_000
SIZES = ((300, 60), (300, 20), (1_000, 100))


def battles(rng: np.random.Generator, number: int, prompts: int, ties: float, taste: float) -> Battles:
    """Battles whose prompts each favour systems of their own.

    ties: ν of Davidson's model, 0 for none; 1 makes a third of the battles of equal systems ties.
    taste: Standard deviation of what a prompt adds to a strength.
    """
    prompt = rng.integers(prompts, size=number)
    pairs = PAIRS[rng.choice(len(PAIRS), size=number, p=CHANCES)]
    own = STRENGTHS + taste * rng.normal(size=(prompts, 8))
    d = own[prompt, pairs[:, 0]] - own[prompt, pairs[:, 1]]
    weights = np.column_stack([np.exp(d / 2), np.full(number, ties), np.exp(-d / 2)])
    chances = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    outcome = 1 - (rng.random(number)[:, None] > chances).sum(axis=1)
    return Battles(
        systems=SYSTEMS,
        left=pairs[:, 0],
        right=pairs[:, 1],
        outcome=np.clip(outcome, -1, 1).astype(np.int8),
        labels={"prompt": prompt},
    )


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Prompts with and without taste, none, some and many ties."""
    for number, prompts in SIZES:
        for situation, ties, taste in (
            ("no ties", 0.0, 0.7),
            ("a quarter ties", 0.7, 0.7),
            ("more than half ties", 3.0, 0.7),
            ("a quarter ties, prompts alike", 0.7, 0.0),
        ):
            yield cell(situation, ties, taste, number, prompts, replications)


def cell(
    situation: str, ties: float, taste: float, number: int, prompts: int, replications: int
) -> list[Row]:
    """Both models with errors by prompt, and half wins with battles taken alone."""
    kinds = (
        ("half", "half", "prompt"),
        ("davidson", "davidson", "prompt"),
        ("half (battles taken alone)", "half", None),
    )

    def measure(many: int, seed: int, only: object) -> list[Row]:
        p = {name: np.empty(many) for name, _, _ in kinds}
        for place in range(many):
            drawn = battles(np.random.default_rng([seed, place]), number, prompts, ties, taste)
            fits = {model: fitted(drawn, model) for model in ("half", "davidson")}
            for name, model, clusters in kinds:
                fit = fits[model]
                t = (fit.strengths[0] - fit.strengths[1]) / difference_error(fit, drawn, 0, 1, clusters)
                freedom = drawn.clusters(clusters)[1] - 1
                p[name][place] = 2 * special.stdtr(freedom, -abs(t))
        blank = Row.blank("preferences", situation, f"{number:,} battles, {prompts} prompts", many, seed)
        found = []
        for name, _, clusters in kinds:
            figures = tuple(
                share(f"{100 * level:g} %", level, np.count_nonzero(p[name] <= level), many)
                for level in LEVELS
            )
            if clusters is None and taste:  # promises nothing: what ignoring prompts costs
                figures = tuple(type(f)(f.what, None, f.rate, f.error) for f in figures)
            found.append(blank.of(name, "equal", figures))
        return found

    return measured(f"preferences|{situation}|{number}|{prompts}", replications, measure)
