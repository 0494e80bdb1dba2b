"""What every evaluation tool's file needs: how it is recognised, and its records made one tidy table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.notes import Note
from nlpstat_core.readers.open import Source, Table
from nlpstat_core.readers.roles import Role

__all__ = ["Role", "Rows", "Scores", "Source", "Table", "Tidy", "Tool"]

Scores = Mapping[str, float | None]


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


@dataclass(frozen=True, eq=False)
class Rows:
    """Where scores belong, and the scores of every metric there.

    >>> rows = Rows({"system": Role.SYSTEM, "unit": Role.UNIT, "run": Role.RUN})
    >>> rows.add(("A", "u1", "1"), {"bleu": 0.5})
    >>> rows.add(("B", "u1", "1"), {"bleu": 0.25, "ter": None})
    >>> tidy = rows.tidy("two systems")
    >>> tidy.table.header, [str(role) for role in tidy.roles.values()]
    (('system', 'unit', 'bleu', 'ter'), ['system', 'unit', 'score', 'score'])
    """

    roles: Mapping[str, Role]
    places: list[tuple[str, ...]] = field(default_factory=list)
    scores: list[Scores] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, place: Sequence[str], scores: Scores, line: int | None = None) -> None:
        """Add the scores of one place."""
        self.places.append(tuple(place))
        self.scores.append(scores)
        self.lines.append(len(self.places) if line is None else line)

    def tidy(
        self,
        reason: str,
        metric: str | None = None,
        *,
        where: str = "entry",
        lower_is_better: bool | None = None,
        costs: Sequence[str] = (),
        notes: Sequence[Note] = (),
    ) -> Tidy:
        """The table of all rows; columns that say nothing are left out.

        A run is left out where nothing was run twice, a data set where there is one; where unit ids come
        back in other data sets, they get the data set's name in front.

        costs: Those of the scores that are what outputs cost; left out where none is known.
        """
        every = list(dict.fromkeys(name for scores in self.scores for name in scores))
        metrics = [name for name in every if name not in costs]
        paid = [
            name for name in every if name in costs and any(one.get(name) is not None for one in self.scores)
        ]
        if not metrics:
            raise ScoreFileError("there are no scores in it; give the scores per test item.")
        columns = dict(zip(self.roles, map(list, zip(*self.places, strict=True)), strict=True))
        kept = {column: role for column, role in self.roles.items() if self._says_something(column, columns)}
        self._tell_datasets(kept, columns)
        named = {name: f"{name} (score)" if name in kept else name for name in metrics}
        paid = [name for name in paid if name not in kept]
        cells: list[Sequence[object]] = [columns[column] for column in kept]
        cells += [[scores.get(name) for scores in self.scores] for name in (*metrics, *paid)]
        table = Table.of_columns([*kept, *named.values(), *paid], cells, lines=self.lines, where=where)
        chosen = metrics[0] if metric is None or metric not in named else metric
        return Tidy(
            table=table,
            roles={**kept, **dict.fromkeys(named.values(), Role.SCORE), **dict.fromkeys(paid, Role.COST)},
            reason=reason,
            metric=named[chosen],
            lower_is_better=lower_is_better,
            notes=tuple(notes),
        )

    def _says_something(self, column: str, columns: Mapping[str, Sequence[str]]) -> bool:
        role = self.roles[column]
        if role in (Role.SYSTEM, Role.UNIT):
            return True
        if role in (Role.RUN, Role.RATER):
            keys = (Role.SYSTEM, Role.UNIT, Role.DATASET)
            others = [columns[other] for other, own in self.roles.items() if own in keys]
            return len(set(zip(*others, strict=True))) < len(self.places)
        return len(set(columns[column])) > 1

    def _tell_datasets(self, kept: Mapping[str, Role], columns: dict[str, list[str]]) -> None:
        """Put the data set in front of unit ids that come back in other data sets."""
        dataset = next((column for column, role in kept.items() if role == Role.DATASET), None)
        if dataset is None:
            return
        units = next(column for column, role in kept.items() if role == Role.UNIT)
        pairs = set(zip(columns[units], columns[dataset], strict=True))
        if len(pairs) > len(set(columns[units])):
            columns[units] = [
                f"{name}:{unit}" for name, unit in zip(columns[dataset], columns[units], strict=True)
            ]
