"""A report as LaTeX: tables over as many pages as they need, by booktabs."""

import re
from collections.abc import Iterable, Sequence

from nlpstat_core.methods.references import REFERENCES
from nlpstat_core.notes import Note
from nlpstat_core.report.exports.data.names import short_names, visible
from nlpstat_core.report.exports.documents.bibtex import authors_of
from nlpstat_core.report.exports.documents.blocks import Block, Document, Figure, Notes, Part
from nlpstat_core.report.exports.documents.latex_text import PREAMBLE, broken, running, text
from nlpstat_core.report.exports.tables.table import Cell, Table

LONGEST_NAME = 24
MOST_NAMES = 300
_POWER = re.compile(r"([0-9.]+)e([+-][0-9]+)")
_MINUS = re.compile(r"(?<!\w)-(?=[0-9∞])")


def document_tex(document: Document) -> str:
    """A LaTeX document that compiles by itself; named parts are marked by a comment, to be copied out."""
    names = dict(zip(document.names, short_names(document.names, LONGEST_NAME), strict=True))
    footer = "\\\\\n".join(map(broken, document.footer))
    parts = [
        PREAMBLE,
        f"\\begin{{document}}\n\\section*{{{broken(document.title)}}}",
        f"\\noindent\\textbf{{{broken(document.headline)}}}",
        *(f"\\noindent {text(sentence)}" for sentence in document.sentences),
        _notes(document.notes),
        *(_part(part, names) for part in document.parts),
        _full_names(names),
        _bibliography(document.cited),
        f"\\bigskip\\noindent{{\\footnotesize\\sloppy {footer}\\par}}",
        "\\end{document}",
    ]
    return _joined(parts) + "\n"


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _part(part: Part, names: dict[str, str]) -> str:
    """A part under its name and heading; a table or figure says itself what it is."""
    body = _joined(_block(block, names) for block in part.blocks)
    if not body:
        return ""
    name = f"% ---- {part.name} ----\n" if part.name else ""
    heads = part.heading and not isinstance(part.blocks[0], (Table, Figure))
    heading = f"\\section*{{{text(part.heading)}}}\n" if heads else ""
    return f"{name}{heading}{body}"


def _block(block: Block, names: dict[str, str]) -> str:
    if isinstance(block, Table):
        return long_table(block, names)
    if isinstance(block, Notes):
        return _notes(block.notes)
    if isinstance(block, Figure):
        return block.markup("latex")
    return " ".join(f"{running(one.text)}{_cite(one.references)}." for one in block.statements)


def _notes(notes: Sequence[Note]) -> str:
    items = [f"\\item[{note.severity}] {text(note.text)}" for note in notes]
    return "\n".join(["\\begin{description}", *items, "\\end{description}"]) if items else ""


def _cite(keys: tuple[str, ...]) -> str:
    return f"~\\cite{{{','.join(keys)}}}" if keys else ""


def tabular(table: Table, spec: str, heads: Sequence[str]) -> str:
    """A table for a paper, without title, with the rules of booktabs; `spec` and `heads` as LaTeX."""
    rows = (" & ".join(_cell(cell, {}) for cell in row) for row in table.rows)
    lines = [f"\\begin{{tabular}}{{{spec}}}", "\\toprule", f"{' & '.join(heads)} \\\\", "\\midrule"]
    return "\n".join([*lines, *(f"{row} \\\\" for row in rows), "\\bottomrule", "\\end{tabular}"])


def _cell(cell: Cell, names: dict[str, str]) -> str:
    return text(names.get(cell.text, cell.text)) if cell.name else number_text(cell.text)


def long_table(table: Table, names: dict[str, str]) -> str:
    """A table over as many pages as it needs, by booktabs. `names`: of systems, as the table shows them."""
    spec = "".join("r" if column.numbers else "l" for column in table.columns)
    heads = " & ".join(f"\\textbf{{{text(column.label)}}}" for column in table.columns)
    lines = set(table.lines)
    rows = []
    for place, row in enumerate(table.rows, start=1):
        cells = (_cell(cell, names) for cell in row)
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
    items = "\n".join(f"\\item[{{{text(name)}}}] {broken(whole)}" for whole, name in cut[:MOST_NAMES])
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
