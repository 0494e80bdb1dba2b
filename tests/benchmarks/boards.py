"""Boards to time on: made here from seeds, so that everybody times the same numbers."""

from __future__ import annotations

import numpy as np

import nlpstat_core as ns
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import chunks, pair_indices
from nlpstat_core.scores.battles import Battles

W1, W2, W3 = (2001, 16), (1000, 50), (805, 200)
EVALSTATS = (1976, 15)


def real_board(
    n_units: int, n_systems: int, decimals: int | None = None, spread: float = 0.02
) -> ns.ScoreMatrix:
    """Sentence scores as of BLEU: a skewed item effect shared by systems that differ a little."""
    rng = np.random.default_rng(n_units * 1000 + n_systems)
    item = rng.beta(2, 4, size=(n_units, 1))
    values = item + 0.1 * rng.standard_t(5, size=(n_units, n_systems))
    values += np.linspace(0, spread, n_systems)
    return named(values if decimals is None else np.round(values, decimals))


def binary_board(n_units: int, n_systems: int) -> ns.ScoreMatrix:
    """Right and wrong answers by a one-parameter logistic model."""
    rng = np.random.default_rng(n_units * 1000 + n_systems)
    ability, difficulty = rng.normal(size=n_systems), rng.normal(size=(n_units, 1))
    probability = 1 / (1 + np.exp(difficulty - ability))
    return named((rng.random((n_units, n_systems)) < probability).astype(float))


def chrf_board(n_units: int = 1976, n_systems: int = 15) -> ns.ScoreMatrix:
    """Sentence scores as of chrF: four decimals, differences with heavy tails, many sentences alike."""
    rng = np.random.default_rng(n_units * 1000 + n_systems)
    item = 100 * rng.beta(4, 3, size=(n_units, 1))
    values = item + np.linspace(0, 2, n_systems) + 6 * rng.standard_t(2, size=(n_units, n_systems))
    copied = rng.random((n_units, n_systems)) < 0.15  # the most likely translation, word for word
    values = np.where(copied, item, values)
    return named(np.round(np.clip(values, 0, 100), 4))


def holed_board(n_units: int = 400, n_systems: int = 60, missing: float = 0.03) -> ns.ScoreMatrix:
    """Scores of four decimals missing at random: hardly two pairs of systems share the same units."""
    values = real_board(n_units, n_systems, decimals=4).values.copy()
    values[np.random.default_rng(1).random(values.shape) < missing] = np.nan
    return named(values)


def tracks(n_systems: int = 50, n_tracks: int = 20, n_units: int = 500) -> dict[str, ns.ScoreMatrix]:
    """Tracks of three decimals with systems that lie close."""
    rng = np.random.default_rng(n_units * 1000 + n_systems)
    skill = rng.normal(0.0, 0.1, n_systems)
    return {
        f"track {place}": named(np.round(rng.normal(size=(n_units, n_systems)) + skill, 3))
        for place in range(n_tracks)
    }


def precision_board(n_units: int = 249, n_systems: int = 110) -> ns.ScoreMatrix:
    """Average precisions of retrieval runs: shares of four decimals, hard and easy topics."""
    rng = np.random.default_rng(n_units * 1000 + n_systems)
    topic, run = rng.normal(-1.0, 1.2, (n_units, 1)), rng.normal(0.0, 0.4, n_systems)
    values = 0.9 / (1.0 + np.exp(-(topic + run + rng.normal(0.0, 0.6, (n_units, n_systems)))))
    return named(np.round(values, 4))


def arena(n_battles: int, n_systems: int = 200, prompts: int = 100_000) -> Battles:
    """Battles as of an arena: a fifth ties, prompts that come again."""
    rng = np.random.default_rng(n_battles)
    strength = rng.normal(0, 0.5, n_systems)
    left = rng.integers(n_systems, size=n_battles)
    right = (left + rng.integers(1, n_systems, size=n_battles)) % n_systems
    won = rng.random(n_battles) < 1 / (1 + np.exp(strength[right] - strength[left]))
    outcome = np.where(won, 1, -1).astype(np.int8)
    outcome[rng.random(n_battles) < 0.2] = 0
    return Battles(
        systems=tuple(f"system {number}" for number in range(n_systems)),
        left=left,
        right=right,
        outcome=outcome,
        labels={"prompt": rng.integers(prompts, size=n_battles)},
    )


def preference_board(n_units: int = 805, n_systems: int = 58) -> ns.ScoreMatrix:
    """Preferences of a judge, six decimals, most near 0 or 1; of two systems nearly all near 0."""
    rng = np.random.default_rng(n_units * 1000 + n_systems)
    prompt, skill = rng.normal(0.0, 1.5, (n_units, 1)), rng.normal(-2.0, 2.0, n_systems)
    values = 1.0 / (1.0 + np.exp(-2.5 * (prompt + skill + rng.normal(0.0, 3.0, (n_units, n_systems)))))
    for system, share in ((0, 0.9), (1, 0.8)):
        tiny = rng.exponential(2e-5, n_units)
        values[:, system] = np.where(rng.random(n_units) < share, tiny, values[:, system])
    return named(np.round(values, 6))


def label_submissions(n_items: int = 2_000, n_systems: int = 40, n_labels: int = 20) -> ns.Submissions:
    """A shared task: labels of unlike frequency, items of unlike difficulty, systems close together."""
    rng = np.random.default_rng(1)
    gold = rng.choice(n_labels, n_items, p=rng.dirichlet(np.full(n_labels, 2.0)))
    difficulty = rng.normal(size=n_items)
    outputs = {}
    for system in range(n_systems):
        right = rng.random(n_items) < 1 / (1 + np.exp(difficulty - 0.8 - 0.015 * system))
        column = np.where(right, gold, rng.integers(0, n_labels, n_items))
        outputs[f"team-{system}"] = [f"label-{code}" for code in column]
    return ns.Submissions(
        kind="labels",
        items=[str(item) for item in range(n_items)],
        gold=[f"label-{code}" for code in gold],
        outputs=outputs,
        measures=["macro-f1"],
    )


def text_submissions(n_items: int = 1_000, n_systems: int = 26) -> ns.Submissions:
    """Translations: sentences of Zipf's words, of which each system changes a share."""
    rng = np.random.default_rng(2)
    words = np.array([f"word{rank}" for rank in range(5_000)])
    chance = 1 / np.arange(1, words.size + 1)
    chance /= chance.sum()
    sentences = [words[rng.choice(words.size, rng.integers(8, 35), p=chance)] for _ in range(n_items)]

    def output(sentence: np.ndarray, share: float) -> str:
        changed = rng.random(sentence.size) < share
        return " ".join(np.where(changed, rng.choice(words, sentence.size), sentence))

    return ns.Submissions(
        kind="texts",
        items=[str(item) for item in range(n_items)],
        gold=[(" ".join(sentence),) for sentence in sentences],
        outputs={
            f"system-{system}": [output(sentence, 0.4 - 0.002 * system) for sentence in sentences]
            for system in range(n_systems)
        },
        measures=["bleu"],
    )


def named(values: np.ndarray) -> ns.ScoreMatrix:
    return ns.ScoreMatrix(values=values, systems=tuple(f"system-{i}" for i in range(values.shape[1])))


def batches(scores: ns.ScoreMatrix) -> list[PairBatch]:
    """All pairs, in the pieces that an analysis works on."""
    left, right = pair_indices(scores.n_systems)
    return [chunk.batch for chunk in chunks(scores, left, right)]


def count_differences(n_units: int, largest: int = 12) -> np.ndarray:
    """Differences of correct counts per sentence, as in the exact test of a difference in accuracy."""
    rng = np.random.default_rng(n_units)
    length = rng.integers(1, 2 * largest, n_units)
    return (rng.binomial(length, 0.92) - rng.binomial(length, 0.915)).astype(np.int64)


def judged_board(n_items: int = 2_000, systems: int = 30, labels: int = 200) -> dict[str, ns.ScoreMatrix]:
    """People's scores of some items and a judge's of all, which favours some systems."""
    rng = np.random.default_rng(0)
    people = rng.normal(size=(n_items, 1)) + rng.normal(size=(n_items, systems)) + np.arange(systems) / 20
    judge = people + rng.normal(size=people.shape) + rng.normal(size=systems) / 4
    people[labels:] = np.nan
    names = tuple(f"s{i}" for i in range(systems))
    return {
        "human": ns.ScoreMatrix(values=people, systems=names),
        "judge": ns.ScoreMatrix(values=judge, systems=names),
    }
