"""The outputs of systems, one for each item of gold: joined by ids, else by order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import number
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.submissions.cells import Cell, Cells
from nlpstat_core.readers.submissions.columns import MADE_UP, answer_place, ask_for, ids_place, named_columns
from nlpstat_core.readers.submissions.conll import Sentences
from nlpstat_core.readers.submissions.gold import Gold

_TELLING = 3  # words that tell a sentence from another one
_MOST_APART = 0.2  # of the words, from which on these are other sentences


@dataclass(frozen=True, kw_only=True)
class Joined:
    """Outputs of one system in gold's order, as they are written; None where there is none.

    by_order: Whether its order alone says which item an output is for.
    ids: Those of the file that gold doesn't have, where it was joined by order in spite of them.
    """

    outputs: Sequence[Any]
    by_order: bool
    ids: Sequence[str] | None = None
    notes: tuple[Note, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)


def outputs_of(
    cells: Cells, gold: Gold, system: str, id_column: str | None, output_column: str | None, alone: bool
) -> dict[str, Joined]:
    """The outputs in one file: of the system it is named after, or of several that its columns name.

    alone: Whether there is no other file: one of several is one system's.
    Raises ScoreFileError: Other items than gold's, an item twice, columns that can't be told.
    """
    if gold.sentences is not None and cells.sentences is not None:
        return {system: _sentences(cells, cells.sentences, gold, gold.sentences)}
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
        if len(column) != len(items) and len(_cut(raw.column(0), len(items))) == len(items):
            column = raw.column(0)  # what looked like a header is the first answer
        return {system: _by_order(_cut(column, len(items)), gold)}
    told = id_column if id_column in header else None
    ids = ids_place(cells, items if gold.ids is not None else None, told)
    if ids is None and gold.ids is not None and len(cells.rows) != len(items):
        raise ScoreFileError(
            f"no column holds the ids of gold ({some_shown(items, 2)}), and {len(cells.rows):,} rows are not "
            f"the {len(items):,} items; give the ids as gold writes them."
        )
    named = [place for place, name in enumerate(header) if place != ids and says(Kind.SYSTEM, name)]
    places = answer_place(cells, ids, gold.name, output_column)
    if named and len(places) == 1 and len(cells.rows) > len(items) and ids is not None:
        return _long(cells, gold, ids, named[0], places[0])
    if len(places) == 1:
        reading = {"output_column": header[places[0]]} if len(header) > 2 else {}
        return {system: _one(cells, gold, ids, places[0], reading)}
    if not alone or header[places[0]].startswith(MADE_UP):
        raise ask_for("the outputs", Remedy("output_column"), header)
    if ids is None:
        places = list(range(len(header)))
    return {header[place]: _one(cells, gold, ids, place, {}) for place in places}


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
        if len(apart) > _MOST_APART * len(both):
            item, mine, right = apart[0]
            raise ScoreFileError(
                f"its column {shown(name)} has {shown(mine)} for the item {shown(item)}, where gold has "
                f"{shown(right)}: its rows are in another order, or for other items; give gold's ids."
            )


def _column(cells: Cells, gold: Gold, ids: int | None, place: int, reading: Mapping[str, Any]) -> Joined:
    column = cells.column(place)
    if ids is None:
        found = _by_order(column, gold)
    elif gold.ids is not None:
        found = _by_ids(cells, gold, cells.column(ids), column)
    else:
        found = _by_numbers(cells, gold, [str(cell).strip() for cell in cells.column(ids)], column)
    return replace(found, reading=reading)


def _by_numbers(cells: Cells, gold: Gold, ids: Sequence[str], column: Sequence[Cell]) -> Joined:
    """Ids where gold has none: they may count its items, from 1 or from 0; else they tell nothing of gold."""
    many = len(gold.items)
    if set(ids) == set(map(str, range(many))):
        text = f"Ids count gold's items from 0 ({shown(ids[0])} is the item {int(ids[0]) + 1:,})."
        found = _by_ids(cells, gold, [str(int(one) + 1) for one in ids], column)
        return replace(found, notes=(*found.notes, Note("ids-matched", "info", text)))
    if set(ids) <= set(map(str, range(1, many + 1))):
        return _by_ids(cells, gold, ids, column)
    return replace(_by_order(column, gold), ids=ids)


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
        found[name] = _by_ids(part, gold, part.column(ids), part.column(place))
    return found


def _cut(column: list[Cell], many: int) -> list[Cell]:
    """A column without the blank lines beyond gold's last item."""
    while len(column) > many and isinstance(column[-1], str) and not column[-1].strip():
        column = column[:-1]
    return column


def _by_order(column: Sequence[Any], gold: Gold) -> Joined:
    many = len(gold.items)
    if len(column) != many:
        raise ScoreFileError(
            f"it has {len(column):,} outputs and gold {many:,} items, and there are no ids to tell which are "
            "missing; give one output per item, in gold's order, or give both ids."
        )
    return Joined(outputs=column, by_order=True)


def _by_ids(cells: Cells, gold: Gold, ids: Sequence[Cell], column: Sequence[Cell]) -> Joined:
    items = gold.items
    written = [str(one).strip() for one in ids]
    notes: tuple[Note, ...] = ()
    if not set(written) & set(items):
        written, notes = _alike(written, items)
    places: dict[str, int] = {}
    for row, item in enumerate(written):
        if item in places:
            first = cells.lines[places[item]]
            raise ScoreFileError(
                f"the item {shown(item)} appears twice, on lines {first:,} and {cells.lines[row]:,}; give "
                "one output per item."
            )
        places[item] = row
    known = set(items)
    others = [item for item in places if item not in known]
    if others:
        named = some_shown(others, 3)
        text = f"{len(others):,} outputs are for items gold doesn't have and were left out ({named})."
        notes = (*notes, Note("items-not-in-gold", "caution", text))
    return Joined(
        outputs=[column[places[item]] if item in places else None for item in items],
        by_order=False,
        notes=notes,
    )


def _alike(written: list[str], items: Sequence[str]) -> tuple[list[str], tuple[Note, ...]]:
    """Ids as gold writes them, where leading zeros, ".0" or capitals alone differ; raises where none fits."""
    spelt = {_plainest(item): item for item in items}
    found = [spelt.get(_plainest(one), one) for one in written]
    if len(spelt) < len(items) or not set(found) & set(items):
        raise ScoreFileError(
            f"none of its ids ({some_shown(written, 2)}) is one of gold's ({some_shown(items, 2)}); give the "
            "ids as gold writes them",
            Remedy("id_column", form="aside", when="if another column holds them"),
            ".",
        )
    text = f"Ids were matched in spite of how they are written ({shown(written[0])} is {shown(found[0])})."
    return found, (Note("ids-matched", "info", text),)


def _plainest(item: str) -> str:
    value = number(item)
    whole = value is not None and value == value and float(value).is_integer() and abs(value) < 1e15
    return str(int(value)) if whole and value is not None else item.lower()


def _sentences(cells: Cells, own: Sentences, gold: Gold, right: Sentences) -> Joined:
    if own.kind != right.kind:
        raise ScoreFileError(f"it holds {own.kind} and gold {right.kind}; give both alike.")
    items = gold.items
    by_ids = own.ids is not None and right.ids is not None
    if by_ids:
        joined = _by_ids(cells, gold, list(own.ids or ()), list(range(len(own.values))))  # type: ignore[arg-type]
        rows = joined.outputs
    else:
        if len(own.values) != len(items):
            raise ScoreFileError(
                f"it has {len(own.values):,} sentences and gold {len(items):,}; give every sentence of gold, "
                "a blank line after each."
            )
        joined, rows = Joined(outputs=(), by_order=True), range(len(items))
    outputs: list[Any] = []
    notes = (*joined.notes, *_words_alike(own, right, rows, items))
    for place, row in enumerate(rows):
        if row is None:
            outputs.append(None)
            continue
        mine, theirs = own.values[row], right.values[place]
        where = f"line {own.lines[row]:,}, sentence {shown(items[place])}"
        if len(mine) != len(theirs):
            text = f"{where}: {len(mine)} tokens where gold has {len(theirs)}"
            raise ScoreFileError(f"{text}; give every token of gold.")
        outputs.append(mine)
    has_words = any(own.tokens) and any(right.tokens)
    return Joined(outputs=outputs, by_order=not by_ids and not has_words, notes=notes)


def _words_alike(
    own: Sentences, right: Sentences, rows: Sequence[int | None], items: Sequence[str]
) -> tuple[Note, ...]:
    """A caution where some words are spelt otherwise than in gold, since systems may normalise them.

    Raises ScoreFileError: Too many words are others, or a sentence is another one of gold's.
    """
    known = {words for words in right.tokens if len(words) >= _TELLING}
    compared, apart, first = 0, 0, None
    for place, row in enumerate(rows):
        words, others = ((), ()) if row is None else (own.tokens[row], right.tokens[place])
        if row is None or not words or not others:
            continue
        compared += len(others)
        if words == others:
            continue
        pairs = list(zip(words, others, strict=False))
        word, other = next((both for both in pairs if both[0] != both[1]), ("", ""))
        where = f"line {own.lines[row]:,}, sentence {shown(items[place])}"
        what = f"{where}: the word {shown(word)} stands where gold has {shown(other)}"
        if words in known and word != other:
            raise ScoreFileError(f"{what}; give gold's sentences in gold's order.")
        if len(words) == len(others):
            apart += sum(one != two for one, two in pairs)
            first = first or what
    if first is None:
        return ()
    if apart > _MOST_APART * compared:
        raise ScoreFileError(f"{first}; give gold's sentences in gold's order.")
    text = f"{apart:,} of {compared:,} words are not spelt as in gold ({first}): tags count by their place."
    return (Note("words-not-as-in-gold", "caution", text),)
