"""A composite board as the data of every page, and the way back to what it was made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.background.given import TracksChoice
from dashboard.background.looks import Facts, Read
from dashboard.session.results import drop_jobs
from dashboard.session.state import session

if TYPE_CHECKING:
    from dashboard.session.submissions import Submitted
    from dashboard.session.uploads import Example
    from nlpstat_core.analysis.tracks.means import TrackMeans
    from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, kw_only=True)
class Composed:
    """What a composite was made of, as the session held it.

    how: Its rules.
    means: Its tracks.
    """

    how: TracksChoice
    means: TrackMeans
    scores: ScoreMatrix
    facts: Facts | None
    raw: tuple[bytes, str] | None
    choices: Mapping[str, object]
    submitted: Submitted | None
    example: Example | None
    lower: dict[str, tuple[str, ...]]

    @property
    def size(self) -> int:
        """Bytes of what is kept, about."""
        size = self.scores.values.nbytes + (0 if self.raw is None else len(self.raw[0]))
        if self.submitted is not None:
            size += self.submitted.files.size + len(self.submitted.outputs.packed)
        return size


def show_composite(found: Read, how: TracksChoice, means: TrackMeans) -> None:
    """Make a composite the data of every page; what it was made of waits."""
    here = session()
    assert here.scores is not None
    origin = Composed(
        how=how,
        means=means,
        scores=here.scores,
        facts=here.facts,
        raw=here.raw,
        choices=here.choices,
        submitted=here.submitted,
        example=here.example,
        lower=here.lower,
    )
    drop_jobs()
    here.replace_scores(found.scores, found.facts)
    here.raw, here.choices, here.example, here.lower = None, {}, None, {}
    here.composed = origin


def back_to_tracks() -> None:
    """Make the board that was there before the composite the data of every page again."""
    here = session()
    origin = here.composed
    assert origin is not None
    drop_jobs()
    here.replace_scores(origin.scores, origin.facts)
    here.raw, here.choices, here.submitted = origin.raw, origin.choices, origin.submitted
    here.example, here.lower = origin.example, origin.lower
