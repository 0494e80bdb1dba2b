"""What a report holds, before any format: titles, tables of text with sort keys, notes, methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpstat_core.exports.board_cells import board_table, systems_table
from nlpstat_core.exports.pair_cells import pairs_table
from nlpstat_core.exports.table import Table
from nlpstat_core.notes import Note
from nlpstat_core.wording import headline
from nlpstat_core.wording.found import Statement
from nlpstat_core.wording.methods import methods
from nlpstat_core.wording.titles import report_title

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis


@dataclass(frozen=True)
class Report:
    """A report without its format.

    Attributes
    ----------
    title, headline : str
    notes : tuple of Note
    board, pairs, systems : Table
        `systems` holds the summary statistics of every system.
    methods : tuple of Statement
    signature, fingerprint : str
    """

    title: str
    headline: str
    notes: tuple[Note, ...]
    board: Table
    pairs: Table
    systems: Table
    methods: tuple[Statement, ...]
    signature: str
    fingerprint: str


def report(analysis: Analysis, *, most_systems: int, most_pairs: int, narrow: bool = False) -> Report:
    """The content of a report of an analysis.

    Parameters
    ----------
    analysis : Analysis
    most_systems, most_pairs : int
        Rows at most; a sentence under the table says what is left out.

    narrow : bool
        Fewer columns, for paper.

    Returns
    -------
    Report
    """
    return Report(
        title=report_title(analysis),
        headline=headline(analysis),
        notes=analysis.notes,
        board=board_table(analysis, most_systems),
        pairs=pairs_table(analysis, most_pairs, narrow=narrow),
        systems=systems_table(analysis, most_systems),
        methods=methods(analysis),
        signature=analysis.signature,
        fingerprint=analysis.fingerprint,
    )
