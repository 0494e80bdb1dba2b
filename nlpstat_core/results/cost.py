"""Systems by score and cost, as `score_against_cost` gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.formatting import some_names
from nlpstat_core.notes import Note
from nlpstat_core.results.plain import records_of
from nlpstat_core.version import VERSION

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CostFront:
    """Systems by score and cost, and which of them none beats on both.

    Attributes
    ----------
    metric : str
    cost : str
        Name of the cost.
    lower_is_better : bool
        Of the score; of a cost lower is always better.
    systems : tuple of str
        By score, best first; so are all arrays.
    score, mean_cost : float arrays, shape (n_systems,)
        Means over the items that count.
    score_interval, cost_interval : float arrays, shape (n_systems, 2)
        At `level`, by items or documents.
    on_front : bool array, shape (n_systems,)
        Whether no other system is at least as good on both and better on one.
    probability : float array, shape (n_systems,)
        In which share of the resamples it is.
    items, resamples, seed : int
    documents : str
        Column of the documents that are drawn; empty where items are.
    level : float
    source : str
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, score_against_cost
    >>> scores = [[1, 0, 1], [1, 0, 1], [0, 1, 1], [1, 0, 1]]
    >>> costs = [[2, 1, 9], [3, 1, 8], [2, 1, 9], [2, 2, 9]]
    >>> found = score_against_cost(ScoreMatrix(values=scores, systems="ABC", costs={"s": costs}))
    >>> found.front
    ('C', 'A', 'B')
    """

    metric: str
    cost: str
    lower_is_better: bool
    systems: tuple[str, ...]
    score: FloatArray
    score_interval: FloatArray
    mean_cost: FloatArray
    cost_interval: FloatArray
    on_front: BoolArray
    probability: FloatArray
    items: int
    resamples: int
    seed: int
    documents: str
    level: float
    source: str = ""
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<CostFront: {len(self.systems):,} systems by {self.metric} and {self.cost}. "
            f"On the front: {some_names(self.front)}>"
        )

    @property
    def front(self) -> tuple[str, ...]:
        """Systems that no other beats on both, the best score first."""
        return tuple(name for name, on in zip(self.systems, self.on_front, strict=True) if on)

    @property
    def beaten_by(self) -> Mapping[str, tuple[str, ...]]:
        """For every system off the front, those on it that are at least as good on both."""
        sign = -1.0 if self.lower_is_better else 1.0
        found = {}
        for row in np.flatnonzero(~self.on_front).tolist():
            ahead = self.on_front & (sign * self.score >= sign * self.score[row])
            ahead &= self.mean_cost <= self.mean_cost[row]
            found[self.systems[row]] = tuple(self.systems[i] for i in np.flatnonzero(ahead))
        return found

    def to_frame(self) -> pd.DataFrame:
        """One row per system, the best score first.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        beaten = self.beaten_by
        return pd.DataFrame(
            {
                "system": self.systems,
                "score": self.score,
                "score_lower": self.score_interval[:, 0],
                "score_upper": self.score_interval[:, 1],
                "cost": self.mean_cost,
                "cost_lower": self.cost_interval[:, 0],
                "cost_upper": self.cost_interval[:, 1],
                "on_front": self.on_front,
                "probability": self.probability,
                "beaten_by": ["; ".join(beaten.get(name, ())) for name in self.systems],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON.

        Returns
        -------
        dict
        """
        told = ("metric", "cost", "lower_is_better", "items", "resamples", "seed", "level", "source")
        return {
            "version": VERSION,
            **{name: getattr(self, name) for name in told},
            "block_column": self.documents or "none",
            "systems": records_of(self.to_frame()),
            "notes": [note.to_dict() for note in self.notes],
        }
