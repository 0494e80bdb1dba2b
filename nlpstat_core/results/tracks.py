"""How firm the order of a composite of several tracks is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from nlpstat_core.arrays import FloatArray

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
