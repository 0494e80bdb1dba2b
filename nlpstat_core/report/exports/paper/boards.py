"""Systems × metrics or data sets as a float for a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.formatting import common_decimals, count_of, format_fixed
from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.documents.latex import number_text
from nlpstat_core.report.exports.paper.floats import (
    DAGGER,
    LONGEST_NAME,
    MOST_ROWS,
    Column,
    floated,
    name_text,
)
from nlpstat_core.report.exports.paper.table import behind_best, methods_phrase

if TYPE_CHECKING:
    from nlpstat_core.results.several_boards import BoardsData


def boards_paper_table(boards: BoardsData, *, most: int = MOST_ROWS, wide: bool = True) -> str:
    """Systems × metrics (or data sets) as a float for a paper, the best of every column in bold.

    most: Systems at most, those with the best mean rank.
    wide: Over both columns of a page.
    """
    cells: dict[str, dict[str, str]] = {}
    ranks: dict[str, list[int]] = {}
    for name, analysis in boards.analyses.items():
        board, behind = analysis.leaderboard, behind_best(analysis)
        places = common_decimals(board.score.tolist(), 4)
        for i, system in enumerate(board.system):
            text = number_text(format_fixed(float(board.score[i]), places))
            text = f"\\textbf{{{text}}}" if board.rank[i] == 1 else text
            cells.setdefault(system, {})[name] = text + (DAGGER if behind[i] else "")
            ranks.setdefault(system, []).append(int(board.rank[i]))
    order = sorted(ranks, key=lambda system: (-len(ranks[system]), float(np.mean(ranks[system])), system))
    shown = order[: max(1, min(most, MOST_ROWS))]
    names = dict(zip(order, short_names(order, LONGEST_NAME), strict=True))
    parts: list[Column] = [("System", "l", [name_text(names[system]) for system in shown])]
    for name in boards.analyses:
        parts.append((name_text(name), "r", [cells[system].get(name, "--") for system in shown]))
    rows = [" & ".join(row) for row in zip(*(column for _, _, column in parts), strict=True)]
    if len(order) > len(shown):
        more = len(order) - len(shown)
        rows.append(f"\\multicolumn{{{len(parts)}}}{{@{{}}l@{{}}}}{{\\emph{{and {more:,} more}}}}")
    first = next(iter(boards.analyses.values()))
    what = "metric" if boards.each == "metric" else "data set"
    text = (
        f"Scores of {count_of(len(order), 'system')} on {len(boards):,} {what}s, by mean rank; {DAGGER} "
        f"significantly worse than the best of the column ({methods_phrase(*boards.analyses.values())})."
    )
    about = f"{first.signature} {', '.join(a.fingerprint[:19] for a in boards.analyses.values())}"
    return floated(parts, rows, text, "tab:systems", wide=wide, about=about)
