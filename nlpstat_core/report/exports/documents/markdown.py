"""The report as Markdown: tables and a grid of signs that need no picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents.bibtex import bibtex
from nlpstat_core.report.exports.documents.content import Section, report
from nlpstat_core.report.exports.documents.methods_text import paragraphs
from nlpstat_core.report.exports.tables.square import SIGN_WORDS, SIGNS, Square, signs_used, square
from nlpstat_core.report.exports.tables.table import Table
from nlpstat_core.report.wording.few_units import MARK, legend_words

if TYPE_CHECKING:
    from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS, MOST_PAIRS = 500, 500
MOST_IN_GRID = 40
_SPECIAL = re.compile(r"([\\`*_\[\]<>|$~&#@^])")
_LINKS = re.compile(r"(?i)(www|https?|ftp|mailto|xmpp)([.:])")


def text(words: str) -> str:
    """Text as Markdown: no emphasis, link, table cell, formula or HTML from a name.

    Parameters
    ----------
    words : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(text("a|b *c* <img>"))
    a\\|b \\*c\\* &lt;img&gt;
    """
    escaped = _SPECIAL.sub(_one, visible(words))
    return _LINKS.sub(r"\1\\\2", escaped)


def _one(found: re.Match[str]) -> str:
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(found[1], f"\\{found[1]}")


def report_md(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The report of an analysis as Markdown, with the sections that were chosen."""
    content = report(analysis, most_systems=MOST_SYSTEMS, most_pairs=MOST_PAIRS, sections=sections)
    parts = [
        f"# {text(content.title)}",
        f"**{text(content.headline)}**",
        text(content.second_line),
        _notes(content.notes),
        f"## {text(content.board.title)}",
        table_md(content.board),
        *_grid(analysis),
        f"## {text(content.pairs.title)}",
        table_md(content.pairs),
        *(f"## {heading}\n\n{sentence}" for heading, sentence in paragraphs(content.methods, text)),
        *(part for section in content.sections for part in section_md(section)),
        f"## {text(content.systems.title)}",
        table_md(content.systems),
        *_variation(content.variation),
        f"```bibtex\n{bibtex(content.cited)}```",
        f"{text(content.signature)}\n{text(content.fingerprint)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _notes(notes: Sequence[Note]) -> str:
    return "\n".join(f"* **{note.severity}**: {text(note.text)}" for note in notes)


def section_md(section: Section) -> list[str]:
    """A section that was chosen."""
    return [
        f"## {text(section.title)}",
        *(sentence for _, sentence in paragraphs(section.statements, text)),
        _notes(section.notes),
        *(part for table in section.tables for part in (f"**{text(table.title)}**", table_md(table))),
    ]


def _variation(table: Table | None) -> list[str]:
    return [] if table is None else [f"## {text(table.title)}", table_md(table)]


def table_md(table: Table) -> str:
    """A table; cluster lines are told by the cluster's column."""
    heads = " | ".join(text(column.label) for column in table.columns)
    rule = " | ".join("---:" if column.numbers else "---" for column in table.columns)
    rows = [f"| {' | '.join(text(cell.text) for cell in row)} |" for row in table.rows]
    lines = "\n".join([f"| {heads} |", f"| {rule} |", *rows])
    return f"{lines}\n\n{text(table.remark)}" if table.remark else lines


def _grid(analysis: AnalysisData) -> list[str]:
    """Signs of all pairs of the first systems, numbered as on the leaderboard."""
    drawn = square(analysis, MOST_IN_GRID)
    if drawn.size < 3:
        return []
    lines = [f"{SIGNS[code]} {SIGN_WORDS[code]}" for code in signs_used(drawn.verdict)]
    lines += [marked] if (marked := legend_words(analysis)) else []
    legend = " · ".join([*lines, f"(·) {SIGN_WORDS[0]}"])
    some = "" if drawn.size == len(analysis.leaderboard) else f" (the first {drawn.size})"
    return [
        "## All pairs",
        f"Rows and columns are the systems in the order of the leaderboard{some}. {legend}",
        f"```text\n{_grid_lines(drawn)}\n```",
    ]


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
