"""`pip install .` gives the core and the `nlpstat` command, nothing else."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_wheel_holds_the_core_and_the_command(tmp_path):
    pytest.importorskip("setuptools", minversion="77", reason="no setuptools that can build it")
    source = tmp_path / "source"
    source.mkdir()
    shutil.copytree(
        ROOT / "nlpstat_core", source / "nlpstat_core", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    build = "import setuptools.build_meta as b, sys; print(b.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    wheel = zipfile.ZipFile(next(tmp_path.glob("*.whl")))
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"nlpstat_core"}
    assert "nlpstat_core/exports/html.py" in wheel.namelist()
    assert "nlpstat_core/py.typed" in wheel.namelist()
    points = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "nlpstat = nlpstat_core.cli:main" in wheel.read(points).decode()
