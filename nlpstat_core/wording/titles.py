"""Titles of figures and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpstat_core.wording.sentences import correction_phrase

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
