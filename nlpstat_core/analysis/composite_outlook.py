"""How firm the order of a composite is: other rules for missing tracks, other weights, one track fewer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from nlpstat_core.analysis.composite import BY_ITEMS, composite
from nlpstat_core.analysis.tracks.means import TrackMeans
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.composite.weighted_mean import track_weights
from nlpstat_core.results.tracks import MissingRule, Outlook, WeightRange
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.matrix import ScoreMatrix

MOST_DRAWN = 3  # tracks whose weights fit into a picture
SMALLEST_REGION = 1e-9  # below, a system is first at a point or along a line only
_TIE = 1e-12


def composite_outlook(means: TrackMeans, **keywords: Any) -> Outlook:
    """The order of a composite, and what would change it."""
    if keywords.get("weights") == BY_ITEMS:
        keywords = {**keywords, "weights": {name: float(n) for name, n in means.items.items()}}
    keywords = {**keywords, "tracks": "sampled", "shared_items": False}
    board = composite(means.boards, **keywords)
    order = _order(board)
    names = list(means.boards)
    given = dict(zip(names, track_weights(names, keywords.get("weights")), strict=True))
    counted = board.units or ()
    shares = np.array([given[name] for name in counted])
    shares = shares / shares.sum()
    # Every way is linear in the weights once a track is in the unit that is averaged.
    table = advantage(1.0, board.lower_is_better) * board.values / (shares * len(counted))[:, None]
    missing = under_each_rule(means, **keywords)
    without = {}
    for name in counted:
        weights = {**{other: float(given[other]) for other in names}, name: 0.0}
        if any(weights[other] for other in counted):
            without[name] = _named(composite(means.boards, **{**keywords, "weights": weights}))
    drawn = regions(table) if 2 <= len(counted) <= MOST_DRAWN else {}
    return Outlook(
        systems=_named(board),
        values=tuple(float(board.values[:, i].mean()) for i in order),
        missing=missing,
        without=without,
        ranges=tuple(
            _range(table, shares, place, int(order[0]), counted, board.systems)
            for place in range(len(counted))
        ),
        regions={board.systems[i]: corners for i, corners in drawn.items()},
        tracks=tuple(counted),
        shares=tuple(shares.tolist()),
    )


def under_each_rule(means: TrackMeans, **keywords: Any) -> dict[MissingRule, tuple[str, ...] | str]:
    """The order that each rule for systems that lack a track makes, or why it can't be used.

    Returns: Nothing where no system lacks a track that counts.
    """
    if keywords.get("weights") == BY_ITEMS:
        keywords = {**keywords, "weights": {name: float(n) for name, n in means.items.items()}}
    names = list(means.boards)
    shares = track_weights(names, keywords.get("weights"))
    counted = {name: means.boards[name] for name, share in zip(names, shares, strict=True) if share > 0}
    if replace(means, boards=counted).complete:
        return {}
    keywords = {**keywords, "tracks": "sampled", "shared_items": False}
    return {rule: _under(means, keywords, rule) for rule in get_args(MissingRule)}


def _order(board: ScoreMatrix) -> Sequence[int]:
    """Systems of a composite, best first; equal ones in the order of the board."""
    found: list[int] = np.argsort(
        -advantage(1.0, board.lower_is_better) * board.values.mean(axis=0), kind="stable"
    ).tolist()
    return found


def _named(board: ScoreMatrix) -> tuple[str, ...]:
    return tuple(board.systems[i] for i in _order(board))


def _under(means: TrackMeans, keywords: Mapping[str, Any], rule: MissingRule) -> tuple[str, ...] | str:
    try:
        board = composite(means.boards, **{**keywords, "missing_tracks": rule})
    except AnalysisError as error:
        return str(error)
    return _named(board)


def _range(
    table: FloatArray,
    shares: FloatArray,
    place: int,
    first: int,
    tracks: Sequence[str],
    systems: Sequence[str],
) -> WeightRange:
    """The shares of one track in which the first stays first."""
    own = float(shares[place])
    if own >= 1:
        return WeightRange(tracks[place], own, 0.0, 1.0)
    others = np.delete(np.arange(shares.size), place)
    rest = shares[others] @ table[others] / (1 - own)
    # Lead of the first over each system at share s: at + s·slope.
    at = rest[first] - rest
    slope = (table[place, first] - table[place]) - at
    crossing = np.flatnonzero(np.abs(slope) > _TIE * (np.abs(at) + np.abs(slope)))
    end, steep = -at[crossing] / slope[crossing], slope[crossing]
    low, below = _nearest(end, steep > 0, own, 0.0, crossing, steep)
    high, above = _nearest(end, steep < 0, own, 1.0, crossing, steep)
    return WeightRange(
        tracks[place],
        own,
        low,
        high,
        "" if below is None else systems[below],
        "" if above is None else systems[above],
    )


def _nearest(
    ends: FloatArray, side: BoolArray, own: float, limit: float, systems: IntArray, slope: FloatArray
) -> tuple[float, int | None]:
    """Where a system overtakes on one side of a share, and which: where several do, who gains fastest.

    limit: 0 or 1, where nothing lies beyond.
    """
    ahead = side & (np.abs(ends - own) < abs(limit - own) - _TIE)
    if not ahead.any():
        return limit, None
    distance = np.where(ahead, np.abs(ends - own), np.inf)
    there = np.flatnonzero(distance <= distance.min() + _TIE)
    who = int(there[np.abs(slope[there]).argmax()])
    inside = min(ends[who], own) if limit < own else max(ends[who], own)
    return float(inside), int(systems[who])


def regions(table: FloatArray) -> dict[int, FloatArray]:
    """The weights at which each system is first.

    table (float array, shape (n_tracks, n_systems)): Two or three tracks; higher is better.
    Returns: By system, corners as shares of the tracks, shape (n_corners, n_tracks), in order; systems that
        are first nowhere, or at a point or along a line only, are left out.

    >>> found = regions(np.array([[1.0, 0.0], [0.0, 3.0]]))
    >>> found[0][:, 0].tolist(), found[1][:, 0].tolist()
    ([1.0, 0.75], [0.75, 0.0])
    """
    n_tracks, n_systems = table.shape
    found = {}
    for system in range(n_systems):
        corners = np.eye(n_tracks)
        for other in range(n_systems):
            lead = table[:, system] - table[:, other]
            if other != system and corners.size and lead.any():
                corners = _clipped(corners, corners @ lead)
        if len(corners) >= n_tracks and _extent(corners) > SMALLEST_REGION:
            found[system] = corners
    return found


def _clipped(corners: FloatArray, lead: FloatArray) -> FloatArray:
    """The part of a segment or polygon on which a linear function isn't negative (Sutherland–Hodgman)."""
    kept = []
    closed = range(len(corners)) if len(corners) > 2 else range(1)
    for place in closed:
        after = (place + 1) % len(corners)
        if lead[place] >= 0:
            kept.append(corners[place])
        if (lead[place] > 0 > lead[after]) or (lead[place] < 0 < lead[after]):
            share = lead[place] / (lead[place] - lead[after])
            kept.append(corners[place] + share * (corners[after] - corners[place]))
    if len(corners) == 2 and lead[1] >= 0:
        kept.append(corners[1])
    return np.array(kept) if len(kept) > 1 else np.empty((0, corners.shape[1]))


def _extent(corners: FloatArray) -> float:
    """Length of a segment, area of a polygon, in the first two shares."""
    x, y = corners[:, 0], corners[:, 1]
    if len(corners) == 2:
        return float(abs(x[1] - x[0]))
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
