"""A report as one HTML file: offline, printable, tables that sort, nothing a strict policy forbids."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents.blocks import Document, Figure
from nlpstat_core.report.exports.tables.table import Table

SEVERITIES = ("problem", "caution", "info")


def text(words: str) -> str:
    """Text as HTML: control characters visible, nothing that could be markup.

    >>> text("<b> & 'x'")
    '&lt;b&gt; &amp; &#x27;x&#x27;'
    """
    return escape(visible(words))


def document_html(document: Document, *, sortable: bool = True) -> str:
    """A report as one HTML file that lets only its own style and script run; the script sorts tables."""
    style, script = _own("report.css"), _own("report.js") if sortable else ""
    template = _templates().get_template("document.html")
    return template.render(document=document, style=style, script=script) + "\n"


def table_html(table: Table) -> str:
    """A table; sorting needs the page's script, reading does not."""
    drawn: str = _blocks().table(table)
    return drawn.rstrip("\n")


@cache
def _templates() -> Environment:
    """Templates, read from the disk once. What they draw is text, whatever it holds; only Markup isn't."""
    from jinja2 import Environment, PackageLoader  # a tenth of a second that only whoever writes HTML pays

    made = Environment(
        loader=PackageLoader("nlpstat_core.report.exports.documents"),
        autoescape=True,
        auto_reload=False,
        finalize=_as_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"digest": _digest, "lines": _lines, "drawn": _drawn, "by_severity": _by_severity}
    return made


@cache
def _blocks() -> Any:
    return _templates().get_template("blocks.html").module


@cache
def _own(name: str) -> Markup:
    """A style or script of our own."""
    environment = _templates()
    assert environment.loader is not None
    return Markup("\n" + environment.loader.get_source(environment, name)[0])


def _as_text(value: object) -> object:
    """Whatever a template draws, as HTML."""
    return value if isinstance(value, Markup) else Markup(text(str(value)))


def _digest(code: str) -> str:
    return base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode("ascii")


def _lines(words: str) -> Markup:
    """Text of several lines: `visible` shows a line break as a blank."""
    return Markup("\n".join(text(line) for line in words.rstrip("\n").split("\n")))


def _drawn(figure: Figure) -> Markup:
    return Markup(figure.markup("html"))


def _by_severity(notes: Sequence[Note]) -> list[Note]:
    """The most serious first."""
    return sorted(notes, key=lambda note: SEVERITIES.index(note.severity))
