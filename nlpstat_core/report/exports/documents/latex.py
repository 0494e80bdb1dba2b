"""The report as LaTeX: booktabs leaderboard, longtable of pairs, the square of all pairs as TikZ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlpstat_core.methods.references import REFERENCES
from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.names import short_names, visible
from nlpstat_core.report.exports.documents.bibtex import authors_of
from nlpstat_core.report.exports.documents.content import Section, report
from nlpstat_core.report.exports.documents.latex_text import PREAMBLE, broken, running, text
from nlpstat_core.report.exports.documents.methods_text import paragraphs
from nlpstat_core.report.exports.documents.tikz import matrix_tikz
from nlpstat_core.report.exports.tables.table import Table

if TYPE_CHECKING:
    from nlpstat_core.results.analysis import AnalysisData

MOST_SYSTEMS, MOST_PAIRS = 300, 500
LONGEST_NAME = 24
_POWER = re.compile(r"([0-9.]+)e([+-][0-9]+)")
_MINUS = re.compile(r"(?<!\w)-(?=[0-9∞])")


def report_tex(analysis: AnalysisData, sections: Sequence[Section] = ()) -> str:
    """The report of an analysis as a LaTeX document that compiles by itself.

    sections: What was chosen besides.
    Returns: Each part stands between comments, ready to be copied into a paper.
    """
    content = report(
        analysis, most_systems=MOST_SYSTEMS, most_pairs=MOST_PAIRS, narrow=True, sections=sections
    )
    systems = analysis.leaderboard.system
    names = dict(zip(systems, short_names(systems, LONGEST_NAME), strict=True))
    parts = [
        PREAMBLE,
        f"\\begin{{document}}\n\\section*{{{broken(content.title)}}}",
        f"\\noindent\\textbf{{{broken(content.headline)}}}",
        f"\\noindent {text(content.second_line)}" if content.second_line else "",
        _notes(content.notes),
        _part("leaderboard", long_table(content.board, names)),
        _part("square of all pairs", matrix_tikz(analysis)),
        _part("pairs", long_table(content.pairs, names)),
        *(
            _part(heading.lower(), f"\\section*{{{heading}}}\n{sentence}")
            for heading, sentence in paragraphs(content.methods, running, _cite)
        ),
        *(_part(section.title.lower(), _section(section, names)) for section in content.sections),
        _part("systems", long_table(content.systems, names)),
        "" if content.variation is None else _part("variation", long_table(content.variation, names)),
        _full_names(names),
        _bibliography(content.cited),
        f"\\bigskip\\noindent{{\\footnotesize\\sloppy {broken(content.signature)}\\\\\n"
        f"{broken(content.fingerprint)}\\par}}",
        "\\end{document}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _notes(notes: Sequence[Note]) -> str:
    items = [f"\\item[{note.severity}] {text(note.text)}" for note in notes]
    return "\n".join(["\\begin{description}", *items, "\\end{description}"]) if items else ""


def _section(section: Section, names: dict[str, str]) -> str:
    parts = [
        f"\\section*{{{text(section.title)}}}",
        *(sentence for _, sentence in paragraphs(section.statements, running, _cite)),
        _notes(section.notes),
        *(long_table(table, names) for table in section.tables),
    ]
    return "\n\n".join(part for part in parts if part)


def _part(name: str, body: str) -> str:
    return f"% ---- {name} ----\n{body}" if body else ""


def _cite(keys: tuple[str, ...]) -> str:
    return f"~\\cite{{{','.join(keys)}}}"


def long_table(table: Table, names: dict[str, str]) -> str:
    """A table over as many pages as it needs, with the rules of booktabs.

    names: Names of systems as the table shows them.
    """
    spec = "".join("r" if column.numbers else "l" for column in table.columns)
    heads = " & ".join(f"\\textbf{{{text(column.label)}}}" for column in table.columns)
    lines = set(table.lines)
    rows = []
    for place, row in enumerate(table.rows, start=1):
        cells = (
            text(names.get(cell.text, cell.text)) if cell.name else number_text(cell.text) for cell in row
        )
        rule = "\n\\midrule" if place in lines else ""
        # Braces keep a name that begins with a bracket or star from being an option of the line end.
        rows.append(f"{{}}{' & '.join(cells)} \\\\{rule}")
    body = "\n".join(rows)
    size = "\\scriptsize" if len(table.columns) > 7 else "\\small"
    remark = f"\n\\noindent{{\\footnotesize {text(table.remark)}\\par}}" if table.remark else ""
    return (
        f"\\begingroup{size}\\setlength{{\\tabcolsep}}{{4pt}}\n\\begin{{longtable}}{{@{{}}{spec}@{{}}}}\n"
        f"\\caption{{{text(table.title)}}}\\\\\n\\toprule\n{heads} \\\\\n\\midrule\n\\endfirsthead\n"
        f"\\toprule\n{heads} \\\\\n\\midrule\n\\endhead\n\\bottomrule\n\\endlastfoot\n"
        f"{body}\n\\end{{longtable}}\n\\endgroup{remark}"
    )


def number_text(words: str) -> str:
    """A cell that is no name: minus signs and powers of ten as they are set in print.

    Parameters
    ----------
    words : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(number_text("-0.5"), number_text("2.00e-07"), number_text("permutation-mean"))
    $-$0.5 $2.00\\cdot10^{-7}$ permutation-{}mean
    """
    power = _POWER.fullmatch(words)
    if power:
        return f"${power[1]}\\cdot10^{{{int(power[2])}}}$"
    return text(_MINUS.sub("−", words))


def _full_names(names: dict[str, str]) -> str:
    """Which long names the tables shortened."""
    cut = [(whole, name) for whole, name in names.items() if visible(whole) != name]
    if not cut:
        return ""
    items = "\n".join(f"\\item[{{{text(name)}}}] {broken(whole)}" for whole, name in cut[:MOST_SYSTEMS])
    return f"\\section*{{Names in full}}\n\\begin{{description}}\\footnotesize\n{items}\n\\end{{description}}"


def _bibliography(keys: tuple[str, ...]) -> str:
    items = []
    for key in keys:
        reference = REFERENCES[key]
        people = [f"{given} {family}".strip() for family, given in authors_of(reference)]
        sentence = f"{', '.join(people)}. {reference.title}. {reference.venue}, {reference.year}."
        doi = f" doi:{broken(reference.doi)}" if reference.doi else ""
        items.append(f"\\bibitem{{{key}}} {text(sentence)}{doi}")
    listed = "\n".join(items)
    return (
        f"\\begin{{thebibliography}}{{99}}\\small\\sloppy\n{listed}\n\\end{{thebibliography}}"
        if items
        else ""
    )
