"""What `pip install nlpstat` brings is enough for every command but the app, saved boards and Parquet."""

import filecmp
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from core import alone
from core.test_readers_packed import by_zstandard

ROOT = Path(__file__).parents[2]
BASE = pa.table({"item": ["x", "y", "z"], "A": [1.0, 2.0, 3.0], "B": [2.0, 2.5, 1.0]})


def run(folder: Path, packages: str, *command: str) -> None:
    folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("NLPSTAT_DATABASE", None)
    script = [sys.executable, "-W", "error", str(ROOT / "tests" / "core" / "alone.py")]
    done = subprocess.run(
        [*script, str(folder), packages, *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_every_file_is_the_same_without_the_others_packages(tmp_path):
    for packages in ("all", "core"):
        run(tmp_path / packages, packages)
    found = files_in(tmp_path / "all")
    assert found == files_in(tmp_path / "core")
    same, _, _ = filecmp.cmpfiles(tmp_path / "all", tmp_path / "core", found, shallow=False)
    assert same == found
    said = {path.stem: path.read_text("utf-8") for path in (tmp_path / "core").glob("*.said")}
    assert set(said) == set(alone.COMMANDS)
    assert not {name for name, text in said.items() if not text.endswith("status 0\n")}
    for name in (
        "report.html",
        "report.tex",
        "analysis.xlsx",
        "board.svg",
        "everything.zip",
        "participants.zip",
    ):
        assert f"shared-task/{name}" in found


BOARDS = (
    "Saved boards need packages that aren't installed (sqlalchemy, alembic, cryptography, idna, pyarrow); "
    "install them with: pip install 'nlpstat[boards]'"
)
PARQUET = "Parquet files need pyarrow, which isn't installed; install it with: pip install 'nlpstat[parquet]'"
MISSING = {
    "serve": (
        ["serve"],
        "The app needs packages that aren't installed (streamlit, starlette, plotly, pyarrow); "
        "install them with: pip install 'nlpstat[app]'",
    ),
    "boards": (["boards", "list", "--database", "boards.sqlite"], BOARDS),
    "save": (["analyse", "normal-null.csv", "--out", "results", "--save", "Board"], BOARDS),
    "parquet": (["analyse", "../scores.parquet"], f"'scores.parquet': {PARQUET}"),
    "gate": (
        ["gate", "../scores.parquet", "--baseline", "A", "--margin", "1"],
        f"'scores.parquet': {PARQUET}",
    ),
    "folder": (["analyse", "../folder"], f"'B.parquet': {PARQUET}"),
    "zstandard": (
        ["analyse", "../packed.zip"],
        "'packed.zip': the archive holds 'A.csv', packed by Zstandard, which needs pyarrow; "
        "install it with: pip install 'nlpstat[parquet]'",
    ),
}


def test_what_is_missing_is_named_with_the_command_that_installs_it(tmp_path):
    pq.write_table(BASE, tmp_path / "scores.parquet")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "A.csv").write_text("item,score\nx,1\ny,2\nz,3\n", encoding="utf-8")
    pq.write_table(
        BASE.select(["item", "B"]).rename_columns(["item", "score"]), tmp_path / "folder" / "B.parquet"
    )
    (tmp_path / "packed.zip").write_bytes(by_zstandard({"A.csv": b"item,A,B\nx,1,2\ny,3,4\nz,2,1\n"}))
    run(tmp_path / "core", "core", json.dumps({name: command for name, (command, _) in MISSING.items()}))
    for name, (command, sentence) in MISSING.items():
        status = 3 if command[0] == "gate" else 2
        said = (tmp_path / "core" / f"{name}.said").read_text("utf-8")
        assert said == f"\n{sentence}\nstatus {status}\n", name
    assert files_in(tmp_path / "core") == sorted(f"{name}.said" for name in MISSING)
