"""Rows that repeat a system and unit: columns that count samples, and what else tells such rows apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.names import Kind, is_metric, says

MOST_SAMPLES = 200


def sample_column(columns: Columns, system: int, units: Sequence[int]) -> tuple[int, ...]:
    """A column that counts the samples of every system and unit; empty where none does.

    Its name may also be that of units ("sample_id"), so every system and unit must have the same few
    numbers, and there must be fewer of them than of units.
    """
    for place, name in enumerate(columns.header):
        if place == system or not says(Kind.SAMPLE, name) or not columns.is_whole(place):
            continue
        names, samples = codes(columns.texts(place))
        if not 1 < len(names) <= MOST_SAMPLES:
            continue
        for unit in units:
            if unit != place and _is_full(columns, (system, unit), samples, len(names)):
                return (place,)
    return ()


def _is_full(columns: Columns, keys: tuple[int, int], samples: IntArray, many: int) -> bool:
    """Whether every system and unit has every sample once, and more units than samples are there."""
    systems, units = (codes(columns.texts(i)) for i in keys)
    pairs = systems[1] * len(units[0]) + units[1]
    n_pairs = len(np.unique(pairs))
    distinct = len(np.unique(pairs * many + samples))
    return len(units[0]) > many and distinct == len(pairs) == n_pairs * many


def telling_columns(columns: Columns, keys: Sequence[int], score: int) -> Sentence:
    """What to say of columns that tell rows apart which repeat a system and unit; empty without any.

    keys: The columns of systems, units, runs.
    """
    known = columns.rows_alike(keys)
    found: list[tuple[int, str]] = []
    for place, name in enumerate(columns.header):
        if not name or place in {*keys, score} or is_metric(name) or says(Kind.CORRECT, name):
            continue
        names, own = codes(columns.texts(place))
        few = 1 < len(names) <= min(MOST_SAMPLES, len(own) // 2)
        if few and len(np.unique(known * len(names) + own)) == len(own):
            found.append((len(names), name))
    if not found:
        return Sentence()
    name = min(found)[1]
    system, unit = (columns.header[key] for key in keys[:2])
    told = (f"run={name}", f"metric={name}", f"system={system}+{name}", f"unit={unit}+{name}")
    return Sentence(
        f"column {shown(name)} tells these rows apart, so say whether it names data sets, runs, metrics, or "
        "a part of the systems or units",
        Remedy("dataset_column", name, "aside"),
        *(Remedy("roles", roles, "aside") for roles in told),
    )
