"""What a report holds, before any format: titles, tables of text with sort keys, notes, methods."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpstat_core.arrays import FloatArray
from nlpstat_core.exports.pair_cells import pairs_table
from nlpstat_core.exports.square import cluster_lines
from nlpstat_core.exports.table import Cell, Column, Table
from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.notes import Note
from nlpstat_core.wording import headline
from nlpstat_core.wording.found import Statement
from nlpstat_core.wording.methods import methods
from nlpstat_core.wording.titles import board_remark, board_title, report_title

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis


@dataclass(frozen=True)
class Report:
    """A report without its format.

    Attributes
    ----------
    title, headline : str
    notes : tuple of Note
    board, pairs : Table
    methods : tuple of Statement
    signature, fingerprint : str
    """

    title: str
    headline: str
    notes: tuple[Note, ...]
    board: Table
    pairs: Table
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
        methods=methods(analysis),
        signature=analysis.signature,
        fingerprint=analysis.fingerprint,
    )


def board_table(analysis: Analysis, most: int) -> Table:
    """The leaderboard as text, best system first.

    Parameters
    ----------
    analysis : Analysis
    most : int

    Returns
    -------
    Table
        Rank intervals, clusters and letters only where they are defined.
    """
    board, level = analysis.leaderboard, f"{100 * analysis.config.level:g} %"
    shown = range(min(len(board), most))
    columns = [
        Column("Rank", True),
        Column("System"),
        Column("Score", True),
        Column(f"{level} interval", True),
    ]
    rows = [
        [
            Cell(str(board.rank[i]), float(board.rank[i])),
            Cell(board.system[i], name=True),
            Cell(format_score(float(board.score[i])), float(board.score[i])),
            Cell(_ends(board.interval[i]), float(board.interval[i, 0])),
        ]
        for i in shown
    ]
    if board.rank_interval is not None:
        columns.append(Column("Ranks", True))
        for i in shown:
            low, high = (int(end) for end in board.rank_interval[i])
            rows[i].append(Cell(f"{low}" if low == high else f"{low}–{high}", low + high / (len(board) + 1)))
    if board.cluster is not None:
        columns.append(Column("Cluster", True))
        for i in shown:
            rows[i].append(Cell(str(board.cluster[i]), float(board.cluster[i])))
    if board.letters is not None:
        columns.append(Column("Letters"))
        for i in shown:
            rows[i].append(Cell(board.letters[i]))
    if len(set(board.n_units.tolist())) > 1:
        columns.append(Column("Units", True))
        for i in shown:
            rows[i].append(Cell(f"{board.n_units[i]:,}", float(board.n_units[i])))
    return Table(
        title=board_title(analysis),
        columns=tuple(columns),
        rows=tuple(tuple(row) for row in rows),
        remark=board_remark(analysis, len(shown)),
        lines=tuple(after for after in cluster_lines(analysis) if after < len(shown)),
    )


def _ends(interval: FloatArray) -> str:
    low, high = (float(end) for end in interval)
    return "" if math.isnan(low) and math.isnan(high) else format_interval(low, high)
