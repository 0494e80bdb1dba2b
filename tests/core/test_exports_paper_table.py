"""The table that is pasted into a paper: small, whole words, and it compiles wherever it is pasted."""

import re

import numpy as np
import pytest
from core.boards import big_board, hostile_board, plain_board, two_board
from core.tex import compile_tex

import nlpstat_core as ns
from nlpstat_core.analysis.several_boards import analyse_boards
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError
from nlpstat_core.report.exports.paper.boards import boards_paper_table
from nlpstat_core.report.exports.paper.floats import MOST_ROWS
from nlpstat_core.report.exports.paper.table import behind_best, columns_of_paper_table, paper_table
from nlpstat_core.scores.matrix import ScoreMatrix

MOST_LINES = 30
BOARDS = (plain_board, hostile_board, big_board, two_board)
CLASSES = {
    "one column": "\\documentclass[11pt]{article}",
    "two columns": "\\documentclass[10pt,twocolumn]{article}",
    "conference": (
        "\\documentclass[11pt,a4paper,twocolumn]{article}\n\\usepackage[T1]{fontenc}\n"
        "\\usepackage[a4paper,margin=2.5cm,columnsep=0.6cm]{geometry}\n"
        "\\usepackage{caption}\n\\captionsetup{font=small}"
    ),
}


def several():
    rng = np.random.default_rng(2)
    names = ("Alpha_1", "Beta-2", "Gamma 100%")
    made = {
        metric: ScoreMatrix(
            values=rng.normal(0, 1, (40, 3)) + np.array([0.0, 0.4, 1.5]), systems=names, metric=metric
        )
        for metric in ("BLEU_x", "chrF")
    }
    return analyse_boards(made, AnalysisConfig(), each="metric")


def against_baseline():
    rng = np.random.default_rng(8)
    values = rng.normal(0, 1, (80, 1)) + rng.normal(0, 0.5, (80, 20)) + np.linspace(0.6, -0.6, 20)
    scores = ScoreMatrix(values=values, systems=tuple(f"sys_{i}" for i in range(20)))
    return ns.analyse(scores, AnalysisConfig(baseline="sys_19"))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("wide", [False, True])
def test_it_is_small_and_holds_words_in_one_piece(board, wide):
    analysis = board()
    for columns in (None, tuple(columns_of_paper_table(analysis)), ()):
        tex = paper_table(analysis, columns=columns, wide=wide)
        assert len(tex.splitlines()) <= MOST_LINES
        assert "longtable" not in tex
        assert "allowbreak" not in tex
        assert tex.count("\\begin{table*}") == wide
        bare = re.sub(r"\\[{}]", "", tex)
        assert bare.count("{") == bare.count("}")
        assert "\\toprule" in tex
        assert analysis.fingerprint in tex.splitlines()[0] + tex.splitlines()[2]
        text = next(line for line in tex.splitlines() if line.startswith("\\caption{"))
        assert "$\\alpha = 0.05$" in text


def test_marks_are_the_decisions_on_pairs():
    analysis = plain_board()
    behind = dict(zip(analysis.leaderboard.system, behind_best(analysis), strict=True))
    best = analysis.leaderboard.system[0]
    for name in analysis.leaderboard.system[1:]:
        assert behind[name] == (analysis.pair(best, name).better == best)
    assert not behind[best]
    rows = [line for line in paper_table(analysis).splitlines() if line.endswith("\\\\")][1:]
    lines = ["\\dagger" in row for row in rows[: len(behind)]]
    assert lines == [behind[name] for name in analysis.leaderboard.system[: len(lines)]]


def test_against_a_baseline_it_tells_better_worse_and_the_difference():
    analysis = against_baseline()
    tex = paper_table(analysis)
    rows = {row.split(" & ")[0]: row for row in tex.splitlines() if " & " in row}
    assert "sys\\_19" in rows  # although it stands below the last row that fits
    assert rows["sys\\_19"].count("--") == 2
    for place in range(3):
        verdict = analysis.pair(f"sys_{place}", "sys_19").verdict
        assert ("$^{+}$" in rows[f"sys\\_{place}"]) == (verdict == "better")
    assert "20 systems" in tex
    assert f"and {20 - MOST_ROWS} more" in tex


def test_systems_and_metrics_stand_in_one_table():
    tex = boards_paper_table(several())
    assert len(tex.splitlines()) <= MOST_LINES
    assert "System & BLEU\\_x & chrF" in tex
    row = next(line for line in tex.splitlines() if line.startswith("Gamma"))
    assert row.count("\\textbf{") == 2


def test_what_it_cannot_hold_is_said():
    with pytest.raises(ConfigError, match="column of the table"):
        paper_table(plain_board(), columns=("rnak",))
    with pytest.raises(ConfigError, match="1 to 14"):
        paper_table(plain_board(), most=40)


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
@pytest.mark.parametrize("kind", CLASSES)
def test_it_compiles_where_it_is_pasted(engine, kind, tmp_path):
    boards = [paper_table(board(), wide=wide) for board in BOARDS for wide in (False, True)]
    whole = tuple(columns_of_paper_table(plain_board()))
    boards += [paper_table(plain_board(), columns=whole, wide=True), paper_table(against_baseline())]
    boards.append(boards_paper_table(several()))
    pasted = "\n\nText. \\clearpage\n\n".join(boards)
    source = f"{CLASSES[kind]}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{pasted}\n\\end{{document}}\n"
    compile_tex(source, engine, tmp_path)
