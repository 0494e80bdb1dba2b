"""The leaderboard's scores with their intervals as SVG."""

from __future__ import annotations

import math

import numpy as np

from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.figures import svg
from nlpstat_core.report.exports.tables.square import cluster_lines
from nlpstat_core.report.exports.tables.table import ranges
from nlpstat_core.report.wording import headline, interval_title
from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS = 200
PLOT_PIXELS = 420.0
BLUE = "#0072B2"


def interval_svg(analysis: AnalysisData) -> str:
    """Scores and intervals of the first systems, best on top."""
    board = analysis.leaderboard
    size = min(len(board), MOST_SYSTEMS)
    step = 20.0 if size <= 40 else 14.0 if size <= 100 else 10.0
    font = min(11.0, step * 0.75)
    labels = [
        f"{rank} {name}" for rank, name in zip(board.rank, short_names(board.system[:size], 28), strict=False)
    ]
    ranks = rank_texts(analysis)[:size]
    left = max(svg.text_width(label, font) for label in labels) + 14
    right = max(svg.text_width(text, font) for text in (*ranks, "ranks")) + 14
    top, wide = 52.0, left + PLOT_PIXELS + right
    scale = Scale.of(analysis, size, left)
    bottom = top + size * step
    small, high = svg.provenance(analysis.signature, analysis.fingerprint, wide, bottom + 40)
    parts = [
        svg.words(8, 18, interval_title(analysis, size), 13, font_weight="bold"),
        *axis(scale, top, bottom),
        svg.words(left + PLOT_PIXELS + 8, top - 8, "ranks" if any(ranks) else "", 10, fill=svg.GREY),
    ]
    for i, label in enumerate(labels):
        y = top + (i + 0.5) * step
        parts.append(svg.words(left - 6, y + font * 0.35, label, font, text_anchor="end"))
        parts.append(svg.words(left + PLOT_PIXELS + 8, y + font * 0.35, ranks[i], font, fill=svg.GREY))
        parts.append(whisker(analysis, i, scale, y, step))
    for after in cluster_lines(analysis):
        if after < size:
            line = f"M8 {svg.number(top + after * step)}H{svg.number(wide - 8)}"
            parts.append(svg.element("path", d=line, stroke="#D55E00", stroke_width=1.2, fill="none"))
    name = f"{interval_title(analysis, size)}. {headline(analysis)}"
    about = f"{analysis.signature} {analysis.fingerprint}"
    return svg.document((wide, high), name, about, [*parts, *small])


def rank_texts(analysis: AnalysisData) -> list[str]:
    """Rank intervals of the leaderboard as text, "" where undefined; "2–5", or "1" where both ends agree."""
    board = analysis.leaderboard
    if board.rank_interval is None:
        return [""] * len(board)
    return [cell.text for cell in ranges("", board.rank_interval, len(board)).cells]


class Scale:
    """Score → pixels, with round marks.

    low, high: Scores to be seen.
    left, wide: Pixels.
    """

    def __init__(self, low: float, high: float, left: float, wide: float = PLOT_PIXELS) -> None:
        self.wide = wide
        span = high - low or abs(high) or 1.0
        self.low, self.high, self.left = low - 0.03 * span, high + 0.03 * span, left
        self.marks = round_marks(self.low, self.high)

    @classmethod
    def of(cls, analysis: AnalysisData, size: int, left: float, wide: float = PLOT_PIXELS) -> Scale:
        """The scale of the first systems of a leaderboard."""
        board = analysis.leaderboard
        seen = np.concatenate([board.score[:size], board.interval[:size].ravel()])
        seen = seen[np.isfinite(seen)]
        if not seen.size:
            return cls(0.0, 1.0, left, wide)
        return cls(float(seen.min()), float(seen.max()), left, wide)

    def place(self, score: float) -> float:
        """Where a score stands; scores beyond the ends stand at the ends."""
        share = (min(max(score, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * self.wide


def round_marks(low: float, high: float) -> list[float]:
    """About five round numbers between two ends.

    >>> round_marks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    raw = (high - low) / 5
    if not math.isfinite(raw) or raw <= 0:
        return [low]
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= raw * 0.999)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [float(f"{i * step:.14g}") for i in range(first, last + 1)]


def axis(scale: Scale, top: float, bottom: float) -> list[str]:
    """Lines at round scores, with their numbers below."""
    parts = []
    for mark in scale.marks:
        x = scale.place(mark)
        line = f"M{svg.number(x)} {svg.number(top)}V{svg.number(bottom)}"
        parts.append(svg.element("path", d=line, stroke=svg.FAINT, stroke_width=0.7, fill="none"))
        parts.append(svg.words(x, bottom + 14, f"{mark:.10g}", 10, text_anchor="middle", fill=svg.GREY))
    return parts


def whisker(analysis: AnalysisData, i: int, scale: Scale, y: float, step: float) -> str:
    """The score with its interval of the system at place `i`, in a row with middle `y` and height `step`."""
    board = analysis.leaderboard
    score, (low, high) = float(board.score[i]), board.interval[i]
    text = f"{board.system[i]}: {format_score(score)} {format_interval(float(low), float(high))}"
    parts = [svg.title(text)]
    if math.isfinite(low) and math.isfinite(high):
        ends = f"M{svg.number(scale.place(low))} {svg.number(y)}H{svg.number(scale.place(high))}"
        parts.append(svg.element("path", d=ends, stroke=BLUE, stroke_width=2, fill="none"))
    if math.isfinite(score):
        radius = min(4.0, step * 0.3)
        parts.append(
            svg.element("circle", cx=scale.place(score), cy=y, r=radius, fill=BLUE, stroke="#FFFFFF")
        )
    else:
        parts.append(svg.words(scale.left + 4, y + 3, "no score", 9, fill=svg.GREY))
    return svg.element("g", "".join(parts))
