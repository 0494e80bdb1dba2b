"""Imports flow one way: pages → dashboard → nlpstat_core; the core is silent and pure."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "nlpstat_core").rglob("*.py"))
FRONT = sorted([*(ROOT / "dashboard").rglob("*.py"), *(ROOT / "pages").glob("*.py")])
MAY_PRINT = {"cli.py"}
# Generators that are given their seed; the global generator is not among them.
SEEDED = {"default_rng", "Generator", "SeedSequence", "PCG64", "Philox"}


def imported(path: Path) -> set[str]:
    """Top-level names of every import in a file, also of those inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def calls(path: Path) -> set[str]:
    """Names called in a file, dotted."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_core_imports_nothing_above_it(path):
    assert not imported(path) & {"streamlit", "plotly", "matplotlib", "dashboard", "pages"}


@pytest.mark.parametrize("path", FRONT, ids=lambda path: str(path.relative_to(ROOT)))
def test_front_does_no_statistics(path):
    assert not imported(path) & {"scipy", "statsmodels"}


@pytest.mark.parametrize("path", sorted((ROOT / "dashboard").rglob("*.py")), ids=lambda path: path.name)
def test_dashboard_does_not_import_pages(path):
    assert "pages" not in imported(path)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "dashboard" / "figures").glob("*.py")), ids=lambda path: path.name
)
def test_figures_know_nothing_of_streamlit(path):
    assert "streamlit" not in imported(path)


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("*.py")), ids=lambda path: path.name)
def test_pages_are_thin(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80
    assert not any(isinstance(node, ast.ClassDef) for node in ast.walk(tree))


@pytest.mark.parametrize(
    "path",
    [path for path in CORE if path.name not in MAY_PRINT],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_core_is_silent_and_pure(path):
    called = calls(path)
    assert "print" not in called
    assert not {
        name
        for name in called
        if name.startswith(("os.environ", "os.getenv", "logging.", "time.", "datetime."))
    }
    assert not {name for name in called if name.startswith("np.random.") and name.split(".")[2] not in SEEDED}


def test_importing_the_core_loads_nothing_of_the_front():
    code = (
        "import sys, nlpstat_core, nlpstat_core.cli\n"
        "bad = {'streamlit', 'plotly', 'matplotlib'} & set(sys.modules)\n"
        "heavy = {'scipy.stats', 'statsmodels', 'pandas'} & set(sys.modules)\n"
        "print(sorted(bad | heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]", "importing the core must stay light and free of the front"


def test_every_core_module_imports_without_optional_packages():
    code = (
        "import sys, importlib, pkgutil\n"
        "for name in ('dask', 'distributed', 'numba', 'streamlit', 'plotly'):\n"
        "    sys.modules[name] = None\n"
        "import nlpstat_core\n"
        "for module in pkgutil.walk_packages(nlpstat_core.__path__, 'nlpstat_core.'):\n"
        "    if not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_installing_gives_the_core_only(tmp_path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["packages"]["find"]["include"] == ["nlpstat_core*"]
    assert project["project"]["scripts"] == {"nlpstat": "nlpstat_core.cli:main"}


def test_requirements_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    listed = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    assert set(project["project"]["dependencies"]) <= listed
