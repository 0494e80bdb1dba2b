"""The report as one HTML file: offline, printable, tables that sort, nothing a strict policy forbids."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.bibtex import bibtex
from nlpstat_core.report.exports.documents.content import Section, report
from nlpstat_core.report.exports.documents.methods_text import paragraphs
from nlpstat_core.report.exports.figures.intervals import interval_svg
from nlpstat_core.report.exports.figures.matrix import matrix_svg
from nlpstat_core.report.exports.tables.table import Cell, Table

if TYPE_CHECKING:
    from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS, MOST_PAIRS = 1_000, 2_000

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 Helvetica, Arial, "Liberation Sans", "Noto Sans", sans-serif; color: #1a1a1a;
  background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
.headline { font-size: 1.15rem; overflow-wrap: anywhere; }
/* A shadow stands where a table goes on; its cover moves with the table and hides it at the end. */
.scroll { overflow-x: auto; background: linear-gradient(to right, #fff 40%, #fff0) 0 / 2.5rem 100% local,
  linear-gradient(to left, #fff 40%, #fff0) 100% / 2.5rem 100% local,
  linear-gradient(to right, #0003, #0000) 0 / .7rem 100% scroll,
  linear-gradient(to left, #0003, #0000) 100% / .7rem 100% scroll; background-repeat: no-repeat; }
@media screen and (min-width: 66rem) { /* wide tables use the room beside the text */
  .scroll { position: relative; left: 50%; transform: translateX(-50%);
    width: max-content; min-width: 100%; max-width: calc(100vw - 3rem); }
}
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: .25rem 0; }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #e3e5e8; }
th { border-top: 2px solid #1a1a1a; border-bottom: 1px solid #1a1a1a; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 2px solid #1a1a1a; }
tbody tr:hover td { background: #f5f6f7; }
.n { text-align: right; white-space: nowrap; }
td bdi { overflow-wrap: anywhere; display: inline-block; min-width: 6.5rem; }
th button { font: inherit; font-weight: bold; border: 0; padding: 0; background: none; color: inherit;
  cursor: pointer; }
th button:hover, th button:focus-visible { text-decoration: underline; }
th[aria-sort="ascending"] button::after { content: " \\2191"; }
th[aria-sort="descending"] button::after { content: " \\2193"; }
table:not(.sorted) tr.line td { border-bottom: 2px solid #d55e00; }
.remark, footer { color: #5a5f66; font-size: .875rem; }
.note { border-left: 4px solid #c9ccd1; padding: .1rem .75rem; margin: .4rem 0; overflow-wrap: anywhere; }
.note.caution { border-color: #e69f00; } .note.problem { border-color: #d55e00; }
figure { margin: 1rem 0; overflow-x: auto; } svg { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere;
  font-size: .8rem; background: #f5f6f7; padding: .75rem; }
p { overflow-wrap: anywhere; }
@page { margin: 14mm; }
@media print {
  body { max-width: none; margin: 0; font-size: 10pt; } table { font-size: 8pt; }
  thead { display: table-header-group; } tr, figure, .note { break-inside: avoid; }
  .scroll { background: none; }
  h2 { break-after: avoid; } .scroll, figure { overflow: visible; } details { display: none; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""

SCRIPT = """
for (const table of document.querySelectorAll('table')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      const key = row => row.cells[column].dataset.k ?? row.cells[column].textContent;
      const number = head.classList.contains('n');
      const rows = [...table.tBodies[0].rows].map((row, place) => ({row, place, key: key(row)}));
      const gone = entry => entry.key === '' || entry.key === 'nan';
      rows.sort((x, y) => gone(x) - gone(y) || (gone(x) ? 0 : (down ? -1 : 1) *
        (number ? x.key - y.key : x.key.localeCompare(y.key))) || x.place - y.place);
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      table.classList.add('sorted');
      table.tBodies[0].append(...rows.map(entry => entry.row));
    });
  });
}
"""


def text(words: str) -> str:
    """Text as HTML: control characters visible, nothing that could be markup.

    Examples
    --------
    >>> text("<b> & 'x'")
    '&lt;b&gt; &amp; &#x27;x&#x27;'
    """
    return escape(visible(words))


def report_html(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The report of an analysis as a self-contained HTML file, with the sections that were chosen."""
    content = report(analysis, most_systems=MOST_SYSTEMS, most_pairs=MOST_PAIRS, sections=sections)
    config = {**analysis.config.to_dict(), "reading": dict(analysis.scores.reading)}
    parts = [
        f"<h1>{text(content.title)}</h1>",
        f'<p class="headline">{text(content.headline)}</p>',
        *([f"<p>{text(content.second_line)}</p>"] if content.second_line else []),
        *notes_html(content.notes),
        "<h2>Leaderboard</h2>",
        table_html(content.board),
        f"<figure>{interval_svg(analysis)}</figure>",
        "<h2>All pairs</h2>",
        f"<figure>{matrix_svg(analysis)}</figure>",
        table_html(content.pairs),
        *(
            f"<h2>{heading}</h2>\n<p>{sentence}</p>"
            for heading, sentence in paragraphs(content.methods, text)
        ),
        *(part for section in content.sections for part in section_html(section)),
        "<h2>Systems</h2>",
        table_html(content.systems),
        *_variation(content.variation),
        folded("References (BibTeX)", bibtex(content.cited)),
        folded("Settings (replay.json)", json_text(config)),
        f"<footer><p>{text(content.signature)}<br>{text(content.fingerprint)}</p></footer>",
    ]
    return page(content.title, parts, SCRIPT)


def section_html(section: Section) -> list[str]:
    """A section that was chosen."""
    return [
        f"<h2>{text(section.title)}</h2>",
        *(f"<p>{sentence}</p>" for _, sentence in paragraphs(section.statements, text)),
        *notes_html(section.notes),
        *(table_html(table) for table in section.tables),
    ]


def _variation(table: Table | None) -> list[str]:
    return [] if table is None else [f"<h2>{text(table.title)}</h2>", table_html(table)]


def page(title: str, parts: list[str], script: str = "") -> str:
    """A whole HTML file with a content policy that lets only its own style and script run.

    parts: Markup of the body.
    script: "" for none.
    """
    allowed = f"'sha256-{_digest(script)}'" if script else "'none'"
    policy = f"default-src 'none'; style-src 'sha256-{_digest(STYLE)}'; script-src {allowed}; base-uri 'none'"
    body = "\n".join(parts)
    ending = f"<script>{script}</script>\n" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n{ending}</body>\n</html>\n"
    )


def _digest(code: str) -> str:
    return base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode("ascii")


def folded(title: str, lines: str) -> str:
    """Lines of code that open on a click."""
    return f"<details><summary>{text(title)}</summary><pre>{text_lines(lines)}</pre></details>"


def text_lines(words: str) -> str:
    """Text of several lines as HTML."""
    return "\n".join(text(line) for line in words.rstrip("\n").split("\n"))


def notes_html(notes: Sequence[Note]) -> list[str]:
    """Notes, the most serious first."""
    order = ("problem", "caution", "info")
    notes = sorted(notes, key=lambda note: order.index(note.severity))
    return [
        f'<p class="note {note.severity}"><strong>{note.severity}</strong> {text(note.text)}</p>'
        for note in notes
    ]


def table_html(table: Table) -> str:
    """A table; sorting needs the page's script, reading does not."""
    lines = set(table.lines)
    heads = "".join(
        f'<th scope="col"{_right(column.numbers)}>{text(column.label)}</th>' for column in table.columns
    )
    rows = []
    for place, row in enumerate(table.rows, start=1):
        cells = "".join(_cell(cell, column.numbers) for cell, column in zip(row, table.columns, strict=True))
        line = ' class="line"' if place in lines else ""
        rows.append(f"<tr{line}>{cells}</tr>")
    body = "\n".join(rows)
    remark = f'\n<p class="remark">{text(table.remark)}</p>' if table.remark else ""
    return (
        f'<div class="scroll"><table><caption>{text(table.title)}</caption>\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>{remark}"
    )


def _right(numbers: bool) -> str:
    return ' class="n"' if numbers else ""


def _cell(cell: Cell, numbers: bool) -> str:
    key = "" if cell.key is None else f' data-k="{cell.key!r}"'
    shown = f"<bdi>{text(cell.text)}</bdi>" if cell.name else text(cell.text)
    return f"<td{_right(numbers)}{key}>{shown}</td>"
