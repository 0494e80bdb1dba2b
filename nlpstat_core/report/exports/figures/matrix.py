"""The square of all pairs as SVG: colour for the evidence, signs that survive grey print."""

import numpy as np

from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.figures import svg
from nlpstat_core.report.exports.tables.square import (
    BETTER,
    COLOURS,
    CONTRADICTION,
    EQUIVALENT,
    PALE,
    SIGN_WORDS,
    STEPS,
    WORSE,
    Square,
    signs_used,
    square,
)
from nlpstat_core.report.wording import headline, matrix_title, sentence_of_pair
from nlpstat_core.report.wording.few_units import legend_words
from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS = 200
TITLE = 13.0  # pixels of the title
# Above this many systems the cells tell no sentence: the file would grow by megabytes.
MOST_TOLD = 60
_SLANT = (0.5, 0.866)  # cosine and sine of the column labels' 60 degrees


def matrix_svg(analysis: AnalysisData, most: int = MOST_SYSTEMS) -> str:
    """All pairs of the first systems, best first from the top left."""
    drawn = square(analysis, most)
    cell = float(np.clip(620 / drawn.size, 7, 26))
    font = min(11.0, cell * 0.9)
    labels = [
        f"{rank} {name}"
        for rank, name in zip(analysis.leaderboard.rank, short_names(drawn.names, 28), strict=False)
    ]
    longest = max(svg.text_width(label, font) for label in labels)
    left, top = longest + 14, 26 + longest * _SLANT[1] + 8
    side = cell * drawn.size
    title = matrix_title(analysis, drawn.size)
    wide = max(left + side + longest * _SLANT[0] + 10, svg.text_width(title, TITLE) + 30, 430.0)
    explained, bottom = legend(analysis, drawn, top + side + 22)
    small, high = svg.provenance(analysis.signature, analysis.fingerprint, wide, bottom + 8)
    parts = [
        svg.words(8, 18, title, TITLE, font_weight="bold"),
        *_labels(labels, left, top, cell, font),
        *cell_parts(drawn, left, top, cell),
        *_lines(drawn, left, top, cell),
        *sentence_parts(analysis, drawn, left, top, cell),
        *explained,
        *small,
    ]
    return svg.document(
        (wide, high), f"{title}. {headline(analysis)}", f"{analysis.signature} {analysis.fingerprint}", parts
    )


def _labels(labels: list[str], left: float, top: float, cell: float, font: float) -> list[str]:
    parts = []
    for i, label in enumerate(labels):
        middle = (i + 0.5) * cell
        parts.append(svg.words(left - 6, top + middle + font * 0.35, label, font, text_anchor="end"))
        x, y = left + middle + font * 0.2, top - 5
        turn = f"rotate(-60 {svg.number(x)} {svg.number(y)})"
        parts.append(svg.words(x, y, label, font, transform=turn))
    return parts


def cell_parts(drawn: Square, left: float, top: float, cell: float) -> list[str]:
    """The square, one path per colour and per sign: files of big boards stay small."""
    gap = 1.0 if drawn.size <= MOST_TOLD else 0.0
    across, down = _edges(left, cell, drawn.size), _edges(top, cell, drawn.size)
    parts = []
    for band, colour in enumerate(COLOURS):
        rows, columns = np.nonzero((drawn.band == band) & (drawn.pair >= 0))
        box = f"h{svg.number(cell - gap)}v{svg.number(cell - gap)}h-{svg.number(cell - gap)}z"
        path = "".join(
            f"M{across[c]} {down[r]}{box}" for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
        )
        if path:
            parts.append(svg.element("path", d=path, fill=colour))
    for verdict in signs_used(drawn.verdict):
        rows, columns = np.nonzero(drawn.verdict == verdict)
        path = "".join(
            sign_path(verdict, left + (c + 0.5) * cell - gap / 2, top + (r + 0.5) * cell - gap / 2, cell)
            for r, c in zip(rows, columns, strict=True)
        )
        parts.append(_sign(verdict, path, cell))
    if drawn.few.any():
        rows, columns = np.nonzero(drawn.few)
        path = "".join(
            few_path(left + (c + 1) * cell - gap, top + r * cell, cell)
            for r, c in zip(rows, columns, strict=True)
        )
        parts.append(_few(path, cell))
    side = cell * drawn.size
    frame = svg.element("rect", x=left, y=top, width=side, height=side, fill="none", stroke=svg.FAINT)
    return [*parts, frame]


def _edges(start: float, cell: float, size: int) -> list[str]:
    """Coordinates at which the cells of a row begin."""
    return [svg.number(start + place * cell) for place in range(size)]


def sign_path(verdict: int, x: float, y: float, cell: float) -> str:
    """The outline of a verdict's sign around the centre of a cell with this side."""
    half, both = svg.number(cell * 0.26), svg.number(cell * 0.54)
    if verdict == BETTER:
        return f"M{svg.number(x)} {svg.number(y - cell * 0.28)}l{half} {both}h-{svg.number(cell * 0.52)}z"
    if verdict == WORSE:
        return f"M{svg.number(x)} {svg.number(y + cell * 0.28)}l{half} -{both}h-{svg.number(cell * 0.52)}z"
    if verdict == EQUIVALENT:
        bar = f"h{both}"
        return (
            f"M{svg.number(x - cell * 0.27)} {svg.number(y - cell * 0.12)}{bar}"
            f"M{svg.number(x - cell * 0.27)} {svg.number(y + cell * 0.12)}{bar}"
        )
    return (
        f"M{svg.number(x - cell * 0.27)} {svg.number(y - cell * 0.27)}l{both} {both}"
        f"M{svg.number(x + cell * 0.27)} {svg.number(y - cell * 0.27)}l-{both} {both}"
    )


def few_path(x: float, y: float, cell: float) -> str:
    """The corner of a cell whose pair rests on a few units; x and y are its upper right corner."""
    side = svg.number(cell * 0.34)
    return f"M{svg.number(x)} {svg.number(y)}v{side}l-{side}-{side}z"


def _few(path: str, cell: float) -> str:
    """White with a dark edge, as the signs."""
    return svg.element("path", d=path, fill="#FFFFFF", stroke=svg.INK, stroke_width=max(0.3, cell * 0.035))


def _sign(verdict: int, path: str, cell: float) -> str:
    """White with a dark edge: seen on the darkest and on the palest cell."""
    if verdict in (EQUIVALENT, CONTRADICTION):
        stroke = max(0.6, cell * 0.09)
        edge = svg.element("path", d=path, fill="none", stroke="#FFFFFF", stroke_width=2.4 * stroke)
        return edge + svg.element("path", d=path, fill="none", stroke=svg.INK, stroke_width=stroke)
    return svg.element("path", d=path, fill="#FFFFFF", stroke=svg.INK, stroke_width=max(0.3, cell * 0.035))


def _lines(drawn: Square, left: float, top: float, cell: float) -> list[str]:
    """Cluster lines through the whole square."""
    side = cell * drawn.size
    parts = []
    for after in drawn.lines:
        if after < drawn.size:
            place = after * cell - 0.5
            ends = f"M{svg.number(left - 6)} {svg.number(top + place)}h{svg.number(side + 6)}"
            ends += f"M{svg.number(left + place)} {svg.number(top - 6)}v{svg.number(side + 6)}"
            parts.append(svg.element("path", d=ends, fill="none", stroke="#D55E00", stroke_width=1.4))
    return parts


def sentence_parts(analysis: AnalysisData, drawn: Square, left: float, top: float, cell: float) -> list[str]:
    """The sentence of every pair on its two cells, for hovering; none on big boards."""
    if drawn.size > MOST_TOLD:
        return []
    parts = []
    across, down = _edges(left, cell, drawn.size), _edges(top, cell, drawn.size)
    side = svg.number(cell)
    for r, c in zip(*(at.tolist() for at in np.nonzero(np.triu(drawn.pair >= 0))), strict=True):
        text = sentence_of_pair(analysis, int(drawn.pair[r, c]))
        path = "".join(f"M{across[x]} {down[y]}h{side}v{side}h-{side}z" for y, x in ((r, c), (c, r)))
        parts.append(svg.element("path", svg.title(text), d=path, fill="#FFFFFF", fill_opacity="0"))
    return parts


def legend(analysis: AnalysisData, drawn: Square, y: float) -> tuple[list[str], float]:
    """What colours and signs mean, colours in one line, signs below; and where the legend ends."""
    alpha = analysis.config.alpha
    name = "p" if analysis.config.correction == "none" else "adjusted p"
    swatches = [(COLOURS[PALE], f"{name} > {alpha:g}")]
    steps = zip(STEPS, COLOURS[PALE + 1 :], strict=True)
    swatches += [(colour, f"≤ {alpha * step:g}") for step, colour in steps]
    parts, x = [], 8.0
    for colour, label in swatches:
        parts.append(svg.element("rect", x=x, y=y - 9, width=11, height=11, fill=colour, stroke=svg.GREY))
        parts.append(svg.words(x + 15, y, label, 10))
        x += 15 + svg.text_width(label, 10) + 12
    for code in signs_used(drawn.verdict):
        y += 16
        parts.append(_sign(code, sign_path(code, 14, y - 4, 18), 18))
        parts.append(svg.words(28, y, f"{SIGN_WORDS[code]}", 10))
    if drawn.few.any():
        y += 16
        parts.append(_few(few_path(20, y - 11, 18), 18))
        parts.append(svg.words(28, y, legend_words(analysis), 10))
    y += 16
    parts.append(svg.words(28, y, f"no sign: {SIGN_WORDS[0]}", 10))
    if any(after < drawn.size for after in drawn.lines):
        y += 16
        parts.append(
            svg.element(
                "path", d=f"M7 {svg.number(y - 4)}h14", stroke="#D55E00", stroke_width=1.4, fill="none"
            )
        )
        parts.append(svg.words(28, y, "cluster line: every pair across it is separated", 10))
    return parts, y + 14
