"""The outputs of systems, one for each item of gold: joined by ids, else by order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import number
from nlpstat_core.readers.roles.names import Kind, normal, says
from nlpstat_core.readers.submissions.cells import Cell, Cells
from nlpstat_core.readers.submissions.columns import (
    LIKELY,
    MADE_UP,
    answer_place,
    ask_for,
    ids_place,
    is_label,
    keys,
    named_columns,
)
from nlpstat_core.readers.submissions.gold import Gold
from nlpstat_core.readers.submissions.joining import (
    MOST_APART,
    Joined,
    by_ids,
    by_order,
    cut,
    sentences_joined,
)
from nlpstat_core.readers.submissions.json_shapes import Levels
from nlpstat_core.readers.submissions.sets import named_by_columns


def outputs_of(
    cells: Cells, gold: Gold, system: str, id_column: str | None, output_column: str | None, alone: bool
) -> dict[str, Joined]:
    """The outputs in one file: of the system it is named after, or of several that its columns name.

    alone: Whether there is no other file: one of several is one system's.
    Raises ScoreFileError: Other items than gold's, an item twice, columns that can't be told.
    """
    if gold.sentences is not None and cells.sentences is not None:
        return {system: sentences_joined(cells, cells.sentences, gold, gold.sentences)}
    if cells.sentences is not None:
        raise ScoreFileError("it is in CoNLL columns and gold isn't; give both in the same format.")
    raw = cells
    cells = named_columns(cells, (id_column, output_column))
    header = cells.header or ()
    items = gold.items
    if not cells.rows:
        raise ScoreFileError("it has nothing below its header; give one output per item.")
    if len(header) == 1:
        column = cells.column(0)
        if len(column) != len(items) and len(cut(raw.column(0), len(items))) == len(items):
            column = raw.column(0)  # what looked like a header is the first answer
        return {system: by_order(cut(column, len(items)), gold)}
    if gold.key and set(gold.key) <= set(header):
        cells, header = _with_keys(cells, gold.key), ("", *header)
        ids: int | None = 0
    else:
        told = id_column if id_column in header else None
        ids = ids_place(cells, items if gold.ids is not None else None, told)
    if ids is None and gold.ids is not None and len(cells.rows) != len(items):
        raise ScoreFileError(
            f"no column holds the ids of gold ({some_shown(items, 2)}), and {len(cells.rows):,} rows are not "
            f"the {len(items):,} items; give the ids as gold writes them."
        )
    if gold.flags:
        return {system: _flagged(cells, gold, ids)}
    named = [place for place, name in enumerate(header) if place != ids and says(Kind.SYSTEM, name)]
    places = answer_place(cells, ids, gold.name, output_column)
    if output_column is None:
        places = _answers_among(cells, gold, ids, places)
    if named and len(places) == 1 and len(cells.rows) > len(items) and ids is not None:
        return _long(cells, gold, ids, named[0], places[0])
    if len(places) == 1:
        reading = {"output_column": header[places[0]]} if len(header) > 2 else {}
        return {system: _one(cells, gold, ids, places[0], reading)}
    if not alone or header[places[0]].startswith(MADE_UP):
        raise ask_for("the outputs", Remedy("output_column"), header)
    return {header[place]: _one(cells, gold, ids, place, {}) for place in places}


def _flagged(cells: Cells, gold: Gold, ids: int | None) -> Joined:
    """Labels by columns of 0 and 1, as gold has them."""
    _check_told(cells, gold, ids)
    sets = named_by_columns(cells, gold.flags)
    table = replace(
        cells,
        header=(*(cells.header or ()), ""),
        rows=[(*row, own) for row, own in zip(cells.rows, sets, strict=True)],
    )
    return _column(table, gold, ids, table.width - 1, {})


def _with_keys(cells: Cells, key: Sequence[str]) -> Cells:
    """The table with a column in front that holds the ids made of several columns."""
    header = cells.header or ()
    ids = keys(cells, [header.index(name) for name in key])
    return replace(
        cells, header=("", *header), rows=[(item, *row) for item, row in zip(ids, cells.rows, strict=True)]
    )


def _answers_among(cells: Cells, gold: Gold, ids: int | None, places: Sequence[int]) -> list[int]:
    """The columns of answers among those that may be, without what only tells something of the items."""
    header = cells.header or ()
    named = len(places) == 1 and len(header) > 2
    if named and not (is_label(header[places[0]]) and normal(header[places[0]]) in LIKELY):
        return list(places)
    # "text" is the answer where nothing else may be it.
    among = [place for place in range(len(header)) if place != ids] if named else places
    others = [place for place in among if not _tells_of_items(cells, gold, place)]
    if named:
        numbers_wanted = all(number(cell) is not None for cell in gold.right if isinstance(cell, str))
        others = [place for place in others if numbers_wanted or not _numbers(cells, place)]
    return others or list(places)


def _tells_of_items(cells: Cells, gold: Gold, place: int) -> bool:
    name = (cells.header or ())[place]
    column = cells.column(place)
    return (
        is_label(name)
        or name in (gold.labels.keys() | {gold.name})
        or says(Kind.PLAINLY_NEVER, name)
        or any(isinstance(cell, Levels) for cell in column)
    )


def _numbers(cells: Cells, place: int) -> bool:
    return all(isinstance(cell, str) and number(cell) is not None for cell in cells.column(place))


def _one(cells: Cells, gold: Gold, ids: int | None, place: int, reading: Mapping[str, Any]) -> Joined:
    _check_told(cells, gold, ids)
    return _column(cells, gold, ids, place, reading)


def _check_told(cells: Cells, gold: Gold, ids: int | None) -> None:
    """Refuse a file that repeats gold's texts of the items and has others where these are joined."""
    for at, name in enumerate(cells.header or ()):
        known = gold.labels.get(name)
        if known is None or at == ids or len(set(known)) <= len(known) / 2:
            continue  # what many items share tells none of them
        own = _column(cells, gold, ids, at, {}).outputs
        both = [
            (item, str(mine).strip(), right.strip())
            for item, mine, right in zip(gold.items, own, known, strict=True)
            if mine is not None
        ]
        apart = [one for one in both if one[1] != one[2]]
        if len(apart) > MOST_APART * len(both):
            item, mine, right = apart[0]
            raise ScoreFileError(
                f"its column {shown(name)} has {shown(mine)} for the item {shown(item)}, where gold has "
                f"{shown(right)}: its rows are in another order, or for other items; give gold's ids."
            )


def _column(cells: Cells, gold: Gold, ids: int | None, place: int, reading: Mapping[str, Any]) -> Joined:
    column = cells.column(place)
    if ids is None:
        found = by_order(column, gold)
    elif gold.ids is not None:
        found = by_ids(cells, gold, cells.column(ids), column)
        found = replace(found, notes=(*found.notes, *_counted_rows(cells, gold, ids)))
    else:
        found = _by_numbers(cells, gold, [str(cell).strip() for cell in cells.column(ids)], column)
    return replace(found, reading=reading)


def _counted_rows(cells: Cells, gold: Gold, ids: int) -> tuple[Note, ...]:
    """A caution where ids only count the file's rows while gold's are in another order."""
    name = (cells.header or ())[ids]
    counted = [str(place) for place in range(len(cells.rows))]
    if (name and not says(Kind.ROW_COUNT, name)) or gold.key or list(gold.items) == counted:
        return ()
    if [str(cell).strip() for cell in cells.column(ids)] != counted or set(gold.items) != set(counted):
        return ()
    text = (
        "Its index counts its rows from 0, and gold's index is in another order "
        f"({some_shown(gold.items, 3)}): outputs were joined by this number; if they are in gold's order, "
        "leave out both indices."
    )
    return (Note("order-doubtful", "caution", text),)


def _by_numbers(cells: Cells, gold: Gold, ids: Sequence[str], column: Sequence[Cell]) -> Joined:
    """Ids where gold has none: they may count its items, from 1 or from 0; else they tell nothing of gold."""
    many = len(gold.items)
    if set(ids) == set(map(str, range(many))):
        text = f"Ids count gold's items from 0 ({shown(ids[0])} is the item {int(ids[0]) + 1:,})."
        found = by_ids(cells, gold, [str(int(one) + 1) for one in ids], column)
        return replace(found, notes=(*found.notes, Note("ids-matched", "info", text)))
    if set(ids) <= set(map(str, range(1, many + 1))):
        return by_ids(cells, gold, ids, column)
    return replace(by_order(column, gold), ids=ids)


def refuse_other_order(joined: Mapping[str, Joined]) -> None:
    """Refuse outputs that were joined by order and whose own ids say that their orders differ."""
    with_ids = {system: one.ids for system, one in joined.items() if one.ids is not None}
    for system, ids in with_ids.items():
        first, others = next(iter(with_ids.items()))
        if list(ids) != list(others) and set(ids) & set(others):
            raise ScoreFileError(
                f"gold has no ids, and those of {shown(system)} are not in the order of {shown(first)}; give "
                "gold's ids, too, or all outputs in gold's order."
            )


def _long(cells: Cells, gold: Gold, ids: int, system: int, place: int) -> dict[str, Joined]:
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(cells.column(system)):
        rows.setdefault(str(name).strip(), []).append(row)
    found = {}
    for name, own in rows.items():
        part = Cells(
            name=cells.name,
            rows=[cells.rows[row] for row in own],
            lines=[cells.lines[row] for row in own],
            header=cells.header,
        )
        found[name] = by_ids(part, gold, part.column(ids), part.column(place))
    return found
