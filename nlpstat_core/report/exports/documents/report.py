"""The report of an analysis: one document, drawn as HTML, Markdown and LaTeX; its methods as plain text."""

from collections.abc import Sequence
from functools import partial

from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.data.plain import replay_json
from nlpstat_core.report.exports.documents.bibtex import bibtex
from nlpstat_core.report.exports.documents.blocks import (
    Document,
    Figure,
    Part,
    Prose,
    Section,
    prose_by_heading,
)
from nlpstat_core.report.exports.documents.html import document_html
from nlpstat_core.report.exports.documents.latex import document_tex
from nlpstat_core.report.exports.documents.markdown import document_md
from nlpstat_core.report.exports.documents.tikz import matrix_tikz
from nlpstat_core.report.exports.figures.intervals import interval_svg
from nlpstat_core.report.exports.figures.matrix import matrix_svg
from nlpstat_core.report.exports.tables.board import board_table, systems_table
from nlpstat_core.report.exports.tables.by_label import by_label_table
from nlpstat_core.report.exports.tables.pairs import pairs_table
from nlpstat_core.report.exports.tables.runs import variation_table
from nlpstat_core.report.exports.tables.square import SIGN_WORDS, SIGNS, Square, signs_used, square
from nlpstat_core.report.wording import headline, withheld
from nlpstat_core.report.wording.few_units import MARK, legend_words, second_line
from nlpstat_core.report.wording.methods import cited, methods
from nlpstat_core.report.wording.paper import PAPER_TITLE, paper_statements
from nlpstat_core.report.wording.titles import by_label_heading, report_title
from nlpstat_core.results.analysis import AnalysisData

MOST_IN_GRID = 40


def report_html(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The report as a self-contained HTML file, with the sections that were chosen."""
    return document_html(_report(analysis, sections, most_systems=1_000, most_pairs=2_000))


def report_md(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The report as Markdown, with the sections that were chosen."""
    return document_md(_report(analysis, sections, most_systems=500, most_pairs=500))


def report_tex(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The report as a LaTeX document that compiles by itself, with the sections that were chosen."""
    return document_tex(_report(analysis, sections, most_systems=300, most_pairs=500, narrow=True))


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


def _report(
    analysis: AnalysisData,
    sections: Sequence[Section],
    *,
    most_systems: int,
    most_pairs: int,
    narrow: bool = False,
) -> Document:
    """The report without its format, with so many rows at most; `narrow`: fewer columns, for paper."""
    statements, for_paper = methods(analysis), paper_statements(analysis)
    variation = variation_table(analysis, most_systems)
    pairs: Figure = Figure(
        {
            "html": partial(matrix_svg, analysis),
            "markdown": partial(_grid_md, analysis),
            "latex": partial(matrix_tikz, analysis),
        }
    )
    results = (
        *([Part("sentences for the paper", PAPER_TITLE, (Prose(for_paper),))] if for_paper else []),
        Part("leaderboard", "Leaderboard", (board_table(analysis, most_systems),)),
        Part("scores", "", (Figure({"html": partial(interval_svg, analysis)}),)),
        Part("square of all pairs", "All pairs", (pairs,)),
        Part("pairs", "", (pairs_table(analysis, most_pairs, narrow=narrow),)),
    )
    parts = (
        *(results if withheld(analysis) is None else ()),
        *(
            Part(heading.lower(), heading, (prose,))
            for heading, prose in prose_by_heading(statements).items()
        ),
        *(section.part for section in sections),
        *_systems(analysis, most_systems),
        *_by_label(analysis, most_pairs),
        *([] if variation is None else [Part("variation", variation.title, (variation,))]),
    )
    second = second_line(analysis)
    return Document(
        title=report_title(analysis),
        headline=headline(analysis),
        sentences=(second,) if second else (),
        notes=analysis.notes,
        parts=parts,
        cited=tuple(dict.fromkeys((*cited(statements), *(key for one in sections for key in one.cited)))),
        settings=replay_json(analysis),
        names=analysis.leaderboard.system,
        footer=(analysis.signature, analysis.fingerprint),
    )


def _by_label(analysis: AnalysisData, most: int) -> tuple[Part, ...]:
    """What is told of every label, where scores come from labels or tags."""
    table, kept = by_label_table(analysis, most), analysis.units.label_counts
    if table is None or kept is None:
        return ()
    return (Part("by label", by_label_heading(kept.one), (table,)),)


def _systems(analysis: AnalysisData, most: int) -> tuple[Part, ...]:
    """Summary statistics of item scores; none of a measure that is no mean, whose items have no scores."""
    if analysis.units.measured is not None:
        return ()
    return (Part("systems", "Systems", (systems_table(analysis, most),)),)


def _grid_md(analysis: AnalysisData) -> str:
    """Signs of all pairs of the first systems, numbered as on the leaderboard; "" for one pair."""
    drawn = square(analysis, MOST_IN_GRID)
    if drawn.size < 3:
        return ""
    lines = [f"{SIGNS[code]} {SIGN_WORDS[code]}" for code in signs_used(drawn.verdict)]
    lines += [marked] if (marked := legend_words(analysis)) else []
    legend = " · ".join([*lines, f"(·) {SIGN_WORDS[0]}"])
    some = "" if drawn.size == len(analysis.leaderboard) else f" (the first {drawn.size})"
    said = f"Rows and columns are the systems in the order of the leaderboard{some}. {legend}"
    return f"{said}\n\n```text\n{_grid_lines(drawn)}\n```"


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
