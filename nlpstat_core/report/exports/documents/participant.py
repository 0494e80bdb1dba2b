"""One page per participant: its rank interval, whom it ties with, where it loses, on which items."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.arrays import BoolArray, IntArray
from nlpstat_core.board.far_items import far_items
from nlpstat_core.formatting import common_decimals
from nlpstat_core.report.exports.data.files import zipped
from nlpstat_core.report.exports.data.names import plain_file_name
from nlpstat_core.report.exports.documents.blocks import Document, Part
from nlpstat_core.report.exports.documents.html import document_html
from nlpstat_core.report.exports.tables.board import PLAIN, board_table, score_decimals
from nlpstat_core.report.exports.tables.square import CONTRADICTION, SIGN_WORDS
from nlpstat_core.report.exports.tables.table import Table, counts, fixed, names, p_values, words
from nlpstat_core.report.wording.few_units import MARK, legend_words
from nlpstat_core.report.wording.participants import about_sheet, standing, verdict_word
from nlpstat_core.report.wording.sentences import withheld
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable


@dataclass(frozen=True)
class Sheet:
    """What one participant is told of a board.

    about: Task, metric, number of items, and the day where that is told.
    standing: Rank, rank interval, how many it is better and worse than.
    own: Its row of the leaderboard.
    against: One row for every other system, best first.
    far: Items on which it is furthest behind the others.
    """

    system: str
    about: str
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
    parts = [Part("", "", (sheet.own,)), Part("", "Against the others", (sheet.against,))]
    if sheet.far.rows:
        parts.append(Part("", "Items furthest behind the others", (sheet.far,)))
    found = Document(
        sheet.system,
        sheet.standing,
        (sheet.about,),
        parts=tuple(parts),
        footer=(sheet.signature, sheet.fingerprint),
    )
    return document_html(found, sortable=False)


def _whole_board(analysis: AnalysisData) -> Table:
    return board_table(analysis, len(analysis.leaderboard))


def _sheet(analysis: AnalysisData, column: int, whole: Table, hide_others: bool, dated: str = "") -> Sheet:
    system = analysis.units.systems[column]
    place = analysis.leaderboard.system.index(system)
    return Sheet(
        system=system,
        about=about_sheet(analysis, hide_others=hide_others, dated=dated),
        standing=standing(analysis, system),
        own=whole.row(place) if withheld(analysis) is None else replace(whole.row(place), remark=""),
        against=_against(analysis, column, hide_others),
        far=_far(analysis, column),
        signature=_signature(analysis, hide_others),
        fingerprint=analysis.fingerprint,
    )


def _far(analysis: AnalysisData, column: int) -> Table:
    """Items on which a system is furthest behind the mean of the others."""
    units, found = analysis.units, far_items(analysis.units, column)
    places = common_decimals([*found.own.tolist(), *found.others.tolist()], 4)
    numbers = {
        "Own score": found.own,
        "Mean of the others": found.others,
        "Difference": found.own - found.others,
    }
    items = names("Item", units.unit_names(found.row.tolist()))
    return Table("", (items, *(fixed(label, column, places) for label, column in numbers.items())))


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
    rows = np.flatnonzero((pairs.left == column) | (pairs.right == column))
    others = np.where(pairs.left[rows] == column, pairs.right[rows], pairs.left[rows])
    order = np.argsort(place[others])
    rows, others = rows[order], others[order].tolist()
    is_a = pairs.left[rows] == column
    called = [f"the system on rank {ranks[i]}" if hide_others else pairs.systems[i] for i in others]
    gaps = pairs.difference[rows] * np.where(is_a, 1, -1)
    return Table(
        "",
        (
            counts("Rank", (ranks[i] for i in others), PLAIN),
            names("System", called),
            fixed("Difference", gaps, score_decimals(analysis)),
            p_values("Adjusted p", pairs.p_adjusted[rows], analysis.config.alpha),
            *(() if withheld(analysis) else (words("Verdict", _verdicts(pairs, rows, is_a)),)),
        ),
        legend_words(analysis),
    )


def _verdicts(pairs: PairTable, rows: IntArray, is_a: BoolArray) -> Iterator[str]:
    """What each pair says of the system, which is its first where `is_a`."""
    codes, undefined = pairs.verdict_code[rows].tolist(), np.isnan(pairs.p_value[rows])
    contradicting, few = pairs.contradicting[rows], pairs.rests_on_few[rows]
    for row, code in enumerate(codes):
        sentence = SIGN_WORDS[CONTRADICTION] if contradicting[row] else verdict_word(code, bool(is_a[row]))
        if undefined[row] and code == 0:
            sentence = "not compared"
        yield f"{sentence} {MARK}" if few[row] else sentence


def participant_sheets(analysis: AnalysisData, *, hide_others: bool = False, dated: str = "") -> bytes:
    """All systems' pages in one zip, named by place and system. `dated`: the day, where pages say it."""
    board, whole = analysis.leaderboard, _whole_board(analysis)
    digits = len(str(len(board)))
    pages = {}
    for place, (system, column) in enumerate(zip(board.system, board.column, strict=True), start=1):
        name = f"{place:0{digits}d}-{plain_file_name(system)}.html"
        pages[name] = sheet_html(_sheet(analysis, int(column), whole, hide_others, dated))
    return zipped(pages)
