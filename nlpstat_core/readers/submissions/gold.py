"""Gold: the items with what is right, and the systems of the same table where it has some."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.names import Kind, normal, says
from nlpstat_core.readers.submissions.cells import Cell, Cells
from nlpstat_core.readers.submissions.columns import (
    GOLDS,
    ask_for,
    by_names,
    ids_place,
    is_label,
    key_of,
    keys,
    named_columns,
    place_of,
)
from nlpstat_core.readers.submissions.conll import Sentences
from nlpstat_core.readers.submissions.sets import indicators, named_by_columns
from nlpstat_core.scores.matrix import first_repeat


@dataclass(frozen=True, kw_only=True)
class Gold:
    """What a gold file holds, as it is written.

    ids: None where items are known by their order alone.
    right: For each item its cell, or the cells of several references.
    name: What the file calls the right answers.
    systems: Other columns of the same table that may be outputs.
    flags: Columns of 0 and 1, one for each label, where these say what is right.
    key: Columns that name the items together, where none does alone.
    """

    ids: Sequence[str] | None
    right: Sequence[Cell]
    name: str | None = None
    several: bool = False
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    systems: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    sentences: Sentences | None = None
    key: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)

    @property
    def items(self) -> tuple[str, ...]:
        """Ids, or numbers from 1."""
        many = len(self.sentences.values) if self.sentences is not None else len(self.right)
        return tuple(map(str, range(1, many + 1))) if self.ids is None else tuple(self.ids)


def gold_of(
    cells: Cells,
    *,
    id_column: str | None,
    gold_column: str | None,
    label_columns: Sequence[str] | None,
    with_systems: bool,
) -> Gold:
    """What is right for each item of a gold file.

    with_systems: Whether the outputs stand in the same table.
    Raises ScoreFileError: No rows, columns that can't be told, an id twice.
    """
    if cells.sentences is not None:
        return _of_sentences(cells.sentences, cells.notes)
    if not any(isinstance(cell, tuple) or cell.strip() for row in cells.rows for cell in row):
        what = "nothing below its header" if cells.header else "nothing but blank lines"
        raise ScoreFileError(f"gold has {what}; give one item per line.")
    cells = named_columns(cells, (id_column, gold_column, *(label_columns or ())))
    header = cells.header or ()
    if not cells.rows:
        raise ScoreFileError("gold has nothing below its header; give one item per line.")
    if len(header) == 1:
        return Gold(ids=None, right=_without_blank_end(cells.column(0)), notes=cells.notes)
    ids = ids_place(cells, None, id_column)
    open_ = [place for place in range(len(header)) if place != ids]
    references = [place for place in open_ if _is_reference(header[place])]
    flags = () if gold_column is not None or with_systems else _flags(cells, open_)
    gold = flags[0] if flags else _gold_place(header, open_, gold_column, with_systems)
    key = () if id_column is not None or (ids is not None and _differ(cells, ids)) else key_of(cells, gold)
    ids = None if key else ids
    several = gold_column is None and len(references) > 1 and gold in references
    right: Sequence[Cell] = cells.column(gold)
    if several:
        columns = [cells.column(place) for place in references]
        right = [tuple(str(cell) for cell in row if str(cell).strip()) for row in zip(*columns, strict=True)]
    if flags:
        right = named_by_columns(cells, [header[place] for place in flags])
    is_right = {gold, *flags, *(references if several else ())}
    rest = [place for place in range(len(header)) if place != ids and place not in is_right]
    if label_columns is not None:
        remedy = Remedy("label_columns", form="aside")
        labels = [place_of(name, header, remedy) for name in label_columns]
    else:
        labels = [place for place in rest if not with_systems or place in key or is_label(header[place])]
        # What counts rows tells nothing of an item.
        labels = [place for place in labels if header[place] and not says(Kind.ROW_COUNT, header[place])]
    systems = [place for place in rest if with_systems and place not in labels]
    found_ids = keys(cells, key) if key else None if ids is None else _ids(cells, ids)
    return Gold(
        ids=found_ids,
        right=right,
        name=None if flags else header[gold],
        flags=tuple(header[place] for place in flags),
        several=several,
        labels={header[place]: [_shown(cell) for cell in cells.column(place)] for place in labels},
        systems={header[place]: cells.column(place) for place in systems},
        key=tuple(header[place] for place in key),
        notes=cells.notes,
        reading={
            **({} if flags else {"gold_column": header[gold]}),
            **({} if ids is None else {"id_column": header[ids]}),
            **({} if label_columns is None else {"label_columns": list(label_columns)}),
        },
    )


def _gold_place(header: Sequence[str], open_: Sequence[int], told: str | None, with_systems: bool) -> int:
    if told is not None:
        return place_of(told, header, Remedy("gold_column", form="aside"))
    found = by_names(header, GOLDS, open_)
    if found is None:
        found = next((place for place in open_ if _is_reference(header[place])), None)
    if found is not None:
        return found
    candidates = [place for place in open_ if not is_label(header[place])]
    if len(open_) == 1:
        return open_[0]
    if len(candidates) == 1 and not with_systems:
        return candidates[0]
    raise ask_for("what is right", Remedy("gold_column"), header)


def _flags(cells: Cells, open_: Sequence[int]) -> tuple[int, ...]:
    """Columns of 0 and 1, where no column is called gold and all that may be it are such."""
    header = cells.header or ()
    if by_names(header, GOLDS, open_) is not None:
        return ()
    among = [place for place in open_ if not is_label(header[place])]
    return tuple(among) if indicators(cells, among) else ()


def _is_reference(name: str) -> bool:
    return bool(normal(name).rstrip("0123456789").rstrip("_") in ("ref", "reference", "refs", "references"))


def _ids(cells: Cells, place: int) -> list[str]:
    ids = [_shown(cell).strip() for cell in cells.column(place)]
    twice = first_repeat(ids)
    if twice is not None:
        lines = [line for line, own in zip(cells.lines, ids, strict=True) if own == twice]
        where = f"on lines {lines[0]:,} and {lines[1]:,}"
        raise ScoreFileError(f"gold has the item {shown(twice)} twice, {where}; give every item its own id.")
    if "" in ids:
        raise ScoreFileError(f"line {cells.lines[ids.index('')]:,} of gold has no id; give every item one.")
    return ids


def _differ(cells: Cells, place: int) -> bool:
    column = cells.column(place)
    return len(set(column)) == len(column)


def _shown(cell: Cell) -> str:
    return cell if isinstance(cell, str) else " ".join(cell)


def _without_blank_end(column: list[Cell]) -> list[Cell]:
    while column and isinstance(column[-1], str) and not column[-1].strip():
        column = column[:-1]
    return column


def _of_sentences(sentences: Sentences, notes: tuple[Note, ...]) -> Gold:
    if sentences.ids is not None and (twice := first_repeat(sentences.ids)) is not None:
        raise ScoreFileError(f"gold has the sentence {shown(twice)} twice; give every sentence its own id.")
    labels: dict[str, Sequence[str]] = {}
    if any(sentences.tokens):
        labels["tokens"] = [" ".join(words) for words in sentences.tokens]
    if sentences.documents is not None and len(set(sentences.documents)) > 1:
        labels["document"] = sentences.documents
    return Gold(ids=sentences.ids, right=(), labels=labels, sentences=sentences, notes=notes)
