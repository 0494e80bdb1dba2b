"""Outputs that agree with gold by chance (another order) or wholly (its own file), or have another scale."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.scores.submissions import Kind

_FEWEST_LABELS = 5
_FEWEST_NUMBERS = 10
_OTHER_SIZE = 20.0  # times; percentages are 100 times shares
FEWEST = 20  # items below which chance explains anything
_NEAR_CHANCE, _FAR = 2.0, 6.0  # in standard errors of agreement by chance


def shuffled_notes(kind: Kind, gold: Sequence[Any], outputs: Mapping[str, Sequence[Any]]) -> tuple[Note, ...]:
    """A caution for each system near chance where half of the others are far above it.

    outputs: Of the systems whose files have no ids.
    """
    if len(gold) < FEWEST or len(outputs) < 2:
        return ()
    above = {system: _above_chance(kind, gold, column) for system, column in outputs.items()}
    notes = []
    for system, own in above.items():
        others = sorted(value for name, value in above.items() if name != system and not math.isnan(value))
        if own < _NEAR_CHANCE and others and others[len(others) // 2] > _FAR:
            text = (
                f"{shown(system)} agrees with gold no more than by chance, unlike the others: its "
                "lines may be in a different order. Give ids, or check the file."
            )
            notes.append(Note("order-doubtful", "caution", text))
    return tuple(notes)


def first_line_notes(
    kind: Kind, gold: Sequence[Any], outputs: Mapping[str, Sequence[Any]]
) -> tuple[Note, ...]:
    """A caution where all files begin with a label that gold has nowhere else: it may be a header."""
    if kind != "labels" or len(gold) < _FEWEST_LABELS or gold.count(gold[0]) > 1:
        return ()
    if any(column[0] != gold[0] for column in outputs.values()):
        return ()
    text = (
        f"All files begin with {shown(gold[0])}, which gold has nowhere else: it counts as an item; if it is "
        "a header, remove it from every file."
    )
    return (Note("first-line-doubtful", "caution", text),)


def own_gold_notes(kind: Kind, gold: Sequence[Any], outputs: Mapping[str, Sequence[Any]]) -> tuple[Note, ...]:
    """A caution for each system that gives gold's answer to every item: it may be gold's own file."""
    if len(gold) < FEWEST or len(set(gold)) < 2:
        return ()

    def is_gold(column: Sequence[Any]) -> bool:
        pairs = zip(gold, column, strict=True)
        return all(own == right or (kind == "texts" and own in right) for right, own in pairs)

    return tuple(
        Note(
            "outputs-are-gold",
            "caution",
            f"{shown(system)} gives gold's answer to every item; if it is gold's own file, leave it out.",
        )
        for system, column in outputs.items()
        if is_gold(column)
    )


def scale_notes(gold: Sequence[float], outputs: Mapping[str, Sequence[float | None]]) -> tuple[Note, ...]:
    """A caution for each system whose numbers are of another size than gold's, as 0–100 beside 0–1."""
    usual = float(np.median(np.abs(gold)))
    if len(gold) < _FEWEST_NUMBERS or not usual or set(gold) <= {0.0, 1.0}:
        return ()  # gold of 0 and 1 goes with scores of any size
    notes = []
    for system, column in outputs.items():
        there = [output for output in column if output is not None]
        own = float(np.median(np.abs(there))) if there else 0.0
        if own and not 1 / _OTHER_SIZE < own / usual < _OTHER_SIZE:
            text = (
                f"{shown(system)} has numbers of another size than gold (medians {own:.3g} and {usual:.3g}): "
                "if they are on another scale, as percentages beside shares, errors such as MAE mean nothing."
            )
            notes.append(Note("outputs-of-other-size", "caution", text))
    return tuple(notes)


def _above_chance(kind: Kind, gold: Sequence[Any], column: Sequence[Any]) -> float:
    """How many standard errors agreement with gold is above chance; NaN where nothing varies."""
    pairs = [(right, own) for right, own in zip(gold, column, strict=True) if own is not None]
    if len(pairs) < FEWEST:
        return math.nan
    if kind == "numbers":
        return _of_numbers(pairs)
    if kind == "labels":
        return _of_labels(pairs)
    return _of_texts(pairs)


def _of_labels(pairs: Sequence[tuple[Any, Any]]) -> float:
    many = len(pairs)
    gold, own = Counter(right for right, _ in pairs), Counter(output for _, output in pairs)
    chance = sum(count * own[label] for label, count in gold.items()) / many**2
    if not 0 < chance < 1:
        return math.nan
    agreed = sum(right == output for right, output in pairs) / many
    return float((agreed - chance) / math.sqrt(chance * (1 - chance) / many))


def _of_numbers(pairs: Sequence[tuple[Any, Any]]) -> float:
    values: FloatArray = np.array(pairs, dtype=np.float64)
    if len(set(values[:, 0].tolist())) < 2 or len(set(values[:, 1].tolist())) < 2:
        return math.nan
    right, own = (np.argsort(np.argsort(values[:, place])) for place in (0, 1))
    return float(np.corrcoef(right, own)[0, 1] * math.sqrt(len(pairs) - 1))


def _of_texts(pairs: Sequence[tuple[Any, Any]]) -> float:
    """Words shared with the own item's gold against those shared with the next item's."""
    right = [_words(gold) for gold, _ in pairs]
    own = [_words(output) for _, output in pairs]
    here = [
        len(one & two) - len(one & other)
        for one, two, other in zip(own, right, [*right[1:], right[0]], strict=True)
    ]
    spread = float(np.std(here, ddof=1))
    return math.nan if not spread else float(np.mean(here)) / spread * math.sqrt(len(here))


def _words(cell: Any) -> set[Any]:
    if isinstance(cell, str):
        return set(cell.split())
    texts = [one for one in cell if isinstance(one, str)]
    # The references of a text, or the tags of a sentence with their places.
    return {word for text in texts for word in text.split()} | set(enumerate(map(str, cell)))
