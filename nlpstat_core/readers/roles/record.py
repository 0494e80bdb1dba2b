"""The vocabulary of roles, the roles of one table, and the question where a guess isn't sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from nlpstat_core.errors import ScoreFileError, Sentence, shown

Certainty = Literal["given", "sure", "likely", "unsure"]


class Role(StrEnum):
    """What a column is.

    >>> Role("unit"), str(Role.UNIT)
    (<Role.UNIT: 'unit'>, 'unit')
    """

    SYSTEM = "system"  # names systems; in a wide table the column's name is the system
    UNIT = "unit"  # one column, or several that make the ids together
    SCORE = "score"  # one or several: metrics
    METRIC = "metric"  # names the metric of each row
    RUN = "run"  # seed, epoch, trial, sample: averaged
    RATER = "rater"
    DATASET = "dataset"
    BLOCK = "block"  # documents
    LABEL = "label"
    TEXT = "text"  # sentences, shown at the items
    COST = "cost"  # money, time, tokens, length: beside the scores
    COUNT = "count"  # correct, total, tp, fp, fn: which one is the column's name
    IGNORED = "ignored"


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The role of every column of a table.

    roles: Column → role, all columns of the table in their order.
    wide: Whether the columns of role system hold scores and their names are the systems.
    certainty: The least of all columns that matter.
    question: Why the guess isn't sure, naming the candidates; empty when it is.
    """

    roles: Mapping[str, Role]
    wide: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)
    certainty: Certainty = "sure"
    question: str = ""

    def of(self, role: Role) -> tuple[str, ...]:
        """The columns of a role in the order of the table."""
        return tuple(column for column, own in self.roles.items() if own == role)


class RolesNeeded(ScoreFileError):
    """A table whose columns can't be told for sure; whoever shows it can ask.

    >>> issubclass(RolesNeeded, ScoreFileError)
    True
    """

    def __init__(self, text: str, header: Sequence[str], rows: Sequence[Sequence[str]], guess: Roles) -> None:
        super().__init__(text)
        self.header = tuple(header)
        self.rows = tuple(map(tuple, rows))
        self.guess = guess

    @property
    def metrics(self) -> tuple[str, ...]:
        """The columns that are metrics of one system, where that is the question."""
        return self.guess.of(Role.SCORE) if self.guess.wide else ()

    @property
    def runs(self) -> tuple[str, ...]:
        """The columns that are runs of one system, where that is the question."""
        return self.guess.of(Role.RUN) if self.guess.wide else ()

    def __reduce__(self) -> tuple[Any, ...]:
        return RolesNeeded, (self.sentence, self.header, self.rows, self.guess)

    def named(self, file: str) -> RolesNeeded:
        """The same with the file's name in front."""
        text = Sentence(f"{shown(file)}: ", self.sentence)
        return RolesNeeded(text, self.header, self.rows, self.guess)
