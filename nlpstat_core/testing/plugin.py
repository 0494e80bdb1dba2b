"""The plugin for pytest: scores that tests collect by a fixture, and a gate over them when the run ends.

    def test_answer(item, nlpstat_score):
        nlpstat_score("new", item.id, grade(model(item)))

    pytest --nlpstat-baseline old --nlpstat-margin 0.02 --nlpstat-markdown gate.md --nlpstat-junit gate.xml

The baseline is a system the tests gave scores of, too, or a file of an earlier run (``--nlpstat-scores``).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from nlpstat_core.analysis.gate import Gate
    from nlpstat_core.scores.matrix import ScoreMatrix

Row = tuple[str, str, float, str]
_ROWS = pytest.StashKey[list[Row]]()
_GATE = pytest.StashKey["Gate"]()
_SENT = "nlpstat_scores"  # what a process of pytest-xdist hands over
_OPTIONS = (
    ("baseline", "NAME|FILE", "a system, or a file of scores, that all others are compared with"),
    ("margin", "POINTS", "largest loss that doesn't matter, points of the metric (0: has to be better)"),
    ("scores", "FILE", "write the collected scores as CSV"),
    ("markdown", "FILE", "write the gate's table as Markdown"),
    ("junit", "FILE", "write the gate's decisions as JUnit XML"),
    ("undecided", "fail|pass", "what an open decision does to the exit status (fail)"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options and settings of the same names."""
    group = parser.getgroup("nlpstat", "a gate over collected scores")
    for name, metavar, teaches in _OPTIONS:
        group.addoption(f"--nlpstat-{name}", metavar=metavar, default=None, help=teaches)
        parser.addini(f"nlpstat_{name}", teaches, default="")
    group.addoption("--nlpstat-lower-is-better", action="store_true", help="direction of the scores")
    parser.addini("nlpstat_lower_is_better", "direction of the scores", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """A list for the scores of this process."""
    config.stash[_ROWS] = []


@pytest.fixture
def nlpstat_score(request: pytest.FixtureRequest) -> Callable[..., None]:
    """A function that keeps the score of a system on an item: (system, item, score, document="")."""
    rows = request.config.stash[_ROWS]

    def keep(system: str, item: Any, score: float, document: str = "") -> None:
        rows.append((str(system), str(item), float(score), str(document)))

    return keep


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a process of pytest-xdist collected."""
    sent = getattr(node, "workeroutput", {}).get(_SENT, [])
    node.config.stash[_ROWS] += [(system, item, score, document) for system, item, score, document in sent]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the scores over, or decide and write what was asked for; a failed gate fails the run."""
    config = session.config
    rows = config.stash[_ROWS]
    if hasattr(config, "workeroutput"):
        config.workeroutput[_SENT] = [list(row) for row in rows]
        return
    if rows and (path := _told(config, "scores")):
        Path(path).write_text(_csv(rows), encoding="utf-8")
    baseline = _told(config, "baseline")
    if not baseline or config.option.collectonly:
        return
    found = _decided(config, rows, baseline)
    config.stash[_GATE] = found
    from nlpstat_core.report.exports.documents.gate import gate_junit, gate_md

    for name, text in (("markdown", gate_md), ("junit", gate_junit)):
        if path := _told(config, name):
            Path(path).write_text(text(found), encoding="utf-8")
    is_open = found.decision == "undecided" and _told(config, "undecided") != "pass"
    if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and (
        found.decision == "fail" or is_open
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The decision in a line below the tests."""
    found = config.stash.get(_GATE, None)
    if found is not None:
        from nlpstat_core.report.wording.gate import gate_line

        terminalreporter.section("nlpstat gate")
        terminalreporter.write_line(str(gate_line(found)))


def _decided(config: pytest.Config, rows: list[Row], baseline: str) -> Gate:
    from nlpstat_core.analysis.gate import gate
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.errors import NlpstatError

    margin = _told(config, "margin")
    try:
        if not margin:
            raise pytest.UsageError("--nlpstat-baseline needs --nlpstat-margin.")
        scores, name = _with_baseline(config, rows, baseline)
        settings = {"block_column": "document"} if "document" in scores.labels else {}
        return gate(scores, baseline=name, margin=float(margin), config=AnalysisConfig.from_mapping(settings))
    except NlpstatError as error:
        raise pytest.UsageError(f"nlpstat gate: {error}") from None
    except ValueError:
        raise pytest.UsageError(f"--nlpstat-margin must be a number, not {margin!r}.") from None


def _with_baseline(config: pytest.Config, rows: list[Row], baseline: str) -> tuple[ScoreMatrix, str]:
    """The collected scores with those of the baseline, and its name among them."""
    from nlpstat_core.errors import ScoreError, shown
    from nlpstat_core.scores.matrix import ScoreMatrix

    systems = dict.fromkeys(system for system, *_ in rows)
    if baseline not in systems:
        earlier = _earlier(Path(baseline))
        names = dict.fromkeys(system for system, *_ in earlier)
        if len(names) != 1:
            raise ScoreError(f"{shown(baseline)} holds {len(names)} systems; a baseline is one.")
        ids = {item for _, item, *_ in rows}
        baseline = f"{next(iter(names))} (baseline)"
        rows = [*rows, *((baseline, item, score, doc) for _, item, score, doc in earlier if item in ids)]
    columns: dict[str, list[Any]] = {
        name: [row[place] for row in rows]
        for place, name in enumerate(("system", "item", "score", "document"))
    }
    return ScoreMatrix.from_long(
        columns,
        system="system",
        item="item",
        score="score",
        labels=["document"] if any(columns["document"]) else [],
        lower_is_better=bool(
            config.getoption("--nlpstat-lower-is-better") or config.getini("nlpstat_lower_is_better")
        ),
    ), baseline


def _earlier(path: Path) -> list[Row]:
    """The scores of an earlier run, as this plugin wrote them."""
    import csv

    from nlpstat_core.errors import ScoreFileError, shown

    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return [(row["system"], row["item"], float(row["score"]), row["document"]) for row in rows]
    except OSError as error:
        raise ScoreFileError(
            f"{shown(path.name)} is neither a system of these tests nor a file that can be opened "
            f"({error.strerror})."
        ) from None
    except (KeyError, ValueError, TypeError):
        raise ScoreFileError(
            f"{shown(path.name)} is not a file of --nlpstat-scores; write it again."
        ) from None


def _csv(rows: list[Row]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("system", "item", "score", "document"))
    writer.writerows((system, item, repr(score), document) for system, item, score, document in rows)
    return text.getvalue()


def _told(config: pytest.Config, name: str) -> str:
    """An option, or the setting of the same name; empty where neither is given."""
    return str(config.getoption(f"--nlpstat-{name}") or config.getini(f"nlpstat_{name}") or "")
