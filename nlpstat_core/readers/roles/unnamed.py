"""Tables without names: columns of numbers from the first line on."""

from nlpstat_core.readers.open.cells import is_missing, is_text, is_whole
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.header_shapes import heads_runs
from nlpstat_core.readers.roles.names import says_id
from nlpstat_core.readers.roles.units import unit_ids


def read_unnamed(table: Table, choices: Choices, stem: str) -> Part:
    """Columns of numbers under made-up names; the systems are called "system 1", "system 2" and so on."""
    width, given = len(table.header), choices.id_column
    columns = Columns(table)
    has_ids = given not in (None, False, "none") or (given is None and _are_ids(columns, width))
    systems = list(range(int(has_ids), width))
    values = columns.values(systems)
    units = unit_ids(columns, (0,)) if has_ids else None
    return Part(
        values=values,
        systems=[f"system {i + 1}" for i in range(len(systems))] if len(systems) > 1 else [stem],
        units=units,
        metric=choices.metric,
        reading={"id_column": columns.header[0] if has_ids else False},
        notes=(*columns.sign_notes(systems), *table.notes),
    )


def _are_ids(columns: Columns, width: int) -> bool:
    """Whether cells of the first column name the units, or count them beside two others (from 0 or 1)."""
    cells = columns.texts(0)
    if columns.is_text(0):
        return True
    if width < 3 or not all(map(is_whole, cells)):
        return False
    counted = [float(cell) for cell in cells]
    return counted[0] in (0.0, 1.0) and counted == [counted[0] + i for i in range(len(counted))]


def holds_scores(table: Table) -> bool:
    """Whether the first record is numbers, after a unit id if there are at least two more columns."""
    first, rest = table.header[0], table.header[1:]
    scores = rest if is_text(first, table.decimal) and not says_id(first, True) else table.header
    if heads_runs(table.header):
        return False
    numbers = [cell for cell in scores if not is_missing(cell)]
    return bool(numbers) and not any(is_text(cell, table.decimal) for cell in numbers)
