"""A judge corrected by people as JSON, CSV and LaTeX."""

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.blocks import Document, Part, Prose
from nlpstat_core.report.exports.documents.latex import document_tex
from nlpstat_core.report.exports.tables.judge import (
    bias_table,
    board_table,
    calibration_table,
    checks_table,
    leanings_table,
    pairs_table,
    raters_table,
    zero_one_table,
)
from nlpstat_core.report.exports.tables.table import Table
from nlpstat_core.report.wording.judge import headline, judge_statements, moves
from nlpstat_core.report.wording.methods import cited
from nlpstat_core.report.wording.statements import METHODS
from nlpstat_core.results.judge import JudgedBoard

MOST_PAIRS = 300


def judge_report_tables(found: JudgedBoard) -> tuple[Table, ...]:
    """The tables of a report; those of all pairs where there are few enough to read."""
    some = (zero_one_table(found), calibration_table(found), leanings_table(found), raters_table(found))
    tables = (board_table(found), bias_table(found), *(one for one in some if one), checks_table(found))
    return (*tables, pairs_table(found)) if found.left.size <= MOST_PAIRS else tables


def judge_tex(found: JudgedBoard) -> str:
    """A LaTeX document that compiles by itself."""
    statements = judge_statements(found)
    made = Document(
        "A judge corrected by people",
        headline(found),
        sentences=tuple(moves(found)),
        notes=found.notes,
        parts=(
            Part("methods", "Methods", (Prose(tuple(s for s in statements if s.heading == METHODS)),)),
            Part("results", "Results", (Prose(tuple(s for s in statements if s.heading != METHODS)),)),
            *(Part("", "", (table,)) for table in judge_report_tables(found)),
        ),
        cited=cited(statements),
        names=found.systems,
    )
    return document_tex(made)


def judge_files(found: JudgedBoard) -> dict[str, str]:
    """Every file of a corrected board, by name."""
    return {
        "judge.json": json_text(found.to_dict()),
        "judge.csv": csv_text(found.leaderboard_frame()),
        "judge_pairs.csv": csv_text(found.pairs_frame()),
        "judge_checks.csv": csv_text(found.checks_frame()),
        "judge.tex": judge_tex(found),
    }
