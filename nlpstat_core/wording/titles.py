"""Titles of figures and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpstat_core.wording.sentences import correction_phrase, label_of_test

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis


def matrix_title(analysis: Analysis, drawn: int) -> str:
    """Title of the square of all pairs.

    Parameters
    ----------
    analysis : Analysis
    drawn : int
        Systems that are drawn.

    Returns
    -------
    str
    """
    return f"All pairs {correction_phrase(analysis.config)}{first_of(drawn, analysis.units.n_systems)}"


def interval_title(analysis: Analysis, drawn: int) -> str:
    """Title of the plot of scores.

    Parameters
    ----------
    analysis : Analysis
    drawn : int
        Systems that are drawn.

    Returns
    -------
    str
    """
    config, units = analysis.config, analysis.units
    direction = ", lower is better" if units.lower_is_better else ""
    return f"Scores with {100 * config.level:g} % intervals{direction}{first_of(drawn, units.n_systems)}"


def first_of(drawn: int, total: int) -> str:
    """What to add where not all systems are drawn.

    Parameters
    ----------
    drawn, total : int

    Returns
    -------
    str
        "" when all are.

    Examples
    --------
    >>> first_of(60, 129)
    ' (the first 60 of 129 systems)'
    """
    return "" if drawn >= total else f" (the first {drawn:,} of {total:,} systems)"


def report_title(analysis: Analysis) -> str:
    """Title of a report.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    source = analysis.scores.source
    return f"Which systems really differ: {source}" if source else "Which systems really differ"


def board_title(analysis: Analysis) -> str:
    """Caption of the leaderboard.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    units = analysis.units
    metric = "" if units.metric is None else f" by {units.metric}"
    direction = "lower" if units.lower_is_better else "higher"
    return f"Leaderboard{metric} ({direction} is better, {units.n_units:,} units)"


def board_remark(analysis: Analysis, shown: int) -> str:
    """What to stand under the leaderboard.

    Parameters
    ----------
    analysis : Analysis
    shown : int
        Systems in the table.

    Returns
    -------
    str
    """
    board, parts = analysis.leaderboard, []
    if board.rank_interval is not None:
        parts.append("Ranks: how many systems are significantly better and worse.")
    if board.cluster is not None and int(board.cluster[-1]) > 1:
        parts.append("A line ends a cluster: every pair across it is separated.")
    if board.letters is not None:
        parts.append("Systems that share a letter are not separated.")
    if shown < len(board):
        parts.append(f"The first {shown:,} of {len(board):,} systems; leaderboard.csv holds all.")
    return " ".join(parts)


def pairs_title(analysis: Analysis) -> str:
    """Caption of the pairs.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    return f"Pairs {correction_phrase(analysis.config)}: {label_of_test(analysis.config.test)}"


def pairs_remark(analysis: Analysis, shown: int) -> str:
    """What to stand under the pairs.

    Parameters
    ----------
    analysis : Analysis
    shown : int
        Pairs in the table.

    Returns
    -------
    str
    """
    told = (
        "Differences and effect sizes are about system a minus system b in the order of the file, intervals "
        "about single comparisons; nothing under Better: no evidence of a difference."
    )
    count = len(analysis.pairs)
    if shown < count:
        told += f" The first {shown:,} of {count:,} pairs, high ranks first; pairs.csv holds all."
    return told
