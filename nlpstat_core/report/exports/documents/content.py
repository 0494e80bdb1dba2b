"""What a report holds, before any format: titles, tables of text with sort keys, notes, methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nlpstat_core.notes import Note
from nlpstat_core.report.exports.tables.board import board_table, systems_table
from nlpstat_core.report.exports.tables.pairs import pairs_table
from nlpstat_core.report.exports.tables.runs import variation_table
from nlpstat_core.report.exports.tables.table import Table
from nlpstat_core.report.wording import headline
from nlpstat_core.report.wording.few_units import second_line
from nlpstat_core.report.wording.methods import cited, methods
from nlpstat_core.report.wording.statements import Statement
from nlpstat_core.report.wording.titles import report_title

if TYPE_CHECKING:
    from nlpstat_core.results.analysis import AnalysisData


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


@dataclass(frozen=True)
class Report:
    """A report without its format.

    second_line: How many of the claims rest on a few units; empty where none does.
    board, pairs, systems: `systems` holds the summary statistics of every system.
    variation: Components of variance, where systems have several runs.
    sections: Those that were chosen.
    """

    title: str
    headline: str
    second_line: str
    notes: tuple[Note, ...]
    board: Table
    pairs: Table
    systems: Table
    methods: tuple[Statement, ...]
    signature: str
    fingerprint: str
    variation: Table | None = None
    sections: tuple[Section, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """Keys of the publications, in the order of their first citation."""
        statements = [statement for section in self.sections for statement in section.statements]
        return cited((*self.methods, *statements))


def report(
    analysis: AnalysisData,
    *,
    most_systems: int,
    most_pairs: int,
    narrow: bool = False,
    sections: Sequence[Section] = (),
) -> Report:
    """The content of a report of an analysis.

    most_systems, most_pairs: Rows at most; a sentence under the table says what is left out.
    narrow: Fewer columns, for paper.
    sections: What was chosen besides.
    """
    return Report(
        title=report_title(analysis),
        headline=headline(analysis),
        second_line=second_line(analysis),
        notes=analysis.notes,
        board=board_table(analysis, most_systems),
        pairs=pairs_table(analysis, most_pairs, narrow=narrow),
        systems=systems_table(analysis, most_systems),
        methods=methods(analysis),
        signature=analysis.signature,
        fingerprint=analysis.fingerprint,
        variation=variation_table(analysis, most_systems),
        sections=tuple(sections),
    )
