"""What reading processes tell of a file, as plain data: the server imports nothing that reads files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix

File = tuple[bytes, str]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What pages tell of scores beyond what stands in them.

    Attributes
    ----------
    summary_units : tuple of str
        Units that seem to sum up the others.
    proposed_block : str or None
        The label column whose documents could be compared as wholes.
    fewest_shared : tuple of (str, str, int)
        The pairs of systems that share the fewest units, and how many.
    datasets : tuple of str
        Label columns whose values can be data sets, the one named so first.
    documents : tuple of str
        Those of them that are called like documents.
    """

    summary_units: tuple[str, ...] = ()
    proposed_block: str | None = None
    fewest_shared: tuple[tuple[str, str, int], ...] = ()
    datasets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Read:
    """A file that could be read.

    Attributes
    ----------
    scores : ScoreMatrix
    facts : Facts
    """

    scores: ScoreMatrix
    facts: Facts


@dataclass(frozen=True, kw_only=True)
class Look:
    """A file as it was understood, or why it could not be.

    Attributes
    ----------
    format : str
        Key of the format, of a file that can't be read the likeliest; empty when none fits.
    header : tuple of str
        Column names as written; empty for files that are no table.
    rows : tuple of tuple of str
        The beginnings of the cells of the first rows.
    sheets : tuple of str
        The sheets of a workbook.
    roles : mapping of str to str, or None
        Column → role it was taken for; None for files that are no table.
    reasons : mapping of str to str
        Column → why.
    called_score : tuple of str
        Columns whose names say that they are the score.
    formats : mapping of str to str
        Every format that can be told, with its label.
    read : Read or None
        The scores, when the file can be read.
    problem : str
        Why it can't, else empty.
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
    problem: str = ""

    @property
    def scores(self) -> ScoreMatrix | None:
        """The scores, when the file can be read."""
        return None if self.read is None else self.read.scores


@dataclass(frozen=True)
class Repair:
    """One button.

    Attributes
    ----------
    label : str
        Plain text.
    choices : dict
        Keywords of `read_scores` the file is read with again.
    """

    label: str
    choices: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Offers:
    """What a second look at a refused file found.

    Attributes
    ----------
    problem : str
        Why it was refused, in words that fit what is offered.
    repairs : tuple of Repair
        Each was tried: the file can be read so.
    head : tuple of tuple of str
        The header and the first rows, as far as there are any; cells and rows are cut.
    """

    problem: str = ""
    repairs: tuple[Repair, ...] = ()
    head: tuple[tuple[str, ...], ...] = ()


def drop_rows(names: tuple[str, ...], choices: Mapping[str, Any]) -> Repair:
    """Reading on without some rows.

    Parameters
    ----------
    names : tuple of str
        Their ids.
    choices : mapping
        Keywords the file was read with.

    Returns
    -------
    Repair
    """
    dropped = tuple(dict.fromkeys([*(choices.get("drop_rows") or ()), *names]))
    label = f"Leave the row {names[0]} out" if len(names) == 1 else f"Leave {len(names)} such rows out"
    return Repair(label, {**choices, "drop_rows": dropped})
