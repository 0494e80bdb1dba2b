"""The overview of several boards as HTML and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.formatting import format_score
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.data.several_boards import replay_of_boards
from nlpstat_core.report.exports.documents import html, markdown
from nlpstat_core.report.exports.documents.bibtex import bibtex
from nlpstat_core.report.exports.tables.table import Cell, Column, Table
from nlpstat_core.report.wording import top_group
from nlpstat_core.report.wording.several_boards import (
    KINDS,
    MEANS,
    ONE,
    boards_headline,
    confidence_sentence,
    family_phrase,
    listed,
    pooled_sentences,
)

if TYPE_CHECKING:
    from nlpstat_core.report.exports.documents.content import Section
    from nlpstat_core.results.several_boards import BoardsData, PooledData, Replicability

MOST_SYSTEMS = 60
MOST_PAIRS = 2_000
REFERENCES = ("dror2017", "benjamini2008", "demsar2006", "nemenyi1963", "iman1980")


def overview_tables(boards: BoardsData) -> tuple[Table, ...]:
    """Everything the overview shows, as tables of text."""
    tables = [_boards_table(boards)]
    if boards.replicability is not None:
        tables.append(_replicability_table(boards.replicability))
    if boards.pooled is not None and boards.pooled.ranks is not None:
        tables.append(_ranks_table(boards.pooled))
    tables.append(_agreement_table(boards))
    return tuple(tables)


def boards_html(boards: BoardsData, sections: Sequence[Section] = ()) -> str:
    """The overview as a self-contained HTML file, with the sections that were chosen."""
    title, keys = _title(boards), _cited(boards, sections)
    parts = [
        f"<h1>{html.text(title)}</h1>",
        f'<p class="headline">{html.text(boards_headline(boards))}</p>',
        *(f"<p>{html.text(sentence)}</p>" for sentence in _sentences(boards)),
        *(
            f'<p class="note {note.severity}"><strong>{note.severity}</strong> {html.text(note.text)}</p>'
            for note in boards.notes
        ),
        *(f"<h2>{html.text(table.title)}</h2>{html.table_html(table)}" for table in overview_tables(boards)),
        *(part for section in sections for part in html.section_html(section)),
        *([html.folded("References (BibTeX)", bibtex(keys))] if keys else []),
        html.folded("Settings (replay.json)", json_text(replay_of_boards(boards))),
        f"<footer><p>{html.text(boards.signature)}</p></footer>",
    ]
    return html.page(title, parts, html.SCRIPT)


def boards_md(boards: BoardsData, sections: Sequence[Section] = ()) -> str:
    """The overview as Markdown, with the sections that were chosen."""
    keys = _cited(boards, sections)
    parts = [
        f"# {markdown.text(_title(boards))}",
        f"**{markdown.text(boards_headline(boards))}**",
        *(markdown.text(sentence) for sentence in _sentences(boards)),
        "\n".join(f"* **{note.severity}**: {markdown.text(note.text)}" for note in boards.notes),
    ]
    for table in overview_tables(boards):
        parts += [f"## {markdown.text(table.title)}", markdown.table_md(table)]
    parts += [part for section in sections for part in markdown.section_md(section)]
    if keys:
        parts.append(f"```bibtex\n{bibtex(keys)}```")
    parts.append(markdown.text(boards.signature))
    return "\n\n".join(part for part in parts if part) + "\n"


def _cited(boards: BoardsData, sections: Sequence[Section]) -> tuple[str, ...]:
    own = REFERENCES if boards.replicability is not None else ()
    keys = [key for section in sections for one in section.statements for key in one.references]
    return tuple(dict.fromkeys((*own, *keys)))


def _title(boards: BoardsData) -> str:
    source = next(iter(boards.analyses.values())).scores.source
    return (
        f"{len(boards)} {KINDS[boards.each]}: {source}" if source else f"{len(boards)} {KINDS[boards.each]}"
    )


def _sentences(boards: BoardsData) -> tuple[str, ...]:
    lines = [family_phrase(boards)]
    if boards.replicability is not None:
        lines += [confidence_sentence(boards.replicability, True), MEANS]
    if boards.pooled is not None:
        lines += pooled_sentences(boards.pooled)
    return tuple(lines)


def _boards_table(boards: BoardsData) -> Table:
    columns = (
        Column(ONE[boards.each].capitalize()),
        Column("Better"),
        *(Column(label, True) for label in ("Systems", "Units", "Pairs", "Separated")),
        Column("Top group"),
    )
    rows = []
    for name, analysis in boards.analyses.items():
        counts = (
            analysis.units.n_systems,
            analysis.units.n_scored,
            len(analysis.pairs),
            int(analysis.pairs.separated.sum()),
        )
        rows.append(
            (
                Cell(name, name=True),
                Cell("lower" if analysis.scores.lower_is_better else "higher"),
                *(Cell(f"{count:,}", float(count)) for count in counts),
                Cell(listed(top_group(analysis.leaderboard)), name=True),
            )
        )
    return Table(f"All {KINDS[boards.each]}", columns, tuple(rows))


def _replicability_table(found: Replicability) -> Table:
    """Counts that hold together, systems with the most wins first."""
    counts = found.matrix(together=True)
    order = np.argsort(-np.nansum(counts, axis=1), kind="stable")[:MOST_SYSTEMS]
    columns = (Column("Row beats column"), *(Column(found.systems[i], True) for i in order))
    rows = tuple(
        (
            Cell(found.systems[i], name=True),
            *(
                Cell("" if np.isnan(counts[i, j]) else f"{counts[i, j]:.0f}", float(counts[i, j]))
                for j in order
            ),
        )
        for i in order
    )
    left = len(found.systems) - len(order)
    remark = f"{left:,} more systems are in replicability.csv." if left else ""
    title = f"In how many of {len(found.datasets)} data sets does the row beat the column?"
    return Table(title, columns, rows, remark)


def _ranks_table(found: PooledData) -> Table:
    ranks = found.ranks
    assert ranks is not None
    order = np.argsort(ranks.average_rank, kind="stable")
    rows = tuple(
        (
            Cell(ranks.systems[i], name=True),
            Cell(format_score(float(ranks.average_rank[i])), float(ranks.average_rank[i])),
        )
        for i in order
    )
    remark = f"Critical difference at {ranks.alpha:g}: {format_score(ranks.critical_difference)}."
    return Table(
        "Average ranks over data sets", (Column("System"), Column("Average rank", True)), rows, remark
    )


def _agreement_table(boards: BoardsData) -> Table:
    found = boards.agreement
    kinds = KINDS[boards.each]
    columns = (
        Column("System a"),
        Column("System b"),
        *(Column(label, True) for label in (kinds.capitalize(), "a better", "b better", "not separated")),
    )
    # What the boards disagree on comes first.
    order = np.lexsort((found.alike / np.maximum(found.boards, 1), ~found.contradicting))[:MOST_PAIRS]
    names_a, names_b = found.system_a, found.system_b
    rows = tuple(
        (
            Cell(names_a[i], name=True),
            Cell(names_b[i], name=True),
            *(
                Cell(f"{column[i]:,}", float(column[i]))
                for column in (found.boards, found.for_a, found.for_b, found.neither)
            ),
        )
        for i in order
    )
    left = len(found) - len(order)
    remark = f"{left:,} more pairs are in agreement.csv." if left else ""
    return Table(f"Pair by pair over {kinds}", columns, rows, remark)
