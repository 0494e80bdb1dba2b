"""Results as text for a terminal: aligned columns, no colour codes, one screen where possible."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.cli.options import as_option
from nlpstat_core.errors import Sentence, shown
from nlpstat_core.formatting import count_of
from nlpstat_core.report import wording
from nlpstat_core.report.exports.paper.sentence import paper_sentence
from nlpstat_core.report.exports.tables.board import PLAIN, board_columns
from nlpstat_core.report.exports.tables.table import Column, counts, fixed, names, p_values, words
from nlpstat_core.report.wording.few_units import second_line
from nlpstat_core.report.wording.paper import PAPER_TITLE

if TYPE_CHECKING:
    from nlpstat_core.analysis.in_blocks import BlockAnalysis
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.notes import Note

MOST_ROWS = 60
# Columns of the leaderboard, and their heads here.
SHOWN = {
    "group": "group",
    "rank": "rank",
    "system": "system",
    "score": "score",
    "interval": "interval",
    "own_score": "on own items",
    "ranks": "ranks",
    "cluster": "cluster",
}
BEFORE = ("system", "score")  # what stands there while it isn't settled how the file is read


def table(columns: Sequence[Column]) -> list[str]:
    """Aligned lines; numbers stand at the right of their column."""
    aligned = []
    for column in columns:
        cells = (plain_name(cell.text) if cell.name else cell.text for cell in column.cells)
        texts = [column.label, *cells]
        width = max(map(len, texts))
        aligned.append([text.rjust(width) if column.numbers else text.ljust(width) for text in texts])
    return ["  ".join(parts).rstrip() for parts in zip(*aligned, strict=True)]


def small(columns: Iterable[Column], keep: Collection[str] = ()) -> list[Column]:
    """Columns whose heads begin with a small letter; `keep`: heads that are names of the user's."""
    return [
        replace(column, label=column.label[:1].lower() + column.label[1:])
        if column.label[1:2].islower() and column.label not in keep
        else column
        for column in columns
    ]


def plain_name(name: str) -> str:
    """A system's name without control characters, at most 40 characters."""
    return shown(name)[1:-1]


def summary_of_blocks(found: BlockAnalysis) -> str:
    """The answer, the leaderboard and where the pairs are, of a board whose pairs stand in files."""
    board, ranks, top = found.leaderboard, found.rank_intervals, found.top_group
    shown_rows = range(min(len(board), MOST_ROWS))
    lines = [
        f"{found.separated:,} of {count_of(found.n_pairs, 'pair')} decided; in the top group "
        + (
            f"is {plain_name(top[0])} alone."
            if len(top) == 1
            else f"are {len(top):,} of {len(board):,} systems."
        ),
        "",
        *table(
            [
                counts("rank", [int(board.rank[i]) for i in shown_rows]),
                names("system", [board.system[i] for i in shown_rows]),
                fixed("score", [float(board.score[i]) for i in shown_rows]),
                words("ranks", [f"{ranks[i, 0]}–{ranks[i, 1]}" for i in shown_rows]),
            ]
        ),
        *([f"… and {len(board) - MOST_ROWS:,} more systems"] if len(board) > MOST_ROWS else []),
        "",
        f"The pairs are in {found.folder}, as Parquet files.",
    ]
    return "\n".join(lines)


def summary(analysis: Analysis, *, quiet: bool = False) -> str:
    """The answer, the leaderboard and, unless it is to be quiet, what a paper says of it."""
    board = analysis.leaderboard
    open_question = wording.withheld(analysis) is not None
    order = (
        np.argsort(board.column) if open_question else np.arange(len(board))
    )  # no ranks before it is settled
    columns = board_columns(analysis, order[:MOST_ROWS].tolist())
    heads = {key: SHOWN[key] for key in BEFORE} if open_question else SHOWN
    lines = [
        in_options(wording.headline(analysis)),
        *([second] if (second := second_line(analysis)) else []),
        "",
        *table([replace(columns[key], label=head) for key, head in heads.items() if key in columns]),
    ]
    if len(board) > MOST_ROWS:
        lines.append(f"… and {len(board) - MOST_ROWS} more systems")
    if quiet:
        return "\n".join(lines)
    if (said := paper_sentence(analysis)) is not None:
        lines += ["", f"{PAPER_TITLE}:", said.text]
    return "\n".join([*lines, "", analysis.signature, analysis.fingerprint])


def note_line(note: Note) -> str:
    """A note as every command prints it."""
    return f"{note.severity}: {in_options(note.text)}"


def in_options(text: str) -> str:
    """Text with what mends a problem as options."""
    return text.in_words(as_option) if isinstance(text, Sentence) else text


def diagnosis_table(analysis: Analysis) -> str:
    """Skewness, normality and recommended test of every pair."""
    from nlpstat_core.methods.diagnosis.lists import recommended_tests

    pairs, found = analysis.pairs, analysis.pairs.diagnosis
    columns = (
        names("system A", pairs.system_a),
        names("system B", pairs.system_b),
        counts("items", pairs.n_units, PLAIN),
        fixed("skewness", found.skewness, 3),
        p_values("normality p", found.normality_p, None),
        words("recommended", recommended_tests(found)),
    )
    return "\n".join(table(columns))
