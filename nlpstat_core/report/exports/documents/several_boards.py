"""The overview of several boards as HTML and Markdown."""

from collections.abc import Sequence

from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.data.several_boards import replay_of_boards
from nlpstat_core.report.exports.documents.blocks import Document, Part, Section
from nlpstat_core.report.exports.documents.html import document_html
from nlpstat_core.report.exports.documents.markdown import document_md
from nlpstat_core.report.exports.tables.several_boards import overview_tables
from nlpstat_core.report.wording.several_boards import (
    KINDS,
    MEANS,
    boards_headline,
    boards_waiting,
    confidence_sentence,
    family_phrase,
    pooled_sentences,
)
from nlpstat_core.results.several_boards import BoardsData

REFERENCES = ("dror2017", "benjamini2008", "demsar2006", "nemenyi1963", "iman1980")


def boards_html(boards: BoardsData, sections: Sequence[Section] = ()) -> str:
    """The overview as a self-contained HTML file, with the sections that were chosen."""
    return document_html(_overview(boards, sections))


def boards_md(boards: BoardsData, sections: Sequence[Section] = ()) -> str:
    """The overview as Markdown, with the sections that were chosen."""
    return document_md(_overview(boards, sections))


def _overview(boards: BoardsData, sections: Sequence[Section]) -> Document:
    own = REFERENCES if boards.replicability is not None else ()
    told = () if boards_waiting(boards) else overview_tables(boards)
    tables = (Part("", table.title, (table,)) for table in told)
    return Document(
        _title(boards),
        boards_headline(boards),
        sentences=_sentences(boards),
        notes=boards.notes,
        parts=(*tables, *(section.part for section in sections)),
        cited=tuple(dict.fromkeys((*own, *(key for section in sections for key in section.cited)))),
        settings=json_text(replay_of_boards(boards)),
        footer=(boards.signature,),
    )


def _title(boards: BoardsData) -> str:
    source = next(iter(boards.analyses.values())).scores.source
    return (
        f"{len(boards)} {KINDS[boards.each]}: {source}" if source else f"{len(boards)} {KINDS[boards.each]}"
    )


def _sentences(boards: BoardsData) -> tuple[str, ...]:
    lines = [family_phrase(boards)]
    if boards_waiting(boards):
        return tuple(lines)
    if boards.replicability is not None:
        lines += [confidence_sentence(boards.replicability, True), MEANS]
    if boards.pooled is not None:
        lines += pooled_sentences(boards.pooled)
    return tuple(lines)
