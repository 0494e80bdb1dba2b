"""What an evaluation tool is to the rest: how its files are recognised, and made one tidy table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nlpstat_core.notes import Note
from nlpstat_core.readers.open import Source, Table
from nlpstat_core.readers.roles import Role


@dataclass(frozen=True, kw_only=True)
class Tidy:
    """One long table with known roles, made of all files of a tool.

    table: One row per system, unit (and run, rater, metric).
    roles: Column → role; columns that aren't named are ignored. Role system: the column that names the
        systems; score: one or several columns; metric: the column that names the metric of each row.
    reason: Why it is this tool's output, for the page ("EvalPlus results of 2 models").
    metric: The score column, or the name in the metric column, that is read unless another is chosen.
    lower_is_better: Where the format says so.
    """

    table: Table
    roles: Mapping[str, Role]
    reason: str
    metric: str | None = None
    lower_is_better: bool | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tool:
    """The output format of one evaluation tool.

    example: A few lines of such a file, for help pages.
    documented: Where the format is described (a public address).
    recognises: Source → why it is this tool's, or None; cheap, never raises.
    tables: The sources that were recognised, one or several → Tidy; raises ScoreFileError with the reason.
    named: A path of such a file, for formats that are known by it.
    description: How it is read: what the system, the unit, the score and the run are.
    """

    key: str
    label: str
    example: str
    documented: str
    recognises: Callable[[Source], str | None]
    tables: Callable[[Sequence[Source]], Tidy]
    named: str = "runs/model/example"
    description: str = ""
