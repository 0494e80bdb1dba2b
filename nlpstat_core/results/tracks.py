"""Several tracks as one ranking: how firm its order is, and rankings by places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.formatting import some_names
from nlpstat_core.notes import Note
from nlpstat_core.results.plain import records_of
from nlpstat_core.results.ranks import RankDistribution
from nlpstat_core.version import VERSION

if TYPE_CHECKING:
    import pandas as pd

ByOrder = Literal["mean-rank", "borda", "win-rate", "bests"]
MissingRule = Literal["exclude", "shared", "worst"]


@dataclass(frozen=True)
class WeightRange:
    """In which shares of one track the first stays first, the other tracks in their proportions.

    share: The track's share of the weights.
    below, above: Who is first beyond an end; empty where the end is 0 or 1.
    """

    track: str
    share: float
    low: float
    high: float
    below: str = ""
    above: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outlook:
    """How firm the order of a composite is, without the chance of its items.

    systems: Best first; values are theirs.
    missing: What each rule for systems that lack a track makes of the order, or why it can't be used; empty
        where none lacks any.
    without: The order without each track.
    ranges: For every track.
    regions: Corners of the weights at which a system is first, as shares of the tracks, for two and three
        tracks.
    tracks: Those that count, in the order of the corners' columns.
    shares: Their weights.
    """

    systems: tuple[str, ...]
    values: tuple[float, ...]
    missing: Mapping[MissingRule, tuple[str, ...] | str]
    without: Mapping[str, tuple[str, ...]]
    ranges: tuple[WeightRange, ...]
    regions: Mapping[str, FloatArray]
    tracks: tuple[str, ...]
    shares: tuple[float, ...]

    @property
    def decisive(self) -> tuple[str, ...]:
        """Tracks without which another system is first."""
        return tuple(track for track, order in self.without.items() if order[0] != self.systems[0])


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TrackRanking:
    """Systems by their places in several tracks, as `rank_tracks` gives it.

    Attributes
    ----------
    combine : str
    metric : str
        What the score is.
    lower_is_better : bool
        Of the score.
    systems : tuple of str
        Best first; so are all arrays of systems.
    score : float array, shape (n_systems,)
    interval : float array, shape (n_systems, 2)
        Middle part of the resamples (percentiles), at `level`.
    rank_interval : int array, shape (n_systems, 2)
        Ranks that the pairs found to differ leave open.
    ranks : RankDistribution
        Ranks over the resamples; `ranks.best` is how often each system is first.
    system_a, system_b : int arrays, shape (n_pairs,)
        Places in `systems`, a before b.
    difference : float array, shape (n_pairs,)
        Score of a minus that of b.
    difference_interval : float array, shape (n_pairs, 2)
    p_value, p_error, p_adjusted : float arrays, shape (n_pairs,)
        p of the swap test, its relative standard error (0 where every swap is counted), and p adjusted.
    significant : bool array, shape (n_pairs,)
    tracks : tuple of str
    shares : tuple of float
        Weights of the tracks.
    items : tuple of int
        Items that count, by track.
    documents : str
        Column of the documents; empty where items stand alone.
    shared_items : bool
    correction : str
    alpha, level : float
    resamples, seed : int
    reading : mapping
        How the tracks were read and combined, as the configuration of `nlpstat composite` has it.
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix, rank_tracks
    >>> track = ScoreMatrix(values=[[1, 0], [1, 0], [3, 1], [2, 2]], systems="AB")
    >>> found = rank_tracks({"en": track, "de": track})
    >>> found.leaderboard_frame()[["rank", "system", "score"]].to_dict("list")
    {'rank': [1, 2], 'system': ['A', 'B'], 'score': [1.0, 2.0]}
    """

    combine: str
    metric: str
    lower_is_better: bool
    systems: tuple[str, ...]
    score: FloatArray
    interval: FloatArray
    rank_interval: IntArray
    ranks: RankDistribution
    system_a: IntArray
    system_b: IntArray
    difference: FloatArray
    difference_interval: FloatArray
    p_value: FloatArray
    p_error: FloatArray
    p_adjusted: FloatArray
    significant: BoolArray
    tracks: tuple[str, ...]
    shares: tuple[float, ...]
    items: tuple[int, ...]
    documents: str
    shared_items: bool
    correction: str
    alpha: float
    level: float
    resamples: int
    seed: int
    reading: Mapping[str, Any]
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<TrackRanking: {len(self.systems):,} systems by {self.metric} over {len(self.tracks):,} "
            f"tracks. Top group: {some_names(self.top_group)}>"
        )

    @property
    def rank(self) -> IntArray:
        """Ranks from 1 on; equal scores share the best of theirs."""
        better = -self.score if self.lower_is_better else self.score
        return np.asarray(1 + (better[None, :] > better[:, None] + 1e-12).sum(axis=1))

    @property
    def top_group(self) -> tuple[str, ...]:
        """Systems that no other is found to be better than, the best first."""
        return tuple(
            name for name, low in zip(self.systems, self.rank_interval[:, 0], strict=True) if low == 1
        )

    def leaderboard_frame(self) -> pd.DataFrame:
        """One row per system, the best first.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        middle = self.ranks.middle(self.level)
        return pd.DataFrame(
            {
                "rank": self.rank,
                "system": self.systems,
                "score": self.score,
                "lower": self.interval[:, 0],
                "upper": self.interval[:, 1],
                "rank_low": self.rank_interval[:, 0],
                "rank_high": self.rank_interval[:, 1],
                "resampled_rank_low": middle[:, 0],
                "resampled_rank_high": middle[:, 1],
                "first": self.ranks.best,
            }
        )

    def pairs_frame(self) -> pd.DataFrame:
        """One row a pair, in the order of the ranking.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        names = np.array(self.systems, dtype=object)
        return pd.DataFrame(
            {
                "system_a": names[self.system_a],
                "system_b": names[self.system_b],
                "difference": self.difference,
                "lower": self.difference_interval[:, 0],
                "upper": self.difference_interval[:, 1],
                "p_value": self.p_value,
                "p_error": self.p_error,
                "p_adjusted": self.p_adjusted,
                "significant": self.significant,
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON.

        Returns
        -------
        dict
        """
        settings = {name: getattr(self, name) for name in ("correction", "alpha", "resamples", "seed")}
        settings |= {"confidence_level": self.level, "block_column": self.documents or "none"}
        told = ("combine", "metric", "lower_is_better", "shared_items")
        return {
            "version": VERSION,
            "config": {**settings, "reading": dict(self.reading)},
            **{name: getattr(self, name) for name in told},
            "tracks": [
                {"track": name, "weight": share, "items": many}
                for name, share, many in zip(self.tracks, self.shares, self.items, strict=True)
            ],
            "leaderboard": records_of(self.leaderboard_frame()),
            "pairs": records_of(self.pairs_frame()),
            "notes": [note.to_dict() for note in self.notes],
        }
