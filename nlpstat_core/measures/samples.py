"""Several kept outputs of an item: pass@k, pass^k and majority@k, unbiased."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.errors import AnalysisError, ConfigError
from nlpstat_core.measures.encoding import as_label
from nlpstat_core.measures.record import MEAN_LAW, Column, Encoded, Measure

# From the number of right samples, those of each wrong answer, and k.
Chance = Callable[[int, Sequence[int], int], float]


def passes(right: int, others: Sequence[int], k: int) -> float:
    """Chance that one of k samples drawn without replacement is right."""
    n = right + sum(others)
    return float(1 - Fraction(math.comb(n - right, k), math.comb(n, k)))


def all_pass(right: int, others: Sequence[int], k: int) -> float:
    """Chance that all of k samples drawn without replacement are right."""
    return float(Fraction(math.comb(right, k), math.comb(right + sum(others), k)))


def majority(right: int, others: Sequence[int], k: int) -> float:
    """Chance that the most frequent of k answers drawn without replacement is right; ties are drawn.

    others: How often each wrong answer was given.
    """
    total = Fraction(0)
    for votes in range(1, min(right, k) + 1):
        # ways[(drawn, tied)]: draws of the wrong answers, none with more votes
        ways: Counter[tuple[int, int]] = Counter({(0, 0): 1})
        for count in others:
            after: Counter[tuple[int, int]] = Counter()
            for (used, tied), number in ways.items():
                for taken in range(min(count, votes, k - votes - used) + 1):
                    after[used + taken, tied + (taken == votes)] += number * math.comb(count, taken)
            ways = after
        won = sum(
            (Fraction(number, tied + 1) for (used, tied), number in ways.items() if used == k - votes),
            Fraction(0),
        )
        total += math.comb(right, votes) * won
    return float(total / math.comb(right + sum(others), k))


def of_samples(
    gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, chance: Chance
) -> Encoded:
    """One chance an item; samples are compared with gold as labels."""
    k = options["k"]
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ConfigError(f"k must be a whole number from 1 on, not {k!r}.")
    table = np.zeros((len(outputs), len(gold)))
    for system, column in enumerate(outputs):
        for item, samples in enumerate(column):
            if samples is None:
                continue
            if len(samples) < k:
                raise AnalysisError(f"Item {item + 1} has {len(samples):,} samples, fewer than k = {k}.")
            given = Counter(as_label(sample) for sample in samples)
            right = given.pop(as_label(gold[item]), 0)
            table[system, item] = chance(right, tuple(given.values()), k)
    return Encoded(gold=np.ones((1, len(gold))), outputs=table)


def measure(key: str, summary: str, formula: str, chance: Chance) -> Measure:
    """The record of one chance; k is the number of samples a user sees."""
    return Measure(
        key=key,
        kind="samples",
        bounds=(0.0, 1.0),
        is_mean=True,
        summary=summary,
        formula=formula,
        options={"k": 1},
        encode=partial(of_samples, chance=chance),
        law=MEAN_LAW,
        reference="its definition, over all sets of k samples",
        references=("chen2021codex",),
    )


PASS_AT = measure(
    "pass@k",
    "The chance that one of k samples of an item is right, unbiased from the samples there are.",
    r"\frac1n \sum_i 1 - \binom{m_i - c_i}{k} \Big/ \binom{m_i}{k}",
    passes,
)
PASS_ALL = measure(
    "pass^k",
    "The chance that all of k samples of an item are right, unbiased from the samples there are.",
    r"\frac1n \sum_i \binom{c_i}{k} \Big/ \binom{m_i}{k}",
    all_pass,
)
MAJORITY = measure(
    "majority@k",
    "The chance that the most frequent of k answers to an item is right, ties drawn, unbiased from the "
    "samples there are.",
    r"\frac1n \sum_i P(\text{gold wins among } k \text{ of } m_i)",
    majority,
)
