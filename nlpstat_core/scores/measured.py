"""What a measure is made of: numbers of every item and system, and the law that makes a score of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

# From gold's numbers (g, …) and a system's (k, …) to its value; see `Law`.
Value = Callable[..., FloatArray]
Comparable = Literal["raw", "z-scores", "mid-ranks"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Law:
    """How the numbers of items become a measure's value.

    value: Of sums: from Σ gold's numbers (g, …) and Σ a system's numbers (k, …) to values (…). Of items: from
        gold's (n,), a system's (n,) and weights (n, B) to values (B,).
    of_sums: Whether only sums count; else the items' order does, too.
    linear: Whether the value is linear in a system's sums while gold's stay: the exact engine takes it.
    smooth: Whether it has no steps or kinks where outputs are exchanged: its slope then aims the draws.
    exchanged: What outputs become before two systems exchange them, so that both are on one scale.
    exchange: The law of exchanged outputs where it is another one: of their sums.
    expand: From gold (1, n) and one system's outputs (1, n) to their numbers (g, n) and (k, n), for laws of
        sums whose numbers need all items at once (z-scores).
    """

    value: Value
    of_sums: bool = True
    linear: bool = False
    smooth: bool = True
    exchanged: Comparable = "raw"
    exchange: Law | None = None
    expand: Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Measured:
    """Numbers of all items and systems behind a measure that is not a mean of item scores.

    key: The measure, as in the catalogue.
    label: Its name in sentences: "macro-F1".
    signature: Measure, options and the version of the library that counted, as sacreBLEU writes them.
    gold (float array, shape (g, n_items)): Gold's part.
    outputs (float array or sparse matrix, shape (n_systems·k, n_items)): Numbers of the systems, k rows each;
        0 where a system has no output.
    """

    key: str
    label: str
    signature: str
    gold: FloatArray
    outputs: Any
    present: BoolArray
    law: Law
    bounds: tuple[float, float] = (-np.inf, np.inf)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.present.shape[0])

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return int(self.present.shape[1])

    @property
    def k(self) -> int:
        """Numbers of an item and system."""
        return int(self.outputs.shape[0]) // self.n_systems

    def of_system(self, system: int) -> FloatArray:
        """One system's numbers, shape (k, n_items)."""
        part = self.outputs[system * self.k : (system + 1) * self.k]
        dense: FloatArray = np.asarray(part.toarray() if hasattr(part, "toarray") else part)
        return dense

    def rows(self, chosen: IntArray) -> Measured:
        """The same of some items, in the order given."""
        return replace(
            self, gold=self.gold[:, chosen], outputs=self.outputs[:, chosen], present=self.present[chosen]
        )

    def columns(self, chosen: Sequence[int]) -> Measured:
        """The same of some systems, in the order given."""
        kept = np.asarray(chosen, dtype=np.int64)
        lines = (kept[:, None] * self.k + np.arange(self.k)).ravel()
        return replace(self, outputs=self.outputs[lines], present=self.present[:, kept])

    def told(self) -> list[bytes]:
        """Everything that can change a number, for fingerprints."""
        tables = [self.gold, *(self.of_system(system) for system in range(self.n_systems))]
        return [self.signature.encode(), *(np.asarray(table, dtype="<f8").tobytes() for table in tables)]
