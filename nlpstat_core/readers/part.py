"""What was found in one file, before it is checked and joined with others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nlpstat_core.arrays import FloatArray
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.ratings import Ratings
from nlpstat_core.scores.runs import Runs


@dataclass(frozen=True, kw_only=True)
class Part:
    """Scores as a file holds them; one system alone is enough here.

    lower: Whether lower scores are better, where the format says so.
    datasets: All data sets where each is a file of its own.
    reading: The keywords of `read_scores`, as they were settled.
    costs: What outputs cost, shape (n_units, n_systems) each.
    """

    values: FloatArray
    systems: Sequence[str]
    units: Sequence[str] | None = None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    metric: str | None = None
    lower: bool | None = None
    datasets: tuple[str, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    counts: Counts | None = None
    runs: Runs | None = None
    ratings: Ratings | None = None
    costs: Mapping[str, FloatArray] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What was found in an upload, before it is checked.

    table: The only table, or that of the first of several alike, under the header its roles are about.
    roles: The roles of its columns where the tool that wrote it tells them.
    """

    part: Part
    format: str
    reason: str
    table: Table | None = None
    roles: Mapping[str, Role] | None = None

    def but(self, **changed: Any) -> Found:
        """The same with other fields of its part."""
        return replace(self, part=replace(self.part, **changed))
