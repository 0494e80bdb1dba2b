"""The square of all pairs as TikZ: the same colours and signs as the SVG."""

import numpy as np

from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.documents.latex_text import broken, text
from nlpstat_core.report.exports.tables.square import (
    BETTER,
    COLOURS,
    EQUIVALENT,
    PALE,
    SIGN_WORDS,
    STEPS,
    WORSE,
    Square,
    signs_used,
    square,
)
from nlpstat_core.report.wording import matrix_title
from nlpstat_core.report.wording.few_units import legend_words
from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS = 40
_WIDEST = 120.0  # millimetres of the square at most


def matrix_tikz(analysis: AnalysisData) -> str:
    """A figure environment with the pairs of the first systems."""
    drawn = square(analysis, MOST_SYSTEMS)
    cell = min(6.0, _WIDEST / drawn.size)
    colours = "\n".join(
        f"\\definecolor{{band{band}}}{{HTML}}{{{colour[1:]}}}" for band, colour in enumerate(COLOURS)
    )
    size = "\\tiny" if cell < 3.2 else "\\scriptsize"
    body = "\n".join([*_labels(analysis, drawn, size), *_cells(drawn), *_signs(drawn), *_lines(drawn)])
    head, legend = text(matrix_title(analysis, drawn.size)), _legend(analysis, drawn)
    small = f"{{\\tiny {broken(analysis.signature)} {broken(analysis.fingerprint)}}}"
    scale = f"x={cell:.2f}mm,y=-{cell:.2f}mm,line width=0.2pt"
    return (
        f"\\begin{{figure}}[p]\n\\centering\n{colours}\n"
        f"\\begin{{tikzpicture}}[{scale}]\n{body}\n\\end{{tikzpicture}}\n"
        f"\\caption[]{{{head}. {legend} {small}}}\n\\end{{figure}}"
    )


def _labels(analysis: AnalysisData, drawn: Square, size: str) -> list[str]:
    parts = []
    for i, name in enumerate(short_names(drawn.names, 24)):
        label = f"{size}{{}}{analysis.leaderboard.rank[i]} {text(name)}"
        parts.append(f"\\node[anchor=east,inner sep=1pt] at (-0.15,{i + 0.5}) {{{label}}};")
        parts.append(f"\\node[anchor=west,inner sep=1pt,rotate=60] at ({i + 0.5},-0.2) {{{label}}};")
    return parts


def _cells(drawn: Square) -> list[str]:
    """One path per row and colour: TeX's memory holds it for any board."""
    parts = []
    for row in range(drawn.size):
        for band in range(PALE, len(COLOURS)):
            columns = np.flatnonzero((drawn.band[row] == band) & (drawn.pair[row] >= 0))
            path = " ".join(f"({column},{row}) rectangle +(1,1)" for column in columns)
            if path:
                parts.append(f"\\path[fill=band{band},draw=white] {path};")
    return parts


def sign_tikz(verdict: int, x: float, y: float) -> str:
    """The outline of a verdict's sign around a point, y growing downwards."""
    if verdict == BETTER:
        return f"({x:g},{y - 0.28:g}) -- ({x + 0.26:g},{y + 0.26:g}) -- ({x - 0.26:g},{y + 0.26:g}) -- cycle"
    if verdict == WORSE:
        return f"({x:g},{y + 0.28:g}) -- ({x + 0.26:g},{y - 0.26:g}) -- ({x - 0.26:g},{y - 0.26:g}) -- cycle"
    if verdict == EQUIVALENT:
        return " ".join(f"({x - 0.27:g},{y + d:g}) -- ({x + 0.27:g},{y + d:g})" for d in (-0.12, 0.12))
    ends = ((-0.27, 0.27), (0.27, -0.27))
    return " ".join(f"({x + d:g},{y - 0.27:g}) -- ({x + e:g},{y + 0.27:g})" for d, e in ends)


def _style(verdict: int) -> str:
    if verdict in (BETTER, WORSE):
        return "\\path[fill=white,draw=black]"
    return "\\path[draw=black,double=black,double distance=0.3pt,line width=0.6pt]"


def _signs(drawn: Square) -> list[str]:
    parts = []
    for verdict in signs_used(drawn.verdict):
        for row in range(drawn.size):
            columns = np.flatnonzero(drawn.verdict[row] == verdict)
            path = " ".join(sign_tikz(verdict, column + 0.5, row + 0.5) for column in columns)
            if path:
                parts.append(f"{_style(verdict)} {path};")
    for row in range(drawn.size):
        path = " ".join(_few(column, row) for column in np.flatnonzero(drawn.few[row]).tolist())
        if path:
            parts.append(f"\\path[fill=white,draw=black] {path};")
    return parts


def _few(column: int, row: int) -> str:
    """The upper right corner of a cell whose pair rests on a few units."""
    return (
        f"({column + 1:g},{row:g}) -- ({column + 1:g},{row + 0.34:g}) -- ({column + 0.66:g},{row:g}) -- cycle"
    )


def _lines(drawn: Square) -> list[str]:
    side = drawn.size
    parts = [f"\\draw[black!30] (0,0) rectangle ({side},{side});"]
    for after in drawn.lines:
        if after < side:
            path = f"(-0.2,{after}) -- ({side},{after}) ({after},-0.2) -- ({after},{side})"
            parts.append(f"\\draw[line width=0.8pt,orange!80!red] {path};")
    return parts


def _legend(analysis: AnalysisData, drawn: Square) -> str:
    """Colours and signs in the caption."""
    alpha = analysis.config.alpha
    name = "p" if analysis.config.correction == "none" else "adjusted p"
    steps = [f"{name} > {alpha:g}", *(f"≤ {alpha * step:g}" for step in STEPS)]
    swatches = ", ".join(
        f"\\fcolorbox{{black!40}}{{band{PALE + i}}}{{\\rule{{0pt}}{{3pt}}\\rule{{3pt}}{{0pt}}}}~{text(step)}"
        for i, step in enumerate(steps)
    )
    signs = "; ".join(
        f"\\tikz[x=3mm,y=-3mm,line width=0.2pt,baseline=-2.3mm]{_style(code)} {sign_tikz(code, 0.5, 0.5)};~"
        f"{text(SIGN_WORDS[code])}"
        for code in signs_used(drawn.verdict)
    )
    sentence = f"{swatches}. {signs}." if signs else f"{swatches}."
    if marked := legend_words(analysis):
        sentence += f" White corner: {text(marked)}."
    return sentence + (" Orange: cluster lines." if any(after < drawn.size for after in drawn.lines) else "")
