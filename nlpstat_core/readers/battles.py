"""read_battles: which of two systems was preferred, from logs of arenas, judges and people."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.errors import Remedy, ScoreError, ScoreFileError, about_file, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.battle_rows import Columns, numbers_told, odd_rows
from nlpstat_core.readers.open.files import Given, open_files
from nlpstat_core.readers.open.limits import Limits
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.ranked_lists import battles_of, ranked_lists
from nlpstat_core.scores.battle_tables import (
    SPELLINGS,
    as_battles,
    column_of,
    compared_scores,
    with_winners,
)
from nlpstat_core.scores.battles import Battles
from nlpstat_core.scores.names_alike import notes_on_names

_DEFAULTS = Limits()
# What stands where a judge gave no verdict.
_NO_VERDICT = {"", "error", "none", "null", "nan", "n/a"}
_GAMES = ("g1_winner", "g2_winner")


def read_battles(
    source: Given | list[Given],
    *,
    baseline: str | None = None,
    max_bytes: int = _DEFAULTS.max_bytes,
    max_unpacked_bytes: int = _DEFAULTS.max_unpacked_bytes,
    max_rows: int = _DEFAULTS.max_rows,
    max_columns: int = _DEFAULTS.max_columns,
    max_cells: int = _DEFAULTS.max_cells,
) -> Battles:
    """Read battles: two systems each, and which was preferred.

    Parameters
    ----------
    source : path, (bytes, name), or a list of these
        CSV, TSV, Excel, Parquet, JSON or JSON lines with columns of the two systems (model_a and model_b,
        model_1 and model_2 …) and of the winner; AlpacaEval's annotations; MT-bench's pairwise judgements,
        with both games of a pair as one battle; Arena-Hard's judgements, both orders of which are battles;
        ranked lists, every two systems of which are a battle: WMT's relative rankings (system1Id, system1rank
        …), and the scores that one person gave to outputs of one item in Pearmut's log or Appraise's export.
        Several files are read as one.
    baseline : str or None
        Name of the system that Arena-Hard compares all others with, where the file doesn't say it.
    max_bytes, max_unpacked_bytes, max_rows, max_columns, max_cells : int
        Bounds of what is read.

    Returns
    -------
    Battles
        Further columns (prompt, judge, category …) are its labels. Battles without a verdict, and those of a
        system against itself, are left out with a note.

    Raises
    ------
    ScoreFileError
        One sentence: what is wrong, where, what to do.

    Notes
    -----
    Winners may be sides or names in any usual spelling; "both bad" is a tie, and a margin (A>>B) counts as
    one win. Numbers are read where they can mean one thing: signs (1, −1), scores in a column `score_a`
    (1 where the first system won), and 1 and 2 for the systems in `model_1` and `model_2`; other numbers are
    refused, as 0 and 1 count systems as often as they are scores. AlpacaEval's preferences from 1 to 2 go to
    the likelier side. `score_a` and `score_b` together decide by the higher one; a column `tie` beside the
    winner's makes ties. Where a judge's two games disagree the
    battle is a tie, as in MT-bench.

    Examples
    --------
    >>> text = b"model_a,model_b,winner,question\\nx,y,model_a,q1\\ny,x,tie (bothbad),q2\\n"
    >>> battles = read_battles((text, "battles.csv"))
    >>> battles.systems, battles.outcome.tolist(), list(battles.labels)
    (('x', 'y'), [1, 0], ['question'])
    """
    limits = Limits(
        max_bytes=max_bytes,
        max_unpacked_bytes=max_unpacked_bytes,
        max_rows=max_rows,
        max_columns=max_columns,
        max_cells=max_cells,
    )
    opened = open_files(source, limits)
    parts: list[Columns] = []
    said: list[Note] = []
    for one in opened.sources:
        try:
            lists = ranked_lists(one)
            if lists is None:
                parts.append(_columns(one, baseline))
            else:
                parts.append(battles_of(lists, max_rows))
                said += lists.notes
        except ScoreError as error:
            raise about_file(one.name, error) from None
    try:
        found, notes = _with_verdicts(_joined(parts))
        notes += odd_rows(found)
        found, told = numbers_told(found)
        read = as_battles(found, source=opened.name)
    except ScoreError as error:
        raise about_file(opened.name, error) from None
    return replace(read, notes=(*opened.notes, *said, *notes, *told, *notes_on_names(read.systems)))


def _columns(source: Source, baseline: str | None) -> Columns:
    """The columns of one file as lists; None where a cell is empty."""
    data = source.json
    if data is None:
        table = source.table
        return {name: [cell or None for cell in table.texts(name)] for name in table.header}
    records = data
    if isinstance(data, Mapping):
        if all(isinstance(data.get(column_of(data, side)), list | dict) for side in ("left", "right")):
            return {
                str(name): list(cells.values() if isinstance(cells, dict) else cells)
                for name, cells in data.items()
                if isinstance(cells, list | dict)
            }
        lists = [value for value in data.values() if isinstance(value, list)]
        records = lists[0] if len(lists) == 1 else [data]
    if not isinstance(records, list) or not all(isinstance(record, Mapping) for record in records):
        raise ScoreFileError("the JSON contains no list of battles; give one record per battle.")
    if records and all(isinstance(record.get("games"), list) for record in records):
        records = [battle for record in records for battle in _arena_hard(record, baseline)]
    return _flat(records)


def _flat(records: Sequence[Mapping[str, Any]]) -> Columns:
    """Columns of records; conversations and other lists within records are no columns.

    A system or a winner that is a list stays, to be refused.
    """
    names = dict.fromkeys(name for record in records for name in record)
    columns = {name: [record.get(name) for record in records] for name in names}
    needed = {column_of(columns, kind) for kind in SPELLINGS}
    return {
        name: column
        for name, column in columns.items()
        if name in needed or not any(isinstance(cell, list | dict) for cell in column)
    }


def _arena_hard(record: Mapping[str, Any], baseline: str | None) -> list[dict[str, Any]]:
    """Both orders of one judgement: the baseline is shown first in the first game, second in the second."""
    other, model = record.get("baseline", baseline), record.get("model")
    if other is None:
        raise ScoreFileError(
            "Arena-Hard's judgements don't name the system that all others are compared with; ",
            Remedy("baseline"),
            ".",
        )
    if not all(game is None or isinstance(game, Mapping) for game in record["games"]):
        raise ScoreFileError("Arena-Hard's judgements contain games that are not records; export them again.")
    labels = {name: cell for name, cell in record.items() if name not in ("games", "model", "baseline")}
    orders = ((other, model), (model, other))
    return [
        {**labels, "model_a": first, "model_b": second, "winner": (game or {}).get("score"), "game": place}
        for place, (game, (first, second)) in enumerate(zip(record["games"], orders, strict=False), 1)
    ]


def _joined(parts: list[Columns]) -> Columns:
    """The columns of all files, one after the other; None where a file lacks one."""
    lengths = [len(next(iter(part.values()), [])) for part in parts]
    names = dict.fromkeys(name for part in parts for name in part)
    return {
        name: [
            cell
            for part, length in zip(parts, lengths, strict=True)
            for cell in part.get(name, [None] * length)
        ]
        for name in names
    }


def _with_verdicts(columns: Columns) -> tuple[Columns, list[Note]]:
    """Battles that were decided or tied, and what was left out."""
    if all(name in columns for name in _GAMES):
        columns["winner"] = [_both(*games) for games in zip(*(columns.pop(n) for n in _GAMES), strict=True)]
    compared = compared_scores(columns)
    columns = with_winners(columns)
    names = {kind: column_of(columns, kind) for kind in ("left", "right", "winner")}
    if any(names[kind] is None for kind in ("left", "right")):
        return columns, []  # refused where battles are made, with the columns that there are
    n = len(next(iter(columns.values()), []))
    if not n:
        raise ScoreFileError("there are no battles below the header; give one row per battle.")
    silent = np.zeros(n, dtype=bool)
    if names["winner"] is not None:
        silent = np.array([str(cell).strip().casefold() in _NO_VERDICT for cell in columns[names["winner"]]])
    sides = [map(_name, columns[names[side]]) for side in ("left", "right")]
    itself = np.array([a == b for a, b in zip(*sides, strict=True)])
    notes = []
    if compared is not None:
        told = " and ".join(map(shown, compared))
        notes.append(Note("winners-by-scores", "info", f"The winner is the one with the higher of {told}."))
    for code, left_out, what in (
        ("battles-without-verdict", silent, "without a verdict"),
        ("battles-with-itself", itself & ~silent, "of a system against itself"),
    ):
        if left_out.any():
            line = int(np.flatnonzero(left_out)[0]) + 1
            text = f"Left out: {_battles(left_out)} {what} (the first is number {line:,})."
            notes.append(Note(code, "caution", text))
    keep = ~(silent | itself)
    if itself.all():
        raise ScoreFileError(
            "every battle compares a system with itself; name two different systems in each."
        )
    if not keep.any():
        raise ScoreFileError(
            f"none of the {n:,} battles has a verdict; the first is {_first(columns, names)}."
        )
    if keep.all():
        return columns, notes
    rows = np.flatnonzero(keep).tolist()
    return {name: [column[row] for row in rows] for name, column in columns.items()}, notes


def _both(first: Any, second: Any) -> Any:
    """MT-bench's verdict of two games with the sides exchanged: a tie where they disagree."""
    if any(str(game).casefold() in _NO_VERDICT for game in (first, second)):
        return None
    return first if first == second else "tie"


def _name(cell: Any) -> Any:
    return cell.strip() if isinstance(cell, str) else cell


def _battles(which: BoolArray) -> str:
    many = int(which.sum())
    return f"{many:,} battle{'s' if many > 1 else ''}"


def _first(columns: Columns, names: Mapping[str, str | None]) -> str:
    name = names["winner"]
    return "without a winner" if name is None else f"{shown(columns[name][0])} under {shown(name)}"
