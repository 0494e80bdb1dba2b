"""A board of preferences: strengths, and every pair of systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.formatting import some_names
from nlpstat_core.notes import Note
from nlpstat_core.results.plain import records_of
from nlpstat_core.scores.battles import TwoClusters
from nlpstat_core.version import VERSION

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Preferences:
    """What battles say of systems, as `rank_preferences` gives it.

    Attributes
    ----------
    systems : tuple of str
        In the order of their first battles, as are the arrays of systems.
    strength, error, lower, upper : float arrays, shape (n_systems,)
        Natural logarithms with mean zero, their sandwich errors and intervals.
    freedom, adjusted_error : float arrays, shape (n_systems,)
        Degrees of freedom of the intervals, and the errors that these rest on: sandwich errors over the root
        of the share of the variance that they are expected to find.
    battles : int array, shape (n_systems,)
        Battles of each system.
    rank : int array, shape (n_systems,)
        1 for the largest strength.
    rank_interval : int array, shape (n_systems, 2)
        Ranks that the pairs found to differ leave open.
    letters : tuple of str or None
        Systems that share a letter are not found to differ; None where it would take too many.
    share : float array, shape (n_systems, n_systems)
        Fitted P(row beats column), a tie being half a win; NaN on the diagonal.
    left, right : int arrays, shape (n_pairs,)
        Positions of a and b in `systems`; the arrays of pairs are about a minus b.
    difference, difference_error, pair_lower, pair_upper : float arrays, shape (n_pairs,)
        Sandwich errors, and intervals that are not corrected for the number of pairs.
    pair_freedom, pair_adjusted_error : float arrays, shape (n_pairs,)
        Degrees of freedom of tests and intervals, and the errors that these rest on.
    p_value, p_adjusted : float arrays, shape (n_pairs,)
        Of the Wald test; NaN where nothing varies, and where one cluster alone tells of a pair.
    significant : bool array, shape (n_pairs,)
    wins, losses, ties : int arrays, shape (n_pairs,)
        Battles of a against b; systems that never met are compared through others only.
    n_battles : int
    degrees_of_freedom : int
        Clusters less one: those of pairs where clusters are alike, and the most they can have.
    treatment, clusters, correction : str
        Of ties, which column says what belongs together ("" where every battle stands alone), over pairs.
    alpha : float
    chosen_clusters : str, array, a pair of these, or None
        The clusters themselves.
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import rank_preferences
    >>> battles = [("u", "v", "a")] * 30 + [("u", "v", "b")] * 10
    >>> found = rank_preferences(battles)
    >>> found.top_group, [round(strength, 4) for strength in found.strength.tolist()]
    (('u',), [0.5493, -0.5493])
    """

    systems: tuple[str, ...]
    strength: FloatArray
    error: FloatArray
    lower: FloatArray
    upper: FloatArray
    freedom: FloatArray
    adjusted_error: FloatArray
    battles: IntArray
    rank: IntArray
    rank_interval: IntArray
    letters: tuple[str, ...] | None
    share: FloatArray
    left: IntArray
    right: IntArray
    difference: FloatArray
    difference_error: FloatArray
    pair_lower: FloatArray
    pair_upper: FloatArray
    pair_freedom: FloatArray
    pair_adjusted_error: FloatArray
    p_value: FloatArray
    p_adjusted: FloatArray
    significant: BoolArray
    wins: IntArray
    losses: IntArray
    ties: IntArray
    n_battles: int
    degrees_of_freedom: int
    treatment: str
    clusters: str
    correction: str
    alpha: float
    chosen_clusters: TwoClusters = None
    source: str = ""
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<Preferences: {len(self.systems):,} systems, {self.n_battles:,} battles. "
            f"Top group: {some_names(self.top_group)}>"
        )

    @property
    def order(self) -> IntArray:
        """Positions of systems, the strongest first."""
        return np.argsort(-self.strength, kind="stable")

    def rows_of(self, a: IntArray, b: IntArray) -> IntArray:
        """Rows of the pairs of systems at some positions, in either order.

        Parameters
        ----------
        a, b : int arrays, shape (n,)
            Positions in `systems`; never twice the same.

        Returns
        -------
        int array, shape (n,)
        """
        first, second = np.minimum(a, b), np.maximum(a, b)
        return np.asarray(first * (2 * len(self.systems) - first - 1) // 2 + second - first - 1)

    @property
    def top_group(self) -> tuple[str, ...]:
        """Systems that no other is found to be stronger than, the strongest first."""
        return tuple(self.systems[place] for place in self.order if self.rank_interval[place, 0] == 1)

    @property
    def _told_clusters(self) -> str | list[str] | None:
        """Clusters as `rank_preferences` takes them again, where they are columns."""
        chosen = self.chosen_clusters
        if isinstance(chosen, tuple) and all(isinstance(one, str) for one in chosen):
            return list(map(str, chosen))
        return chosen if isinstance(chosen, str) else self.clusters or None

    @property
    def config(self) -> dict[str, Any]:
        """Settings as `rank_preferences` takes them again.

        Returns
        -------
        dict
        """
        return {
            "ties": self.treatment,
            "clusters": self._told_clusters,
            "correction": self.correction,
            "alpha": self.alpha,
        }

    def leaderboard_frame(self) -> pd.DataFrame:
        """One row per system, the strongest first.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        frame = pd.DataFrame(
            {
                "rank": self.rank,
                "system": self.systems,
                "strength": self.strength,
                "standard_error": self.error,
                "lower": self.lower,
                "upper": self.upper,
                "degrees_of_freedom": self.freedom,
                "rank_low": self.rank_interval[:, 0],
                "rank_high": self.rank_interval[:, 1],
                "battles": self.battles,
            }
        )
        if self.letters is not None:
            frame["letters"] = self.letters
        return frame.iloc[self.order].reset_index(drop=True)

    def pairs_frame(self) -> pd.DataFrame:
        """One row a pair, a before b in the order of their first battles.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        names = np.array(self.systems, dtype=object)
        return pd.DataFrame(
            {
                "system_a": names[self.left],
                "system_b": names[self.right],
                "difference": self.difference,
                "standard_error": self.difference_error,
                "lower": self.pair_lower,
                "upper": self.pair_upper,
                "degrees_of_freedom": self.pair_freedom,
                "p_value": self.p_value,
                "p_adjusted": self.p_adjusted,
                "significant": self.significant,
                "wins_a": self.wins,
                "wins_b": self.losses,
                "ties": self.ties,
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; undefined numbers are None.

        Returns
        -------
        dict
        """
        return {
            "version": VERSION,
            "source": self.source,
            "config": self.config,
            "n_battles": self.n_battles,
            "degrees_of_freedom": self.degrees_of_freedom,
            "top_group": list(self.top_group),
            "leaderboard": records_of(self.leaderboard_frame()),
            "pairs": records_of(self.pairs_frame()),
            "notes": [note.to_dict() for note in self.notes],
        }
