"""A board as a signed file, and the command line: what leaves one server arrives whole on another."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards.cases import OWN, person, scores, shared_board
from boards.conftest import copied
from nlpstat_core.cli import main
from nlpstat_core.errors import NlpstatError
from nlpstat_core.report.exports.data.files import zipped
from nlpstat_core.saved_boards import comments, exchange
from nlpstat_core.saved_boards.access import LOCAL_USER, boards_of
from nlpstat_core.saved_boards.database import open_database
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.saved_boards.projection import overview, projection
from nlpstat_core.saved_boards.verify import verify


@pytest.fixture
def two(prepared, tmp_path):
    """Two servers."""
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(open_database(copied(prepared, tmp_path / name)))
    yield made
    for database in made:
        database.close()


def exported(database) -> tuple[str, bytes]:
    board = shared_board(database, state="review")
    said = comments.add_comment(
        database, person("reviewer"), board, 1, ("pair", OWN, "Wolfram"), "Why?\nReally."
    )
    comments.resolve_comment(database, person("editor"), board, said)
    return board, exchange.export_board(database, person("owner"), board)


def test_an_export_arrives_on_another_server(two):
    one, other = two
    board, data = exported(one)
    key = exchange.key_fingerprint(one)
    came = exchange.import_board(other, LOCAL_USER, data, trusted=key)
    assert (came.title, came.versions, came.key) == ("WMT", 1, key)
    found = overview(other, LOCAL_USER, came.board)
    assert (found.access.state, len(found.members), len(found.links)) == ("draft", 1, 0)
    said = found.comments[0]
    assert (said.anchor, said.text, said.resolved_at is not None) == (
        ("pair", OWN, "Wolfram"),
        "Why?\nReally.",
        True,
    )
    assert said.author.endswith(" reviewer")
    before = projection(one, person("owner"), board).analysis.to_dict()
    assert projection(other, LOCAL_USER, came.board).analysis.to_dict() == before
    assert verify(other)[0].problems == ()
    assert boards_of(other, person("owner")) == ()
    again = exchange.import_board(other, LOCAL_USER, data, with_members=True)
    assert len(overview(other, LOCAL_USER, again.board).members) == 5
    assert [one_.problems for one_ in verify(other)] == [(), ()]


def test_a_changed_export_is_refused_and_leaves_nothing(two):
    one, other = two
    _, data = exported(one)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    scores_file = next(name for name in files if name.startswith("scores/"))
    changed = {
        "board": {**files, "board.json": files["board.json"].replace(b"WMT", b"ACL")},
        "list": {**files, "manifest.json": files["manifest.json"] + b" "},
        "scores": {**files, scores_file: files[scores_file][:-1]},
        "more": {**files, "extra.txt": b"x"},
        "less": {name: data for name, data in files.items() if name != scores_file},
        "unsigned": {name: data for name, data in files.items() if name != "signature.json"},
        "signature": {**files, "signature.json": b'{"key": 1}'},
        "nothing": {},
    }
    for kind, content in changed.items():
        with pytest.raises(BoardError) as caught:
            exchange.import_board(other, LOCAL_USER, zipped(content))
        assert "\n" not in str(caught.value), kind
    with pytest.raises(BoardError, match="not by"):
        exchange.import_board(other, LOCAL_USER, data, trusted=exchange.key_fingerprint(other))
    assert boards_of(other, LOCAL_USER) == ()


@pytest.mark.parametrize(
    ("method", "reason"), [(zipfile.ZIP_BZIP2, "unusual compression"), (zipfile.ZIP_DEFLATED, "")]
)
def test_a_bomb_that_declares_a_thousand_bytes_is_not_unpacked(two, method, reason):
    _, other = two
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr(exchange.BOARD, bytes(20_000_000))
    size = (20_000_000).to_bytes(4, "little")
    data = buffer.getvalue().replace(size, (1000).to_bytes(4, "little"))
    tracemalloc.start()
    with pytest.raises(BoardError, match=f"not an export of a board.*{reason}"):
        exchange.import_board(other, LOCAL_USER, data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["kind", "title", "versions", "comments", "members", "board", "exported_at"]),
        st.recursive(
            st.none() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        ),
        min_size=1,
    )
)
def test_nonsense_that_is_signed_is_one_sentence(two, nonsense):
    one, other = two
    content = {
        **{"kind": exchange.KIND, "title": "x", "board": "b", "exported_at": "2026-01-01T00:00:00.000Z"},
        **{"versions": [], "comments": [], "members": []},
        **nonsense,
    }
    data = signed(one, {exchange.BOARD: json.dumps(content).encode()})
    with pytest.raises(BoardError):
        exchange.import_board(other, LOCAL_USER, data)
    assert boards_of(other, LOCAL_USER) == ()


def signed(database, files: dict[str, bytes], algorithm: object = "Ed25519") -> bytes:
    """Files with a good signature, whatever is in them."""
    import base64

    from nlpstat_core.saved_boards.codec import canonical, digest

    key = exchange._key(database)
    listed = canonical({name: digest(content) for name, content in files.items()}).encode()
    made = {
        "algorithm": algorithm,
        "key": base64.b64encode(key.public_key().public_bytes_raw()).decode(),
        "signature": base64.b64encode(key.sign(listed)).decode(),
    }
    return zipped({**files, exchange.LIST: listed, exchange.SIGNATURE: canonical(made).encode()})


@pytest.mark.parametrize("algorithm", ["RS256", "none", "ed25519", "", None, 1, ["Ed25519"], {}])
def test_the_algorithm_that_a_signature_names_is_checked(two, algorithm):
    one, other = two
    _, data = exported(one)
    files = unpacked(data)
    del files[exchange.SIGNATURE], files[exchange.LIST]
    assert exchange.import_board(other, LOCAL_USER, signed(one, files)).versions == 1
    with pytest.raises(BoardError, match="only Ed25519 is known"):
        exchange.import_board(other, LOCAL_USER, signed(one, files, algorithm))
    signature = {**json.loads(unpacked(data)[exchange.SIGNATURE])}
    del signature["algorithm"]
    without = {**unpacked(data), exchange.SIGNATURE: json.dumps(signature).encode()}
    with pytest.raises(BoardError, match="not an export of a board"):
        exchange.import_board(other, LOCAL_USER, zipped(without))


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


HUGE = (
    "1" + "0" * 30,
    "9" * 5000,
    "1e400",
    "-1e400",
    "NaN",
    "1e30",
    "-1",
    "0",
    "2",
    "1.0",
    "true",
    '"1"',
    "null",
)


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize(
    "place", ["comment version", "version number", "systems", "setting", "members", "time"]
)
def test_numbers_that_no_export_has_are_one_sentence(two, place, number):
    one, other = two
    _, data = exported(one)
    files = unpacked(data)
    text = files[exchange.BOARD].decode()
    content = json.loads(text)
    hole = "7777777777"
    row = content["versions"][0]
    if place == "comment version":
        content["comments"][0]["version"] = int(hole)
    elif place == "version number":
        row["number"] = int(hole)
    elif place == "systems":
        row["systems"] = row["units"] = int(hole)
    elif place == "setting":
        row["config"] = row["config"].replace('"alpha":0.05', f'"alpha":{number}')
    elif place == "members":
        content["members"][0]["role"] = int(hole)
    else:
        content["exported_at"] = int(hole)
    files[exchange.BOARD] = json.dumps(content).replace(hole, number).encode()
    del files[exchange.SIGNATURE], files[exchange.LIST]
    harmless = (place, number) in (("version number", "1.0"), ("version number", "true"))
    if (place == "systems" and number != "9" * 5000) or harmless:  # counted anew, whatever is said
        came = exchange.import_board(other, LOCAL_USER, signed(one, files))
        assert overview(other, LOCAL_USER, came.board).versions[0].systems == 4
        return
    with pytest.raises(NlpstatError) as caught:
        exchange.import_board(other, LOCAL_USER, signed(one, files), with_members=True)
    assert "\n" not in str(caught.value)
    assert boards_of(other, LOCAL_USER) == ()


def test_members_of_a_file_are_as_strict_as_typed_ones(two):
    one, other = two
    _, data = exported(one)
    files = unpacked(data)
    del files[exchange.SIGNATURE], files[exchange.LIST]
    content = json.loads(files[exchange.BOARD])
    good = {"identity": "email:bob@example.org", "role": "reviewer", "system": None}
    for bad in (
        {**good, "identity": "bob@example.org"},  # no kind
        {**good, "identity": "email:bob @example.org"},
        {**good, "identity": "email:https://a.example b"},
        {**good, "identity": "login:bob@example.org"},
        {**good, "identity": "login: x"},
        {**good, "identity": "owner:x"},
        {**good, "identity": 7},
        {**good, "role": "king"},
        {**good, "role": "participant"},
        {**good, "system": '"Zebulon"'},
        {**good, "role": "participant", "system": "Zebulon"},  # no JSON
        {**good, "role": "participant", "system": "[1]"},
        {**good, "role": "participant", "system": "7"},
        {"identity": "email:bob@example.org"},
    ):
        files[exchange.BOARD] = json.dumps({**content, "members": [bad]}).encode()
        with pytest.raises(BoardError):
            exchange.import_board(other, LOCAL_USER, signed(one, files), with_members=True)
    assert boards_of(other, LOCAL_USER) == ()
    # The one user of another machine is nobody here; the same person twice is one.
    rows = [
        good,
        {**good, "role": "owner"},
        {"identity": "local:local local", "role": "owner", "system": None},
    ]
    files[exchange.BOARD] = json.dumps({**content, "members": rows}).encode()
    came = exchange.import_board(other, person("owner"), signed(one, files), with_members=True)
    found = [(who.identity.name, who.role) for who in overview(other, person("owner"), came.board).members]
    assert found == [("https://login.example.org owner", "owner"), ("bob@example.org", "reviewer")]
    assert [one_.problems for one_ in verify(other)] == [()]


def test_an_export_of_the_last_version_has_members_without_kinds(two):
    one, other = two
    _, data = exported(one)
    files = unpacked(data)
    del files[exchange.SIGNATURE], files[exchange.LIST]
    content = json.loads(files[exchange.BOARD])
    for row in content["members"]:
        row["identity"] = row["identity"].partition(":")[2]
    files[exchange.BOARD] = json.dumps({**content, "kind": "nlpstat board 1"}).encode()
    came = exchange.import_board(other, LOCAL_USER, signed(one, files), with_members=True)
    names = {who.identity.tagged for who in overview(other, LOCAL_USER, came.board).members}
    assert "login:https://login.example.org owner" in names
    assert "email:editor@example.org" in names
    files[exchange.BOARD] = json.dumps({**content, "kind": "nlpstat board 3"}).encode()
    with pytest.raises(BoardError, match="another version"):
        exchange.import_board(other, LOCAL_USER, signed(one, files))


def test_the_command_line(prepared, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NLPSTAT_DATABASE", copied(prepared, tmp_path))
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    scores().to_frame().to_csv(before, index_label="item")
    scores(1).to_frame().to_csv(after, index_label="item")

    def run(*words: str, status: int = 0) -> str:
        assert main(list(words)) == status, capsys.readouterr()
        out, err = capsys.readouterr()
        if status == 2:
            assert out == ""
            assert err.count("\n") == 1
        return out + err

    read = ("--label-columns", "document", "--effects", "")
    assert "version 1" in run("analyse", str(before), *read, "--save", "WMT")
    assert "version 2" in run("analyse", str(after), *read, "--save", "WMT")
    assert "already" in run(
        "analyse", str(after), *read, "--save", "WMT", "--out", str(tmp_path / "o"), status=2
    )
    assert not (tmp_path / "o").exists()
    assert "WMT" in run("boards", "list")
    assert json.loads(run("boards", "list", "--json", "-"))[0]["version"] == 2
    assert run("boards", "list", "--as", "nobody@example.org") == "No boards.\n"
    assert "isn't shared with you" in run("boards", "show", "WMT", "--as", "nobody@example.org", status=2)
    assert "version 1, saved" in run("boards", "show", "WMT", "--version", "1")
    shown = json.loads(run("boards", "show", "WMT", "--json", "-"))
    assert shown["fingerprint"].startswith("sha256:")
    assert "From version 1 to 2" in run(
        "boards", "show", "WMT", "--against", "1", "--out", str(tmp_path / "files")
    )
    assert (tmp_path / "files" / "pairs.csv").exists()
    text = run("boards", "export", "WMT", str(tmp_path / "x.zip"))
    assert run("boards", "key").strip() in text
    assert "signed by the key" in run("boards", "import", str(tmp_path / "x.zip"))
    assert "2 boards are called" in run("boards", "show", "WMT", status=2)
    assert "can't be read" in run("boards", "import", str(tmp_path / "none.zip"), status=2)
    assert "not an export" in run("boards", "import", str(before), status=2)
    board = json.loads(run("boards", "list", "--json", "-"))[0]["board"]
    assert "say --yes" in run("boards", "delete", board, status=2)
    assert "Deleted" in run("boards", "delete", board, "--yes")
    assert "0 of 1 board" in run("boards", "verify")
    assert "Deleted 0 old boards" in run("boards", "vacuum")
    assert "Copied" in run("boards", "backup", str(tmp_path / "copy.sqlite"))
    database = open_database(str(tmp_path / "copy.sqlite"))
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE event SET actor = 'x' WHERE number = 1")
    database.close()
    assert "row 1" in run("boards", "verify", "--database", str(tmp_path / "copy.sqlite"), status=1)
    monkeypatch.delenv("NLPSTAT_DATABASE")
    assert "NLPSTAT_DATABASE" in run("boards", "list", status=2)
    assert "NLPSTAT_DATABASE" in run("analyse", str(before), *read, "--save", "WMT", status=2)
