"""A report without its format: what stands at its top, its parts, what it cites and what it was made from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from nlpstat_core.notes import Note
from nlpstat_core.report.exports.documents.bibtex import bibtex, citation
from nlpstat_core.report.exports.tables.table import Table
from nlpstat_core.report.wording.methods import cited
from nlpstat_core.report.wording.statements import Statement

Format = Literal["html", "markdown", "latex"]


@dataclass(frozen=True)
class Prose:
    """A paragraph whose sentences cite."""

    kind: ClassVar[str] = "prose"
    statements: tuple[Statement, ...]

    @property
    def text(self) -> str:
        """Every sentence with its citations in brackets."""
        return " ".join(f"{one.text}{_citations(one.references)}." for one in self.statements)


@dataclass(frozen=True)
class Notes:
    """What to mind."""

    kind: ClassVar[str] = "notes"
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Figure:
    """A figure as markup of every format that can hold it, made when it is drawn; "" where nothing is."""

    kind: ClassVar[str] = "figure"
    drawn: Mapping[Format, Callable[[], str]]

    def markup(self, form: Format) -> str:
        """The figure in one format."""
        return self.drawn[form]() if form in self.drawn else ""


Block = Prose | Notes | Table | Figure


@dataclass(frozen=True)
class Part:
    """What stands under one heading.

    name: What it is, for whoever copies it out of the LaTeX file; "" for a part of no interest.
    heading: "" where the part goes on under the one before.
    """

    name: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A whole report.

    sentences: A paragraph each, under the headline.
    settings: As JSON, for reading again; "" for none.
    names: Names that tables may shorten where room is scarce.
    footer: What the report was made from, a line each.
    """

    title: str
    headline: str
    sentences: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    parts: tuple[Part, ...] = ()
    cited: tuple[str, ...] = ()
    settings: str = ""
    names: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[tuple[str, str], ...]:
        """What opens on a click, each with its title."""
        codes = {
            "References (BibTeX)": bibtex(self.cited) if self.cited else "",
            "Settings (replay.json)": self.settings,
        }
        return tuple((title, code) for title, code in codes.items() if code)


@dataclass(frozen=True)
class Section:
    """A part of a report that is there only where somebody chose it.

    statements: One paragraph, with what it cites.
    files: What else is written beside the report, by name.
    """

    key: str
    title: str
    statements: tuple[Statement, ...]
    tables: tuple[Table, ...] = ()
    notes: tuple[Note, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def part(self) -> Part:
        """As it stands in the report."""
        prose = prose_by_heading(self.statements).values()
        return Part(self.title.lower(), self.title, (*prose, Notes(self.notes), *self.tables))

    @property
    def cited(self) -> tuple[str, ...]:
        """Keys of its publications."""
        return cited(self.statements)


def prose_by_heading(statements: tuple[Statement, ...]) -> dict[str, Prose]:
    """Statements as paragraphs, each under its heading."""
    headings = dict.fromkeys(statement.heading for statement in statements)
    return {
        heading: Prose(tuple(one for one in statements if one.heading == heading)) for heading in headings
    }


def _citations(keys: tuple[str, ...]) -> str:
    return f" ({'; '.join(citation(key) for key in keys)})" if keys else ""
