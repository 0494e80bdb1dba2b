"""Commands of `nlpstat` one after the other: `python alone.py FOLDER all` with every package that is here,
`core` with nothing that can be imported but what `pip install nlpstat` brings.

Other commands may be named in JSON. What a command says and its status stand in FOLDER, beside the files that
it writes.
"""

import io
import json
import os
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"
BLOCKED = ("streamlit", "plotly", "starlette", "pyarrow", "sqlalchemy", "alembic", "cryptography", "authlib")
PAIRS = ("normal-less", "beta-null")
TRACKS = ("analyse", "several-tracks.csv")
CURVE = ("power", "curve", "shared-task.csv", "Tern", "Avocet")
GATE = ("gate", "shared-task.csv", "--baseline", "Tern", "--candidate", "Avocet", "--margin", "5")
COMMANDS: dict[str, Sequence[str]] = {
    "shared-task": ("analyse", "shared-task.csv", "--out", "shared-task", "--also", "all"),
    "sections": ("analyse", "normal-null.csv", "--out", "sections", "--also", "posterior,audit"),
    "code": ("analyse", "code-leaderboard.csv", "--test", "sign", "--out", "code", "--also", "xlsx,items"),
    "metrics": (
        *(*TRACKS, "--dataset", "news", "--each", "metric"),
        *("--out", "metrics", "--also", "xlsx,metrics", "--human", "chrF"),
    ),
    "datasets": (*TRACKS, "--each", "dataset", "--test", "t", "--out", "datasets"),
    **{name: ("analyse", f"{name}.csv", "--out", name, "--also", "replay,table") for name in PAIRS},
    "chunking": ("gate", "conll2000-chunking.csv", "--baseline", "hal00", "--margin", "0.05", "--json", "-"),
    "gate": (*GATE, "--junit", "gate.xml"),
    "posterior": ("posterior", "shared-task.csv", "--margin", "1"),
    "audit": ("audit", "shared-task.csv", "--test", "t", "--boards", "20"),
    "plan": ("power", "plan", "--delta", "0.2", "--sd", "1", "--power", "0.8", "--alpha", "0.05"),
    "curve": (*CURVE, "--test", "wilcoxon", "--points", "2", "--iterations", "50"),
    "changes": ("changes", "normal-null.csv", "normal-greater.csv"),
    "compare": ("compare", "normal-greater.csv", "--iterations", "50"),
    "diagnose": ("diagnose", "beta-greater.csv"),
    "judged": ("metrics", "several-tracks.csv", "--human", "chrF"),
    "correlate": ("correlate", "--r", "0.5", "--n", "40"),
    "formats": ("formats",),
    "methods": ("methods",),
    "example": ("example",),
}
LARGE = ("large.csv", "quoted.csv", "long.tsv")


def of_the_core() -> set[str]:
    """Names of the distributions that the core's own dependencies bring, as they are here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting, found = list(project["dependencies"]), set()
    while waiting:
        line = waiting.pop()
        name = _plain_name(line)
        if name not in found and not re.search(r"\bextra\s*==", line):
            found.add(name)
            try:
                waiting += requires(name) or ()
            except PackageNotFoundError:  # for another system
                continue
    return found


def _plain_name(line: str) -> str:
    return re.sub("[-_.]+", "-", re.match("[A-Za-z0-9._-]+", line)[0]).lower()


def leave_the_core_alone() -> None:
    """Nothing else can be imported from here on."""
    own = of_the_core()
    for module, distributions in packages_distributions().items():
        if not {_plain_name(name) for name in distributions} & own:
            sys.modules[module] = None
    for module in ("nlpstat_core", "nlpstat_app"):  # an installed one is this very package
        sys.modules.pop(module, None)
    for module in BLOCKED:
        assert sys.modules.get(module) is None, f"{module} came with the core"
        sys.modules[module] = None


def write_large_files(folder: Path) -> None:
    """Texts that Arrow splits, keeps once `csv` has read them, and whose names it counts."""
    rows = [f"u{i},doc {i // 9},{i % 7 / 3!r},{i % 5}.50,{i % 11 or 'NA'}" for i in range(30_000)]
    _write(folder / "large.csv", "item,doc,A,B,C", rows)
    kinds = ('"a, \u00a0b"', '" a, b"', "\u00a0c")
    labels = ",".join(f"l{j}" for j in range(21))
    quoted = [f"u{i},{i % 7},{i % 5 / 7!r},{i % 3}" + f",{kinds[i % 3]}" * 21 for i in range(41_000)]
    _write(folder / "quoted.csv", f"item,A,B,C,{labels}", quoted)
    long = [f"{name}\tu{i}\t{(i * k) % 13 / 7!r}" for i in range(15_000) for k, name in enumerate("ABCD", 2)]
    _write(folder / "long.tsv", "system\titem\tbleu", long)


def _write(path: Path, header: str, rows: list[str]) -> None:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def run(folder: Path, commands: Mapping[str, Sequence[str]]) -> None:
    """Each command, with what it says in a file of its name."""
    from nlpstat_core.cli import main

    for name, arguments in commands.items():
        given = [str(DATA / one) if (DATA / one).is_file() else one for one in arguments]
        out, complaint = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        with redirect_stdout(out), redirect_stderr(complaint):
            status = main(given)
            out.flush()
        said = out.buffer.getvalue() + f"\n{complaint.getvalue()}status {status}\n".encode()
        (folder / f"{name}.said").write_bytes(said)


def read(folder: Path, names: Sequence[str]) -> None:
    """What is understood of files."""
    from nlpstat_core import read_scores

    for name in names:
        scores = read_scores(folder / name)
        what = (scores.fingerprint, scores.systems, list(scores.labels), scores.notes, scores.reading)
        (folder / f"{name}.read").write_text("\n".join(map(repr, what)), encoding="utf-8")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    os.chdir(target)
    if sys.argv[2] == "core":
        leave_the_core_alone()
    if sys.argv[3:]:
        run(target, json.loads(sys.argv[3]))
    else:
        run(target, COMMANDS)
        write_large_files(target)
        read(target, LARGE)
