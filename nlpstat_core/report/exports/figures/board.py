"""The board figure as SVG: rank, system, letters, score with interval and all pairs in aligned rows."""

from nlpstat_core.formatting import format_fixed, interval_decimals
from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.figures import svg
from nlpstat_core.report.exports.figures.forest import forest_svg
from nlpstat_core.report.exports.figures.intervals import Scale, axis, rank_texts, whisker
from nlpstat_core.report.exports.figures.matrix import cell_parts, legend, sentence_parts
from nlpstat_core.report.exports.figures.svg import ROW, TOP, text_columns
from nlpstat_core.report.exports.tables.board import top_marks
from nlpstat_core.report.exports.tables.square import square
from nlpstat_core.report.wording import headline
from nlpstat_core.report.wording.titles import picture_title
from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS = 60
MOST_LETTERS = 12  # cut letters would say something false
PLOT = 260.0


def board_svg(analysis: AnalysisData, most: int = MOST_SYSTEMS) -> str:
    """Everything about the first systems in one picture whose rows are the systems, best first.

    Returns: An SVG document: rank, system, rank interval, letters, score with interval and, aligned to the
        same rows, the square of all pairs, whose columns are numbered by rank. Against a baseline, where that
        square would be one row and one column, it is the forest plot of the differences to it.
    """
    if analysis.config.baseline is not None:
        return forest_svg(analysis, most)
    board, drawn = analysis.leaderboard, square(analysis, most)
    size = drawn.size
    columns = _columns(analysis, size)
    parts, left = text_columns(columns)
    top, bottom = TOP, TOP + size * ROW
    scale = Scale.of(analysis, size, left, PLOT)
    parts += axis(scale, top, bottom)
    parts += [whisker(analysis, i, scale, top + (i + 0.5) * ROW, ROW) for i in range(size)]
    left += PLOT + 20
    for i in range(size):
        x = left + (i + 0.5) * ROW
        parts.append(svg.words(x, top - 8, str(board.rank[i]), 9, text_anchor="middle", fill=svg.GREY))
    parts += cell_parts(drawn, left, top, ROW)
    right = left + size * ROW
    for after in drawn.lines:
        if after < size:
            y = top + after * ROW - 0.5
            parts.append(_line(8, right, y, "#FFFFFF", 3.2))
            parts.append(_line(8, right, y, "#D55E00", 1.4))
    parts += sentence_parts(analysis, drawn, left, top, ROW)
    explained, below = legend(analysis, drawn, bottom + 42)
    wide = max(right + 8, 560.0)
    small, high = svg.provenance(analysis.signature, analysis.fingerprint, wide, below + 6)
    title = picture_title(analysis, size)
    parts.append(svg.words(8, 18, title, 13, font_weight="bold"))
    about = f"{analysis.signature} {analysis.fingerprint}"
    return svg.document((wide, high), f"{title}. {headline(analysis)}", about, [*parts, *explained, *small])


def _columns(analysis: AnalysisData, size: int) -> list[tuple[str, list[str], str]]:
    """Title, texts and anchor of every column of words."""
    board = analysis.leaderboard
    found = [
        ("", [str(rank) for rank in board.rank[:size]], "end"),
        ("system", list(short_names(board.system[:size], 28)), "start"),
    ]
    ranks = rank_texts(analysis)[:size]
    if any(ranks):
        found.append(("top", top_marks(analysis, range(size)), "start"))
        found.append(("ranks", ranks, "start"))
    if board.letters is not None and max(map(len, board.letters[:size])) <= MOST_LETTERS:
        found.append(("letters", list(board.letters[:size]), "start"))
    places = interval_decimals(board.interval[:size])
    found.append(("score", [format_fixed(float(score), places) for score in board.score[:size]], "end"))
    return found


def _line(left: float, right: float, y: float, colour: str, thick: float) -> str:
    path = f"M{svg.number(left)} {svg.number(y)}H{svg.number(right)}"
    return svg.element("path", d=path, stroke=colour, stroke_width=thick, fill="none")
