"""Methods and results as text."""

from collections.abc import Sequence

from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents.bibtex import bibtex
from nlpstat_core.report.exports.documents.blocks import Section, prose_by_heading
from nlpstat_core.report.wording.methods import cited, methods
from nlpstat_core.results.analysis import AnalysisData


def methods_text(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """Methods and results as plain text, a paragraph each, then a paragraph for every chosen section."""
    lines = [prose.text for prose in prose_by_heading(methods(analysis)).values()]
    lines += [
        " ".join(prose.text for prose in prose_by_heading(section.statements).values())
        for section in sections
    ]
    return "\n\n".join(map(visible, lines)) + "\n"


def references_bib(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The publications that methods, results and chosen sections cite, as a BibTeX file."""
    keys = (key for section in sections for key in section.cited)
    return bibtex(dict.fromkeys((*cited(methods(analysis)), *keys)))
