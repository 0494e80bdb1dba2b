"""What the guide shows of the gate and of notebooks is run as it stands."""

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import nlpstat_core as ns
from tests.fuzz import toolformats

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def part(title):
    """A section of the guide."""
    return GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_steps_of_the_pair_page_end_with_effect_sizes():
    """Power was listed, which stands on a page of its own."""
    row = re.search(r"^\| Pair \| (.*) \|$", GUIDE, re.MULTILINE)[1]
    assert row.endswith("data, which test suits them, the test, effect sizes")
    folder = ROOT / "dashboard" / "pair"
    page = "".join((folder / name).read_text(encoding="utf-8") for name in ("diagnosis.py", "page.py"))
    steps = dict.fromkeys(re.findall(r'header\(f?"(\d)\.', page))  # the second has two wordings
    assert list(steps) == ["1", "2", "3", "4"]


def test_documents_are_named_by_the_setting():
    text = part("Which test")
    assert "where a label column has their role" in text
    assert "`--block-column document`" in text
    assert "`--block-column none`" in text


@pytest.fixture
def shell(tmp_path):
    """Run a shell script in a folder that has the `nlpstat` command and the guide's files."""
    command = tmp_path / "bin" / "nlpstat"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nlpstat_core "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }

    def run(script):
        return subprocess.run(
            ["sh", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run


def write_scores(folder, difference, items):
    """One file a system; the new one is better by a difference."""
    folder.mkdir(exist_ok=True)
    base = np.random.default_rng(3).normal(50, 10, items)
    noise = np.random.default_rng(4).normal(0, 2, items)
    for name, values in (("main", base), ("new", base + noise - noise.mean() + difference)):
        lines = [f"item,{name}", *(f"{i},{value:.4f}" for i, value in enumerate(values))]
        (folder / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")


STATUSES = [
    (0.0, 2000, 0, "merge"),
    (-3.0, 2000, 1, "worse"),
    (0.0, 8, 2, "too few"),
    (None, 0, 3, "not run"),
]


@pytest.mark.parametrize(("difference", "items", "status", "word"), STATUSES)
def test_the_gate_of_the_guide_has_the_statuses_of_its_table(
    shell, tmp_path, difference, items, status, word
):
    text = part("A gate for builds")
    if difference is not None:
        write_scores(tmp_path, difference, items)
    line = blocks(text, "console")[0].removeprefix("$ ").strip()
    done = shell(line)
    assert done.returncode == status, (done.stdout, done.stderr)
    assert re.search(rf"^\| {status} \| \w+", text, re.MULTILINE)
    for first in ("", "set -eu\n"):  # as steps of a build are run
        scripted = shell(first + blocks(text, "sh")[0])
        assert word in scripted.stdout
        assert scripted.returncode == min(status, 1)


def test_the_hook_of_the_guide_runs(shell, tmp_path):
    hook = yaml.safe_load(blocks(part("A gate for builds"), "yaml")[0])["repos"][0]["hooks"][0]
    assert hook["pass_filenames"] is False
    write_scores(tmp_path / "scores", 0.0, 2000)
    assert re.search(hook["files"], "scores/new.csv")
    assert shell(hook["entry"]).returncode == 0


def test_the_step_of_the_guide_gives_what_the_action_takes():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = yaml.safe_load(blocks(part("A gate for builds"), "yaml")[1])["jobs"]["scores"]["steps"]
    given = steps[-1]["with"]
    assert set(given) <= set(action["inputs"])
    assert {name for name, about in action["inputs"].items() if about.get("required")} <= set(given)
    from nlpstat_core.cli.program import _parser

    words = ["gate", given["scores"], "--baseline", given["baseline"], "--margin", str(given["margin"])]
    _parser().parse_args([*words, *shlex.split(given["options"])])


def cells(kind):
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    return [cell for cell in found["cells"] if cell["cell_type"] == kind]


@pytest.mark.parametrize("folder", [ROOT, ROOT / "docs", ROOT / "tests" / "core"])
def test_the_notebook_finds_its_data_in_a_clone(folder):
    """A kernel starts in the notebook's folder, or in the one that Jupyter was started in."""
    first = "".join(cells("code")[0]["source"])
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    code = f"{first}\nprint(len(scores.systems))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=own, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 2


def test_the_notebook_runs_from_top_to_bottom_anywhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names = {}
    shown = []
    for cell in cells("code"):
        assert not cell["outputs"]
        assert cell["execution_count"] is None
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        assert isinstance(last, ast.Expr), "every cell ends in something to look at"
        exec(compile(tree, str(NOTEBOOK), "exec"), names)
        shown.append(eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names))
    assert sum(hasattr(value, "_repr_svg_") for value in shown) == 3
    tables = [value for value in shown if hasattr(value, "_repr_markdown_")]
    assert len(tables) == 4
    for value in tables:
        assert "| ---" in value._repr_markdown_()


def test_the_notebook_names_its_cells():
    ids = [cell["id"] for cell in cells("code") + cells("markdown")]
    assert len(set(ids)) == len(ids)


def test_figures_the_guide_names_exist():
    import nlpstat_core as ns

    analysis = ns.analyse(
        ns.ScoreMatrix(values=np.random.default_rng(1).normal(0, 1, (20, 3)), systems=list("abc"))
    )
    named = re.findall(r'"([a-z-]+)"', part("Notebooks"))
    assert len(named) == 4
    for kind in named:
        assert analysis.figure(kind).svg


def test_assertions_run_as_the_guide_has_them():
    exec(compile(blocks(part("In your tests"), "python")[0], "guide.md", "exec"), {})


RECIPES = dict(
    re.findall(r"^\*\*([^*]+)\*\*.*?```python\n(.*?)```", part("Recipes for evaluation tools"), re.M | re.S)
)


@pytest.mark.parametrize("tool", RECIPES)
@pytest.mark.parametrize("worse", [False, True], ids=["as good", "worse"])
def test_recipes_decide_what_the_tools_wrote(tool, worse, tmp_path, monkeypatch):
    """Real files of these tools: tests/core/test_tools_*.py; here they hold two systems of 300 items."""
    written = {
        "inspect_ai": toolformats.inspect_ai_packed,
        "lm-evaluation-harness": toolformats.lm_eval,
        "promptfoo": toolformats.promptfoo,
    }[tool]
    right = np.arange(300) % 3 > 0
    new = right & (np.arange(300) % 2 > 0) if worse else right | (np.arange(300) == 0)
    values = np.stack([right, new], axis=1).astype(float)
    scores = ns.ScoreMatrix(
        values=values, systems=("main", "new"), units=tuple(map(str, range(300))), metric="acc"
    )
    given = written(scores).source
    for data, name in given if isinstance(given, list) else [given]:
        path = tmp_path / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(RECIPES[tool], "guide.md", "exec"), names)
    test = next(value for name, value in names.items() if name.startswith("test_"))
    if worse:
        with pytest.raises(AssertionError, match=r"^FAIL: the candidate is worse than the baseline"):
            test()
    else:
        test()
