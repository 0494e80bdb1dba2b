"""Systems × metrics or data sets as a float for a paper."""

from nlpstat_core.formatting import count_of
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
from nlpstat_core.report.exports.paper.table import methods_phrase
from nlpstat_core.report.exports.tables.several_boards import systems_by_board
from nlpstat_core.results.several_boards import BoardsData


def boards_paper_table(boards: BoardsData) -> str:
    """Systems (best mean ranks) × metrics or data sets as a float, the best of every column in bold."""
    means, cells = systems_by_board(boards, _cell, "--")
    order = list(means)
    shown = slice(0, MOST_ROWS)
    names = short_names(order, LONGEST_NAME)[shown]
    parts: list[Column] = [("System", "l", [name_text(name) for name in names])]
    parts += [(name_text(name), "r", column[shown]) for name, column in cells.items()]
    rows = [" & ".join(row) for row in zip(*(column for _, _, column in parts), strict=True)]
    if len(order) > len(names):
        more = len(order) - len(names)
        rows.append(f"\\multicolumn{{{len(parts)}}}{{@{{}}l@{{}}}}{{\\emph{{and {more:,} more}}}}")
    first = next(iter(boards.analyses.values()))
    what = "metric" if boards.each == "metric" else "data set"
    text = (
        f"Scores of {count_of(len(order), 'system')} on {len(boards):,} {what}s, by mean rank; {DAGGER} "
        f"significantly worse than the best of the column ({methods_phrase(*boards.analyses.values())})."
    )
    about = f"{first.signature} {', '.join(a.fingerprint[:19] for a in boards.analyses.values())}"
    return floated(parts, rows, text, "tab:systems", wide=True, about=about)


def _cell(score: str, rank: int, behind: bool) -> str:
    text = number_text(score)
    return (f"\\textbf{{{text}}}" if rank == 1 else text) + (DAGGER if behind else "")
