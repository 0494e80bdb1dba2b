"""A report as Markdown."""

import re
from collections.abc import Iterable, Sequence

from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents.bibtex import bibtex
from nlpstat_core.report.exports.documents.blocks import Block, Document, Notes, Part, Prose
from nlpstat_core.report.exports.tables.table import Table

_SPECIAL = re.compile(r"([\\`*_\[\]<>|$~&#@^])")
_LINKS = re.compile(r"(?i)(www|https?|ftp|mailto|xmpp)([.:])")


def text(words: str) -> str:
    """Text as Markdown: no emphasis, link, table cell, formula or HTML from a name.

    >>> print(text("a|b *c* <img>"))
    a\\|b \\*c\\* &lt;img&gt;
    """
    escaped = _SPECIAL.sub(_one, visible(words))
    return _LINKS.sub(r"\1\\\2", escaped)


def _one(found: re.Match[str]) -> str:
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(found[1], f"\\{found[1]}")


def document_md(document: Document) -> str:
    """A report as Markdown."""
    parts = [
        f"# {text(document.title)}",
        f"**{text(document.headline)}**",
        *map(text, document.sentences),
        _notes(document.notes),
        *(_part(part) for part in document.parts),
        f"```bibtex\n{bibtex(document.cited)}```" if document.cited else "",
        "\n".join(map(text, document.footer)),
    ]
    return _joined(parts) + "\n"


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _part(part: Part) -> str:
    """A part under its heading; a table that stands alone is its own heading."""
    if len(part.blocks) == 1 and isinstance(part.blocks[0], Table):
        return f"## {text(part.blocks[0].title)}\n\n{table_md(part.blocks[0])}"
    body = _joined(map(_block, part.blocks))
    return f"## {text(part.heading)}\n\n{body}" if part.heading and body else body


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return f"**{text(block.title)}**\n\n{table_md(block)}"
    if isinstance(block, Notes):
        return _notes(block.notes)
    return text(block.text) if isinstance(block, Prose) else block.markup("markdown")


def _notes(notes: Sequence[Note]) -> str:
    return "\n".join(f"* **{note.severity}**: {text(note.text)}" for note in notes)


def table_md(table: Table) -> str:
    """A table; cluster lines are told by the cluster's column."""
    heads = " | ".join(text(column.label) for column in table.columns)
    rule = " | ".join("---:" if column.numbers else "---" for column in table.columns)
    rows = [f"| {' | '.join(text(cell.text) for cell in row)} |" for row in table.rows]
    lines = "\n".join([f"| {heads} |", f"| {rule} |", *rows])
    return f"{lines}\n\n{text(table.remark)}" if table.remark else lines
