"""Methods and results as text, with a citation style for each format."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlpstat_core.exports.bibtex import bibtex, citation
from nlpstat_core.exports.names import visible
from nlpstat_core.wording.methods import cited, methods

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis
    from nlpstat_core.wording.found import Statement


def paragraphs(
    statements: tuple[Statement, ...],
    escape: Callable[[str], str] = visible,
    cite: Callable[[tuple[str, ...]], str] | None = None,
) -> tuple[tuple[str, str], ...]:
    """Statements as paragraphs, each with its heading.

    Parameters
    ----------
    statements : tuple of Statement
    escape : callable
        Text → markup of the format.
    cite : callable or None
        Reference keys → citation with the blank before it; None gives " (Author, year)".

    Returns
    -------
    tuple of (str, str)
        Heading, and the paragraph as markup.
    """
    cite = cite or (lambda keys: escape(f" ({'; '.join(citation(key) for key in keys)})"))
    told: dict[str, list[str]] = {}
    for statement in statements:
        citations = cite(statement.references) if statement.references else ""
        told.setdefault(statement.heading, []).append(f"{escape(statement.text)}{citations}.")
    return tuple((heading, " ".join(sentences)) for heading, sentences in told.items())


def methods_text(analysis: Analysis) -> str:
    """Methods and results as plain text, a paragraph each.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    return "\n\n".join(text for _, text in paragraphs(methods(analysis))) + "\n"


def references_bib(analysis: Analysis) -> str:
    """The publications that methods and results cite, as a BibTeX file.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    return bibtex(cited(methods(analysis)))
