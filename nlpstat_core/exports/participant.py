"""One page per participant: its rank interval, whom it ties with, where it loses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.exports.board_cells import board_table, score_decimals
from nlpstat_core.exports.bundle import zipped
from nlpstat_core.exports.html import page, table_html, text
from nlpstat_core.exports.square import CONTRADICTION, SIGN_WORDS
from nlpstat_core.exports.table import Cell, Column, Table
from nlpstat_core.formatting import format_fixed, format_p
from nlpstat_core.wording.participants import standing, verdict_word

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis


def participant_html(analysis: Analysis, system: str, *, hide_others: bool = False) -> str:
    """The page of one system.

    Parameters
    ----------
    analysis : Analysis
    system : str
    hide_others : bool
        Call the other systems by their rank only.

    Returns
    -------
    str
        A self-contained HTML file.

    Raises
    ------
    ScoreError
        No system has this name.
    """
    column = analysis.units.index(system)
    return _page(analysis, column, _whole_board(analysis), hide_others)


def _whole_board(analysis: Analysis) -> Table:
    return board_table(analysis, len(analysis.leaderboard))


def _page(analysis: Analysis, column: int, whole: Table, hide_others: bool) -> str:
    system = analysis.units.systems[column]
    place = analysis.leaderboard.system.index(system)
    own = Table(whole.title, whole.columns, (whole.rows[place],), whole.remark)
    parts = [
        f"<h1>{text(system)}</h1>",
        f'<p class="headline">{text(standing(analysis, system))}</p>',
        table_html(own),
        "<h2>Against the others</h2>",
        table_html(_against(analysis, column, hide_others)),
        f"<footer><p>{text(_signature(analysis, hide_others))}<br>{text(analysis.fingerprint)}</p></footer>",
    ]
    return page(system, parts)


def _signature(analysis: Analysis, hide_others: bool) -> str:
    """The settings; a hidden baseline would be named by them."""
    baseline = analysis.config.baseline
    if not hide_others or baseline is None:
        return analysis.signature
    parts = analysis.signature.split("|")
    return "|".join("baseline:(hidden)" if part.startswith("baseline:") else part for part in parts)


def _against(analysis: Analysis, column: int, hide_others: bool) -> Table:
    """One row for every other system, best first; differences are this system minus the other."""
    pairs, board = analysis.pairs, analysis.leaderboard
    ranks = dict(zip(board.column.tolist(), board.rank.tolist(), strict=True))
    place = np.empty(len(board), dtype=np.int64)
    place[board.column] = np.arange(len(board))
    own = np.flatnonzero((pairs.left == column) | (pairs.right == column))
    others = np.where(pairs.left[own] == column, pairs.right[own], pairs.left[own])
    decimals, verdicts = score_decimals(analysis), pairs.verdict_code
    rows = []
    for row in own[np.argsort(place[others])]:
        is_a = int(pairs.left[row]) == column
        other = int(pairs.right[row] if is_a else pairs.left[row])
        gap = float(pairs.difference[row]) * (1 if is_a else -1)
        contradicts = bool(pairs.significant[row] and not pairs.separated[row])
        told = SIGN_WORDS[CONTRADICTION] if contradicts else verdict_word(int(verdicts[row]), is_a)
        name = f"the system on rank {ranks[other]}" if hide_others else pairs.systems[other]
        adjusted = float(pairs.p_adjusted[row])
        rows.append(
            (
                Cell(str(ranks[other]), float(ranks[other])),
                Cell(name, name=True),
                Cell(format_fixed(gap, decimals), gap),
                Cell(format_p(adjusted), adjusted),
                Cell(told),
            )
        )
    columns = (Column("Rank", True), Column("System"), Column("Difference", True), Column("Adjusted p", True))
    return Table("", (*columns, Column("Verdict")), tuple(rows))


def participant_sheets(analysis: Analysis, *, hide_others: bool = False) -> bytes:
    """The pages of all systems in one zip.

    Parameters
    ----------
    analysis : Analysis
    hide_others : bool

    Returns
    -------
    bytes
        File names begin with the place on the leaderboard; names become plain letters.
    """
    board, whole = analysis.leaderboard, _whole_board(analysis)
    digits = len(str(len(board)))
    pages = {}
    for place, (system, column) in enumerate(zip(board.system, board.column, strict=True), start=1):
        name = f"{place:0{digits}d}-{plain_file_name(system)}.html"
        pages[name] = _page(analysis, int(column), whole, hide_others).encode("utf-8")
    return zipped(pages)


def plain_file_name(name: str) -> str:
    """A name as every file system takes it.

    Parameters
    ----------
    name : str

    Returns
    -------
    str

    Examples
    --------
    >>> plain_file_name("../a b/c:*?"), plain_file_name("日本")
    ('a-b-c', 'system')
    """
    kept = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else " " for char in name)
    return "-".join(kept.strip(" .").replace(".. ", " ").split())[:60].strip(".-") or "system"
