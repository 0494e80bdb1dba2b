"""The methods paragraph as text, with a citation style for each format."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlpstat_core.exports.bibtex import bibtex, citation
from nlpstat_core.exports.names import visible
from nlpstat_core.wording.methods import cited, methods

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis
    from nlpstat_core.wording.found import Statement


def paragraph(
    statements: tuple[Statement, ...],
    escape: Callable[[str], str] = visible,
    cite: Callable[[tuple[str, ...]], str] | None = None,
) -> str:
    """Statements as one paragraph.

    Parameters
    ----------
    statements : tuple of Statement
    escape : callable
        Text → markup of the format.
    cite : callable or None
        Reference keys → citation with the blank before it; None gives " (Author, year)".

    Returns
    -------
    str
    """
    cite = cite or (lambda keys: escape(f" ({'; '.join(citation(key) for key in keys)})"))
    return " ".join(
        f"{escape(statement.text)}{cite(statement.references) if statement.references else ''}."
        for statement in statements
    )


def methods_text(analysis: Analysis) -> str:
    """The methods paragraph as plain text.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    return paragraph(methods(analysis)) + "\n"


def references_bib(analysis: Analysis) -> str:
    """The publications that the methods paragraph cites, as a BibTeX file.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    return bibtex(cited(methods(analysis)))
