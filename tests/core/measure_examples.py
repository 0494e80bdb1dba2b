"""Gold and two outputs of every kind, twelve items each."""

import numpy as np

from nlpstat_core.measures import MEASURES

RNG = np.random.default_rng(5)
RATINGS = [RNG.integers(1, 4, 12).tolist() for _ in range(3)]
NUMBERS = [RNG.normal(size=12).tolist() for _ in range(3)]
CHANCES = [[0, 1] * 6, *(RNG.random(12).tolist() for _ in range(2))]
SENTENCES = [[" ".join(RNG.choice(list("abcde"), 6)) for _ in range(12)] for _ in range(3)]
OF_KIND = {
    "labels": RATINGS,
    "label-sets": [[[x for x in "abc" if RNG.random() < 0.5] for _ in range(12)] for _ in range(3)],
    "numbers": NUMBERS,
    "chances": CHANCES,
    "texts": SENTENCES,
    "tags": [[RNG.choice(["O", "B-X", "I-X", "B-Y"], 5).tolist() for _ in range(12)] for _ in range(3)],
    "trees": [[[(int(h), "r") for h in RNG.integers(0, 3, 4)] for _ in range(12)] for _ in range(3)],
    "samples": [RATINGS[0], *([RNG.integers(1, 4, 5).tolist() for _ in range(12)] for _ in range(2))],
    "counts": [[None] * 12, *([tuple(RNG.integers(0, 4, 3).tolist()) for _ in range(12)] for _ in range(2))],
}


def options_of(key):
    return {"positive": "1"} if key in ("f1", "f-beta") else {}


def examples(key):
    return OF_KIND[MEASURES[key].kind]
