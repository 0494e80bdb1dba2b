"""What `nlpstat boards` does: it sees boards as whoever runs the database, or as one of their members."""

import argparse
import math
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nlpstat_core.cli.options import whole_number
from nlpstat_core.cli.terminal import plain_name, summary, table
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of, format_score
from nlpstat_core.report.exports.data.files import write_files
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.tables.board import PLAIN
from nlpstat_core.report.exports.tables.table import counts, names, words
from nlpstat_core.saved_boards import exchange, keeping
from nlpstat_core.saved_boards.access import OPERATOR, Access, Viewer, boards_of
from nlpstat_core.saved_boards.database import Database, open_database, shared_database
from nlpstat_core.saved_boards.errors import BoardError, NotThere
from nlpstat_core.saved_boards.identities import known_identity
from nlpstat_core.saved_boards.limits import MEGABYTE, limits
from nlpstat_core.saved_boards.projection import Projection, overview, projection
from nlpstat_core.saved_boards.saving import delete_board, saved_under
from nlpstat_core.saved_boards.verify import verify, verify_servers_log
from nlpstat_core.scores.matrix import ScoreMatrix


def run(options: argparse.Namespace) -> tuple[str, int]:
    """One command."""
    database = shared_database() if options.database is None else open_database(options.database)
    text, status = _DEEDS[options.deed](database, options)
    return text, status


def save(scores: ScoreMatrix, config: AnalysisConfig, title: str) -> str:
    """Save scores and settings under a title."""
    board_id, number = saved_under(shared_database(), OPERATOR, title, scores, config)
    return f"Saved as version {number} of the board {plain_name(title)} ({board_id})."


def _list(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    found = boards_of(database, _viewer(options))
    if options.json:
        return json_text([_plain(one) for one in found]), 0
    if not found:
        return "No boards.", 0
    columns = (
        words("id", (one.board for one in found)),
        names("title", (one.title for one in found)),
        words("state", (one.state for one in found)),
        counts("version", (one.latest for one in found), PLAIN),
        words("role", (one.role for one in found)),
    )
    return "\n".join(table(columns)), 0


def _show(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    viewer = _viewer(options)
    board_id = _board(database, viewer, options.board)
    seen = projection(database, viewer, board_id, _number("--version", options.version))
    if options.out is not None:
        folder = Path(options.out)
        write_files(((name, seen.file(name)) for name in seen.files), folder)
    if options.against is not None:
        return _changes(database, viewer, seen, options), 0
    if options.json:
        return json_text(_as_data(seen)), 0
    head = (
        f"{plain_name(seen.access.title)} ({seen.access.state}), version {seen.number}, saved {seen.saved_at}"
    )
    lines = [head, *_another_version(seen), "", _as_text(seen)]
    if "comment" in seen.access.may:
        for one in overview(database, viewer, board_id).comments:
            about = " ".join(plain_name(part) for part in one.anchor)
            done = " (resolved)" if one.resolved_at else ""
            words = " ".join(one.text.split())
            lines.append(f"comment on {about}, version {one.version}, {one.author}{done}: {words}")
    return "\n".join(lines), 0


def _another_version(seen: Projection) -> list[str]:
    if not seen.recomputed_by_another_version:
        return []
    return [
        f"Saved by version {seen.core_version} of this software; the numbers here are computed by the "
        "version running now."
    ]


def _as_text(seen: Projection) -> str:
    if seen.analysis is not None:
        return summary(seen.analysis)
    if seen.sheet is not None:
        return "\n".join(
            [
                f"{plain_name(seen.sheet.system)}: {seen.sheet.standing}",
                "",
                *table(seen.sheet.against.columns),
            ]
        )
    assert seen.own is not None
    score = "no score" if math.isnan(seen.own.score) else format_score(seen.own.score)
    return (
        f"{plain_name(seen.own.system)}: {score} over {count_of(seen.own.n_units, 'item')}. Nothing of other "
        "systems is shown until the board is published."
    )


def _as_data(seen: Projection) -> dict[str, Any]:
    data: dict[str, Any] = {**_plain(seen.access), "number": seen.number, "saved_at": seen.saved_at}
    if seen.analysis is not None:
        return {**data, **seen.analysis.to_dict()}
    if seen.sheet is not None:
        return {**data, "system": seen.sheet.system, "standing": seen.sheet.standing}
    assert seen.own is not None
    score = None if math.isnan(seen.own.score) else seen.own.score
    return {**data, "system": seen.own.system, "score": score, "n_units": seen.own.n_units}


def _changes(database: Database, viewer: Viewer, seen: Projection, options: argparse.Namespace) -> str:
    from nlpstat_core.analysis.changes import changes
    from nlpstat_core.report.exports.data.changes import changes_text

    before = projection(database, viewer, seen.access.board, _number("--against", options.against))
    if before.analysis is None or seen.analysis is None:
        raise NotThere("version")
    found = changes(before.analysis, seen.analysis)
    if options.json:
        return json_text(found.to_dict())
    return f"From version {before.number} to {seen.number}:\n{changes_text(found)}"


def _export(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    data = exchange.export_board(database, OPERATOR, _board(database, OPERATOR, options.board))
    path = Path(options.file)
    passing = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        if path.is_dir():
            raise BoardError(f"{shown(options.file)} is a folder; name a file.")
        with os.fdopen(os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        os.replace(passing, path)
    except OSError as error:
        raise BoardError(f"{shown(options.file)} can't be written: {error.strerror}.") from error
    finally:
        passing.unlink(missing_ok=True)
    return f"Wrote {path.name}, signed by the key {exchange.key_fingerprint(database)}.", 0


def _import(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    from nlpstat_core.readers.open.disk import read_at_most
    from nlpstat_core.readers.open.memory import memory_at_most

    most = limits().megabytes * MEGABYTE + exchange.MOST_JSON
    try:
        data = read_at_most(options.file, most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no valid path"
        raise BoardError(f"{shown(options.file)} can't be read: {reason}.") from error
    if len(data) > most:
        raise BoardError("This export holds more than a user may keep here.")
    with memory_at_most():
        found = exchange.import_board(
            database, OPERATOR, data, with_members=options.with_members, trusted=options.trusted_key
        )
    trust = "" if options.trusted_key else " The file can't prove whose key that is: ask the sender."
    return (
        f"Imported {plain_name(found.title)} with {count_of(found.versions, 'version')} as a draft "
        f"({found.board}), signed by the key {found.key}.{trust}"
    ), 0


def _delete(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    board_id = _board(database, OPERATOR, options.board)
    if not options.yes:
        raise BoardError("This deletes every version, comment, link and the log of it: say --yes.")
    delete_board(database, OPERATOR, board_id)
    return f"Deleted everything about {board_id}.", 0


def _verify(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    wanted = None if options.board is None else _board(database, OPERATOR, options.board)
    found = verify(database, wanted)
    whole = () if wanted is not None else (verify_servers_log(database),)
    lines = []
    for one in (*found, *whole):
        text = "CHANGED" if one.problems else "as logged"
        events = count_of(one.events, "event")
        lines.append(f"{one.board}  {text}  {events}, last {one.head}  {plain_name(one.title)}")
        lines += [f"  {problem}" for problem in one.problems]
    bad = sum(bool(one.problems) for one in found)
    end = f"{bad} of {count_of(len(found), 'board')} changed outside this program." if found else "No boards."
    if any(one.problems for one in whole):
        end = f"{end[:-1]}, and the server's log was."
    return "\n".join([*lines, end]), int(bad > 0 or any(one.problems for one in whole))


def _vacuum(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    boards, blobs = keeping.vacuum(database)
    return (
        f"Deleted {count_of(boards, 'old board')} and {count_of(blobs, 'score table')} that no board uses.",
        0,
    )


def _backup(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    size = keeping.backup(database, options.file)
    return f"Copied the database to {Path(options.file).name} ({size:,} bytes).", 0


def _key(database: Database, options: argparse.Namespace) -> tuple[str, int]:
    return exchange.key_fingerprint(database), 0


_DEEDS: dict[str, Callable[[Database, argparse.Namespace], tuple[str, int]]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "import": _import,
    "delete": _delete,
    "verify": _verify,
    "vacuum": _vacuum,
    "backup": _backup,
    "key": _key,
}


def _viewer(options: argparse.Namespace) -> Viewer:
    if options.viewer is None:
        return OPERATOR
    who = known_identity(options.viewer)
    if who.kind == "email":
        return Viewer(name=who.name, email=who.name)
    issuer, _, subject = who.name.partition(" ")
    return Viewer(issuer=issuer, subject=subject, name=who.name, local=who.kind == "local")


def _board(database: Database, viewer: Viewer, named: str) -> str:
    """The board of an id, or the only one of a title."""
    found = boards_of(database, viewer)
    if any(one.board == named for one in found):
        return named
    titled = [one.board for one in found if one.title == named]
    if len(titled) > 1:
        raise BoardError(f"{len(titled)} boards are called {shown(named)}; name one by its id.")
    if not titled:
        raise NotThere
    return titled[0]


def _number(option: str, text: str | None) -> int | None:
    return None if text is None else whole_number(option, text, 1_000_000)


def _plain(found: Access) -> dict[str, Any]:
    return {
        "board": found.board,
        "title": found.title,
        "state": found.state,
        "version": found.latest,
        "published": found.published or None,
        "role": found.role,
        "versions": list(found.versions),
    }
