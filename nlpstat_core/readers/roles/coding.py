"""Distinct names as numbers, and what stands at the same number brought together."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.installed import has_arrow

MANY = 20_000  # names from which on Arrow is worth loading


def codes(names: Sequence[str]) -> tuple[tuple[str, ...], IntArray]:
    """Distinct names in order of appearance, and the position of each name among them.

    >>> codes(["b", "a", "b"])
    (('b', 'a'), array([0, 1, 0]))
    """
    if len(names) > MANY and has_arrow():
        import pyarrow as pa

        try:
            encoded = pa.array(names, pa.large_string()).dictionary_encode()
        except UnicodeEncodeError:  # JSON may hold halves of letters, which Arrow can't
            pass
        else:
            return tuple(encoded.dictionary.to_pylist()), encoded.indices.to_numpy().astype(np.int64)
    places: dict[str, int] = {}
    found = [places.setdefault(name, len(places)) for name in names]
    return tuple(places), np.array(found, dtype=np.int64)


def means_at(places: IntArray, scores: FloatArray, size: int) -> FloatArray:
    """The mean of the scores at each of `size` places; NaN where there are none.

    >>> means_at(np.array([0, 2, 2, 2]), np.array([0.5, 1.0, 2.0, np.nan]), 3).tolist()
    [0.5, nan, 1.5]
    """
    there = ~np.isnan(scores)
    counts = np.bincount(places[there], minlength=size)
    sums = np.bincount(places[there], weights=scores[there], minlength=size)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def labels_at(placed: Iterable[tuple[int, str]], size: int) -> tuple[str, ...] | None:
    """The label at each of `size` places, empty where there is none; None where two differ at one place.

    >>> labels_at([(0, "news"), (2, "chat"), (0, "news")], 3), labels_at([(0, "news"), (0, "chat")], 1)
    (('news', '', 'chat'), None)
    """
    found: list[str | None] = [None] * size
    for place, label in placed:
        if found[place] is None:
            found[place] = label
        elif found[place] != label:
            return None
    return tuple(label or "" for label in found)


def agreed_labels(
    tables: Iterable[tuple[Sequence[int], Mapping[str, Sequence[str]]]], size: int
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Columns of labels of several tables at `size` places, and the names of those that contradict others.

    tables: The place of every row, and the labels by column.
    """
    placed: dict[str, list[Iterable[tuple[int, str]]]] = {}
    for places, labels in tables:
        for name, cells in labels.items():
            placed.setdefault(name, []).append(zip(places, cells, strict=True))
    found = {name: labels_at(chain.from_iterable(pairs), size) for name, pairs in placed.items()}
    return {name: own for name, own in found.items() if own is not None}, [
        name for name, own in found.items() if own is None
    ]
