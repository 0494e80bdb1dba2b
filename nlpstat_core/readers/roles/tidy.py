"""From the tidy table of an evaluation tool to scores: its roles are known."""

from dataclasses import replace

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.counts import read_counts
from nlpstat_core.readers.roles.given import resolved, table_as_given, with_joined_systems
from nlpstat_core.readers.roles.long import read_long
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.readers.tools.record import Tidy

_LABELS = (Role.LABEL, Role.BLOCK, Role.DATASET, Role.TEXT)


def with_given_roles(tidy: Tidy, choices: Choices) -> Tidy:
    """The table of a tool under roles that were told, each for these columns alone; others keep theirs."""
    ids = next((name for name in tidy.table.header if tidy.roles.get(name) == Role.UNIT), "")
    tidy = replace(tidy, table=table_as_given(tidy.table, choices, ids)[0])
    given = resolved(choices.roles or {}, tidy.table.header)
    if not given:
        return tidy
    table, systems = tidy.table, given.pop(Role.SYSTEM, ())
    if systems:
        table, name = with_joined_systems(table, systems)
        given[Role.SYSTEM] = (name,)
    roles = {name: role for name, role in tidy.roles.items() if role not in given and name not in systems}
    roles |= {name: Role(role) for role, names in given.items() for name in names}
    scores = given.get(Role.SCORE, ())
    metric = tidy.metric if not scores or Role.METRIC in roles.values() or tidy.metric in scores else None
    return replace(tidy, table=table, roles=roles, metric=metric)


def read_tidy(tidy: Tidy, choices: Choices) -> Part:
    """The scores in a tidy table; the user's metric, ids and system column win over those of the tool."""
    table = tidy.table
    roles = {name: role for name, role in tidy.roles.items() if role != Role.IGNORED}
    table = table.keep([i for i, name in enumerate(table.header) if name in roles])
    table = replace(table, notes=(*tidy.notes, *table.notes))

    def of(*wanted: Role) -> tuple[str, ...]:
        return tuple(name for name in table.header if roles[name] in wanted)

    system = of(Role.SYSTEM)
    if len(system) != 1 or not of(Role.UNIT):
        raise ScoreFileError("the file names no systems or no items; give one row per system and item.")
    if not len(table):
        raise ScoreFileError("the file holds no scores; give the scores per test item.")
    kept = {role: of(role) for role in (Role.UNIT, Role.SCORE, Role.METRIC, Role.RUN, Role.RATER, Role.COST)}
    own = replace(
        choices,
        format=None,
        run_column=None,
        system_column=choices.system_column or system[0],
        id_column=choices.id_column or of(Role.UNIT),
        label_columns=of(*_LABELS) if choices.label_columns is None else choices.label_columns,
        roles={role: names for role, names in kept.items() if names},
    )
    if of(Role.COUNT):
        part = read_counts(table, own)
    else:
        part = read_long(table, own, metric=_metric_of(tidy, choices.dataset))
        part = replace(part, lower=tidy.lower_is_better)
    return replace(part, reading={**part.reading, **choices.told_roles})


def _metric_of(tidy: Tidy, dataset: str | None) -> str | None:
    """The tool's metric, or the first with scores in the data set that was chosen: tasks differ in theirs."""
    names = [name for name in tidy.table.header if tidy.roles.get(name) == Role.DATASET]
    if dataset is None or len(names) != 1 or tidy.metric not in tidy.table.header:
        return tidy.metric
    rows = [i for i, cell in enumerate(tidy.table.texts(names[0])) if cell == dataset]
    scores = [name for name in tidy.table.header if tidy.roles.get(name) == Role.SCORE]

    def there(name: str) -> bool:
        cells = tidy.table.texts(name)
        return any(cells[i] for i in rows)

    return next(filter(there, sorted(scores, key=lambda name: name != tidy.metric)), tidy.metric)
