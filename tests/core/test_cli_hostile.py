"""What a shell can do to the command line: one sentence, whatever is closed, full or endless."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nlpstat_core.cli import main
from nlpstat_core.cli.arguments import with_numbers

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-m", "nlpstat_core")
SCORES = "item,A,B,C\n" + "".join(f"u{i},{i % 7},{i % 5},{i % 3 + 1}\n" for i in range(30))
LONG = "9" * 4000
pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices, pipes and signals of Unix")


@pytest.fixture
def scores(tmp_path: Path) -> str:
    path = tmp_path / "scores.csv"
    path.write_text(SCORES)
    return str(path)


def refused(capsys, *arguments: str) -> str:
    """The one sentence; nothing may stand on standard output."""
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1), err
    return err


def started(*arguments: str, **more) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (*PROGRAM, *arguments),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        **more,
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--resamples", "1e23"), "resamples must be a whole number"),
        (("--resamples", "1" + "0" * 23), "at most 10,000,000"),
        (("--resamples", "1" + "0" * 23, "--test", "bootstrap-mean"), "at most 10,000,000"),
        (("--seed", LONG), "seed must be a whole number, at most"),
        (("--shuffle-seed", LONG), "shuffle_seed must be a whole number, at most"),
        (("--unit-size", LONG), "unit_size must be a whole number, at most"),
        (("--workers", "1e20"), "--workers must be a whole number"),
        (("--workers", "1" + "0" * 20), "--workers must be a whole number, at most 1,024"),
        (("--max-bytes", "1e30"), "--max-bytes must be a whole number"),
        (("--max-bytes", "1" + "0" * 30), "max_bytes must be a whole number, at most"),
        (("--max-memory", "1e30"), "--max-memory must be a whole number"),
        (("--max-seconds", "0"), "--max-seconds must be a whole number"),
        (("--delta", "-1e999"), "delta must be a finite number"),
        (("--seed", "-1"), "seed must be a whole number, at least 0"),
        (("--out", "x" * 5000), "File name too long"),
        (("--config", "x" * 5000), "File name too long"),
        (("--config", ""), "can't be read"),
        (("--config", "/dev/zero"), "too large"),
    ],
)
def test_numbers_and_paths_beyond_reason(scores: str, capsys, arguments: tuple[str, ...], text: str) -> None:
    assert text in refused(capsys, "analyse", scores, *arguments)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--n", "1e30"), "--units must be a whole number"),
        (("--n", "1" + "0" * 30), "from 2 to 1,000,000,000,000"),
        (("--n", LONG), "units must be a whole number from 2 to"),
        (("--effect", "0.2", "--comparisons", "1" + "0" * 20), "comparisons must be at most"),
        (("--effect", "0.2", "--systems", "1" + "0" * 20), "comparisons must be at most"),
    ],
)
def test_plans_beyond_reason(capsys, arguments: tuple[str, ...], text: str) -> None:
    assert text in refused(capsys, "power", "plan", "--power", "0.8", *arguments)


def test_power_curves_beyond_reason(scores: str, capsys) -> None:
    assert "from 1 to 1,000,000" in refused(
        capsys, "power", "curve", scores, "A", "B", "--iterations", "1" + "0" * 20
    )
    assert "from 1 to 1,000" in refused(
        capsys, "power", "curve", scores, "A", "B", "--points", "1" + "0" * 20
    )
    assert "at most 1,000,000" in refused(capsys, "compare", scores, "A", "B", "--iterations", "1" + "0" * 20)


def test_files_that_are_none(tmp_path: Path, capsys, monkeypatch) -> None:
    assert "without a name" in refused(capsys, "analyse", "")
    assert "File name too long" in refused(capsys, "analyse", "x" * 5000)
    assert "larger than 50 MiB" in refused(capsys, "analyse", "/dev/zero")
    monkeypatch.setattr("nlpstat_core.readers.open.disk.SECONDS_FOR_A_WRITER", 0.2)
    os.mkfifo(tmp_path / "pipe")
    assert "a pipe nobody writes to" in refused(capsys, "analyse", str(tmp_path / "pipe"))
    (tmp_path / "scores.csv").write_text(SCORES)
    text = refused(capsys, "analyse", str(tmp_path / "scores.csv"), "--config", str(tmp_path / "pipe"))
    assert "a pipe nobody writes to" in text


def test_a_pipe_somebody_writes_to_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = started("analyse", str(tmp_path / "pipe"), "-q", stdout=subprocess.PIPE)
    with (tmp_path / "pipe").open("w") as pipe:
        pipe.write(SCORES[:20])
        pipe.flush()
        time.sleep(0.3)
        pipe.write(SCORES[20:])
    out, err = reader.communicate(timeout=60)
    assert (reader.returncode, err) == (0, b"")
    assert b"rank" in out


def test_negative_numbers_are_values_of_options(scores: str, capsys) -> None:
    for delta in ("-1e-3", "-.5", "-2.", "-1E3"):
        assert main(["analyse", scores, "--delta", delta]) == 0
        assert f"delta:{float(delta)}" in capsys.readouterr().out
    kept = ["analyse", "-5", "--json", "-", "--delta=1", "-2", "--out", "-x"]
    assert with_numbers(kept) == kept


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [("analyse", "FILE"), ("--help",), ("methods",), ("analyse", "--help")])
def test_a_full_disk_behind_standard_output(scores: str, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        found = started(*(scores if item == "FILE" else item for item in arguments), stdout=full)
        _, err = found.communicate(timeout=60)
    assert (found.returncode, err) == (2, b"The result can't be printed: No space left on device.\n")


@pytest.mark.parametrize(("closed", "status", "given"), [(1, 2, b"Standard output is closed"), (2, 2, b"")])
def test_closed_streams(scores: str, closed: int, status: int, given: bytes) -> None:
    name = scores if closed == 1 else scores + " that is not there"
    program = (
        f"import os, sys; os.close({closed}); os.execv(sys.executable, [sys.executable, '-m', *sys.argv[1:]])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program, "nlpstat_core", "analyse", name],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (status, b"")
    assert found.stderr.startswith(given)
    assert found.stderr.count(b"\n") == bool(given)


INTERRUPTED = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # work in the background of a shell ignores it
from nlpstat_core.cli import main
timer = threading.Timer(float(sys.argv[1]), os.kill, (os.getpid(), signal.SIGINT))
timer.daemon = True
timer.start()
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("delay", [0.02, 0.1, 0.4])
def test_an_interrupt_while_it_loads_is_one_line(scores: str, delay: float) -> None:
    longer = ["--test", "bootstrap-mean", "--resamples", "2000000"]  # than the longest delay
    command = [sys.executable, "-c", INTERRUPTED, str(delay), "analyse", scores, *longer]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (130, b"", b"Stopped.\n")


SLOW = """
import sys, time
import nlpstat_core.report.exports.folder as folder
whole = folder.report_md
def slow(analysis):
    print("writing", flush=True)
    time.sleep(30)
    return whole(analysis)
folder.FILES = tuple((name, slow if name == "report.md" else make) for name, make in folder.FILES)
from nlpstat_core.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_an_end_from_outside_leaves_nothing_half_written(scores: str, tmp_path: Path) -> None:
    out = tmp_path / "made" / "here"
    command = [sys.executable, "-c", SLOW, "analyse", scores, "--out", str(out)]
    found = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert found.stdout is not None
    assert found.stdout.readline() == b"writing\n"
    assert len(list(out.iterdir())) > 2  # under passing names
    found.send_signal(signal.SIGTERM)
    _, err = found.communicate(timeout=60)
    assert (found.returncode, err) == (143, b"")
    assert not out.exists()


def test_reading_has_bounds_of_memory_and_time(tmp_path: Path, scores: str, capsys, monkeypatch) -> None:
    many = pa.table({"item": [f"{i:090d}" for i in range(300_000)], "A": range(300_000), "B": range(300_000)})
    pq.write_table(many, tmp_path / "x.parquet", compression="zstd")
    text = refused(capsys, "analyse", str(tmp_path / "x.parquet"), "--max-memory", "20000000")
    assert "takes more than 0.0186 GiB of memory" in text
    monkeypatch.setattr("nlpstat_core.readers.read_scores", lambda *_, **__: time.sleep(30))
    assert "more than 1 seconds; split the file or raise --max-seconds" in refused(
        capsys, "analyse", scores, "--max-seconds", "1"
    )
