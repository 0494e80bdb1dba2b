"""The cells of a heatmap as data: order, values, verdicts, sentences. Figures and tables only draw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray, ObjectArray
from nlpstat_core.formatting import format_p, format_score
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.effects.swapping import NEUTRAL, swapped
from nlpstat_core.report.exports.tables.square import SIGNS
from nlpstat_core.report.exports.tables.square import square as square_of
from nlpstat_core.report.wording import sentence_of_pair
from nlpstat_core.report.wording.few_units import MARK

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis


P_VIEW, DIFFERENCE_VIEW = "p", "difference"
# With more systems than this columns have numbers, which rows repeat behind their names: slanted names would
# be cut, and push the cells off the screen.
MOST_NAMED_COLUMNS = 20
SMALLEST_SHOWN_P = 1e-6  # the darkest colour; smaller p look the same and are told in full


@dataclass(frozen=True, eq=False, kw_only=True)
class Cells:
    """A square of systems; arrays have shape (k, k), row and column in the order of `names`.

    names: Best first.
    view: "p", "difference" or an effect's key.
    label: What the values are, for people.
    values: p-value of the pair, or the row's difference or effect over the column; NaN where undefined.
    colour: Where on the colour scale the value lies: [0, 1] for p (0.5 is alpha), [−1, 1] else.
    ticks (tuple of (float, str)): What to write beside the colour scale.
    verdict: Position in SIGNS.
    sentence: What to tell about the cell, row minus column; empty on the diagonal.
    text: The value with its sign, short.
    few: Decided pairs that rest on a few units; None where that isn't asked.
    """

    names: tuple[str, ...]
    view: str
    label: str
    values: FloatArray
    colour: FloatArray
    ticks: tuple[tuple[float, str], ...]
    verdict: NDArray[np.int8]
    sentence: ObjectArray
    text: ObjectArray
    few: BoolArray | None = None

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.names)

    def has_pair(self, row: int, column: int) -> bool:
        """Whether a cell stands for a pair: not the diagonal, nor a cell chosen on a larger square before."""
        return max(row, column) < self.size and bool(self.sentence[row, column])


def cells(analysis: Analysis, view: str = P_VIEW, shown: Sequence[int] | None = None) -> Cells:
    """The square of some systems, in the order of the leaderboard.

    view: "p", "difference", or the key of an effect of the analysis.
    shown: Positions in the leaderboard; None shows all.
    """
    config = analysis.config
    square = square_of(analysis, shown=shown)
    rows = square.rows
    of_a, of_b, label = _values(analysis, view, rows)
    values = square.fill(of_a, of_b)
    row_sentences = [sentence_of_pair(analysis, int(row)) for row in rows]
    swapped_sentences = [sentence_of_pair(analysis, int(row), swapped=True) for row in rows]
    if view == P_VIEW:
        colour, ticks = evidence(values, config.alpha), _p_ticks(config.alpha)
    else:
        centre = NEUTRAL[EFFECTS[view].swapping] if view in EFFECTS else 0.0
        colour, ticks = _balanced(values, centre)
    hover = square.fill(_objects(row_sentences), _objects(swapped_sentences), "", object)
    format_one = partial(format_p, alpha=config.alpha) if view == P_VIEW else format_score
    hover_text = np.full(values.shape, "", dtype=object)
    for r, c in zip(*np.nonzero(square.pair >= 0), strict=True):
        sign = SIGNS[square.verdict[r, c]]
        mark = MARK * int(square.few[r, c])
        hover_text[r, c] = f"{sign}{mark} {format_one(float(values[r, c]))}".strip()
    return Cells(
        names=square.names,
        view=view,
        label=label,
        values=values,
        colour=colour,
        ticks=ticks,
        verdict=square.verdict,
        sentence=hover,
        text=hover_text,
        few=square.few,
    )


def _objects(texts: Sequence[str]) -> ObjectArray:
    made = np.empty(len(texts), dtype=object)
    made[:] = texts
    return made


def _values(analysis: Analysis, view: str, rows: IntArray) -> tuple[FloatArray, FloatArray, str]:
    """Value with a as the row, with b as the row, and what it is called."""
    pairs = analysis.pairs
    if view == P_VIEW:
        adjusted = analysis.config.correction != "none"
        p_values = (pairs.p_adjusted if adjusted else pairs.p_value)[rows]
        return p_values, p_values, "adjusted p" if adjusted else "p, not corrected"
    if view == DIFFERENCE_VIEW:
        return pairs.difference[rows], -pairs.difference[rows], "difference row − column"
    value = pairs.effects[view].value[rows]
    return value, swapped(value, EFFECTS[view].swapping), f"{EFFECTS[view].label}, row over column"


def evidence(p_values: FloatArray, alpha: float) -> FloatArray:
    """Place of p-values on the colour scale: 0 at p = 1, a step at alpha, 1 at a millionth and below.

    Returns: Up to 0.45 for p above alpha, from 0.55 on at or below it; NaN stays NaN.

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
    shown_ends = np.exp(ends) if ratio else ends + centre
    ticks = tuple((float(e / limit), format_score(float(t))) for e, t in zip(ends, shown_ends, strict=True))
    return np.clip(away / limit, -1.0, 1.0), ticks
