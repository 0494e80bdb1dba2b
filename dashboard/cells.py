"""The cells of a heatmap as data: order, values, verdicts, sentences. Figures and tables only draw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.effects import EFFECTS
from nlpstat_core.effects.turning import NEUTRAL, turned
from nlpstat_core.formatting import format_p, format_score
from nlpstat_core.wording import verdict_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis
    from nlpstat_core.results import PairTable

FloatArray = NDArray[np.float64]

P_VIEW, DIFFERENCE_VIEW = "p", "difference"
NOTHING, BETTER, WORSE, EQUIVALENT, CONTRADICTION = range(5)
# A verdict has to be readable without colour: every one has its own sign.
SIGNS = ("", "▲", "▼", "≈", "✕")
SIGN_WORDS = (
    "no evidence of a difference",
    "row is better",
    "row is worse",
    "equivalent within the margin",
    "the test and the mean point in opposite directions",
)
SMALLEST_SHOWN_P = 1e-6  # the darkest colour; smaller p look the same and are told in full


@dataclass(frozen=True, eq=False, kw_only=True)
class Cells:
    """A square of systems; arrays have shape (k, k), row and column in the order of `names`.

    Attributes
    ----------
    names : tuple of str
        Best first.
    view : str
        "p", "difference" or an effect's key.
    label : str
        What the values are, for people.
    values : float array
        p-value of the pair, or the row's difference or effect over the column; NaN where undefined.
    colour : float array
        Where on the colour scale the value lies: [0, 1] for p (0.5 is alpha), [−1, 1] else.
    ticks : tuple of (float, str)
        What to write beside the colour scale.
    verdict : int8 array
        Position in SIGNS.
    sentence : object array
        What to tell about the cell; empty on the diagonal.
    text : object array
        The value with its sign, short.
    """

    names: tuple[str, ...]
    view: str
    label: str
    values: FloatArray
    colour: FloatArray
    ticks: tuple[tuple[float, str], ...]
    verdict: NDArray[np.int8]
    sentence: NDArray[np.object_]
    text: NDArray[np.object_]

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.names)


def cells(analysis: Analysis, view: str = P_VIEW, shown: Sequence[int] | None = None) -> Cells:
    """The square of some systems, in the order of the leaderboard.

    Parameters
    ----------
    analysis : Analysis
    view : str
        "p", "difference", or the key of an effect of the analysis.
    shown : sequence of int or None
        Positions in the leaderboard; None shows all.

    Returns
    -------
    Cells
    """
    board, pairs, config = analysis.leaderboard, analysis.pairs, analysis.config
    order = board.column if shown is None else board.column[np.asarray(shown, dtype=np.int64)]
    place = np.full(len(board), -1)
    place[order] = np.arange(len(order))
    rows = np.flatnonzero((place[pairs.left] >= 0) & (place[pairs.right] >= 0))
    i, j = place[pairs.left[rows]], place[pairs.right[rows]]
    square = Square(len(order), i, j)
    of_a, of_b, label = _values(analysis, view, rows)
    values = square.fill(of_a, of_b)
    row_is_a, row_is_b = _verdicts(pairs, rows)
    told = [verdict_sentence(pairs, int(row), config, family=analysis.family_size) for row in rows]
    verdict = square.fill(row_is_a, row_is_b, NOTHING, np.int8)
    if view == P_VIEW:
        colour, ticks = evidence(values, config.alpha), _p_ticks(config.alpha)
    else:
        centre = _centre(view)
        colour, ticks = _balanced(values, centre)
    sentences = square.fill(_objects(told), _objects(told), "", object)
    format_one = format_p if view == P_VIEW else format_score
    text = np.full(values.shape, "", dtype=object)
    for r, c in zip(*np.nonzero(square.used), strict=True):
        sign = SIGNS[verdict[r, c]]
        text[r, c] = f"{sign} {format_one(float(values[r, c]))}".strip()
    return Cells(
        names=tuple(pairs.systems[column] for column in order),
        view=view,
        label=label,
        values=values,
        colour=colour,
        ticks=ticks,
        verdict=verdict,
        sentence=sentences,
        text=text,
    )


class Square:
    """Fills a square from the pairs above and below its diagonal.

    Parameters
    ----------
    size : int
    i, j : int arrays
        Places of a and b of every pair.
    """

    def __init__(self, size: int, i: NDArray[np.int64], j: NDArray[np.int64]) -> None:
        self.size, self.i, self.j = size, i, j
        self.used = np.zeros((size, size), dtype=bool)
        self.used[i, j] = self.used[j, i] = True

    def fill(self, of_a: Any, of_b: Any, blank: Any = np.nan, dtype: Any = np.float64) -> NDArray[Any]:
        """A square with one entry where a is the row and one where b is.

        Parameters
        ----------
        of_a, of_b : arrays, shape (n_pairs,)
        blank : object
        dtype : dtype

        Returns
        -------
        array, shape (size, size)
        """
        filled = np.full((self.size, self.size), blank, dtype=dtype)
        filled[self.i, self.j] = of_a
        filled[self.j, self.i] = of_b
        return filled


def _objects(texts: Sequence[str]) -> NDArray[np.object_]:
    made = np.empty(len(texts), dtype=object)
    made[:] = texts
    return made


def _values(analysis: Analysis, view: str, rows: NDArray[np.int64]) -> tuple[FloatArray, FloatArray, str]:
    """Value with a as the row, with b as the row, and what it is called."""
    pairs = analysis.pairs
    if view == P_VIEW:
        adjusted = analysis.config.correction != "none"
        p_values = (pairs.p_adjusted if adjusted else pairs.p_value)[rows]
        return p_values, p_values, "adjusted p" if adjusted else "p, not corrected"
    if view == DIFFERENCE_VIEW:
        return pairs.difference[rows], -pairs.difference[rows], "difference row − column"
    value = pairs.effects[view].value[rows]
    return value, turned(value, EFFECTS[view].turning), f"{EFFECTS[view].label}, row over column"


def _centre(view: str) -> float:
    return NEUTRAL[EFFECTS[view].turning] if view in EFFECTS else 0.0


def _verdicts(pairs: PairTable, rows: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Signs with a as the row and with b as the row."""
    about_a = pairs.verdict_code[rows].astype(np.int8)  # undecided, better, worse, equivalent: as in SIGNS
    contradicts = pairs.significant[rows] & ~pairs.separated[rows]
    about_a[contradicts] = CONTRADICTION
    about_b = about_a.copy()
    about_b[about_a == BETTER], about_b[about_a == WORSE] = WORSE, BETTER
    return about_a, about_b


def evidence(p_values: FloatArray, alpha: float) -> FloatArray:
    """Place of p-values on the colour scale: 0 at p = 1, a step at alpha, 1 at a millionth and below.

    Parameters
    ----------
    p_values : float array
    alpha : float

    Returns
    -------
    float array
        Up to 0.45 for p above alpha, from 0.55 on at or below it; NaN stays NaN.

    Examples
    --------
    >>> evidence(np.array([1.0, 0.05, 1e-9]), 0.05).round(2).tolist()
    [0.0, 0.55, 1.0]
    """
    floor = min(SMALLEST_SHOWN_P, alpha / 10)
    with np.errstate(divide="ignore", invalid="ignore"):
        above = 0.45 * -np.log10(p_values) / -np.log10(alpha) + 0.0
        depth = np.log10(np.maximum(p_values, floor) / alpha) / np.log10(floor / alpha)
    return np.where(np.isnan(p_values), np.nan, np.where(p_values <= alpha, 0.55 + 0.45 * depth, above))


def _p_ticks(alpha: float) -> tuple[tuple[float, str], ...]:
    marks = [p for p in (1.0, 0.3, 0.1, 0.001, 1e-6) if p > 2 * alpha or p < alpha / 2]
    places = evidence(np.array(marks), alpha)
    ticks = [(float(place), f"{p:g}") for place, p in zip(places, marks, strict=True)]
    return tuple(sorted([*ticks, (0.5, f"α = {alpha:g}")]))


def _balanced(values: FloatArray, centre: float) -> tuple[FloatArray, tuple[tuple[float, str], ...]]:
    """Place of values on a diverging scale that is as long on both sides of the neutral value."""
    finite = np.isfinite(values)
    ratio = centre == 1.0  # a ratio is as far from 1 as its reciprocal
    with np.errstate(divide="ignore", invalid="ignore"):
        away = np.log(values) if ratio else values - centre
    limit = float(np.abs(away[finite & np.isfinite(away)]).max(initial=0.0)) or 1.0
    ends = np.array([-limit, -limit / 2, 0.0, limit / 2, limit])
    told = np.exp(ends) if ratio else ends + centre
    ticks = tuple((float(e / limit), format_score(float(t))) for e, t in zip(ends, told, strict=True))
    return np.clip(away / limit, -1.0, 1.0), ticks
