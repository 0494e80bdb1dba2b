"""While it isn't settled how a file was read, no command and no document says who is better."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.cli import main
from nlpstat_core.notes import doubts
from nlpstat_core.readers import read_scores
from nlpstat_core.report.exports.documents.participant import participant_sheet, sheet_html
from nlpstat_core.report.exports.documents.report import report_html, report_md, report_tex
from nlpstat_core.report.exports.figures.board import board_svg
from nlpstat_core.report.exports.figures.matrix import matrix_svg

N = 40
RNG = np.random.default_rng(2)
BOARD = {name: (100 * RNG.uniform(0.2, 0.4 + i / 5, N)).round(1) for i, name in enumerate("ABC")}
CLAIM = re.compile(
    "(?<!can be )found to differ|better than|(?<!at most 1 )worse than|(?<!igher )(?<!ower )is better|"
    "[Tt]op group|separated from|not separated|agrees? best|against people, both|reject H0|is rejected at|"
    "[Nn]o evidence of a difference|decided the same way|best system with|PASS|FAIL|flipped|"
    "No decision changed"
)


def with_typo() -> dict[str, np.ndarray]:
    values = BOARD["B"].copy()
    values[7] = 655
    return {"B": values}


def with_stand_in() -> dict[str, np.ndarray]:
    values = BOARD["B"].copy()
    values[3] = -999
    return {"B": values}


DOUBTS = {
    "far-cell": with_typo(),
    "mixed-scales": {"B": (BOARD["B"] / 100).round(3)},
    "stand-in-values": with_stand_in(),
    "systems-named-otherwise": {"weight": BOARD["A"][::-1]},
    "statistics-as-systems": {"Median": BOARD["A"][::-1]},
}


def written(folder: Path, name: str, **columns: np.ndarray) -> str:
    own = {**BOARD, **columns}
    rows = [f"u{i}," + ",".join(str(values[i]) for values in own.values()) for i in range(N)]
    path = folder / name
    path.write_text("\n".join([",".join(["item", *own]), *rows]) + "\n")
    return str(path)


def codes_of(path: str) -> str:
    return ",".join(dict.fromkeys(note.code for note in doubts(read_scores(path).notes)))


def said(capsys, *arguments: str) -> tuple[int, str]:
    """Exit status and all that a command prints, but JSON's numbers."""
    status = main([*arguments])
    found = capsys.readouterr()
    return status, found.out + found.err


@pytest.fixture(params=DOUBTS)
def doubtful(request, tmp_path: Path) -> str:
    path = written(tmp_path, "scores.csv", **DOUBTS[request.param])
    assert request.param in codes_of(path)
    return path


def commands(path: str, other: str) -> dict[str, list[str]]:
    return {
        "analyse": ["analyse", path],
        "compare": ["compare", path, "A", "C", "--points", "2", "--iterations", "20"],
        "gate": ["gate", path, "--baseline", "A", "--margin", "1", "--candidate", "C"],
        "gate in Markdown": ["gate", path, "--baseline", "A", "--margin", "1", "--markdown"],
        "changes": ["changes", other, path],
        "posterior": ["posterior", path, "--draws", "200"],
    }


@pytest.mark.parametrize("name", commands("", ""))
def test_commands_wait_and_name_the_option(name: str, doubtful: str, tmp_path: Path, capsys) -> None:
    command = commands(doubtful, written(tmp_path, "before.csv"))[name]
    status, text = said(capsys, *command)
    assert not CLAIM.search(text), CLAIM.search(text)
    assert "No result is given until this question is answered" in text
    codes = codes_of(doubtful)
    assert f"--accept {codes}" in text
    assert status == (2 if name.startswith("gate") else 0)
    status, text = said(capsys, *command, "--accept", codes)
    assert CLAIM.search(text)
    assert "No result is given" not in text


def test_a_gate_in_doubt_never_passes(tmp_path: Path, capsys) -> None:
    path = written(tmp_path, "s.csv", weight=BOARD["A"][::-1])
    command = ["gate", path, "--baseline", "A", "--margin", "50", "--candidate", "C"]
    assert said(capsys, *command, "--accept", codes_of(path))[0] == 0
    junit = tmp_path / "gate.xml"
    assert said(capsys, *command, "--junit", str(junit))[0] == 2
    assert 'errors="1"' in junit.read_text()
    assert not CLAIM.search(junit.read_text())
    _, text = said(capsys, *command, "--json", "-")
    found = json.loads(text[: text.rindex("}") + 1])
    assert found["decision"] == "undecided"
    assert [(one["decision"], one["superior"]) for one in found["candidates"]] == [("undecided", False)]


def test_documents_and_figures_wait(doubtful: str) -> None:
    waiting = analyse(read_scores(doubtful))
    settled = analyse(read_scores(doubtful, accept=codes_of(doubtful).split(",")))
    for make in (
        report_html,
        report_md,
        report_tex,
        matrix_svg,
        lambda one: sheet_html(participant_sheet(one, "C")),
    ):
        prose = re.sub(r"<style.*?</style>|<script.*?</script>", "", make(waiting), flags=re.S)
        if make is matrix_svg:  # its legend explains the signs
            prose = "".join(re.findall("<title>.*?</title>", prose))
        assert prose
        assert not CLAIM.search(prose), prose[CLAIM.search(prose).start() - 200 :][:400]
        assert CLAIM.search(make(settled)), make
    assert not CLAIM.search(re.search("aria-label=.*?>|<title>.*?</title>", board_svg(waiting))[0])


def test_several_boards_wait(tmp_path: Path, capsys) -> None:
    rows = ["item,dataset,A,B,C"]
    for name in ("x", "y", "z"):
        columns = {**BOARD, **(with_typo() if name == "y" else {})}
        rows += [f"{name}{i},{name}," + ",".join(str(columns[s][i]) for s in "ABC") for i in range(N)]
    path = tmp_path / "each.csv"
    path.write_text("\n".join(rows) + "\n")
    command = ["analyse", str(path), "--each", "dataset"]
    status, text = said(capsys, *command, "--out", str(tmp_path / "out"))
    assert (status, bool(CLAIM.search(text))) == (0, False), text
    assert "--accept far-cell" in text
    overview = (tmp_path / "out" / "boards.md").read_text()
    assert not CLAIM.search(overview)
    assert "question is answered" in overview
    _, text = said(capsys, *command, "--accept", "far-cell")
    assert CLAIM.search(text)


def test_metrics_judged_by_people_wait(tmp_path: Path, capsys) -> None:
    rows = ["item,system,human,BLEU,chrF"]
    for system, values in BOARD.items():
        rows += [f"u{i},{system},{v},{-999 if i == 3 else v + i % 7},{100 - v}" for i, v in enumerate(values)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(rows) + "\n")
    command = ["metrics", str(path), "--human", "human", "--resamples", "99"]
    _, text = said(capsys, *command)
    assert not CLAIM.search(text), text
    assert "--accept stand-in-values" in text
    _, text = said(capsys, *command, "--accept", "stand-in-values")
    assert CLAIM.search(text)
