"""Methods and results as text, with a citation style for each format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents.bibtex import bibtex, citation
from nlpstat_core.report.wording.methods import cited, methods

if TYPE_CHECKING:
    from nlpstat_core.report.exports.documents.content import Section
    from nlpstat_core.report.wording.statements import Statement
    from nlpstat_core.results.analysis import AnalysisData


def paragraphs(
    statements: tuple[Statement, ...],
    escape: Callable[[str], str] = visible,
    cite: Callable[[tuple[str, ...]], str] | None = None,
) -> tuple[tuple[str, str], ...]:
    """Statements as paragraphs, each with its heading.

    escape: Text → markup of the format.
    cite: Reference keys → citation with the blank before it; None gives " (Author, year)".
    Returns tuple of (str, str): Heading, and the paragraph as markup.
    """
    cite = cite or (lambda keys: escape(f" ({'; '.join(citation(key) for key in keys)})"))
    by_heading: dict[str, list[str]] = {}
    for statement in statements:
        citations = cite(statement.references) if statement.references else ""
        by_heading.setdefault(statement.heading, []).append(f"{escape(statement.text)}{citations}.")
    return tuple((heading, " ".join(sentences)) for heading, sentences in by_heading.items())


def methods_text(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """Methods and results as plain text, a paragraph each, then a paragraph for every chosen section."""
    lines = [text for _, text in paragraphs(methods(analysis))]
    lines += [" ".join(text for _, text in paragraphs(section.statements)) for section in sections]
    return "\n\n".join(lines) + "\n"


def references_bib(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The publications that methods, results and chosen sections cite, as a BibTeX file."""
    statements = [statement for section in sections for statement in section.statements]
    return bibtex(cited((*methods(analysis), *statements)))
