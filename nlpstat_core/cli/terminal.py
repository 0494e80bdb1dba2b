"""Results as text for a terminal: aligned columns, no colour codes, one screen where possible."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nlpstat_core.cli.arguments import one_line
from nlpstat_core.cli.options import as_option
from nlpstat_core.errors import Sentence, shown
from nlpstat_core.formatting import format_interval, format_p, format_score
from nlpstat_core.report import wording
from nlpstat_core.report.wording.few_units import second_line

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.notes import Note

MOST_ROWS = 60


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Aligned lines.

    right: Columns aligned to the right.
    """
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        parts = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(cells, widths, right, strict=True)
        ]
        return "  ".join(parts).rstrip()

    return [line(header), *(line(row) for row in rows)]


def plain_name(name: str) -> str:
    """A system's name without control characters, at most 40 characters."""
    return shown(name)[1:-1]


def summary(analysis: Analysis) -> str:
    """The answer, the leaderboard and what to mind."""
    board = analysis.leaderboard
    rows = []
    for i, system in enumerate(board.system[:MOST_ROWS]):
        ranks = "" if board.rank_interval is None else "{}–{}".format(*board.rank_interval[i])
        cluster = "" if board.cluster is None else str(board.cluster[i])
        ends = format_interval(*board.interval[i])
        score = format_score(float(board.score[i]))
        own = [] if board.own_score is None else [format_score(float(board.own_score[i]))]
        group = [] if board.group is None else [str(board.group[i])]
        rows.append([*group, str(board.rank[i]), plain_name(system), score, ends, *own, ranks, cluster])
    has_own, has_group = board.own_score is not None, board.group is not None
    lines = [
        in_options(wording.headline(analysis)),
        *([second] if (second := second_line(analysis)) else []),
        "",
        *table(
            [
                *(["group"] if has_group else []),
                *("rank", "system", "score", "interval"),
                *(["own units"] if has_own else []),
                *("ranks", "cluster"),
            ],
            rows,
            [*([True] * has_group), True, False, True, False, *([True] * has_own), True, True],
        ),
    ]
    if len(board) > MOST_ROWS:
        lines.append(f"… and {len(board) - MOST_ROWS} more systems")
    if analysis.notes:
        lines.append("")
        lines += [note_line(note) for note in analysis.notes]
    return "\n".join([*lines, "", analysis.signature, analysis.fingerprint])


def note_line(note: Note) -> str:
    """A note as every command prints it."""
    return f"{note.severity}: {in_options(note.text)}"


def in_options(text: str) -> str:
    """Text with what mends a problem as options."""
    return text.in_words(as_option) if isinstance(text, Sentence) else text


def tell(lines: Iterable[str]) -> None:
    """Lines on standard error, where there is one: the result stands alone on standard output."""
    if sys.stderr is not None:
        sys.stderr.writelines(f"{one_line(line)}\n" for line in lines)


def diagnosis_table(analysis: Analysis) -> str:
    """Skewness, normality and recommended test of every pair."""
    from nlpstat_core.methods.diagnosis.lists import recommended_tests

    pairs = analysis.pairs
    recommended = recommended_tests(pairs.diagnosis)
    rows = [
        [
            plain_name(pairs.system_a[row]),
            plain_name(pairs.system_b[row]),
            str(pairs.n_units[row]),
            format_score(float(pairs.diagnosis.skewness[row])),
            format_p(float(pairs.diagnosis.normality_p[row])),
            recommended[row],
        ]
        for row in range(len(pairs))
    ]
    header = ["system a", "system b", "units", "skewness", "normality p", "recommended"]
    return "\n".join(table(header, rows, [False, False, True, True, True, False]))
