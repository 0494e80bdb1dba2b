"""The scores of the columns beside one that may hold scores, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.names import Kind, says

FEWEST_COUNTED = 5  # rows from which on a column that counts them is known as such
SUMMED_CELLS = 2_000_000
OUTSIDE = 0.05  # share of a column's values on either side that may lie outside the others' range


@dataclass(frozen=True)
class Beside:
    """The scores of columns beside one that may be a system, too.

    values: All that are there, of so many columns as are quickly looked at.
    low, high: Least and greatest of the column in the middle: some of them may be no scores.
    grows: Whether one of the columns never falls.
    """

    values: FloatArray
    low: float
    high: float
    grows: bool

    @classmethod
    def of(cls, columns: Columns, others: Sequence[int]) -> Beside:
        """The same of some columns."""
        most = max(1, SUMMED_CELLS // max(1, len(columns.table)))
        scores = [i for i in others if not says(Kind.NEVER, columns.header[i])] or others
        own = [columns.parsed(i).values for i in scores[:: len(scores) // most + 1]]
        there = [values[np.isfinite(values)] for values in own]
        there = [values for values in there if values.size]
        if not there:
            return cls(np.zeros(0), 0.0, 0.0, grows=False)
        low = sorted(float(values.min()) for values in there)[(len(there) - 1) // 2]
        high = sorted(float(values.max()) for values in there)[len(there) // 2]
        return cls(np.unique(np.concatenate(there)), low, high, any(map(grows, own)))

    def has_like(self, columns: Columns, column: int) -> bool:
        """Whether a column's values lie where these do, and are not whole beside fractions."""
        return self.is_like(columns.parsed(column).values)

    def is_like(self, own: FloatArray) -> bool:
        """The same of values."""
        own = np.sort(own[np.isfinite(own)])
        if not own.size or not self.values.size:
            return False
        more = max(self.high / 2 - self.low / 2, abs(self.high) / 2)
        least, greatest = own[int(OUTSIDE * own.size)], own[-1 - int(OUTSIDE * own.size)]
        inside = max(self.low - more, min(self.low, 0.0)) <= least and greatest <= self.high + more
        return bool(
            inside and (not is_whole(own) or is_whole(self.values) or np.isin(own, self.values).all())
        )

    def has_fractions_alike(self, columns: Columns, column: int) -> bool:
        """Whether a column holds such values and nothing else, and no numbers of documents or the like."""
        found = columns.parsed(column)
        whole = is_whole(found.values[np.isfinite(found.values)])
        return found.bad is None and not whole and self.has_alike(columns, column)

    def has_alike(self, columns: Columns, column: int) -> bool:
        """The same, and whether they are as many decimals as these: no fractions beside whole numbers."""
        own = columns.parsed(column).values
        fractions = is_whole(self.values) and not is_whole(own[np.isfinite(own)])
        return not fractions and self.has_like(columns, column)

    def may_have(self, columns: Columns, column: int) -> bool:
        """Whether a column's values are such ones, and in no order as ids are."""
        values = columns.parsed(column).values
        return len(values) >= FEWEST_COUNTED and not grows(values) and self.has_alike(columns, column)


def is_whole(values: FloatArray) -> bool:
    """Whether all are whole numbers."""
    return bool((values == np.rint(values)).all())


def grows(values: FloatArray) -> bool:
    """Whether values never fall, and aren't all the same."""
    there = values[np.isfinite(values)]
    return there.size >= FEWEST_COUNTED and bool((there[1:] >= there[:-1]).all() and there[0] != there[-1])
