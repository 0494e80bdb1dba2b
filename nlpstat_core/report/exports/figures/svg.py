"""SVG by plain string building: no attribute that a strict content policy forbids, no font files."""

from collections.abc import Iterable, Sequence
from html import escape

from nlpstat_core.report.exports.data.names import visible, width

INK, GREY, FAINT = "#1A1A1A", "#5A5F66", "#C9CCD1"
FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
# Mean width of a column of text in such a typeface, in parts of its size; wide enough for capitals.
COLUMN = 0.58
# Of figures with a line a system: its height, the size of its text, and where the first begins.
ROW, TEXT, TOP = 20.0, 11.0, 52.0


def text_width(text: str, size: float) -> float:
    """About how wide a text comes out, pixels."""
    return width(text) * size * COLUMN


def number(value: float) -> str:
    """A coordinate with at most two decimals.

    >>> number(3.0), number(0.125)
    ('3', '0.12')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(tag: str, content: str = "", **attributes: object) -> str:
    """One element; underscores in attribute names become hyphens.

    content: Markup, already escaped.
    **attributes: Numbers are written with two decimals, text is escaped.

    >>> element("line", x1=0, stroke_width=0.5)
    '<line x1="0" stroke-width="0.5"/>'
    """
    text = "".join(
        f' {name.replace("_", "-")}="'
        f'{number(value) if isinstance(value, (int, float)) else escape(str(value))}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{text}>{content}</{tag}>" if content else f"<{tag}{text}/>"


def words(x: float, y: float, text: str, size: float = 11, **attributes: object) -> str:
    """A line of text; control characters of names become visible."""
    style = {"fill": INK, **attributes}
    return element("text", escape(visible(text)) or " ", x=x, y=y, font_size=size, **style)


def title(text: str) -> str:
    """What hovering over the element around it tells."""
    return f"<title>{escape(visible(text))}</title>"


def document(size: tuple[float, float], name: str, description: str, parts: Iterable[str]) -> str:
    """A whole figure on white.

    name, description: For screen readers; the description carries signature and fingerprint.
    Returns: Valid as a file of its own and inside HTML.
    """
    wide, high = number(size[0]), number(size[1])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'role="img" font-family="{FONT}">\n{title(name)}\n<desc>{escape(visible(description))}</desc>\n'
        f'<rect width="{wide}" height="{high}" fill="#FFFFFF"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def provenance(signature: str, fingerprint: str, wide: float, y: float) -> tuple[list[str], float]:
    """Signature and fingerprint in small print, broken where they are too long; and where it ends."""
    size = 7.5
    fits = max(20, int((wide - 16) / (size * COLUMN)))
    lines: list[str] = []
    line = ""
    for part in signature.split("|"):
        joined = f"{line}|{part}" if line else part
        if line and width(joined) > fits:
            lines.append(line + "|")
            joined = part
        line = joined
    sentences = [
        *lines,
        line,
        *(f"data {fingerprint}"[i : i + fits] for i in range(0, len(fingerprint) + 5, fits)),
    ]
    drawn = [words(8, y + i * (size + 2), text, size, fill=GREY) for i, text in enumerate(sentences)]
    return drawn, y + len(sentences) * (size + 2)


def text_columns(columns: Sequence[tuple[str, Sequence[str], str]]) -> tuple[list[str], float]:
    """Draw columns, each as wide as its longest text.

    columns (sequence of (title, texts, anchor)): The anchor is "start" or "end".
    Returns parts: SVG elements.
    Returns left: Where the figure goes on.
    """
    parts, left = [], 8.0
    for head, texts, anchor in columns:
        wide = max(text_width(text, TEXT) for text in (*texts, head))
        x = left + wide if anchor == "end" else left
        parts.append(words(x, TOP - 8, head, 10, fill=GREY, text_anchor=anchor))
        parts += [
            words(x, TOP + (i + 0.68) * ROW, text, TEXT, text_anchor=anchor) for i, text in enumerate(texts)
        ]
        left += wide + 12
    return parts, left
