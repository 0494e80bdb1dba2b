"""Ids within lines of text: the first word (Kaldi), or the last in parentheses (SCTK's trn)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.submissions.cells import Cells

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
