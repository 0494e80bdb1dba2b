"""All pairs as a grid of signs, which Markdown can hold."""

from nlpstat_core.report.exports.tables.square import SIGN_WORDS, SIGNS, Square, signs_used, square
from nlpstat_core.report.wording.few_units import MARK, legend_words
from nlpstat_core.results.analysis import AnalysisData

MOST_IN_GRID = 40


def grid_md(analysis: AnalysisData) -> str:
    """Signs of all pairs of the first systems, numbered as on the leaderboard; "" for one pair."""
    drawn = square(analysis, MOST_IN_GRID)
    if drawn.size < 3:
        return ""
    lines = [f"{SIGNS[code]} {SIGN_WORDS[code]}" for code in signs_used(drawn.verdict)]
    lines += [marked] if (marked := legend_words(analysis)) else []
    legend = " · ".join([*lines, f"(·) {SIGN_WORDS[0]}"])
    some = "" if drawn.size == len(analysis.leaderboard) else f" (the first {drawn.size})"
    said = f"Rows and columns are the systems in the order of the leaderboard{some}. {legend}"
    return f"{said}\n\n```text\n{_grid_lines(drawn)}\n```"


def _grid_lines(drawn: Square) -> str:
    lines = ["   " + "".join(f"{column + 1:>3}" for column in range(drawn.size))]
    for row in range(drawn.size):
        signs = (
            (SIGNS[drawn.verdict[row, column]] or "·") + MARK * int(drawn.few[row, column])
            if drawn.pair[row, column] >= 0
            else " "
            for column in range(drawn.size)
        )
        lines.append(f"{row + 1:>3}" + "".join(f"{sign:>3}" for sign in signs).rstrip())
    return "\n".join(lines)
