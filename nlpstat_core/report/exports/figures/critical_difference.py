"""The critical-difference diagram as SVG: average ranks on a line, bars join systems that don't differ."""

from collections.abc import Callable

from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
from nlpstat_core.report.exports.data.names import short_names
from nlpstat_core.report.exports.figures import svg
from nlpstat_core.report.wording.ranks import average_ranks_sentence

MOST_SYSTEMS = 60
LINE_PIXELS = 460.0
ROW, BAR = 18.0, 9.0
FONT = 11.0


def critical_svg(found: AverageRanks) -> str:
    """The diagram of at most MOST_SYSTEMS: the better half is named at the left, the other at the right."""
    order, bars = found.order, found.groups
    k = len(order)
    ranks = found.average_rank[order]
    names = short_names([found.systems[i] for i in order], 28)
    labels = [f"{name}  {rank:.2f}" for name, rank in zip(names, ranks, strict=True)]
    side = max(svg.text_width(label, FONT) for label in labels) + 16
    line, wide = 74.0, 2 * side + LINE_PIXELS

    def place(rank: float) -> float:
        return side + 8 + (rank - 1) / max(k - 1, 1) * (LINE_PIXELS - 16)

    first_row = line + 14 + len(bars) * BAR + 14
    half = (k + 1) // 2
    parts = [*_ruler(found, place, line, k)]
    for i, label in enumerate(labels):
        left = i < half
        y = first_row + (i if left else k - 1 - i) * ROW
        end = side if left else wide - side
        path = f"M{svg.number(place(ranks[i]))} {svg.number(line)}V{svg.number(y)}H{svg.number(end)}"
        parts.append(svg.element("path", d=path, stroke=svg.GREY, stroke_width=0.8, fill="none"))
        x, anchor = (end - 5, "end") if left else (end + 5, "start")
        parts.append(svg.words(x, y + FONT * 0.35, label, FONT, text_anchor=anchor))
    for level, (first, last) in enumerate(bars):
        y = line + 14 + level * BAR
        path = f"M{svg.number(place(ranks[first]) - 2)} {svg.number(y)}H{svg.number(place(ranks[last]) + 2)}"
        parts.append(svg.element("path", d=path, stroke=svg.INK, stroke_width=4, fill="none"))
    high = first_row + half * ROW + 8
    title = f"Average ranks over {found.n_units:,} items, Nemenyi's test at {found.alpha:g}"
    parts.append(svg.words(8, 18, title, 13, font_weight="bold"))
    return svg.document((wide, high), title, average_ranks_sentence(found), parts)


def _ruler(found: AverageRanks, place: Callable[[float], float], line: float, k: int) -> list[str]:
    """The line of ranks with its marks, and the critical difference above it."""
    ends = f"M{svg.number(place(1))} {svg.number(line)}H{svg.number(place(k))}"
    parts = [svg.element("path", d=ends, stroke=svg.INK, stroke_width=1.2, fill="none")]
    step = 1 if k <= 20 else 5
    for mark in [1, *range(max(step, 2), k + 1, step)]:
        x = place(mark)
        path = f"M{svg.number(x)} {svg.number(line - 5)}V{svg.number(line)}"
        parts.append(svg.element("path", d=path, stroke=svg.INK, stroke_width=1, fill="none"))
        parts.append(svg.words(x, line - 8, f"{mark}", 9, text_anchor="middle", fill=svg.GREY))
    start, end = place(1), place(1 + found.critical_difference)
    y = line - 26
    path = f"M{svg.number(start)} {svg.number(y - 4)}v8m0-4H{svg.number(end)}m0-4v8"
    parts.append(svg.element("path", d=path, stroke=svg.INK, stroke_width=1.4, fill="none"))
    text = f"CD = {found.critical_difference:.3g}"
    parts.append(svg.words(end + 6, y + 4, text, FONT))
    return parts
