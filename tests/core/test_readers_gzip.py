"""Files packed as .gz, alone and inside archives, and files of kinds that hold no scores."""

import gzip
import io
import zipfile

import numpy as np
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores

TEXT = b"item,A,B\n1,0.5,0.25\n2,1,0\n"


def complaint(data: bytes, name: str = "x.csv.gz", **choices: object) -> str:
    with pytest.raises(ScoreFileError) as raised:
        read_scores((data, name), **choices)  # type: ignore[arg-type]
    return str(raised.value)


def test_a_packed_file_is_the_file() -> None:
    scores = read_scores((gzip.compress(TEXT), "x.csv.gz"))
    assert scores.fingerprint == read_scores((TEXT, "x.csv")).fingerprint
    assert scores.source == "x.csv"
    halves = gzip.compress(TEXT[:10]) + gzip.compress(TEXT[10:])  # as `cat a.gz b.gz` makes them
    assert read_scores((halves, "x.csv.gz")).fingerprint == scores.fingerprint


def test_systems_in_packed_files() -> None:
    files = [(gzip.compress(b"1\n2\n" * 99), "A.txt.gz"), (gzip.compress(b"0\n3\n" * 99), "B.txt.gz")]
    together = read_scores(files)  # type: ignore[arg-type]
    assert together.systems == ("A", "B")
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for data, name in files:
            archive.writestr(name, data)
    archived = read_scores((target.getvalue(), "x.zip"))
    assert archived.systems == ("A", "B")
    np.testing.assert_array_equal(archived.values, together.values)
    assert "larger than" in complaint(target.getvalue(), "x.zip", max_unpacked_bytes=500)
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr("A.txt", b"1\n2\n")
    assert "'A.txt' packed and unpacked" in complaint(target.getvalue(), "x.zip")


def test_bounds_and_broken_files() -> None:
    bomb = gzip.compress(b"0\n" * 5_000_000)
    assert len(bomb) < 100_000
    assert "the unpacked file is larger than 1 MiB; raise max_unpacked_bytes" in complaint(
        bomb, max_unpacked_bytes=2**20
    )
    assert "'x.csv.gz': the unpacked file is larger than 1 MiB" in complaint(
        gzip.compress(b"0" * 2**19) * 3, max_unpacked_bytes=2**20
    )
    good = gzip.compress(TEXT)
    assert "is broken" in complaint(good[:-9])
    assert "is broken" in complaint(good[:12] + b"\xff" + good[13:])
    assert "has data after its end" in complaint(good + b"more")
    assert "is empty" in complaint(gzip.compress(b" \n"))
    assert "holds another .gz file; unpack it once" in complaint(gzip.compress(good))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"BZh91AY&SY", "a bzip2 file; unpack it"),
        (b"\xfd7zXZ\x00\x00", "an xz file"),
        (b"\x28\xb5\x2f\xfd\x04", "a Zstandard file"),
        (b"%PDF-1.7\n", "a PDF; export the scores as CSV"),
        (b"\x93NUMPY\x01\x00", "a NumPy array"),
        (b"\x80\x04\x95\x10", "a pickle, which could run code"),
        (b"x" * 257 + b"ustar\x00", "a tar archive; pack the files as .zip"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "a web page, not the file behind it"),
    ],
)
def test_other_kinds_are_called_by_their_name(data: bytes, text: str) -> None:
    assert text in complaint(data, "scores.csv")
