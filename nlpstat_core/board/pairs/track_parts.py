"""Which track of a composite brings how much of a pair's difference."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.scores.matrix import ScoreMatrix

TRACK = "track"


@dataclass(frozen=True, eq=False, kw_only=True)
class TrackParts:
    """The tracks of a composite in one pair.

    items: Items that both systems have.
    parts: Summands of the difference a − b.
    variance: Shares of the difference's variance by its items; NaN where a track has too few to tell, or
        where the tracks are the items.
    """

    tracks: tuple[str, ...]
    items: IntArray
    parts: FloatArray
    variance: FloatArray


def track_parts(units: ScoreMatrix, a: str, b: str) -> TrackParts | None:
    """The parts of the difference of two systems by track.

    Returns: None where the board is no composite, where its items belong to several tracks, or where the two
        share no item.
    """
    told = units.reading.get("composite")
    if told is None:
        return None
    difference = units.values[:, units.index(a)] - units.values[:, units.index(b)]
    there = np.isfinite(difference)
    if not there.any():
        return None
    shares = difference / there.sum()
    if told["tracks"] == "sampled":
        kept = np.flatnonzero(there)
        names = tuple(units.unit_names(kept))
        unknown = np.full(kept.size, np.nan)
        return TrackParts(
            tracks=names, items=np.ones(kept.size, dtype=np.int64), parts=shares[kept], variance=unknown
        )
    labels = units.labels.get(TRACK)
    if labels is None:
        return None
    column = np.array(labels)
    names = tuple(dict.fromkeys(labels))
    own = [shares[there & (column == name)] for name in names]
    spread = np.array([one.size * one.var(ddof=1) if one.size > 1 else np.nan for one in own])
    total = spread.sum()
    return TrackParts(
        tracks=names,
        items=np.array([one.size for one in own]),
        parts=np.array([one.sum() for one in own]),
        variance=spread / total if total > 0 else np.full(len(names), np.nan),
    )
