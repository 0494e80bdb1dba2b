"""Battles of an arena: 8 models, prompts, judges."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

BATTLE_SEED = 20230
MODELS = {  # strength as log odds, and how much longer than others its answers are
    "Avocet-70B": (1.1, 0.15),
    "Bittern-2": (0.75, 0.0),
    "Bittern-2-chat": (0.7, 0.5),  # no better than Bittern-2, but wordy
    "Crake-34B": (0.3, 0.0),
    "Dotterel-13B": (0.0, -0.1),
    "Egret-mini": (-0.2, 0.1),
    "Fulmar-7B": (-0.75, -0.2),
    "Gadwall-3B": (-1.3, -0.3),
}
BATTLES, PROMPTS = 2_400, 300
CATEGORIES = ("writing", "coding", "maths", "chat")
TASTE = 0.6  # what a prompt adds to the strength of every model, its standard deviation
FIRST, LONGER = 0.15, 1.2  # log odds of the answer shown first, and of one e times as long
TIED = 0.45  # half of the distance, as log odds, within which a battle is a tie


def battle_lines(rng: np.random.Generator) -> Iterable[str]:
    """Battles of an arena in CSV: who is shown first or writes more gains, and every prompt has its taste."""
    names = list(MODELS)
    strength, wordy = np.array(list(MODELS.values())).T
    taste = TASTE * rng.standard_normal((PROMPTS, len(names)))
    often = np.array([2, 2, 1, 2, 2, 1, 1, 1])  # new models have met fewer
    yield "model_a,model_b,winner,prompt,category,judge,length_a,length_b,time"
    time = 1_700_000_000
    for _ in range(BATTLES):
        prompt = int(rng.integers(PROMPTS))
        a, b = rng.choice(len(names), 2, replace=False, p=often / often.sum())
        words = np.exp(rng.normal(5.0, 0.35) + wordy[[a, b]] + rng.normal(0.0, 0.3, 2)).round().astype(int)
        d = strength[a] + taste[prompt, a] - strength[b] - taste[prompt, b]
        d += FIRST + LONGER * (words[0] - words[1]) / (words[0] + words[1])
        felt = d + rng.logistic()
        winner = "tie" if abs(felt) < TIED else "model_a" if felt > 0 else "model_b"
        judge = f"j{int(rng.integers(6)) + 1}"
        time += int(rng.integers(5, 400))
        category = CATEGORIES[prompt % len(CATEGORIES)]
        row = (names[a], names[b], winner, f"q{prompt + 1:03d}", category, judge, *words, time)
        yield ",".join(map(str, row))
