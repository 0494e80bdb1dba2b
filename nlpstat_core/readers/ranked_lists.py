"""Ranked lists as battles: WMT's relative rankings, and scores given side by side in Pearmut and Appraise."""

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import too_many
from nlpstat_core.readers.open.source import Source
from nlpstat_core.scores.battles import LIST

_PLACE = re.compile(r"system(\d+)(id|rank)", re.IGNORECASE)
# Appraise: user, system, segment, type, source and target language, score; document and more behind it.
_FEWEST_CELLS = 7
_OUTPUTS, _CHECKS = frozenset({"TGT", "REF"}), frozenset({"CHK", "BAD"})
# Pearmut: items that are no part of the campaign's data.
_ASIDE = ("welcome_", "random_", "goodbye_")


@dataclass(frozen=True)
class RankedList:
    """Systems that one person saw together, in the order in which they were shown.

    values: Larger is better; equal ones are ties.
    """

    systems: Sequence[str]
    values: Sequence[float]
    labels: Mapping[str, Any]


@dataclass
class RankedLists:
    """Lists of one file, and what was left out of them."""

    lists: list[RankedList] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def left_out(self, code: str, many: int, one: str, several: str) -> None:
        """Note what was left out, if anything was."""
        if many:
            text = f"Left out: {many:,} {one if many == 1 else several}."
            self.notes.append(Note(code, "info", text))


def ranked_lists(source: Source) -> RankedLists | None:
    """The ranked lists of a file; None where it is no format of these."""
    if source.kind in ("json", "jsonl"):
        return _pearmut(source) if _is_pearmut(source.json) else None
    if source.kind == "text" and _is_appraise(source.beginning):
        source.check_lines()
        return _appraise(csv.reader(io.StringIO(source.text)))
    places = _places(source.table.header)
    return None if places is None else _wmt(source, places)


def battles_of(found: RankedLists, most: int) -> dict[str, list[Any]]:
    """Every two systems of every list as a battle, in columns; raises ScoreFileError for more than `most`."""
    lists = [one for one in found.lists if len(one.systems) > 1]
    many = sum(math.comb(len(one.systems), 2) for one in lists)
    if many > most:
        raise too_many("battles", many, most)
    if not lists:
        raise ScoreFileError(
            "nowhere did one person judge two systems on the same item, so there are no battles; analyse "
            "scores of single outputs as scores instead."
        )
    names = dict.fromkeys(name for one in lists for name in one.labels)
    columns: dict[str, list[Any]] = {
        "model_a": [],
        "model_b": [],
        "winner": [],
        **{name: [] for name in names},
    }
    for one in lists:
        pairs = list(combinations(zip(one.systems, one.values, strict=True), 2))
        columns["model_a"] += [a for (a, _), _ in pairs]
        columns["model_b"] += [b for _, (b, _) in pairs]
        columns["winner"] += [
            "tie" if first == second else "model_a" if first > second else "model_b"
            for (_, first), (_, second) in pairs
        ]
        for name in names:
            columns[name] += [one.labels.get(name)] * len(pairs)
    return columns


def _places(header: Iterable[str]) -> dict[str, dict[str, str]] | None:
    """Column of the system and of its rank by place, of a header with two places or more."""
    places: dict[str, dict[str, str]] = {}
    for name in header:
        told = _PLACE.fullmatch(name.strip())
        if told is not None:
            places.setdefault(told[1], {})[told[2].lower()] = name
    whole = {place: columns for place, columns in places.items() if len(columns) == 2}
    return whole if len(whole) > 1 else None


def _wmt(source: Source, places: Mapping[str, Mapping[str, str]]) -> RankedLists:
    """WMT's files of rankings: five systems a row with ranks from 1 (best), -1 where one was left blank."""
    table, found, blank = source.table, RankedLists(), 0
    ranked = [(table.texts(columns["id"]), table.texts(columns["rank"])) for columns in places.values()]
    labels = {
        name: table.texts(name) for name in table.header if not name.strip().casefold().startswith("system")
    }
    named = next((name for name in labels if name.casefold() == "rankingid"), None)
    for row, line in enumerate(table.lines):
        systems, values = [], []
        for ids, ranks in ranked:
            rank = _rank(ranks[row], f"{table.where} {line}") if ids[row] else None
            if rank is None:
                blank += bool(ids[row])
            else:
                systems.append(ids[row])
                values.append(-rank)
        told = {name: cells[row] or None for name, cells in labels.items() if name != named}
        found.lists.append(
            RankedList(
                systems, values, {**told, LIST: labels[named][row] if named else f"{source.name} {line}"}
            )
        )
    found.left_out("ranks-left-blank", blank, "rank that was left blank", "ranks that were left blank")
    return found


def _rank(cell: str, where: str) -> float | None:
    """A rank from 1 on; None for a blank one."""
    try:
        rank = float(cell or "-1")
    except ValueError:
        rank = math.nan
    if rank == -1:
        return None
    if not rank >= 1:
        raise ScoreFileError(
            f"{where}: {shown(cell)} is not a rank; ranks are 1 for the best, 2 …, and -1 for none."
        )
    return rank


def _is_appraise(beginning: str) -> bool:
    """Whether the first line is a record of Appraise's export, which has no header."""
    for line in beginning.splitlines():
        if line.strip():
            cells = [cell.strip() for cell in line.split(",")]
            if len(cells) < _FEWEST_CELLS or cells[3] not in _OUTPUTS | _CHECKS:
                return False
            return _number(cells[6]) is not None
    return False


def _appraise(rows: Iterable[list[str]]) -> RankedLists:
    """Appraise's export: the outputs of one segment that one person scored, checks of attention left out."""
    found, checks, again = RankedLists(), 0, 0
    by_list: dict[tuple[str, str, str, str, str, str], dict[str, float]] = {}
    for line, cells in enumerate(rows, start=1):
        if not cells:
            continue
        if len(cells) < _FEWEST_CELLS or cells[3].strip() not in _OUTPUTS | _CHECKS:
            raise ScoreFileError(
                f"line {line}: {shown(','.join(cells))} is not a record of Appraise's export."
            )
        user, system, segment, kind, from_, to, score = (cell.strip() for cell in cells[:_FEWEST_CELLS])
        value = _number(score)
        if value is None:
            raise ScoreFileError(f"line {line}: {shown(score)} is not a score.")
        document, whole = (*(cell.strip() for cell in cells[7:9]), "", "")[:2]
        if kind in _CHECKS:
            checks += 1
            continue
        # A score of the whole document carries the number behind its last segment.
        unit = (user, from_, to, document if whole in ("True", "False") else "", whole, segment)
        scored = by_list.setdefault(unit, {})
        again += system in scored
        scored[system] = value
    for (user, from_, to, document, whole, segment), scored in by_list.items():
        labels = {
            "user": user,
            "segment": segment,
            "srclang": from_,
            "trglang": to,
            LIST: " ".join(filter(None, (user, from_, to, document, whole, segment))),
        }
        if document:
            labels |= {"document": document, "segment": f"{document} {segment}"}
        found.lists.append(RankedList(tuple(scored), tuple(scored.values()), labels))
    found.left_out("checks-left-out", checks, "check of attention", "checks of attention")
    found.left_out("scored-again", again, "score that was given again", "scores that were given again")
    return found


def _is_pearmut(data: Any) -> bool:
    """Whether records hold Pearmut's annotations: scores by system for every item of a document."""
    return bool(
        isinstance(data, list)
        and data
        and isinstance(data[0], Mapping)
        and isinstance(data[0].get("annotation"), list)
        and isinstance(data[0].get("item"), list)
    )


def _pearmut(source: Source) -> RankedLists:
    """Pearmut's log: the last scores that each person gave to the outputs of an item."""
    found, aside = RankedLists(), 0
    by_list: dict[tuple[str, str], RankedList] = {}
    again = 0
    for line, entry in zip(source.json_lines, source.json, strict=True):
        where = f"record {line:,}"
        if not isinstance(entry, Mapping) or "annotation" not in entry or "item" not in entry:
            continue  # Pearmut logs other things that happened, too
        items, notes = entry["item"], entry["annotation"]
        if not isinstance(items, list) or not isinstance(notes, list) or len(items) != len(notes):
            raise ScoreFileError(
                f"{where}: items and annotations don't belong together; export the log again."
            )
        place, user = entry.get("item_i"), str(entry.get("user_id"))
        if isinstance(place, str) and place.startswith(_ASIDE):
            aside += 1
            continue
        for number, (item, given) in enumerate(zip(items, notes, strict=True)):
            scored = _scored(given, where)
            if not scored:
                continue
            told = item.get("item_id") if isinstance(item, Mapping) else None
            name = f"{place}.{number}" if told is None else str(told)
            again += (user, name) in by_list
            labels = {"item": name, "user": user, "document": place, LIST: f"{user} {name}"}
            by_list[user, name] = RankedList(tuple(scored), tuple(scored.values()), labels)
    found.lists.extend(by_list.values())
    found.left_out("pages-left-out", aside, "tutorial or attention check", "tutorials and attention checks")
    found.left_out("scored-again", again, "item that was scored again", "items that were scored again")
    return found


def _scored(given: Any, where: str) -> dict[str, float]:
    """Scores by system; without those that were not given."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(one, Mapping) for one in given.values()):
        raise ScoreFileError(f"{where}: an annotation is not a record of systems; export the log again.")
    scores = {str(system): one.get("score") for system, one in given.items()}
    for system, score in scores.items():
        if score is not None and (
            isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score)
        ):
            raise ScoreFileError(f"{where}: the score of {shown(system)} is {shown(score)}, not a number.")
    return {system: float(score) for system, score in scores.items() if score is not None}


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
