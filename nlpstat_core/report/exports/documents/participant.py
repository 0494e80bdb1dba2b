"""One page per participant: its rank interval, whom it ties with, where it loses, on which items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.board.far_items import far_items
from nlpstat_core.formatting import common_decimals, format_fixed, format_p
from nlpstat_core.report.exports.data.archive import zipped
from nlpstat_core.report.exports.data.names import plain_file_name
from nlpstat_core.report.exports.documents.html import page, table_html, text
from nlpstat_core.report.exports.tables.board import board_table, score_decimals
from nlpstat_core.report.exports.tables.square import CONTRADICTION, SIGN_WORDS
from nlpstat_core.report.exports.tables.table import Cell, Column, Table
from nlpstat_core.report.wording.few_units import MARK, legend_words
from nlpstat_core.report.wording.participants import standing, verdict_word

if TYPE_CHECKING:
    from nlpstat_core.results.analysis import AnalysisData


@dataclass(frozen=True)
class Sheet:
    """What one participant is told of a board.

    standing: Rank, rank interval, how many it is better and worse than.
    own: Its row of the leaderboard.
    against: One row for every other system, best first.
    far: Items on which it is furthest behind the others.
    """

    system: str
    standing: str
    own: Table
    against: Table
    far: Table
    signature: str
    fingerprint: str


def participant_sheet(analysis: AnalysisData, system: str, *, hide_others: bool = False) -> Sheet:
    """What one participant is told of a board.

    hide_others: Whether the names of all other systems are hidden.
    Raises ScoreError: No system has this name.
    """
    return _sheet(analysis, analysis.units.index(system), _whole_board(analysis), hide_others)


def sheet_html(sheet: Sheet) -> str:
    """A participant's sheet as a self-contained HTML file."""
    far = ["<h2>Items furthest behind the others</h2>", table_html(sheet.far)] if sheet.far.rows else []
    parts = [
        f"<h1>{text(sheet.system)}</h1>",
        f'<p class="headline">{text(sheet.standing)}</p>',
        table_html(sheet.own),
        "<h2>Against the others</h2>",
        table_html(sheet.against),
        *far,
        f"<footer><p>{text(sheet.signature)}<br>{text(sheet.fingerprint)}</p></footer>",
    ]
    return page(sheet.system, parts)


def _whole_board(analysis: AnalysisData) -> Table:
    return board_table(analysis, len(analysis.leaderboard))


def _sheet(analysis: AnalysisData, column: int, whole: Table, hide_others: bool) -> Sheet:
    system = analysis.units.systems[column]
    place = analysis.leaderboard.system.index(system)
    return Sheet(
        system=system,
        standing=standing(analysis, system),
        own=Table(whole.title, whole.columns, (whole.rows[place],), whole.remark),
        against=_against(analysis, column, hide_others),
        far=_far(analysis, column),
        signature=_signature(analysis, hide_others),
        fingerprint=analysis.fingerprint,
    )


def _far(analysis: AnalysisData, column: int) -> Table:
    """Items on which a system is furthest behind the mean of the others."""
    units, found = analysis.units, far_items(analysis.units, column)
    places = common_decimals([*found.own.tolist(), *found.others.tolist()], 4)
    rows = []
    names = units.unit_names(found.row.tolist())
    for name, own, others in zip(names, found.own.tolist(), found.others.tolist(), strict=True):
        numbers = (own, others, own - others)
        rows.append((Cell(name, name=True), *(Cell(format_fixed(value, places), value) for value in numbers)))
    columns = (Column("Item"), Column("Own score", True), Column("Mean of the others", True))
    return Table("", (*columns, Column("Difference", True)), tuple(rows))


def _signature(analysis: AnalysisData, hide_others: bool) -> str:
    """The settings; a hidden baseline would be named by them."""
    baseline = analysis.config.baseline
    if not hide_others or baseline is None:
        return analysis.signature
    parts = analysis.signature.split("|")
    return "|".join("baseline:(hidden)" if part.startswith("baseline:") else part for part in parts)


def _against(analysis: AnalysisData, column: int, hide_others: bool) -> Table:
    """One row for every other system, best first; differences are this system minus the other."""
    pairs, board = analysis.pairs, analysis.leaderboard
    ranks = dict(zip(board.column.tolist(), board.rank.tolist(), strict=True))
    place = np.empty(len(board), dtype=np.int64)
    place[board.column] = np.arange(len(board))
    own = np.flatnonzero((pairs.left == column) | (pairs.right == column))
    others = np.where(pairs.left[own] == column, pairs.right[own], pairs.left[own])
    decimals, verdicts, contradicting = score_decimals(analysis), pairs.verdict_code, pairs.contradicting
    rows = []
    for row in own[np.argsort(place[others])]:
        is_a = int(pairs.left[row]) == column
        other = int(pairs.right[row] if is_a else pairs.left[row])
        gap = float(pairs.difference[row]) * (1 if is_a else -1)
        contradicts = bool(contradicting[row])
        sentence = SIGN_WORDS[CONTRADICTION] if contradicts else verdict_word(int(verdicts[row]), is_a)
        if np.isnan(pairs.p_value[row]) and verdicts[row] == 0:
            sentence = "not compared"
        name = f"the system on rank {ranks[other]}" if hide_others else pairs.systems[other]
        adjusted = float(pairs.p_adjusted[row])
        rows.append(
            (
                Cell(str(ranks[other]), float(ranks[other])),
                Cell(name, name=True),
                Cell(format_fixed(gap, decimals), gap),
                Cell(format_p(adjusted, alpha=analysis.config.alpha), adjusted),
                Cell(f"{sentence} {MARK}" if pairs.rests_on_few[row] else sentence),
            )
        )
    columns = (Column("Rank", True), Column("System"), Column("Difference", True), Column("Adjusted p", True))
    return Table("", (*columns, Column("Verdict")), tuple(rows), legend_words(analysis))


def participant_sheets(analysis: AnalysisData, *, hide_others: bool = False) -> bytes:
    """The pages of all systems in one zip.

    Returns: File names begin with the place on the leaderboard; names become plain letters.
    """
    board, whole = analysis.leaderboard, _whole_board(analysis)
    digits = len(str(len(board)))
    pages = {}
    for place, (system, column) in enumerate(zip(board.system, board.column, strict=True), start=1):
        name = f"{place:0{digits}d}-{plain_file_name(system)}.html"
        pages[name] = sheet_html(_sheet(analysis, int(column), whole, hide_others)).encode("utf-8")
    return zipped(pages)
