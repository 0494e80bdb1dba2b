"""A board as one signed file, which another server imports.

The signature (Ed25519) says that the file comes from the server that holds the key, and that nobody has
changed it since. It doesn't say whose server that is, nor that the scores are right: compare the key's
fingerprint with the one that its operator tells you (`nlpstat boards key`).
"""

import base64
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, insert, select

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import NlpstatError, ScoreFileError, shown
from nlpstat_core.readers.open.packed import Budget, unzip
from nlpstat_core.report.exports.data.files import zipped
from nlpstat_core.saved_boards.access import ROLES, Viewer, access
from nlpstat_core.saved_boards.codec import canonical, digest, from_parquet
from nlpstat_core.saved_boards.comments import ANCHORS
from nlpstat_core.saved_boards.contents import system_name
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.saved_boards.identities import Identity, from_tagged, from_untagged
from nlpstat_core.saved_boards.limits import (
    LONGEST_COMMENT,
    LONGEST_IDENTITY,
    LONGEST_TITLE,
    MEGABYTE,
    MOST_COMMENTS,
    MOST_MEMBERS,
    MOST_VERSIONS,
    limits,
    plain,
)
from nlpstat_core.saved_boards.log import hold_servers_log, noted, noted_for_server
from nlpstat_core.saved_boards.members import Member
from nlpstat_core.saved_boards.saving import add_version, new_board
from nlpstat_core.saved_boards.tables import blob, comment, event, insert_once, member, setting, version
from nlpstat_core.version import VERSION

KIND = "nlpstat board 2"
_UNTAGGED = "nlpstat board 1"  # members had no kind
ALGORITHM = "Ed25519"
BOARD, LIST, SIGNATURE = "board.json", "manifest.json", "signature.json"
KEY = "signing key"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_COMMENT = ("version", "anchor", "text", "author", "written_at", "resolved_by", "resolved_at")
MOST_JSON = 64 * MEGABYTE


@dataclass(frozen=True)
class Imported:
    """What came of importing a file. `key`: fingerprint of the key that signed the file."""

    board: str
    title: str
    versions: int
    key: str


def key_fingerprint(database: Database) -> str:
    """The fingerprint of this server's key, by which others know its exports."""
    return _fingerprint(_public(_key(database)))


def export_board(database: Database, viewer: Viewer, board_id: str) -> bytes:
    """Everything about a board in one signed file; the links are left out, which lead to this server only.

    viewer: Who may export; members are listed for the owner alone.
    """
    key = _key(database)
    with database.reading() as connection:
        found = access(connection, viewer, board_id, database.time())
        found.need("export")
        rows = _rows(connection, version, board_id, "number")
        names = {row["blob"] for row in rows}
        stored = connection.execute(select(blob.c.sha256, blob.c.content).where(blob.c.sha256.in_(names)))
        content = {f"scores/{name}.parquet": bytes(data) for name, data in stored.all()}
        people = _rows(connection, member, board_id, "identity") if "members" in found.may else []
        about = {
            "kind": KIND,
            "version": VERSION,
            "board": board_id,
            "title": found.title,
            "state": found.state,
            "exported_at": database.time(),
            "versions": rows,
            "comments": _rows(connection, comment, board_id, "written_at"),
            "members": people,
            "events": _rows(connection, event, board_id, "number"),
        }
    files = {BOARD: canonical(about).encode(), **dict(sorted(content.items()))}
    listed = canonical({name: digest(data) for name, data in files.items()}).encode()
    signature = {
        "algorithm": ALGORITHM,
        "key": base64.b64encode(_public(key)).decode(),
        "signature": base64.b64encode(key.sign(listed)).decode(),
    }
    return zipped({**files, LIST: listed, SIGNATURE: canonical(signature).encode()})


def import_board(
    database: Database, viewer: Viewer, data: bytes, *, with_members: bool = False, trusted: str | None = None
) -> Imported:
    """A board from such a file, as a draft of the viewer's.

    with_members: Whether its members get their roles here, too; what a file says of them gives nobody access
        by itself.
    trusted: Fingerprint of the key that must have signed it.
    Raises BoardError: No such file, a changed one, or signed by another key.
    """
    files, key = _opened(data)
    if trusted is not None and not secrets.compare_digest(trusted.encode(), key.encode()):
        raise BoardError(f"The file was signed by the key {key}, not by {shown(trusted)}.")
    content = _content(files)
    rows = _checked(content, files)
    with database.writing() as connection:
        origin = plain(content["board"], "A board's id", 64)
        came = {"from": origin, "key": key, "exported_at": _time(content["exported_at"])}
        title = plain(content["title"], "A title", LONGEST_TITLE)
        board_id = new_board(connection, database, viewer, title, {"imported": came})
        actor, now = viewer.identities[0], database.time()
        for row in rows:
            packed = files[f"scores/{row.pop('blob')}.parquet"]
            add_version(connection, board_id, packed, row, actor=actor.name, now=now)
        for one in content["comments"]:
            _add_comment(connection, board_id, one, len(rows), actor.name, now)
        for one in content["members"] if with_members else ():
            _add_member(connection, board_id, _member(one, content["kind"]), actor, now)
    return Imported(board_id, title, len(rows), key)


def _rows(connection: Connection, table: Any, board_id: str, order: str) -> list[dict[str, Any]]:
    found = connection.execute(
        select(table).where(table.c.board == board_id).order_by(table.c[order])
    ).mappings()
    return [{name: value for name, value in row.items() if name != "board"} for row in found]


def _opened(data: bytes) -> tuple[dict[str, bytes], str]:
    """The files of an export whose signature holds, and the key's fingerprint."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    most = limits().megabytes * MEGABYTE + MOST_JSON
    try:
        files = unzip(data, Budget(most), MOST_VERSIONS + 3)
        signed = json.loads(files.pop(SIGNATURE))
        if signed["algorithm"] != ALGORITHM:
            raise BoardError(
                f"The file is signed by {shown(signed['algorithm'])}; only {ALGORITHM} is known."
            )
        listed = files.pop(LIST)
        public = base64.b64decode(signed["key"], validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(
            base64.b64decode(signed["signature"], validate=True), listed
        )
        wanted = json.loads(listed)
    except BoardError:
        raise
    except InvalidSignature as error:
        raise BoardError("The signature doesn't fit: the file was changed after it was exported.") from error
    except ScoreFileError as error:
        raise BoardError(f"This is not an export of a board, or it is damaged: {error}") from error
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise BoardError("This is not an export of a board, or it is damaged.") from error
    if not isinstance(wanted, dict) or {name: digest(content) for name, content in files.items()} != wanted:
        raise BoardError("A file inside was changed after it was exported, or is missing.")
    return files, _fingerprint(public)


@contextmanager
def _readable(what: str) -> Iterator[None]:
    """Whatever a file says that nobody expects is one sentence."""
    try:
        yield
    except NlpstatError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise BoardError(f"This is not an export of a board: {what} can't be read.") from error


def _content(files: Mapping[str, bytes]) -> dict[str, Any]:
    with _readable("what it says of it"):
        content: dict[str, Any] = json.loads(files[BOARD])
        if content["kind"] not in (KIND, _UNTAGGED):
            raise BoardError("The export was written by another version; update this program.")
        for name in ("versions", "comments", "members"):
            if not isinstance(content[name], list) or not all(isinstance(row, dict) for row in content[name]):
                raise TypeError(name)
        for name in ("board", "title", "exported_at"):
            if not isinstance(content[name], str):
                raise TypeError(name)
    return content


def _checked(given: Mapping[str, Any], files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """The versions; whoever signed the file may still have written nonsense into it."""
    if not 1 <= len(given["versions"]) <= MOST_VERSIONS or len(given["comments"]) > MOST_COMMENTS:
        raise BoardError("This export has no version, or more of something than a board may have.")
    if len(given["members"]) > MOST_MEMBERS:
        raise BoardError("This export has more members than a board may have.")
    rows = []
    for number, row in enumerate(given["versions"], start=1):
        with _readable(f"version {number}"):
            scores = from_parquet(files[f"scores/{row['blob']}.parquet"])
            config = AnalysisConfig.from_mapping(json.loads(row["config"]))
            if (scores.fingerprint, number) != (row["fingerprint"], row["number"]):
                raise BoardError(f"Version {number} of this export has other scores than it says.")
            rows.append(
                {
                    "number": number,
                    "fingerprint": scores.fingerprint,
                    "config": canonical(config.to_dict()),
                    "core_version": plain(row["core_version"], "A version", 32),
                    "blob": row["blob"],
                    "systems": scores.n_systems,
                    "units": scores.n_units,
                    "remark": plain(row["remark"], "A remark", LONGEST_TITLE) if row["remark"] else "",
                    "saved_by": plain(row["saved_by"], "A name", LONGEST_IDENTITY),
                    "saved_at": _time(row["saved_at"]),
                }
            )
    return rows


def _time(text: Any) -> str:
    if not isinstance(text, str) or not _TIME.fullmatch(text):
        raise BoardError(f"This is not an export of a board: {shown(text)} is not a time.")
    return text


def _add_comment(
    connection: Connection, board_id: str, given: Mapping[str, Any], versions: int, actor: str, now: str
) -> None:
    with _readable("a comment"):
        row = {name: given[name] for name in _COMMENT}
        anchor = json.loads(row["anchor"])
        if ANCHORS.get(anchor[0]) != len(anchor) or not all(isinstance(part, str) for part in anchor):
            raise TypeError("anchor")
        if type(row["version"]) is not int or not 1 <= row["version"] <= versions:
            raise BoardError(f"This is not an export of a board: it has no version {shown(row['version'])}.")
        row |= {
            "id": secrets.token_hex(8),
            "anchor": canonical(anchor),
            "text": plain(row["text"], "A comment", LONGEST_COMMENT, lines=True),
            "author": plain(row["author"], "A name", LONGEST_IDENTITY),
            "written_at": _time(row["written_at"]),
        }
        if row["resolved_by"] is not None or row["resolved_at"] is not None:
            row["resolved_by"] = plain(row["resolved_by"], "A name", LONGEST_IDENTITY)
            row["resolved_at"] = _time(row["resolved_at"])
    connection.execute(insert(comment).values(board=board_id, **row))
    noted(connection, board_id, actor, "comment", {**row, "text": digest(row["text"].encode())}, now)


def _member(given: Mapping[str, Any], kind: str) -> Member:
    """A member of a file, as strict as if somebody typed it."""
    with _readable("a member"):
        tagged = from_untagged(given["identity"]) if kind == _UNTAGGED else from_tagged(given["identity"])
        who = tagged.checked()
        role, system = given["role"], system_name(given["system"])
        if role not in ROLES or (role == "participant") != isinstance(system, str):
            raise BoardError(
                "This is not an export of a board: a member has no role, or a system without one."
            )
    return Member(who, role, system)


def _add_member(connection: Connection, board_id: str, given: Member, actor: Identity, now: str) -> None:
    # Another server's one user is nobody here, and who imports is the owner already.
    if given.identity == actor or given.identity.kind == "local":
        return
    row = {"role": given.role, "system": None if given.system is None else canonical(given.system)}
    made = insert_once(connection, member, board=board_id, identity=given.identity.tagged, **row)
    if made.rowcount:
        noted(connection, board_id, actor.name, "member", {**given.identity.logged, **row}, now)


def _key(database: Database) -> Ed25519PrivateKey:
    """This server's key, made when it is first needed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    asked = select(setting.c.value).where(setting.c.name == KEY)
    with database.reading() as connection:
        kept = connection.scalar(asked)
    if kept is None:
        made = base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode()
        with database.writing() as connection:
            insert_once(connection, setting, name=KEY, value=made)
            kept = str(connection.scalar(asked))
            if kept == made:
                hold_servers_log(connection)
                noted_for_server(connection, "key", digest(made.encode()), database.time())
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(str(kept)))


def _public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def _fingerprint(public: bytes) -> str:
    return digest(public)[:32]
