"""Notes: diagnostics as data. A note has a stable code; `wording` turns it into a sentence."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["info", "caution", "problem"]


@dataclass(frozen=True)
class Note:
    """One remark about scores, a pair or a whole analysis.

    Attributes
    ----------
    code : str
        Stable key, for example ``"few-units"``.
    severity : {"info", "caution", "problem"}
    text : str
        The sentence a person reads.

    Examples
    --------
    >>> Note("few-units", "caution", "There are few units.").to_dict()["severity"]
    'caution'
    """

    code: str
    severity: Severity
    text: str

    def to_dict(self) -> dict[str, Any]:
        """The note as plain data."""
        return {"code": self.code, "severity": self.severity, "text": self.text}


# Problems of the scores themselves; all others of a file ask whether it was read right.
FACTS = frozenset({"disjoint-pairs", "no-scores"})


# The note on a column that may hold ratings in words.
RATINGS_IN_WORDS = "ratings-in-words"


def doubts(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes on a file that ask whether it was read right: no result is said before they are settled.

    >>> [note.code for note in doubts([Note("mixed-scales", "problem", "Shares or percent?")])]
    ['mixed-scales']
    """
    return tuple(note for note in notes if note.severity == "problem" and note.code not in FACTS)


def warnings(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes that ask for care: cautions and problems.

    >>> notes = [Note("seed", "info", "Seed 0."), Note("few-units", "caution", "There are few units.")]
    >>> [note.code for note in warnings(notes)]
    ['few-units']
    """
    return tuple(note for note in notes if note.severity != "info")
