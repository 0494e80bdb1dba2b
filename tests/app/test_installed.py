"""The package as people install it: wheel and sdist, `nlpstat serve FILE`, the heatmap in a browser."""

import json
import os
import re
import shutil
import signal
import site
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATES = [path.name for path in (ROOT / "nlpstat_core/report/exports/documents/templates").iterdir()]
FILES = (
    "setup.py",
    "MANIFEST.in",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "requirements.txt",
)
FOLDERS = ("nlpstat_core", "dashboard", "pages", "data")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Wheel and source distribution, built from a copy of the checkout."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in FOLDERS:
        shutil.copytree(
            ROOT / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    (source / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "test_install.py", source / "tests")  # setuptools would take it along
    (source / "dashboard" / ".streamlit" / "secrets.toml").write_text('[auth]\nclient_secret = "x"\n')
    for name in FILES:
        shutil.copy(ROOT / name, source)
    build = "import setuptools.build_meta as b, sys; to = sys.argv[1]; b.build_sdist(to); b.build_wheel(to)"
    done = subprocess.run(
        [sys.executable, "-c", build, str(target)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return next(target.glob("*.whl")), next(target.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The `nlpstat` command of an environment that has the wheel, and this one's libraries behind it."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    inside = Path(
        subprocess.run(
            [python, "-c", "import site; print(site.getsitepackages()[0])"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", str(built[0])], check=True)
    (inside / "libraries.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    return folder / "bin" / "nlpstat"


def outside() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def run(command, *arguments, cwd):
    return subprocess.run(
        [command, *arguments], cwd=cwd, env=outside(), capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_core_and_app_under_two_names(built):
    names = zipfile.ZipFile(built[0]).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"nlpstat_core", "nlpstat_app"}
    for name in (
        "nlpstat_core/py.typed",
        "nlpstat_core/report/exports/documents/html.py",
        *(f"nlpstat_core/report/exports/documents/templates/{name}" for name in TEMPLATES),
        "nlpstat_app/dashboard/app.py",
        "nlpstat_app/dashboard/.streamlit/config.toml",
        "nlpstat_app/dashboard/figures/heatmap.py",
        "nlpstat_app/pages/leaderboard.py",
        "nlpstat_app/data/examples.json",
    ):
        assert name in names
    modules = [path for folder in ("dashboard", "pages") for path in (ROOT / folder).rglob("*.py")]
    wanted = {f"nlpstat_app/{path.relative_to(ROOT)}" for path in modules}
    assert wanted <= set(names)
    assert not [name for name in names if name.endswith("secrets.toml")]


def test_the_source_distribution_can_be_built_again(built):
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "setup.py",
        "pyproject.toml",
        "dashboard/app.py",
        "dashboard/.streamlit/config.toml",
        "pages/scores.py",
        "data/examples.json",
        *(f"nlpstat_core/report/exports/documents/templates/{name}" for name in TEMPLATES),
    } <= names
    assert not [name for name in names if name.startswith("tests") or name.endswith("secrets.toml")]


def test_the_command_of_an_installed_package(installed, tmp_path):
    begun = time.perf_counter()
    assert run(installed, "--help", cwd=tmp_path).returncode == 0
    assert time.perf_counter() - begun < 10
    example = run(installed, "example", cwd=tmp_path).stdout
    (tmp_path / "scores.csv").write_text(example, encoding="utf-8")
    done = run(installed, "analyse", "scores.csv", "--out", "results", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results" / "report.html").exists()
    for arguments in (["nobody.csv"], ["."], ["--port", "x"]):
        refused = run(installed, "serve", *arguments, cwd=tmp_path)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_pytest_finds_the_plugin_of_an_installed_package(installed, tmp_path):
    test = "def test_it(nlpstat_score):\n    for i in range(40):\n"
    test += "        nlpstat_score('new', i, 1 + i % 3)\n        nlpstat_score('old', i, i % 5 / 5)\n"
    (tmp_path / "test_it.py").write_text(test, encoding="utf-8")
    gate = ("--nlpstat-baseline", "old", "--nlpstat-margin", "0", "--nlpstat-junit", "gate.xml")
    asked = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *gate, "test_it.py")
    for named in ((), ("-p", "nlpstat_core.testing.plugin")):
        done = run(installed.parent / "python", *asked, *named, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "PASS: new is better than old" in done.stdout
    assert 'failures="0"' in (tmp_path / "gate.xml").read_text(encoding="utf-8")


def test_the_notebook_finds_its_data_in_an_installed_package(installed, tmp_path):
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    code = f"{''.join(first['source'])}\nprint(data)"
    done = run(installed.with_name("python"), "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("site-packages/nlpstat_app/data")


def test_serving_a_file_opens_it(installed, page, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shutil.copy(ROOT / "data" / "shared-task.csv", tmp_path / "mine.csv")
    (tmp_path / "dashboard").mkdir()  # somebody's own, which is none of ours
    (tmp_path / "dashboard" / "__init__.py").write_text("raise SystemExit(7)", encoding="utf-8")
    server = subprocess.Popen(
        [installed, "serve", "mine.csv", "--no-browser", "--port", str(port)],
        cwd=tmp_path,
        env=outside(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            except OSError:
                assert server.poll() is None, server.stdout.read()
                time.sleep(0.1)
        page.goto(f"http://127.0.0.1:{port}/heatmap")
        page.locator(".js-plotly-plot .heatmaplayer").first.wait_for()
        page.get_by_text(re.compile("mine.csv|differ in the mean")).first.wait_for()
    finally:
        os.killpg(server.pid, signal.SIGINT)
        said, _ = server.communicate(timeout=60)
    assert "usage statistics" not in said
    assert "Traceback" not in said
