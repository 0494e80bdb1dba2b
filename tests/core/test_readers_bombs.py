"""A few kilobytes that unpack to much are refused soon, by what is unpacked and not by what headers say."""

import gzip
import io
import struct
import subprocess
import sys
import textwrap
import time
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores

ROOT = Path(__file__).parents[2]
MEBI = 1 << 20


def packed(content: bytes, method: int, said: int | None = None) -> bytes:
    """A zip archive of one file; with `said` its headers claim another size."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("A.txt", content)
    data = target.getvalue()
    return data if said is None else data.replace(struct.pack("<L", len(content)), struct.pack("<L", said))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compressions_are_refused_unopened(method: int) -> None:
    with pytest.raises(ScoreFileError, match="unusual compression; pack it again as a plain zip"):
        read_scores((packed(b"1\n" * 500, method, 1000), "x.zip"))


def test_a_size_that_lies_unpacks_no_more_than_it_says() -> None:
    with pytest.raises(ScoreFileError, match="it is broken; pack it again"):
        read_scores((packed(b"1\n" * 10_000_000, zipfile.ZIP_DEFLATED, 1000), "x.zip"))


def test_archives_in_archives_share_one_bound() -> None:
    inner = packed(b"0\n" * (8 * MEBI), zipfile.ZIP_DEFLATED)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(20):
            archive.writestr(f"{i}.zip", inner)
    with pytest.raises(ScoreFileError, match="unpacked archive is larger than 100 MiB"):
        read_scores((target.getvalue(), "x.zip"))
    nested = packed(b"1\n2\n", zipfile.ZIP_STORED)
    for _ in range(10):
        nested = packed(nested, zipfile.ZIP_STORED)
    with pytest.raises(ScoreFileError, match="nested more than 6 levels deep"):
        read_scores((nested, "x.zip"))


def test_archives_in_archives_are_read() -> None:
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        for system in ("tern", "heron"):
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w") as own:
                own.writestr("runs/a:b=1/out.txt", "1\n0\n0.5\n")
                own.writestr("__MACOSX/._out.txt", "x")
                own.writestr("README.md", "how it was made")
                own.writestr("run.log", "done")
            archive.writestr(f"{system}.zip", inner.getvalue())
    scores = read_scores((outer.getvalue(), "all.zip"))
    assert scores.systems == ("tern", "heron")
    note = next(note for note in scores.notes if note.code == "files-passed-over")
    assert note.text == ("4 files hold no scores of test items and were ignored: 'README.md', 'run.log'.")


def test_a_gzip_file_of_thousands_of_empty_parts_is_refused_soon() -> None:
    start = time.process_time()
    with pytest.raises(ScoreFileError, match="more than 10,000 parts"):
        read_scores((gzip.compress(b"") * 150_000, "x.csv.gz"))
    assert time.process_time() - start < 5


@pytest.mark.parametrize("kind", ["binary", "fixed"])
def test_binary_columns_of_parquet_stay_where_they_are(kind: str, tmp_path: Path) -> None:
    """They hold no scores, and may say that a long value stands in every row."""
    code = f"""
        import resource, sys
        sys.path.insert(0, {str(ROOT)!r})
        from nlpstat_core.readers import read_scores
        data = open({str(tmp_path / "x.parquet")!r}, "rb").read()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(read_scores((data, "x")).systems)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    rows = 300
    value = b"x" * 100_000
    kind_of = pa.binary() if kind == "binary" else pa.binary(100_000)
    table = pa.table(
        {"item": pa.array([value] * rows, kind_of), "A": np.arange(rows) / 7, "B": np.zeros(rows)}
    )
    pq.write_table(table, tmp_path / "x.parquet")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    systems, grown = done.stdout.splitlines()
    assert systems == "('A', 'B')"
    assert int(grown) < 150_000  # KiB
