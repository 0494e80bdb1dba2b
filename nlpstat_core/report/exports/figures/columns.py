"""Columns of text at the left of a figure: one line a system, on the board and in the forest plot."""

from collections.abc import Sequence

from nlpstat_core.report.exports.figures import svg

ROW, FONT = 20.0, 11.0
TOP = 52.0  # where the first line begins


def text_columns(columns: Sequence[tuple[str, Sequence[str], str]]) -> tuple[list[str], float]:
    """Draw columns, each as wide as its longest text.

    columns (sequence of (title, texts, anchor)): The anchor is "start" or "end".
    Returns parts: SVG elements.
    Returns left: Where the figure goes on.
    """
    parts, left = [], 8.0
    for title, texts, anchor in columns:
        wide = max(svg.text_width(text, FONT) for text in (*texts, title))
        x = left + wide if anchor == "end" else left
        parts.append(svg.words(x, TOP - 8, title, 10, fill=svg.GREY, text_anchor=anchor))
        parts += [
            svg.words(x, TOP + (i + 0.68) * ROW, text, FONT, text_anchor=anchor)
            for i, text in enumerate(texts)
        ]
        left += wide + 12
    return parts, left
