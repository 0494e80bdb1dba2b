"""Encodings, paths and uploads: what can be opened is text, within bounds, and is said when it isn't."""

from pathlib import Path

import pytest

from nlpstat_core.errors import ConfigError, ScoreFileError
from nlpstat_core.readers import read_scores
from tests.core.reading import read

TABLE = "item,Größe,B\nä,0.5,1\nö,0.25,0\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]
)
def test_encodings(encoding: str) -> None:
    # Without a mark at the beginning UTF-16 is known by the zeros of its first letters.
    scores = read(TABLE.encode(encoding))
    assert scores.systems == ("Größe", "B")
    assert scores.units == ("ä", "ö")
    codes = [note.code for note in scores.notes]
    assert codes == (["encoding-guessed"] if encoding in ("latin-1", "cp1252") else [])


@pytest.mark.parametrize(("sign", "label"), [("é", "Latin-1"), ("„", "Windows-1252")])
def test_latin_is_read_with_a_note(sign: str, label: str) -> None:
    scores = read(f"item,A,B\n1,0.5,1\n{sign},0.25,0\n".encode("cp1252"))
    assert scores.units == ("1", sign)
    assert (
        scores.notes[0].text
        == f"The file isn't UTF-8 (line 3); it was read as {label}, so check accents in names."
    )


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"item,A,B\n1,0.5,\0\n", "line 2 holds a NUL"),
        ("item,A,B\n1,0.5,\0\n".encode("utf-16"), "line 2 holds a NUL"),
        (b"\xff\xfea", "broken UTF-16"),
        (b"item,A,B\n1,0.5,\xff\x01\n", "line 2 holds bytes of no known text encoding"),
        (b"item,A,B\n1,0.5,\x81\n", "line 2 holds bytes of no known text encoding"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a picture"),
    ],
)
def test_what_is_no_text(data: bytes, text: str) -> None:
    with pytest.raises(ScoreFileError, match=text):
        read(data)


def test_a_path_is_known_by_its_last_part(tmp_path: Path) -> None:
    path = tmp_path / "dev set.csv"
    path.write_bytes(TABLE.encode())
    for source in (path, str(path)):
        assert read_scores(source).source == "dev set.csv"
    for name in (r"C:\data\dev set.csv", "/data/dev set.csv"):
        assert read_scores((TABLE.encode(), name)).source == "dev set.csv"


def test_paths_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(ScoreFileError, match=r"can't be opened \(No such file or directory\)"):
        read_scores(tmp_path / "no.csv")
    with pytest.raises(ScoreFileError, match="holds 0 files"):
        read_scores(tmp_path)
    with pytest.raises(ScoreFileError, match=r"'a\\x00b' can't be opened \(no valid path\)"):
        read_scores("a\0b")
    with pytest.raises(TypeError, match=r"\(bytes, name\)"):
        read_scores(b"item,A,B\n")  # type: ignore[arg-type]


def test_text_of_the_file_is_shown_escaped_and_cut() -> None:
    with pytest.raises(ScoreFileError) as raised:
        read_scores(
            (("item,A,B\n1,\x1b[31m" + "x" * 100 + ",1\n2,3,4\n3,4,5\n").encode(), "\x1b" + "n" * 100)
        )
    message = str(raised.value)
    assert "\x1b" not in message
    assert "'\\x1b[31mxxx" in message
    assert len(message) < 250


@pytest.mark.parametrize(
    "choice",
    [
        {"format": "xml"},
        {"metric": 3},
        {"id_column": True},
        {"label_columns": [1]},
        {"label_columns": 7},
        {"system_column": ["A"]},
        {"lower_is_better": "yes"},
        {"lower_is_better": 1},
        {"delimiter": ""},
        {"delimiter": "::"},
        {"delimiter": "."},
        {"delimiter": "\n"},
        {"sheet": 2},
        {"max_bytes": 0},
        {"max_columns": 2.5},
        {"max_cells": True},
    ],
)
def test_choices_that_cannot_be(choice: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"must be|Unknown format"):
        read(TABLE.encode(), **choice)


def test_one_label_may_be_told_as_text() -> None:
    assert list(read(b"item,x,A,B\n1,5,1,0\n2,6,0,1\n", label_columns="x").labels) == ["x"]
