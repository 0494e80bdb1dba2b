"""Checks boards against their logs, and which boards there are against the server's.

Every row's hash is made anew, and the tables are compared with what the logs say they hold.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from nlpstat_core.saved_boards.codec import digest, from_parquet
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.saved_boards.exchange import KEY
from nlpstat_core.saved_boards.identities import Identity, from_untagged
from nlpstat_core.saved_boards.log import NOTHING, chained, chained_for_server
from nlpstat_core.saved_boards.tables import (
    blob,
    board,
    comment,
    event,
    link,
    member,
    server_event,
    setting,
    user,
    version,
)

SERVERS_LOG = "server"  # where a verdict is about no board
_FROM_LOG = {"version": version, "member": member, "comment": comment, "link": link}


@dataclass(frozen=True)
class Verdict:
    """What came of checking one board, or the server's log.

    board, title: SERVERS_LOG and its name for the server's log; no title for a board that is gone.
    head: Hash of the last row. Kept elsewhere, it proves later that the log up to here was not rewritten.
    problems: Nothing where all is as it should be.
    """

    board: str
    title: str
    events: int
    head: str
    problems: tuple[str, ...]


def verify(database: Database, board_id: str | None = None) -> tuple[Verdict, ...]:
    """Check one board, or all, those taken away outside this program too; for whoever runs the server."""
    with database.reading() as connection:
        asked = select(board).order_by(board.c.created_at, board.c.id)
        if board_id is not None:
            asked = asked.where(board.c.id == board_id)
        rows = connection.execute(asked).mappings().all()
        known = _known_boards(_servers_rows(connection))
        found = [_checked(connection, dict(row), row["id"] in known) for row in rows]
        if board_id is None:
            gone = known - {row["id"] for row in rows}
            found += [Verdict(name, "", 0, NOTHING, (GONE,)) for name in sorted(gone)]
        return tuple(found)


GONE = "board: the server's log has it, the table doesn't"


def verify_servers_log(database: Database) -> Verdict:
    """Check the log of which boards there are."""
    with database.reading() as connection:
        rows = _servers_rows(connection)
        key = connection.scalar(select(setting.c.value).where(setting.c.name == KEY))
    problems, head = [], NOTHING
    for place, one in enumerate(rows, start=1):
        made = chained_for_server(head, place, one["happened_at"], one["action"], one["subject"])
        if (one["number"], one["previous"], one["hash"]) != (place, head, made):
            problems.append(f"server's log: row {place} is missing or was changed")
            break
        head = made
    logged = [one["subject"] for one in rows if one["action"] == "key"]
    if logged[-1:] != ([] if key is None else [digest(key.encode())]):
        problems.append("signing key: it is not the one that the server's log knows")
    return Verdict(SERVERS_LOG, "the server's log", len(rows), head, tuple(problems))


def _servers_rows(connection: Connection) -> list[dict[str, Any]]:
    found = connection.execute(select(server_event).order_by(server_event.c.number)).mappings()
    return [dict(row) for row in found]


def _known_boards(rows: list[dict[str, Any]]) -> set[str]:
    """Boards that were made and not deleted."""
    found: set[str] = set()
    for row in rows:
        if row["action"] == "created":
            found.add(row["subject"])
        elif row["action"] == "deleted":
            found.discard(row["subject"])
    return found


def _checked(connection: Connection, row: dict[str, Any], known: bool) -> Verdict:
    asked = select(event).where(event.c.board == row["id"]).order_by(event.c.number)
    rows = connection.execute(asked).mappings().all()
    problems, head = [], NOTHING
    for place, one in enumerate(rows, start=1):
        if one["number"] != place:
            problems.append(f"log: row {place} is missing")
            break
        made = chained(
            head, row["id"], place, one["happened_at"], one["actor"], one["action"], one["details"]
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
        logged = [dict(one) for one in rows]
        problems += _of_board(connection, row, logged) + _of_lists(connection, row, logged)
    if not known:
        problems.append("board: the server's log has no record of it")
    problems += _scores(connection, row["id"])
    return Verdict(row["id"], row["title"], len(rows), head, tuple(problems))


def _of_board(connection: Connection, row: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """Rebuild the board's own row from the log, and compare."""
    if not rows:
        return ["log: it has no row"]
    creator = connection.execute(select(user).where(user.c.id == row["creator"])).mappings().first()
    found = {**row, "creator": None if creator is None else f"{creator['issuer']} {creator['subject']}"}
    wanted: dict[str, Any] = {
        "title": None,
        "state": "draft",
        "published": 0,
        "creator": rows[0]["actor"],
        "created_at": rows[0]["happened_at"],
        "changed_at": rows[-1]["happened_at"],
        "revision": 1 + sum(_counts(one, rows) for one in rows),
    }
    for one in rows:
        details = json.loads(one["details"])
        if one["action"] == "created":
            wanted["title"] = details["title"]
        elif one["action"] in ("title", "state"):
            wanted.update(details)
    return [
        f"board: its {_WORDS.get(name, name)} is not what the log says"
        for name, value in wanted.items()
        if found[name] != value
    ]


_WORDS = {"created_at": "date of making", "changed_at": "date of the last change"}
_NO_REVISION = ("created", "comment", "resolved")


def _counts(one: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
    """Whether a row stands for a revision: no comment does, and nothing that came with the board itself."""
    if one["action"] in _NO_REVISION:
        return False
    came_along = one["number"] == 2 or (
        "imported" in json.loads(rows[0]["details"]) and one["happened_at"] == rows[1]["happened_at"]
    )
    return not came_along


def _of_lists(connection: Connection, row: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """Rebuild versions, members, comments and links from the log, and compare."""
    problems = []
    lists: dict[str, dict[Any, dict[str, Any]]] = {name: {} for name in _FROM_LOG}
    for one in rows:
        _replay(one["action"], json.loads(one["details"]), lists)
    for name, table in _FROM_LOG.items():
        key = _KEYS[name]
        found = connection.execute(select(table).where(table.c.board == row["id"])).mappings().all()
        there = {one[key]: one for one in found}
        for missing in sorted(set(lists[name]) - set(there), key=str):
            problems.append(f"{name} {missing}: the log has it, the table doesn't")
        for extra in sorted(set(there) - set(lists[name]), key=str):
            problems.append(f"{name} {extra}: the log has no record of it")
        for same in sorted(set(there) & set(lists[name]), key=str):
            values = dict(there[same])
            if name == "comment":
                values["text"] = digest(values["text"].encode())
            if any(values[column] != value for column, value in lists[name][same].items()):
                problems.append(f"{name} {same}: it is not what the log says")
    return problems


_KEYS = {"version": "number", "member": "identity", "comment": "id", "link": "id"}


def _replay(action: str, details: dict[str, Any], lists: dict[str, dict[Any, dict[str, Any]]]) -> None:
    if action in ("created", "member"):
        who = _member(details)
        row = {name: details[name] for name in ("role", "system")}
        lists["member"][who] = {"identity": who, **row}
    elif action in lists:
        details = {"resolved_by": None, "resolved_at": None, **details} if action == "comment" else details
        details = {"revoked_at": None, **details} if action == "link" else details
        lists[action][details[_KEYS[action]]] = details
    elif action == "unmember":
        lists["member"].pop(_member(details), None)
    elif action in ("resolved", "revoked"):
        lists["comment" if action == "resolved" else "link"][details["id"]].update(details)


def _member(details: dict[str, Any]) -> str:
    """How the list calls a member; the first logs didn't say which kind it is."""
    name = details["identity"]
    return (Identity(details["kind"], name) if "kind" in details else from_untagged(name)).tagged


def _scores(connection: Connection, board_id: str) -> list[str]:
    problems = []
    rows = connection.execute(
        select(version.c.number, version.c.fingerprint, blob.c.sha256, blob.c.size, blob.c.content)
        .outerjoin(blob, blob.c.sha256 == version.c.blob)
        .where(version.c.board == board_id)
        .order_by(version.c.number)
    )
    for row in rows:
        if row.content is None:
            problems.append(f"version {row.number}: its scores are gone")
            continue
        if (digest(row.content), len(row.content)) != (row.sha256, row.size):
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
