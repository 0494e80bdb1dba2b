"""Releases: what users build on is still there, versions agree, workflows and forms are whole."""

import importlib
import importlib.util
import json
import re
import subprocess
import tomllib
import warnings
from datetime import date
from pathlib import Path

import pytest
import yaml

from nlpstat_core.deprecation import deprecated
from nlpstat_core.version import VERSION

ROOT = Path(__file__).parents[1]


@pytest.fixture
def made(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("docs.make_stable")


def test_nothing_of_the_last_release_is_lost(made):
    kept = json.loads(made.KEPT.read_text(encoding="utf-8"))
    assert list(made.lost(kept, json.loads(json.dumps(made.stable())))) == []


def test_a_loss_would_be_found(made):
    kept = json.loads(made.KEPT.read_text(encoding="utf-8"))
    now = json.loads(json.dumps(kept))
    del now["names"]["ns.analyse"]
    now["names"]["ns.gate"].remove("margin")
    now["options"]["nlpstat gate"].remove("--margin")
    now["json"]["analysis"].remove("pairs[].p_adjusted")
    now["exit statuses"]["gate"]["undecided"] = 1
    now["notes"].popitem()
    assert len(list(made.lost(kept, now))) == 6
    assert not list(made.lost({**kept, "version": "0.0.1"}, {**kept, "more": 1}))


def test_every_place_names_the_same_version(made):
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == VERSION
    assert json.loads(made.KEPT.read_text(encoding="utf-8"))["version"] == VERSION
    heads = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == "Unreleased"
    assert heads[1] == f"{VERSION} — {cited['date-released']}"


def test_what_is_deprecated_works_and_says_until_when():
    @deprecated(since="0.3.0", until=date(2027, 9, 1), instead="after")
    def before(value, *, more=1):
        """Doc."""
        return value + more

    with pytest.warns(
        DeprecationWarning, match=r"before .* since 0.3.0 and stays until 2027-09-01; use after"
    ):
        assert before(1, more=2) == 3
    assert before.__doc__ == "Doc."
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        before(1)
    assert told[0].filename == __file__


WORKFLOWS = sorted((ROOT / ".github").rglob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_and_forms_are_whole(path):
    read = yaml.safe_load(path.read_text(encoding="utf-8"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    if path.parent.name == "workflows":
        assert read["permissions"] == {"contents": "read"}
        for name, job in read["jobs"].items():
            needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
            assert set(needs) <= set(read["jobs"]), name
            for step in job["steps"]:
                assert ("run" in step) != ("uses" in step)
                assert re.fullmatch(r"[\w./-]+@[\w./-]+", step.get("uses", "a@b"))
                script = re.sub(r"\$\{\{.*?\}\}", "x", step.get("run", ""))
                subprocess.run(["bash", "-n", "-c", script], check=True)
                for target in re.findall(r"\bmake (\w+)", script):
                    assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    elif path.name != "config.yml":
        assert {"name", "description", "body"} <= set(read)
        ids = [part["id"] for part in read["body"] if part["type"] != "markdown"]
        assert len(set(ids)) == len(ids) > 0


def test_hooks_run_the_ruff_of_the_tests():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    wanted = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    for hook in hooks:
        assert all(line in wanted.splitlines() for line in hook["additional_dependencies"])
        assert hook["entry"].startswith("ruff ")


def test_the_action_installs_its_own_checkout():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step = next(step for step in action["runs"]["steps"] if step.get("name") == "Install")
    assert step["env"]["CHECKOUT"] == "${{ github.action_path }}"
    assert step["run"] == 'python -m pip install --quiet "$CHECKOUT$EXTRAS"'


@pytest.mark.parametrize("source", [None, "https://code.example/nlpstat"])
def test_an_index_shows_no_link_that_leads_nowhere(source, tmp_path, monkeypatch):
    """`setup.py` makes the index's README; importing it would build, so its function is taken alone."""
    monkeypatch.chdir(ROOT)
    code = (ROOT / "setup.py").read_text(encoding="utf-8").partition("\nURLS = ")[0]
    names: dict = {}
    exec(compile(code.replace("from setuptools import find_packages, setup", ""), "setup.py", "exec"), names)
    text = names["readme"](source)
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links or source is None
    assert all(link.startswith("https://") for link in links)
    if source is not None:
        paths = [link.partition("/HEAD/")[2].partition("#")[0] for link in links if link.startswith(source)]
        assert "docs/guide.md" in paths
        assert all((ROOT / path).exists() for path in paths)


def test_the_package_says_who_made_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["authors"]
    assert any(line.startswith("Programming Language") for line in project["classifiers"])
    assert not [line for line in project["classifiers"] if line.startswith("License")]  # the SPDX key says it
