"""Checks a board against its log: every row's hash, and the tables against what the log says they hold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from nlpstat_core.saved_boards.codec import digest, from_parquet
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.saved_boards.log import NOTHING, chained
from nlpstat_core.saved_boards.tables import blob, board, comment, event, link, member, version

_FROM_LOG = {
    "version": version,
    "member": member,
    "comment": comment,
    "link": link,
}


@dataclass(frozen=True)
class Verdict:
    """What came of checking one board.

    Attributes
    ----------
    board, title : str
    events : int
    head : str
        Hash of the last row. Kept elsewhere, it proves later that the log up to here was not rewritten.
    problems : tuple of str
        Nothing where all is as it should be.
    """

    board: str
    title: str
    events: int
    head: str
    problems: tuple[str, ...]


def verify(database: Database, board_id: str | None = None) -> tuple[Verdict, ...]:
    """Check one board, or all; for whoever runs the server.

    Parameters
    ----------
    database : Database
    board_id : str or None

    Returns
    -------
    tuple of Verdict
    """
    with database.reading() as connection:
        asked = select(board).order_by(board.c.created_at, board.c.id)
        if board_id is not None:
            asked = asked.where(board.c.id == board_id)
        return tuple(_checked(connection, dict(row)) for row in connection.execute(asked).mappings().all())


def _checked(connection: Connection, row: dict[str, Any]) -> Verdict:
    rows = (
        connection.execute(select(event).where(event.c.board == row["id"]).order_by(event.c.number))
        .mappings()
        .all()
    )
    problems, head = [], NOTHING
    for place, one in enumerate(rows, start=1):
        if one["number"] != place:
            problems.append(f"log: row {place} is missing")
            break
        made = chained(
            head,
            row["id"],
            place,
            one["happened_at"],
            one["actor"],
            one["action"],
            one["details"],
        )
        if one["previous"] != head or one["hash"] != made:
            problems.append(f"log: row {place} ({one['action']}, {one['happened_at']}) was changed")
            break
        head = made
    if not problems and (len(rows), head) != (row["events"], row["head"]):
        problems.append(
            f"log: it has {len(rows):,} rows, the board counts {row['events']:,}; the end is missing"
        )
    if not problems:
        problems += _against_log(connection, row, [dict(one) for one in rows])
    problems += _scores(connection, row["id"])
    return Verdict(row["id"], row["title"], len(rows), head, tuple(problems))


def _against_log(connection: Connection, row: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """Rebuild the tables from the log, and compare."""
    problems = []
    state: dict[str, Any] = {"title": None, "state": "draft", "published": 0}
    lists: dict[str, dict[Any, dict[str, Any]]] = {name: {} for name in _FROM_LOG}
    for one in rows:
        _replay(one["action"], json.loads(one["details"]), state, lists)
    for name, value in state.items():
        if row[name] != value:
            problems.append(f"board: its {name} is not what the log says")
    for name, table in _FROM_LOG.items():
        key = _KEYS[name]
        found = connection.execute(select(table).where(table.c.board == row["id"])).mappings().all()
        there = {one[key]: one for one in found}
        for missing in sorted(set(lists[name]) - set(there), key=str):
            problems.append(f"{name} {missing}: the log has it, the table doesn't")
        for extra in sorted(set(there) - set(lists[name]), key=str):
            problems.append(f"{name} {extra}: the log knows nothing of it")
        for same in sorted(set(there) & set(lists[name]), key=str):
            values = dict(there[same])
            if name == "comment":
                values["text"] = digest(values["text"].encode())
            if any(values[column] != value for column, value in lists[name][same].items()):
                problems.append(f"{name} {same}: it is not what the log says")
    return problems


_KEYS = {"version": "number", "member": "identity", "comment": "id", "link": "id"}


def _replay(
    action: str,
    details: dict[str, Any],
    given: dict[str, Any],
    lists: dict[str, dict[Any, dict[str, Any]]],
) -> None:
    if action == "created":
        given["title"] = details["title"]
        row = {name: details[name] for name in ("identity", "role", "system")}
        lists["member"][row["identity"]] = row
    elif action in ("title", "state"):
        given.update(details)
    elif action in lists:
        details = {"resolved_by": None, "resolved_at": None, **details} if action == "comment" else details
        details = {"revoked_at": None, **details} if action == "link" else details
        lists[action][details[_KEYS[action]]] = details
    elif action == "unmember":
        lists["member"].pop(details["identity"], None)
    elif action in ("resolved", "revoked"):
        lists["comment" if action == "resolved" else "link"][details["id"]].update(details)


def _scores(connection: Connection, board_id: str) -> list[str]:
    problems = []
    rows = connection.execute(
        select(version.c.number, version.c.fingerprint, blob.c.sha256, blob.c.content)
        .join(blob, blob.c.sha256 == version.c.blob)
        .where(version.c.board == board_id)
        .order_by(version.c.number)
    )
    for row in rows:
        if digest(row.content) != row.sha256:
            problems.append(f"version {row.number}: its scores were changed")
            continue
        try:
            same = from_parquet(row.content).fingerprint == row.fingerprint
        except BoardError as error:
            problems.append(f"version {row.number}: {error}")
            continue
        if not same:
            problems.append(f"version {row.number}: its scores have another fingerprint")
    return problems
