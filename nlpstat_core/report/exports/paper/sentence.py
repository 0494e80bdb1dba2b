"""The sentences for a paper, ready to be pasted: as text, LaTeX and Markdown, with what they cite."""

from dataclasses import dataclass

from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.documents import markdown
from nlpstat_core.report.exports.documents.bibtex import bibtex
from nlpstat_core.report.exports.documents.blocks import Prose
from nlpstat_core.report.exports.documents.latex_text import BREAK_EVERY, LONGEST_WORD
from nlpstat_core.report.exports.paper.floats import OTHER_SCRIPTS, name_text
from nlpstat_core.report.wording.methods import cited
from nlpstat_core.report.wording.paper import paper_statements
from nlpstat_core.results.analysis import AnalysisData


@dataclass(frozen=True)
class PaperSentence:
    """What a paper says of a board.

    latex: Needs no package; cites by `references`.
    markdown: Cites as pandoc reads it.
    references: Keys of the BibTeX entries.
    """

    text: str
    latex: str
    markdown: str
    references: tuple[str, ...]
    bibtex: str


def paper_sentence(analysis: AnalysisData) -> PaperSentence | None:
    """The sentences for a paper; None while how the file was read is in doubt."""
    statements = paper_statements(analysis)
    if not statements:
        return None
    keys = cited(statements)
    latex, written = [], []
    for one in statements:
        cites = f"~\\cite{{{','.join(one.references)}}}" if one.references else ""
        latex.append(f"{_latex(one.text)}{cites}.")
        at = "; ".join(f"@{key}" for key in one.references)
        written.append(markdown.text(one.text) + (f" [{at}]." if at else "."))
    tex = " ".join(latex)
    if "\\othertext" in tex:
        tex = "\n".join((*OTHER_SCRIPTS, tex))
    return PaperSentence(
        text=visible(Prose(statements).text),
        latex=tex,
        markdown=" ".join(written),
        references=keys,
        bibtex=bibtex(keys) if keys else "",
    )


def _latex(words: str) -> str:
    """Sentences as LaTeX; words too long for a line, such as a fingerprint, may be broken."""
    return " ".join(
        "\\allowbreak{}".join(
            name_text(word[start : start + BREAK_EVERY]) for start in range(0, len(word), BREAK_EVERY)
        )
        if len(word) > LONGEST_WORD
        else name_text(word)
        for word in visible(words).split(" ")
    )
