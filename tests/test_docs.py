"""Documentation that can't go stale: every example of the README runs, every named thing exists."""

import importlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dashboard.navigation import PAGES
from nlpstat_core.cli import main
from nlpstat_core.readers import example_text

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    """Code of the README in one language, block by block; text between two blocks is none."""
    return [
        code for kind, code in re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S) if kind == language
    ]


def test_readme_names_the_two_commands():
    """In a stranger's order: a picture, how to install, a file, a command and its answer, two commands."""
    first = blocks("")[0].splitlines()
    assert first[0].startswith("make run")
    assert first[1].startswith("make test")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^run:", makefile, re.MULTILINE)
    assert re.search(r"^test:", makefile, re.MULTILINE)
    order = [
        "](docs/app.png)",
        "pipx install .",
        "item,domain,",
        "$ nlpstat analyse scores.csv",
        "\nmake run",
    ]
    assert [README.index(part) for part in order] == sorted(README.index(part) for part in order)


def test_readme_installs_what_there_is():
    """Extras exist, and the file in it is the beginning of the one that `nlpstat example` prints."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = set(re.findall(r"\.\[(\w+)\]|;? ,(\w+):", blocks("sh")[0]))
    assert {name for pair in named for name in pair if name} == set(extras["optional-dependencies"])
    assert example_text().startswith(blocks("csv")[0])


@pytest.mark.parametrize("code", blocks("python"))
def test_python_examples_run(code, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


FIRST, *OTHERS = blocks("console")
COMMANDS = [line.removeprefix("$ ") for block in OTHERS for line in block.splitlines()]


def test_the_first_command_prints_what_the_readme_shows(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    made, asked, *shown = FIRST.splitlines()
    assert made == "$ nlpstat example > scores.csv"
    (tmp_path / "scores.csv").write_text(example_text() + "\n", encoding="utf-8")
    assert main(shlex.split(asked)[2:]) == 0
    assert capfd.readouterr().out.splitlines() == shown


@pytest.mark.parametrize("line", COMMANDS)
def test_command_line_examples_run(line, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(line)
    assert program == "nlpstat"
    words = [str(tmp_path) if word == "results/" else word for word in words]
    assert main(words) == 0
    assert capfd.readouterr().out
    if str(tmp_path) in words:
        written = {path.name for path in tmp_path.iterdir()}
        promised = re.search(r"`--out` writes (.*?)\.\s", README, re.DOTALL)
        assert written == set(re.findall(r"`([^`]+)`", promised[1]))


PARALLEL = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs" / "parallel.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.mark.parametrize("code", PARALLEL, ids=["joblib", "Dask", "blocks"])
def test_each_example_of_parallel_work_runs_alone(code, tmp_path):
    if "distributed" in code:
        pytest.importorskip("distributed", reason="the optional Dask is not installed")
    script = tmp_path / "parallel.py"
    script.write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_linked_files_exist():
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)


def test_the_guide_tells_of_every_page_and_file():
    from nlpstat_core.report.exports.folder import FILES

    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    assert {entry.name for entry in PAGES} == {page.stem for page in (ROOT / "pages").glob("*.py")}
    for entry in PAGES:
        assert f"| {entry.title} |" in guide, f"a row for the page {entry.title} in docs/guide.md"
    named = set(re.findall(r"`(analysis\.json|report\.\w+|\w+\.csv)`", guide))
    assert named <= {name for name, _ in FILES}


def test_the_reference_is_what_the_code_says(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    made = importlib.import_module("docs.make_reference")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "old: run `make reference`"
    assert made.GUIDE.read_text(encoding="utf-8") == made.guide(), "old: run `make reference`"
    assert made.make_api.PAGE.read_text(encoding="utf-8") == made.make_api.page(), "old: run `make reference`"


def test_every_public_name_has_an_example():
    import nlpstat_core as ns

    for name in ns.__all__:
        if not name.startswith("_"):
            assert ">>> " in getattr(ns, name).__doc__, name


def test_every_room_of_the_house_exists():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("| floor, from the ground up |")[1].split("\n\n")[0]
    for cell in re.findall(r"^\| (`.*?) \|", table, flags=re.MULTILINE):
        base = ""
        for name in re.findall(r"`([^`]+)`", cell):
            base = base if (ROOT / base / name).exists() and base else name.rpartition("/")[0]
            base = base.partition("/")[0]
            assert (ROOT / name).exists() or (ROOT / base / name).exists(), name


def test_every_dependency_is_explained():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Dependencies")[1]
    for file in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
            name = re.match(r"[A-Za-z][A-Za-z0-9-]*", line)
            if name and not name[0].endswith("-stubs") and not name[0].startswith("types-"):
                assert name[0] in text, name[0]


def test_reference_keys_of_methods_exist():
    from nlpstat_core.methods.corrections import CORRECTIONS
    from nlpstat_core.methods.effects import EFFECTS
    from nlpstat_core.methods.references import REFERENCES
    from nlpstat_core.methods.significance import TESTS

    for catalogue in (TESTS, EFFECTS, CORRECTIONS):
        for method in catalogue:
            assert set(method.references) <= set(REFERENCES), (
                f"{method.key}: its reference in nlpstat_core/methods/literature.csv"
            )


def test_nothing_names_this_machine():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in tracked.stdout.splitlines():
        path = ROOT / name
        if (
            path.suffix in {".py", ".md", ".toml", ".txt", ".sh", ".yml", ".R", ".json", ""}
            and path.is_file()
        ):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not re.search(r"/(work|root|home|farm)/", text) or name == "tests/test_docs.py", name
