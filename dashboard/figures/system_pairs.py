"""How one system stands to all it was compared with, as columns. No Streamlit in here."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.formatting import format_fixed_interval, format_p, interval_decimals
from nlpstat_core.report.wording import sentence_of_pair
from nlpstat_core.report.wording.few_units import MARK

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

BETTER, WORSE, EQUIVALENT, UNDECIDED, NOT_COMPARED = (
    "better",
    "worse",
    "equivalent",
    "undecided",
    "not compared",
)
SIGNS = {BETTER: "▲", WORSE: "▼", EQUIVALENT: "≈", UNDECIDED: "·", NOT_COMPARED: ""}


@dataclass(frozen=True, eq=False)
class Standing:
    """One system and those it was compared with; one entry per other system, best first.

    swapped: Whether rows are about the other system (other − system), as against a baseline; else about
        `system` (system − other).
    interval (float array, shape (n, 2)): Of this difference alone, not adjusted.
    verdict: Of the system the row is about.
    few: Whether it is decided and rests on a few units.
    """

    system: str
    swapped: bool
    other: tuple[str, ...]
    difference: FloatArray
    interval: FloatArray
    p_value: FloatArray
    p_adjusted: FloatArray
    verdict: tuple[str, ...]
    few: tuple[bool, ...]
    sentence: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.other)

    def first(self, size: int) -> Standing:
        """The first rows alone."""
        columns = (one.name for one in fields(self) if one.name not in ("system", "swapped"))
        return replace(self, **{name: getattr(self, name)[:size] for name in columns})

    def count(self, verdict: str) -> int:
        """How many rows have a verdict."""
        return self.verdict.count(verdict)


def standing(analysis: Analysis, system: str, *, others_first: bool = False) -> Standing:
    """How a system stands to all it was compared with.

    others_first: Differences are other − system: how the others did against a baseline.
    """
    pairs = analysis.pairs
    rows, other, first = pairs_with(analysis, system)
    # As the table has it a pair is a − b; turned where the row is about b.
    flipped = first == others_first
    sign = np.where(flipped, -1.0, 1.0)
    ends = pairs.interval[rows]
    interval = np.where(flipped[:, np.newaxis], -ends[:, ::-1], ends)
    return Standing(
        system=system,
        swapped=others_first,
        other=tuple(pairs.systems[i] for i in other),
        difference=sign * pairs.difference[rows],
        interval=interval,
        p_value=pairs.p_value[rows],
        p_adjusted=pairs.p_adjusted[rows],
        verdict=_verdicts(analysis, rows, flipped),
        few=tuple(pairs.rests_on_few[rows].tolist()),
        sentence=tuple(
            sentence_of_pair(analysis, int(row), swapped=bool(turn))
            for row, turn in zip(rows, flipped, strict=True)
        ),
    )


def pairs_with(analysis: Analysis, system: str) -> tuple[IntArray, IntArray, BoolArray]:
    """A system's pairs, in the order of the others on the leaderboard.

    Returns: Their rows, the column of the other system, and whether the system is the first of the two.
    """
    pairs, board = analysis.pairs, analysis.leaderboard
    column = pairs.systems.index(system)
    rows = np.flatnonzero((pairs.left == column) | (pairs.right == column))
    other = np.where(pairs.left[rows] == column, pairs.right[rows], pairs.left[rows])
    place = np.empty(len(board), dtype=np.int64)
    place[board.column] = np.arange(len(board))
    order = np.argsort(place[other], kind="stable")
    rows, other = rows[order], other[order]
    return rows, other, pairs.left[rows] == column


def _verdicts(analysis: Analysis, rows: np.ndarray, flipped: np.ndarray) -> tuple[str, ...]:
    pairs = analysis.pairs
    words = (UNDECIDED, BETTER, WORSE, EQUIVALENT)
    swapped = (UNDECIDED, WORSE, BETTER, EQUIVALENT)
    return tuple(
        NOT_COMPARED if np.isnan(p) and code == 0 else (swapped if flip else words)[code]
        for code, flip, p in zip(pairs.verdict_code[rows], flipped, pairs.p_value[rows], strict=True)
    )


def standing_table(found: Standing, config: AnalysisConfig) -> pd.DataFrame:
    """The same as a table for people."""
    places = interval_decimals(found.interval)
    adjusted = config.correction != "none"
    p = found.p_adjusted if adjusted else found.p_value
    return pd.DataFrame(
        {
            "System" if found.swapped else "Compared with": list(found.other),
            "Δ": found.difference.round(places),
            "Interval of Δ": [
                format_fixed_interval(low, high, places) for low, high in found.interval.tolist()
            ],
            "Adjusted p" if adjusted else "p": [format_p(float(value), alpha=config.alpha) for value in p],
            "Verdict": [
                f"{SIGNS[verdict]} {verdict} {MARK * few}".strip()
                for verdict, few in zip(found.verdict, found.few, strict=True)
            ],
        }
    )
