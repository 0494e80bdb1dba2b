"""Which items people are to label next: strata, and a draw with known probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

STRATUM, NEXT = "stratum", "label_next"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LabelPlan:
    """Items to label, as `plan_labels` draws them.

    Attributes
    ----------
    human, judge : str
        Names of the two metrics.
    systems : tuple of str
    items : tuple of str
    people, judged : float arrays, shape (n_items, n_systems)
        Scores; people's NaN where there is none yet.
    stratum : int array, shape (n_items,)
        From 1: by the judge's mean score, and within that by how much its scores of the systems differ.
    chosen : bool array, shape (n_items,)
        To be labelled next.
    labelled : bool array, shape (n_items,)
        With a label already.
    probability : float array, shape (n_items,)
        Of having a label once the plan is carried out: labelled items of the stratum over all its items.
    seed : int

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, plan_labels
    >>> scores = np.random.default_rng(0).normal(size=(200, 3))
    >>> plan = plan_labels({"GEMBA": ScoreMatrix(values=scores, systems="ABC")}, 40)
    >>> int(plan.chosen.sum()), plan.strata_frame()["items"].tolist()
    (40, [100, 100])
    """

    human: str
    judge: str
    systems: tuple[str, ...]
    items: tuple[str, ...]
    people: FloatArray
    judged: FloatArray
    stratum: IntArray
    chosen: BoolArray
    labelled: BoolArray
    probability: FloatArray
    seed: int

    def __repr__(self) -> str:
        return (
            f"<LabelPlan: {int(self.chosen.sum()):,} of {len(self.items):,} items to label next, "
            f"{int(self.labelled.sum()):,} labelled already>"
        )

    def strata_frame(self) -> pd.DataFrame:
        """One row a stratum: its items, those with a label, those to label and the probability.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        kinds = np.unique(self.stratum)
        of = [self.stratum == kind for kind in kinds]
        return pd.DataFrame(
            {
                "stratum": kinds,
                "items": [int(rows.sum()) for rows in of],
                "judge's mean": [float(self.judged[rows].mean()) for rows in of],
                "labelled": [int((self.labelled & rows).sum()) for rows in of],
                "to label": [int((self.chosen & rows).sum()) for rows in of],
                "probability": [float(self.probability[rows][0]) for rows in of],
            }
        )

    def scores_frame(self) -> pd.DataFrame:
        """A score file to hand out and to read back: one row a system and item.

        Returns
        -------
        DataFrame
            People's cells of rows with `label_next` "yes" are to be filled in; read back, name the column
            `stratum` as strata.
        """
        import pandas as pd

        n_items, n_systems = self.people.shape
        rows = np.repeat(np.arange(n_items), n_systems)
        return pd.DataFrame(
            {
                "item": [self.items[row] for row in rows],
                "system": list(self.systems) * n_items,
                STRATUM: [f"stratum {kind}" for kind in self.stratum[rows]],
                NEXT: np.where(self.chosen[rows], "yes", "no"),
                self.human: self.people.ravel(),
                self.judge: self.judged.ravel(),
            }
        )
