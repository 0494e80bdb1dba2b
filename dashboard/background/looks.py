"""What reading processes tell of a file, as plain data: the server imports nothing that reads files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nlpstat_core.errors import Sentence

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix

File = tuple[bytes, str]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What pages tell of scores beyond what stands in them.

    summary_units: Units that seem to sum up the others.
    proposed_block: The label column whose documents could be compared as wholes.
    fewest_shared (tuple of (str, str, int)): The pairs of systems that share the fewest units, and how many.
    datasets: Label columns whose values can be data sets, the one named so first.
    documents: Those of them that are called like documents.
    """

    summary_units: tuple[str, ...] = ()
    proposed_block: str | None = None
    fewest_shared: tuple[tuple[str, str, int], ...] = ()
    datasets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Read:
    """A file that could be read."""

    scores: ScoreMatrix
    facts: Facts


@dataclass(frozen=True, kw_only=True)
class Look:
    """A file as it was understood, or why it could not be.

    format: Key of the format, of a file that can't be read the likeliest; empty when none fits.
    header: Column names as written; empty for files that are no table.
    rows: The beginnings of the cells of the first rows.
    roles: Column → role it was taken for; None for files that are no table.
    reasons: Column → why.
    called_score: Columns whose names say that they are the score.
    formats: Every format that can be told, with its label.
    problem: Why it can't, else empty.
    """

    format: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    sheets: tuple[str, ...] = ()
    roles: Mapping[str, str] | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
    called_score: tuple[str, ...] = ()
    formats: Mapping[str, str] = field(default_factory=dict)
    read: Read | None = None
    problem: Sentence = field(default_factory=Sentence)

    @property
    def scores(self) -> ScoreMatrix | None:
        """The scores, when the file can be read."""
        return None if self.read is None else self.read.scores


@dataclass(frozen=True)
class Repair:
    """One button. `label`: Plain text."""

    label: str
    choices: dict[str, object]


@dataclass(frozen=True, kw_only=True)
class Offers:
    """What a second look at a refused file found.

    problem: Why it was refused, in words that fit what is offered.
    repairs: Each was tried: the file can be read so.
    head: The header and the first rows, as far as there are any; cells and rows are cut.
    """

    problem: Sentence = field(default_factory=Sentence)
    repairs: tuple[Repair, ...] = ()
    head: tuple[tuple[str, ...], ...] = ()


def names_in(given: object) -> tuple[str, ...]:
    """The names in a choice that may be one name, a list of them or nothing of the kind."""
    if isinstance(given, str):
        return (given,)
    return tuple(given) if isinstance(given, list | tuple) else ()


def drop_rows(names: tuple[str, ...], choices: Mapping[str, object]) -> Repair:
    """Reading on without some rows. `names`: Their ids."""
    dropped = tuple(dict.fromkeys([*names_in(choices.get("drop_rows")), *names]))
    label = f"Leave the row {names[0]} out" if len(names) == 1 else f"Leave {len(names)} such rows out"
    return Repair(label, {**choices, "drop_rows": dropped})
