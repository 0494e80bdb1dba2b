"""Imports flow one way: pages → dashboard → nlpstat_core; the core is silent and pure."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from nlpstat_core.installed import NEEDED

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "nlpstat_core").rglob("*.py"))
APP = sorted((ROOT / "dashboard").rglob("*.py"))
FRONT = [*APP, *sorted((ROOT / "pages").rglob("*.py"))]
MAY_PRINT = {"program.py", "progress.py", "serve.py"}  # and look at the process they run in
# Generators that are given their seed; the global generator is not among them.
SEEDED = {"default_rng", "Generator", "SeedSequence", "PCG64", "Philox"}


# Folders of the core from the ground up; each imports only those before it.
FLOORS = (
    "scores",
    "readers",
    "engine",
    "measures",
    "methods",
    "results",
    "board",
    "power",
    "report",
    "analysis",
    "saved_boards",
    "testing",
    "cli",
)
# Of the app; above them every page has a folder of its own, named as in the menu, and on top is the entry.
APP_FLOORS = ("figures", "background", "server", "session", "parts")
APP_ENTRY = {"dashboard.app", "dashboard.__main__"}
MOST_AT_THE_TOP = 12
# The settings look up keys of procedures, and procedures take the settings: the record of a procedure names
# what its functions are given and return, and imports it for its annotations alone.
SIGNATURES = {
    "nlpstat_core.records": {
        "nlpstat_core.engine.columns.batch",
        "nlpstat_core.engine.columns.outcomes",
        "nlpstat_core.methods.corrections.family",
    }
}


def module_name(path: Path) -> str:
    """Dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in (*CORE, *APP)}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def for_types_only(node: ast.AST) -> bool:
    """Whether something is read by checkers of types and never run."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def has_imports(node: ast.AST) -> bool:
    return any(isinstance(child, ast.Import | ast.ImportFrom) for child in ast.walk(node))


def modules_imported(name: str, *, type_only: bool) -> set[str]:
    """Modules of core and app that one module imports, also inside functions.

    type_only: With those that only its annotations need.
    """
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if for_types_only(child) and not type_only:
                continue
            if isinstance(child, ast.ImportFrom):
                whole = [f"{child.module}.{alias.name}" for alias in child.names]
                found.update(full if full in MODULES else str(child.module) for full in whole)
            elif isinstance(child, ast.Import):
                found.update(alias.name for alias in child.names)
            visit(child)

    visit(parsed(MODULES[name]))
    return found & set(MODULES)


CORE_NAMES = {module_name(path) for path in CORE}


@cache
def imports() -> dict[str, set[str]]:
    """What every module imports when it runs, once the first test asks for it."""
    return {name: modules_imported(name, type_only=False) for name in MODULES}


@cache
def named() -> dict[str, set[str]]:
    """What every module imports, for annotations, too."""
    return {name: modules_imported(name, type_only=True) for name in MODULES}


# What runs in worker processes only; the server names its functions, and never calls one.
WORKERS = (
    *("tasks", "upload_tasks", "power_tasks"),
    *("readings", "mending", "settings_file", "submissions", "answers", "preferences"),
    "worker_process",
)
# Whatever takes uploaded bytes apart; what the server writes itself stands below.
PARSERS = (
    "yaml",
    "zipfile",
    "tarfile",
    "gzip",
    "bz2",
    "lzma",
    "zlib",
    "python_calamine",
    "openpyxl",
    "pyarrow",
)
SERVER = [
    path
    for path in sorted([*(ROOT / "dashboard").rglob("*.py"), *(ROOT / "pages").rglob("*.py")])
    if path.relative_to(ROOT).with_suffix("").as_posix()
    not in {f"dashboard/background/{name}" for name in WORKERS}
]
# Modules of the core behind the pages that import a part of the readers, and what for.
HARMLESS = {
    "nlpstat_core.board.settled": "which label columns of a score matrix name documents",
    "nlpstat_core.report.wording.documents": "the same",
    "nlpstat_core.report.wording.sentences": "the same",
    "nlpstat_core.saved_boards.exchange": "the app writes archives, and only the command line reads them",
}


def floor(name: str) -> int:
    """0 for the small files below everything, then one number a folder; the package itself is on top."""
    parts = name.split(".")
    if parts[0] == "dashboard":
        if name in APP_ENTRY or len(parts) == 1:
            return len(APP_FLOORS) + 2 if name in APP_ENTRY else 0
        in_a_room = len(parts) > 2 or MODULES[name].name == "__init__.py"
        rooms = APP_FLOORS.index(parts[1]) if parts[1] in APP_FLOORS else len(APP_FLOORS)
        return rooms + 1 if in_a_room else 0
    if len(parts) == 1 or parts[1] == "__main__":
        return len(FLOORS) + 1
    return FLOORS.index(parts[1]) + 1 if parts[1] in FLOORS else 0


def room(name: str) -> str:
    """The folder a module stands in."""
    return name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]


def where(found: dict[Path, object]) -> dict[str, object]:
    """What is wrong, by file; empty where nothing is."""
    return {path.relative_to(ROOT).as_posix(): bad for path, bad in found.items() if bad}


@cache
def imported(path: Path) -> set[str]:
    """Top-level names of every import in a file, also of those inside functions."""
    names: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def calls(path: Path) -> set[str]:
    """Names called in a file, dotted."""
    return {ast.unparse(node.func) for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)}


@pytest.mark.parametrize(
    ("paths", "never"),
    [
        (CORE, {"streamlit", "plotly", "matplotlib", "dashboard", "pages"}),
        (FRONT, {"scipy", "statsmodels"}),
        (APP, {"pages"}),
        (sorted((ROOT / "dashboard" / "figures").glob("*.py")), {"streamlit"}),
    ],
    ids=["core", "front", "app", "figures"],
)
def test_what_is_never_imported(paths, never):
    assert where({path: imported(path) & never for path in paths}) == {}


def test_pages_are_thin():
    pages = sorted((ROOT / "pages").glob("*.py"))
    assert where({path: len(path.read_text("utf-8").splitlines()) > 80 for path in pages}) == {}
    has_class = {
        path: any(isinstance(node, ast.ClassDef) for node in ast.walk(parsed(path))) for path in pages
    }
    assert where(has_class) == {}


def impure(path: Path) -> set[str]:
    """Calls that print, look at the process or the clock, or draw from the global generator."""
    called = calls(path)
    found = {name for name in called if name == "print"}
    if "saved_boards" not in path.parts:  # the one floor that has a clock and a place to keep things
        outside = ("os.environ", "os.getenv", "logging.", "time.", "datetime.")
        found |= {name for name in called if name.startswith(outside)}
    drawn = {name for name in called if name.startswith("np.random.")}
    return found | {name for name in drawn if name.split(".")[2] not in SEEDED}


def test_core_is_silent_and_pure():
    assert where({path: impure(path) for path in CORE if path.name not in MAY_PRINT}) == {}


def at_run_time(tree: ast.AST, *, inside_functions: bool) -> set[str]:
    """Modules, and names out of modules, that a file imports when it runs, dotted."""
    found: set[str] = set()
    for child in ast.iter_child_nodes(tree):
        if for_types_only(child):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and not inside_functions:
            continue
        if isinstance(child, ast.ImportFrom):
            found |= {str(child.module), *(f"{child.module}.{alias.name}" for alias in child.names)}
        elif isinstance(child, ast.Import):
            found |= {alias.name for alias in child.names}
        found |= at_run_time(child, inside_functions=inside_functions)
    return found


def reads_files(name: str) -> bool:
    """Whether a module is one that takes files apart."""
    own = ("nlpstat_core.readers", *PARSERS)
    return any(name == one or name.startswith(f"{one}.") for one in own)


def test_nothing_in_the_servers_threads_reads_files():
    """A second look at a refused file, in the server and without bounds, once took it 7.75 GB."""
    program = "dashboard.background.worker_process"
    found = {path: at_run_time(parsed(path), inside_functions=True) for path in SERVER}
    writes = {ROOT / "dashboard" / "session" / "uploads.py": {"zipfile"}}
    reads = {
        path: {name for name in names if reads_files(name) or name.startswith(program)}
        - writes.get(path, set())
        for path, names in found.items()
    }
    assert where(reads) == {}


def test_the_server_only_writes_archives():
    tree = parsed(ROOT / "dashboard" / "session" / "uploads.py")
    used = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and "zipfile." in ast.unparse(node.func)
    ]
    assert {ast.unparse(node) for node in used} == {"zipfile.ZipFile(target, 'w')", "zipfile.ZipInfo(inside)"}


def test_the_server_never_calls_work_itself():
    inside = tuple(f"dashboard.background.{name}." for name in WORKERS)
    found = {
        path: {name for name in calls(path) if name.split(".")[0] in WORKERS}
        | {name for name in at_run_time(parsed(path), inside_functions=True) if name.startswith(inside)}
        for path in SERVER
    }
    assert where(found) == {}  # the whole module is imported, not its functions


@pytest.mark.parametrize("name", WORKERS[:-1])
def test_work_imports_readers_where_it_is_done(name):
    """The server imports these modules to name their functions."""
    tree = parsed(ROOT / "dashboard" / "background" / f"{name}.py")
    assert not {one for one in at_run_time(tree, inside_functions=False) if reads_files(one)}


def test_nothing_behind_the_pages_imports_readers():
    """Through all modules of the core, as far as importing them goes."""
    trees = [parsed(path) for path in SERVER]
    waiting = set().union(*(at_run_time(tree, inside_functions=True) for tree in trees)) & CORE_NAMES
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        found = at_run_time(parsed(MODULES[name]), inside_functions=False)
        if name not in HARMLESS:
            assert not {one for one in found if one.startswith("nlpstat_core.readers")}, name
        found = {one for one in found if not one.startswith("nlpstat_core.readers")}
        waiting |= (found & CORE_NAMES) - seen
    assert set(HARMLESS) <= seen


def test_folders_are_floors():
    folders = {path.name for path in (ROOT / "nlpstat_core").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(FLOORS)


def test_imports_go_down():
    """Those for annotations, too: what a file draws is declared below it."""
    upwards = {}
    for name, others in named().items():
        package = name.partition(".")[0]
        inside = {other for other in others if other.partition(".")[0] == package}
        inside -= SIGNATURES.get(name, set())
        upwards[MODULES[name]] = sorted(other for other in inside if floor(other) > floor(name))
    assert where(upwards) == {}
    assert all(those <= named()[name] - imports()[name] for name, those in SIGNATURES.items())


def test_no_block_of_type_only_imports_is_empty():
    empty = {
        path: [
            node.lineno for node in ast.walk(parsed(path)) if for_types_only(node) and not has_imports(node)
        ]
        for path in (*CORE, *FRONT)
    }
    assert where(empty) == {}


def test_pages_import_nothing_of_other_pages():
    """What two pages share stands in parts/."""
    of_pages = {name for name in MODULES if floor(name) == len(APP_FLOORS) + 1 and name not in CORE_NAMES}
    across = {
        (name, other)
        for name in of_pages
        for other in imports()[name] & of_pages
        if name.split(".")[1] != other.split(".")[1]
    }
    assert not across


def test_every_page_has_its_folder_and_the_top_is_short():
    from dashboard.navigation import PAGES, SAVED

    top = ROOT / "dashboard"
    rooms = {path.name for path in top.iterdir() if (path / "__init__.py").exists()} - set(APP_FLOORS)
    assert rooms == {entry.name for entry in PAGES} | {SAVED}
    assert len(list(top.glob("*.py"))) <= MOST_AT_THE_TOP


def test_the_app_needs_nothing_of_the_command_line():
    of_app = set(MODULES) - CORE_NAMES
    assert not {name for name in of_app if any(".cli" in other for other in imports()[name])}


def test_no_ring_of_imports():
    """Take away files that import nothing left; what stays over goes round in a ring."""
    left = {name: set(others) - {name} for name, others in imports().items()}
    while True:
        free = {name for name, others in left.items() if not others}
        if not free:
            break
        left = {name: others - free for name, others in left.items() if name not in free}
    assert not left, f"These files import each other in a ring, or import one that does: {sorted(left)}"


def test_no_two_rooms_import_each_other():
    public = ("nlpstat_core", "nlpstat_core.__main__", *APP_ENTRY)
    inside = {name: others for name, others in imports().items() if name not in public}
    arrows = {(room(name), room(other)) for name, others in inside.items() for other in others}
    both = sorted(
        pair
        for pair in arrows
        if pair[0] < pair[1] and pair[::-1] in arrows and not any("readers" in side for side in pair)
    )
    assert both == []


def test_importing_the_core_loads_nothing_of_the_front():
    code = (
        "import sys, nlpstat_core, nlpstat_core.cli\n"
        "bad = {'streamlit', 'plotly', 'matplotlib'} & set(sys.modules)\n"
        "heavy = {'scipy.stats', 'statsmodels', 'pandas', 'sqlalchemy'} & set(sys.modules)\n"
        "print(sorted(bad | heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]", "importing the core must stay light and free of the front"


def test_every_core_module_imports_without_optional_packages():
    code = (
        "import sys, importlib, pkgutil\n"
        "for name in ('dask', 'distributed', 'numba', 'streamlit', 'plotly', 'sqlalchemy', 'psycopg'):\n"
        "    sys.modules[name] = None\n"
        "import nlpstat_core\n"
        "for module in pkgutil.walk_packages(nlpstat_core.__path__, 'nlpstat_core.'):\n"
        "    if not module.name.endswith('__main__') and '.saved_boards' not in module.name:\n"
        "        importlib.import_module(module.name)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_command_is_installed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"nlpstat": "nlpstat_core.cli:main"}


def test_requirements_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    listed = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    extras = project["project"]["optional-dependencies"]
    assert {*project["project"]["dependencies"], *chain(*extras.values())} == listed


def test_extras_are_those_that_commands_name():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        key: {_module(line) for line in lines} for key, lines in project["optional-dependencies"].items()
    }
    assert {key: set(names) - extras[key] for key, names in NEEDED.items()} == {key: set() for key in extras}
    assert extras["app"] == set(NEEDED["app"])


def test_the_core_imports_what_installs_with_it():
    """Whatever an extra brings is imported where it is used, in the few files that know how to do without."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = {_module(line) for line in project["dependencies"]}
    outside = {
        name: path
        for path in CORE
        if "saved_boards" not in path.parts
        for name in imported(path)
        if name not in own | set(sys.stdlib_module_names) | {"nlpstat_core"}
    }
    runner = outside.pop("pytest")  # which loads the plugin itself
    assert runner.parent.name == "testing"
    cluster = {outside.pop(name).name for name in ("dask", "distributed")}  # no extra: they come with it
    assert cluster == {"dask_workers.py"}
    assert set(outside) == {"pyarrow"}
    every = {_module(line) for lines in project["optional-dependencies"].values() for line in lines}
    for path in CORE:
        if "saved_boards" not in path.parts and path.name != "saved_boards.py":
            top = at_run_time(ast.parse(path.read_text("utf-8")), inside_functions=False)
            assert not {name.split(".")[0] for name in top} & every, path


def test_saved_boards_stand_apart():
    """One module imports them, by name where a command of theirs is given; an extra brings what they need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    commands = "nlpstat_core.cli.saved_boards"
    inside = {name for name in CORE_NAMES if name.startswith("nlpstat_core.saved_boards")}
    assert {name for name in CORE_NAMES - inside if named()[name] & inside} == {commands}
    assert not {name for name in MODULES if commands in named()[name]}
    known = {*sys.stdlib_module_names, "nlpstat_core", *map(_module, project["dependencies"])}
    brought = set().union(*(imported(MODULES[name]) for name in inside | {commands})) - known
    assert "sqlalchemy" in brought
    assert brought <= {_module(line) for line in project["optional-dependencies"]["boards"]}


def _module(line: str) -> str:
    """The module that a requirement installs."""
    name = re.match("[A-Za-z0-9-]+", line)[0].lower()
    return {"pyyaml": "yaml", "python-calamine": "python_calamine", "rouge-score": "rouge_score"}.get(
        name, name
    )


def test_no_text_stands_alone():
    # Where a parenthesis is missing, the second line of a sentence is a statement that does nothing.
    for path in [*CORE, *FRONT]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            body = getattr(node, "body", None)
            for statement in body[documented:] if isinstance(body, list) else ():
                if isinstance(statement, ast.Expr) and isinstance(
                    statement.value, ast.Constant | ast.JoinedStr
                ):
                    assert getattr(statement.value, "value", None) is ..., f"{path}:{statement.lineno}"
