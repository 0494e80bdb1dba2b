"""All pairs as a square in the order of the leaderboard: what figures of every format draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import CodeArray, IntArray

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

# A verdict has to be readable without colour: every one has its own sign, the same as in the app.
NOTHING, BETTER, WORSE, EQUIVALENT, CONTRADICTION = range(5)
SIGNS = ("", "▲", "▼", "≈", "✕")
SIGN_WORDS = (
    "no evidence of a difference",
    "row is better",
    "row is worse",
    "equivalent within the margin",
    "the test and the mean point in opposite directions",
)
# Bands of adjusted p: not compared, not significant, then at most alpha times each of these.
STEPS = (1.0, 0.1, 0.01, 0.001)
BLANK, PALE = 0, 1
COLOURS = ("#FFFFFF", "#F1EBD3", "#8AA4C4", "#4A6FA5", "#1F4480", "#00224E")


@dataclass(frozen=True, eq=False, kw_only=True)
class Square:
    """The pairs of the first systems of the leaderboard; arrays have shape (k, k).

    Attributes
    ----------
    names : tuple of str
        Best first.
    pair : int array
        Row in the pair table; −1 on the diagonal and where a pair was not compared.
    verdict : int8 array
        Position in SIGNS, about the system of the row.
    band : int8 array
        Position in COLOURS.
    lines : tuple of int
        Systems above each cluster line.
    """

    names: tuple[str, ...]
    pair: IntArray
    verdict: CodeArray
    band: CodeArray
    lines: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.names)


def square(analysis: Analysis, most: int) -> Square:
    """The square of the first systems.

    Parameters
    ----------
    analysis : Analysis
    most : int
        Systems at most.

    Returns
    -------
    Square
    """
    board, pairs = analysis.leaderboard, analysis.pairs
    order = board.column[:most]
    size = len(order)
    place = np.full(len(board), -1)
    place[order] = np.arange(size)
    rows = np.flatnonzero((place[pairs.left] >= 0) & (place[pairs.right] >= 0))
    i, j = place[pairs.left[rows]], place[pairs.right[rows]]
    about_a = pairs.verdict_code[rows].astype(np.int8)  # undecided, better, worse, equivalent: as in SIGNS
    about_a[pairs.significant[rows] & ~pairs.separated[rows]] = CONTRADICTION
    about_b = about_a.copy()
    about_b[about_a == BETTER], about_b[about_a == WORSE] = WORSE, BETTER
    pair = np.full((size, size), -1, dtype=np.int64)
    verdict = np.zeros((size, size), dtype=np.int8)
    band = np.full((size, size), BLANK, dtype=np.int8)
    pair[i, j] = pair[j, i] = rows
    verdict[i, j], verdict[j, i] = about_a, about_b
    band[i, j] = band[j, i] = bands(analysis, rows)
    return Square(
        names=tuple(board.system[:size]), pair=pair, verdict=verdict, band=band, lines=cluster_lines(analysis)
    )


def bands(analysis: Analysis, rows: IntArray) -> CodeArray:
    """Band of the adjusted p of some pairs.

    Parameters
    ----------
    analysis : Analysis
    rows : int array
        Rows of the pair table.

    Returns
    -------
    int8 array
        Positions in COLOURS.
    """
    pairs, alpha = analysis.pairs, analysis.config.alpha
    p_values = pairs.p_adjusted[rows]
    found = np.where(np.isnan(p_values), BLANK, PALE).astype(np.int8)
    # The first step is the decision itself, so colour and verdict can't disagree by a rounding.
    found[pairs.significant[rows]] = PALE + 1
    for depth, step in enumerate(STEPS[1:], start=2):
        found[pairs.significant[rows] & (p_values <= alpha * step)] = PALE + depth
    return found


def cluster_lines(analysis: Analysis) -> tuple[int, ...]:
    """After how many systems of the leaderboard a cluster ends.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    tuple of int
        Empty when clusters are undefined.
    """
    cluster = analysis.leaderboard.cluster
    if cluster is None:
        return ()
    return tuple(int(place) + 1 for place in np.flatnonzero(np.diff(cluster)))


def signs_used(drawn: Square) -> tuple[int, ...]:
    """Verdicts that occur, in the order of SIGNS, without "nothing".

    Parameters
    ----------
    drawn : Square

    Returns
    -------
    tuple of int
    """
    return tuple(code for code in range(1, len(SIGNS)) if bool((drawn.verdict == code).any()))
