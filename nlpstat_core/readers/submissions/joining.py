"""Outputs joined to gold's items: by ids, also within lines, by order, sentence by sentence."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import number
from nlpstat_core.readers.submissions.cells import Cell, Cells
from nlpstat_core.readers.submissions.conll import Sentences
from nlpstat_core.readers.submissions.gold import Gold
from nlpstat_core.readers.submissions.spelling import as_seen

MOST_APART = 0.2  # of the words or texts, from which on these are other items


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


def cut(column: list[Cell], many: int) -> list[Cell]:
    """A column without the blank lines beyond gold's last item."""
    while len(column) > many and isinstance(column[-1], str) and not column[-1].strip():
        column = column[:-1]
    return column


def by_order(column: Sequence[Any], gold: Gold) -> Joined:
    """Outputs in gold's order; raises ScoreFileError where they aren't as many."""
    many = len(gold.items)
    if len(column) != many:
        blank = [place for place, cell in enumerate(column, 1) if isinstance(cell, str) and not cell.strip()]
        of_these = f", {len(blank):,} of them blank (the first: output {blank[0]:,})" if blank else ""
        raise ScoreFileError(
            f"it has {len(column):,} outputs{of_these} and gold {many:,} items, and there are no ids to tell "
            "which are missing; give one output per item, in gold's order, or give both ids."
        )
    return Joined(outputs=column, by_order=True)


def by_ids(cells: Cells, gold: Gold, ids: Sequence[Cell], column: Sequence[Cell]) -> Joined:
    """Outputs by their ids; raises ScoreFileError where none is gold's, or one comes twice."""
    items = gold.items
    written = [str(one).strip() for one in ids]
    notes: tuple[Note, ...] = ()
    if not set(written) & set(items):
        written, notes = _alike(written, items)
    elif not set(written) <= set(items):
        written, notes = _some_alike(written, items)
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


def _some_alike(written: list[str], items: Sequence[str]) -> tuple[list[str], tuple[Note, ...]]:
    """Ids of which some are gold's, the others as gold writes them where zeros or capitals differ."""
    there, given = set(items), set(written)
    spelt = {_plainest(item): item for item in items}
    if len(spelt) < len(items):
        return written, ()
    found = [one if one in there else spelt.get(_plainest(one), one) for one in written]
    changed = [(own, item) for own, item in zip(written, found, strict=True) if own != item]
    if not changed or any(item in given for _, item in changed):
        return written, ()
    own, item = changed[0]
    text = (
        f"{len(changed):,} ids were matched in spite of how they are written ({shown(own)} is {shown(item)})."
    )
    return found, (Note("ids-matched", "info", text),)


def _plainest(item: str) -> str:
    item = as_seen(item)
    value = number(item)
    whole = value is not None and value == value and float(value).is_integer() and abs(value) < 1e15
    return str(int(value)) if whole and value is not None else item.lower()


_TELLING = 3  # words that tell a sentence from another one


def sentences_joined(cells: Cells, own: Sentences, gold: Gold, right: Sentences) -> Joined:
    """The sentences of a system, one for each of gold's; raises ScoreFileError for others."""
    if own.kind != right.kind:
        raise ScoreFileError(f"it holds {own.kind} and gold {right.kind}; give both alike.")
    items = gold.items
    named = own.ids is not None and right.ids is not None
    if named:
        joined = by_ids(cells, gold, list(own.ids or ()), list(range(len(own.values))))  # type: ignore[arg-type]
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
    return Joined(outputs=outputs, by_order=not named and not has_words, notes=notes)


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
    if apart > MOST_APART * compared:
        raise ScoreFileError(f"{first}; give gold's sentences in gold's order.")
    text = f"{apart:,} of {compared:,} words are not spelt as in gold ({first}): tags count by their place."
    return (Note("words-not-as-in-gold", "caution", text),)


_FEWEST = 3  # lines below which first words may look like ids by chance
_IN_FRONT = re.compile(r"(?P<id>(?=\S*\d)(?=\S*[^\W\d]|\S*\d[-_]\d)[\w-]+)(?:\s+(?P<text>.*))?", re.DOTALL)
_BEHIND = re.compile(r"(?P<text>.*?)\s*\((?P<id>(?=[^()]*\d)[^\s()]+)\)\s*", re.DOTALL)
Rows = Sequence[tuple[str, str]]


def with_ids(
    gold: Cells, systems: Mapping[str, Cells]
) -> tuple[Cells, dict[str, Cells], tuple[Note, ...]] | None:
    """Gold and outputs as two columns, where all lines of gold and of some system have ids of the same items.

    Returns: None where they have not. Systems with lines of another kind stay as they are.
    """
    for form in (_IN_FRONT, _BEHIND):
        right = _parted(gold, form.fullmatch)
        if right is None:
            continue
        items = {item for item, _ in right}
        parted = {name: _parted(cells, form.fullmatch) for name, cells in systems.items()}
        shared = {name: sum(item in items for item, _ in rows or ()) for name, rows in parted.items()}
        own = {name: rows for name, rows in parted.items() if rows and 2 * shared[name] > len(rows)}
        if own:
            text = f"Every line of gold has an id ({shown(right[0][0])}), which is no part of its text."
            found = {
                name: _table(cells, own[name]) if name in own else cells for name, cells in systems.items()
            }
            return _table(gold, right), found, (Note("ids-in-lines", "info", text),)
    return None


def _parted(cells: Cells, parts: Callable[[str], re.Match[str] | None]) -> Rows | None:
    """Id and text of every line; None where a line has no id, or two the same."""
    if cells.header is not None or cells.sentences is not None or cells.width != 1:
        return None
    rows: list[tuple[str, str]] = []
    for (cell,) in cells.rows:
        if not isinstance(cell, str) or not cell.strip():
            continue
        found = parts(cell.strip())
        if found is None:
            return None  # at the first line, as a rule: files may have millions
        rows.append((found["id"], found["text"] or ""))
    if len(rows) < _FEWEST or len({item for item, _ in rows}) < len(rows):
        return None
    return rows if any(text for _, text in rows) else None


def _table(cells: Cells, rows: Rows) -> Cells:
    lines = [line for line, (cell,) in zip(cells.lines, cells.rows, strict=True) if str(cell).strip()]
    return replace(cells, header=("id", "text"), rows=rows, lines=lines)
