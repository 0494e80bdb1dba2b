"""One file per system, several files at once and archives of them."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import preview, read_scores
from nlpstat_core.scores.matrix import ScoreMatrix

LINES = [(b"0.5\n1\n0.25\n", "A.txt"), (b"0\n1\n1\n", "B.txt")]
SAMPLE = b'{"doc_id": 0, "resps": [], "acc": 1}\n{"doc_id": 1, "resps": [], "acc": 0}\n'
WITH_IDS = [(b"s1 0.5\ns2 1\n", "A.txt"), (b"s2 0\ns1 1\n", "B.txt")]


def packed(files: list[tuple[bytes, str]]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for data, name in files:
            archive.writestr(name, data)
    return target.getvalue()


def both(files: list[tuple[bytes, str]], **choices: object) -> ScoreMatrix:
    """Given together or in an archive, the files are the same scores."""
    together = read_scores(files, **choices)  # type: ignore[arg-type]
    archived = read_scores((packed(files), "x.zip"), **choices)  # type: ignore[arg-type]
    assert archived.fingerprint == together.fingerprint
    assert archived.notes == together.notes
    assert (together.reading["format"], archived.reading["format"]) == ("files", "zip")
    return together


def complaint(files: list[tuple[bytes, str]], **choices: object) -> str:
    with pytest.raises(ScoreFileError) as raised:
        read_scores(files, **choices)  # type: ignore[arg-type]
    return str(raised.value)


def test_one_score_a_line() -> None:
    scores = both(LINES)
    assert (scores.systems, scores.units) == (("A", "B"), None)
    np.testing.assert_array_equal(scores.values, [[0.5, 0], [1, 1], [0.25, 1]])
    assert scores.source == "A.txt and 1 more"
    named = both([(b"score\n1\n2\n", "A.txt"), (b"Heron\n1\nNA\n", "B.txt")])
    assert named.systems == ("A", "Heron")


def test_id_and_score_are_joined_on_the_id() -> None:
    scores = both(WITH_IDS)
    assert (scores.systems, scores.units) == (("A", "B"), ("s1", "s2"))
    np.testing.assert_array_equal(scores.values, [[0.5, 1], [1, 0]])
    named = both([(b"item,bleu\n1,0.5\n2,1\n", "A.csv"), (b"item;bleu\n2;0,5\n1;1\n", "B.csv")])
    assert (named.metric, named.values.tolist()) == ("bleu", [[0.5, 1], [1, 0.5]])


def test_columns_with_names_of_their_own_keep_them() -> None:
    scores = both([(b"item,Heron\n1,0.5\n2,1\n", "a.csv"), (b"item,Tern\n2,0\n1,1\n", "b.csv")])
    assert scores.systems == ("Heron", "Tern")


def test_matrices_are_put_side_by_side() -> None:
    first = b"item,doc,A,B\n1,x,0.5,1\n2,y,0.25,0\n"
    second = b"item,doc,C\n2,y,1\n3,z,0\n"
    scores = both([(first, "one.csv"), (second, "two.csv")])
    assert (scores.systems, scores.units) == (("A", "B", "C"), ("1", "2", "3"))
    assert dict(scores.labels) == {"doc": ("x", "y", "z")}
    np.testing.assert_array_equal(scores.values, [[0.5, 1, np.nan], [0.25, 0, 1], [np.nan, np.nan, 0]])
    note = next(note for note in scores.notes if note.code == "ids-differ")
    assert note.text == "2 of 3 items aren't in every file (the first, '1', isn't in 'two.csv')."


def test_ids_that_match_nowhere_are_a_problem() -> None:
    scores = both([(b"a 1\nb 2\n", "A.txt"), (b"c 1\nd 2\n", "B.txt")])
    severity = {note.code: note.severity for note in scores.notes}
    assert severity["ids-differ"] == "problem"
    assert severity["disjoint-pairs"] == "problem"


def test_labels_that_contradict_each_other_are_left_out() -> None:
    scores = both([(b"item,doc,A\n1,x,1\n2,y,2\n", "a.csv"), (b"item,doc,B\n1,x,1\n2,z,2\n", "b.csv")])
    assert dict(scores.labels) == {}
    assert "Left out because the files differ there: 'doc'." in [note.text for note in scores.notes]


def test_files_of_the_same_name_are_named_by_their_folders() -> None:
    scores = read_scores((packed([(b"1\n2\n", "m1/samples.txt"), (b"3\n4\n", "m2/samples.txt")]), "x.zip"))
    assert scores.systems == ("m1", "m2")
    assert scores.metric is None
    harness = [(SAMPLE, "out/m1/samples_x_1.jsonl"), (SAMPLE, "out/m2/samples_x_2.jsonl")]
    assert both(harness).systems == ("m1", "m2")
    twice = [(b"1\n2\n", "p/a/x.txt"), (b"1\n2\n", "p/b/x.txt"), (b"1\n2\n", "q/a/x.txt")]
    assert both(twice).systems == ("p/a/x", "p/b/x", "q/a/x")


def test_preview_of_several_files() -> None:
    seen = preview(list(LINES))
    assert (seen.format, seen.name, seen.problem) == ("files", "A.txt and 1 more", "")
    assert seen.scores is not None
    assert "has 3 scores and" in preview([*LINES, (b"1\n2\n", "C.txt")]).problem


def test_a_folder_is_its_files(tmp_path: Path) -> None:
    for data, name in [*LINES, (b"junk", ".hidden")]:
        (tmp_path / name).write_bytes(data)
    (tmp_path / "inner").mkdir()
    assert read_scores(tmp_path).fingerprint == read_scores(LINES).fingerprint  # type: ignore[arg-type]
    assert read_scores(str(tmp_path), format="files").systems == ("A", "B")


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ([*LINES, (b"1\n2\n", "C.txt")], "'A.txt' has 3 scores and 'C.txt' 2; give all files the same lines"),
        ([*LINES, (b"s1 1\ns2 0\n", "C.txt")], "'C.txt' has item ids and 'A.txt' has none"),
        (
            [(b"item,A,B\n1,1,2\n2,3,4\n", "x"), (b"item,A,C\n1,1,2\n2,3,4\n", "y")],
            "system 'A' is in 'x' and in 'y'",
        ),
        ([LINES[0], (b"1\nx\n2\n3\n", "B.txt")], "'B.txt': line 2, column 'score': 'x' isn't a number"),
        ([LINES[0], (b"", "B.txt")], "'B.txt' is empty"),
        ([LINES[0], (b"some text\nmore text\n", "B.txt")], "'B.txt': no numbers where scores"),
        ([], "there are no files"),
        ([LINES[0]], "only one system, 'A'"),
        (
            [(b"system,item,bleu\nA,1,2\nA,2,3\n", "x"), (b"system,item,ter\nB,1,2\nB,2,3\n", "y")],
            "'x' holds 'bleu' and 'y' 'ter'; choose one with metric",
        ),
    ],
)
def test_refused(files: list[tuple[bytes, str]], text: str) -> None:
    assert text in complaint(files)


def test_bounds_hold_for_all_files_together() -> None:
    assert "too large together" in complaint(LINES, max_bytes=15)


def test_an_archive_of_one_file_is_that_file() -> None:
    text = b"item;A;B\n1;0,5;1\n2;1;0\n"
    scores = read_scores(
        (packed([(text, "scores.csv"), (b"x", "__MACOSX/._scores.csv"), (b"", ".DS_Store")]), "x.zip")
    )
    assert scores.fingerprint == read_scores((text, "scores.csv")).fingerprint
    assert scores.reading["format"] == "zip"
    keywords = {key: value for key, value in scores.reading.items() if key != "reason"}
    again = read_scores((packed([(text, "scores.csv")]), "x.zip"), **keywords)
    assert again.reading == scores.reading


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("../up.txt", "'../up.txt', which leaves its folder"),
        ("/etc/passwd", "leaves its folder"),
        ("a/../../b.txt", "leaves its folder"),
        ("..\\up.txt", "leaves its folder"),
        ("C:/x.txt", "leaves its folder"),
    ],
)
def test_archives_with_bad_paths(name: str, text: str) -> None:
    data = packed([LINES[0], (b"1\n2\n3\n", name)])
    with pytest.raises(ScoreFileError, match=text.replace("\\", "\\\\")):
        read_scores((data, "x.zip"))


def test_archives_that_grow_too_large() -> None:
    bomb = packed([(b"0\n" * 5_000_000, "A.txt"), (b"0\n" * 5_000_000, "B.txt")])
    assert len(bomb) < 100_000
    with pytest.raises(ScoreFileError, match="unpacked archive is larger than 1 MiB"):
        read_scores((bomb, "x.zip"), max_unpacked_bytes=2**20)
    with pytest.raises(ScoreFileError, match="more than 5,000 members"):
        read_scores((packed([(b"1\n", f"{i}.txt") for i in range(5_001)]), "x.zip"))


def test_broken_archives() -> None:
    good = packed(LINES)
    for data in (good[:40], good[:-10], good.replace(b"A.txt", b"A.tx"), b"PK\x03\x04" + b"\0" * 50):
        with pytest.raises(ScoreFileError):
            read_scores((data, "x.zip"))
    encrypted = bytearray(good)
    encrypted[6] |= 1
    encrypted[good.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ScoreFileError, match="it is encrypted"):
        read_scores((bytes(encrypted), "x.zip"))
    with pytest.raises(ScoreFileError, match="holds no files"):
        read_scores((packed([]), "x.zip"))


@given(st.data())
def test_damaged_archives(data: st.DataObject) -> None:
    content = bytearray(packed(data.draw(st.sampled_from([LINES, WITH_IDS]))))
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    seen = preview((bytes(content), "x.zip"))
    assert (seen.scores is None) == bool(seen.problem)


SCORES = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: value + 0.0)


@given(st.lists(st.lists(SCORES, min_size=3, max_size=3), min_size=2, max_size=4), st.booleans())
def test_round_trip(columns: list[list[float]], with_ids: bool) -> None:
    files = []
    for i, column in enumerate(columns):
        rows = [f"u{j} {value!r}" if with_ids else repr(value) for j, value in enumerate(column)]
        files.append(("\n".join(rows).encode(), f"system {i}.txt"))
    scores = both(files)
    np.testing.assert_array_equal(scores.values, np.array(columns).T)
    assert scores.systems == tuple(f"system {i}" for i in range(len(columns)))


def test_boards_made_of_the_scores_are_passed_over() -> None:
    """What lies in a folder of results beside them: a leaderboard, means by metric, means of a tool."""
    items = "".join(f"q{i},{i / 32}\n" for i in range(20))
    files = [(f"item,score\n{items}".encode(), f"exp/{name}/scores.csv") for name in ("Tern", "Heron")]
    boards = [
        (b"model,score\nTern,0.5\nHeron,0.5\nEgret,0.4\n", "exp/leaderboard.csv"),
        (b'{"acc": {"Tern": 0.5, "Heron": 0.5}}', "exp/summary.json"),
        (b",win_rate,n_total\nTern,50,20\n", "exp/Tern/board.csv"),
    ]
    scores = read_scores([*files, *boards])
    assert scores.systems == ("Tern", "Heron")
    assert scores.n_units == 20
    note = next(note for note in scores.notes if note.code == "files-passed-over")
    assert all(repr(path.rpartition("/")[2]) in note.text for _, path in boards)
    with pytest.raises(ScoreFileError, match=r"'leaderboard\.csv': one row per system"):
        read_scores([files[0], boards[0]])
    other = (b"item,score\n" + items.replace("q", "z").encode(), "exp/Egret/scores.csv")
    assert "Egret" in read_scores([*files, other]).systems  # as many units of its own: a problem that is told


def test_the_roles_shown_for_several_files_read_the_same_scores() -> None:
    """A correction in the panel sends the other roles along: ids that were shown as ignored would be lost."""
    files = [
        (b"q,text,bleu,ter\na,x,1,2\nb,y,0.5,1\n", "A.csv"),
        (b"q,text,bleu,ter\nb,z,0.25,1\na,x,0.75,3\n", "B.csv"),
    ]
    seen = preview(files)
    assert seen.guess is not None
    assert seen.scores is not None
    told: dict[str, list[str]] = {}
    for column, role in seen.guess.roles.items():
        told.setdefault(str(role), []).append(column)
    assert told == {"unit": ["q"], "ignored": ["text", "ter"], "score": ["bleu"]}
    assert read_scores(files, roles=told).fingerprint == seen.scores.fingerprint
