"""What outputs tell of every label of gold, item by item: how often it is right, given and gold's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelCounts:
    """Counts behind F1 of every label, or of every type of span.

    names: Gold's labels (types), sorted.
    one: What one is called: "label" or "type".
    gold (sparse matrix, shape (n_labels, n_items)): How often gold has it.
    hits, given (sparse matrices, shape (n_systems·n_labels, n_items)): How often a system has it right, and
        how often at all; 0 where it has no output.
    """

    names: tuple[str, ...]
    one: str
    gold: Any
    hits: Any
    given: Any

    @property
    def shape(self) -> tuple[int, int]:
        """Items and systems."""
        return int(self.gold.shape[1]), int(self.hits.shape[0]) // max(1, len(self.names))

    @property
    def support(self) -> IntArray:
        """How often gold has each label, shape (n_labels,)."""
        return np.asarray(self.gold.sum(axis=1), dtype=np.int64).ravel()

    def of_system(self, system: int, groups: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Right, given and gold's by label and group, each of shape (n_labels, n_groups).

        groups (int array, shape (n_items,)): Group of every item from 0; −1 leaves an item out.
        """
        import scipy.sparse as sp

        there = np.flatnonzero(groups >= 0)
        many = int(groups.max(initial=-1)) + 1
        cells = (np.ones(there.size), (there, groups[there]))
        into = sp.csr_matrix(cells, shape=(groups.size, many))
        at = slice(system * len(self.names), (system + 1) * len(self.names))
        hits, given, gold = ((part @ into).toarray() for part in (self.hits[at], self.given[at], self.gold))
        return hits, given, gold

    def rows(self, chosen: IntArray) -> LabelCounts:
        """Of some of the items, in their order."""
        return replace(
            self, gold=self.gold[:, chosen], hits=self.hits[:, chosen], given=self.given[:, chosen]
        )

    def columns(self, chosen: Sequence[int]) -> LabelCounts:
        """Of some of the systems, in their order."""
        many = len(self.names)
        lines = (np.array(chosen, dtype=np.int64)[:, None] * many + np.arange(many)).ravel()
        return replace(self, hits=self.hits[lines], given=self.given[lines])
