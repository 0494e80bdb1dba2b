"""All pairs as a square in the order of the leaderboard: what figures of every format draw, the app's too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, CodeArray, IntArray
from nlpstat_core.results.analysis import AnalysisData

# A verdict has to be readable without colour: every one has its own sign, the same everywhere.
NOTHING, BETTER, WORSE, EQUIVALENT, CONTRADICTION = range(5)
SIGNS = ("", "▲", "▼", "≈", "✕")
SIGN_WORDS = (
    "no evidence of a difference",
    "row is better",
    "row is worse",
    "equivalent within the margin",
    "the test and the mean, or the order of the board, point in opposite directions",
)
# Bands of adjusted p: not compared, not significant, then at most alpha times each of these.
STEPS = (1.0, 0.1, 0.01, 0.001)
BLANK, PALE = 0, 1
COLOURS = ("#FFFFFF", "#F1EBD3", "#8AA4C4", "#4A6FA5", "#1F4480", "#00224E")


@dataclass(frozen=True, eq=False, kw_only=True)
class Square:
    """The pairs of some systems in the order of the leaderboard; arrays of cells are (k, k).

    names: Best first.
    rows (int array, shape (n,)): Rows of the pair table that are drawn.
    places (int array, shape (2, n)): Places of a and b of these pairs.
    pair: Row in the pair table; −1 on the diagonal and where a pair was not compared.
    verdict: Position in SIGNS, about the system of the row.
    band: Position in COLOURS.
    few: Decided pairs that rest on a few units.
    lines: Systems above each cluster line; none for a choice of systems.
    """

    names: tuple[str, ...]
    rows: IntArray
    places: IntArray
    pair: IntArray
    verdict: CodeArray
    band: CodeArray
    few: BoolArray
    lines: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.names)

    def fill(
        self, of_a: NDArray[Any], of_b: NDArray[Any], blank: Any = np.nan, dtype: Any = np.float64
    ) -> NDArray[Any]:
        """A square with one entry where a is the row and one where b is; `blank` for none."""
        return _filled(self.size, self.places, (of_a, of_b), blank, dtype)


def square(analysis: AnalysisData, most: int | None = None, *, shown: Sequence[int] | None = None) -> Square:
    """The square of the first systems, or of some. `shown`: places on the leaderboard; None shows all."""
    board, pairs = analysis.leaderboard, analysis.pairs
    order = board.column[:most] if shown is None else board.column[np.asarray(shown, dtype=np.int64)]
    size = len(order)
    place = np.full(len(board), -1)
    place[order] = np.arange(size)
    rows = np.flatnonzero((place[pairs.left] >= 0) & (place[pairs.right] >= 0))
    i, j = place[pairs.left[rows]], place[pairs.right[rows]]
    about_a = pairs.verdict_code[rows].astype(np.int8)  # undecided, better, worse, equivalent: as in SIGNS
    about_a[pairs.contradicting[rows]] = CONTRADICTION
    about_b = about_a.copy()
    about_b[about_a == BETTER], about_b[about_a == WORSE] = WORSE, BETTER
    found, places = bands(analysis, rows), np.stack([i, j])
    return Square(
        names=tuple(pairs.systems[column] for column in order),
        rows=rows,
        places=places,
        pair=_filled(size, places, (rows, rows), -1, np.int64),
        verdict=_filled(size, places, (about_a, about_b), NOTHING, np.int8),
        band=_filled(size, places, (found, found), BLANK, np.int8),
        few=_filled(size, places, (pairs.rests_on_few[rows],) * 2, False, np.bool_),
        lines=cluster_lines(analysis) if shown is None else (),
    )


def _filled(
    size: int, places: IntArray, entries: tuple[NDArray[Any], NDArray[Any]], blank: Any, dtype: Any
) -> NDArray[Any]:
    whole = np.full((size, size), blank, dtype=dtype)
    i, j = places
    whole[i, j], whole[j, i] = entries
    return whole


def bands(analysis: AnalysisData, rows: IntArray) -> CodeArray:
    """Band of the adjusted p of some pairs."""
    pairs, alpha = analysis.pairs, analysis.config.alpha
    p_values = pairs.p_adjusted[rows]
    found = np.where(np.isnan(p_values), BLANK, PALE).astype(np.int8)
    # The first step is the decision itself, so colour and verdict can't disagree by a rounding.
    found[pairs.significant[rows]] = PALE + 1
    for depth, step in enumerate(STEPS[1:], start=2):
        found[pairs.significant[rows] & (p_values <= alpha * step)] = PALE + depth
    return found


def cluster_lines(analysis: AnalysisData) -> tuple[int, ...]:
    """After how many systems of the leaderboard a cluster ends; empty when clusters are undefined."""
    cluster = analysis.leaderboard.cluster
    if cluster is None:
        return ()
    return tuple(int(place) + 1 for place in np.flatnonzero(np.diff(cluster)))


def signs_used(verdicts: CodeArray) -> tuple[int, ...]:
    """Verdicts that occur, in the order of SIGNS, without "nothing"."""
    return tuple(code for code in range(1, len(SIGNS)) if bool((verdicts == code).any()))
