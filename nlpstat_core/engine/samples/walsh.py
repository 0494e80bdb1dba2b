"""Order statistics of the Walsh averages (z_i + z_j)/2, i ≤ j, without forming them all."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

# Up to so many averages (of distinct values) they are formed and sorted.
_FORMED = 20_000
# Order statistics whose averages give the first x.
_COARSE = 64
_FIRST, _SECOND = np.triu_indices(_COARSE)
# So many of them on either side give how fast the averages rise.
_AROUND = 64
# Counts for one rank that trust them.
_GUESSES = 4


def walsh_order_statistics(z: FloatArray, ranks: Sequence[int]) -> FloatArray:
    """The k-th smallest Walsh averages of one sample.

    z (float array, shape (n,)): Finite values.
    ranks: Each k from 1 to n(n + 1)/2.
    Returns float array, shape (len(ranks),).

    Averages up to x are counted row by row of the sorted sample with binary searches; a coarse sample of
    the averages gives the first x and how far away the next should be, until few averages are left between
    two x and can be formed. Few distinct values are weighted by how often they occur. Cost O(n log n) for
    each of about two counts a rank; memory O(n).

    >>> walsh_order_statistics(np.array([1.0, 2.0, 4.0]), [1, 3, 6]).tolist()
    [1.0, 2.0, 4.0]
    """
    z = np.sort(z)
    first = np.flatnonzero(np.concatenate([[True], z[1:] != z[:-1]]))
    if first.size * (first.size + 1) // 2 <= _FORMED:
        return _formed(z[first], np.diff(first, append=z.size), ranks)
    found = _Search(z).find(ranks)
    return np.array([found[rank] for rank in ranks])


def _formed(values: FloatArray, counts: IntArray, ranks: Sequence[int]) -> FloatArray:
    """All averages of distinct values with their multiplicities, sorted."""
    first, second = np.triu_indices(values.size)
    averages = (values[first] + values[second]) / 2
    times = np.where(
        first == second, counts[first] * (counts[first] + 1) // 2, counts[first] * counts[second]
    )
    order = np.argsort(averages)
    reached = np.cumsum(times[order])
    result: FloatArray = averages[order][np.searchsorted(reached, np.asarray(ranks))]
    return result


@dataclass(frozen=True, eq=False)
class _Probe:
    """Averages up to x: for each row i the first j whose average with i is above x, and how many in all."""

    x: float
    beyond: IntArray
    count: int

    @classmethod
    def of(cls, z: FloatArray, x: float) -> _Probe:
        """Count the averages of a sorted sample."""
        rows = int(z.searchsorted(x, side="right"))
        # Rising keys: NumPy then begins a search where the last one ended, twice as fast as for falling ones.
        beyond = z.searchsorted(2 * x - z[:rows][::-1], side="right")
        return cls(x, beyond[::-1], int(beyond.sum()) - rows * (rows - 1) // 2)


def _count(probe: _Probe) -> int:
    return probe.count


class _Search:
    """Finds order statistics of the Walsh averages of one sorted sample; counts are shared between ranks."""

    def __init__(self, z: FloatArray) -> None:
        self.z = z
        n = z.size
        self.total = n * (n + 1) // 2
        self.few, self.margin = 2 * n + 1_000, n // 8
        self.dust = 4 * float(np.spacing(max(abs(z[0]), abs(z[-1]))))
        below = _Probe(float(z[0]) - 4 * self.dust, np.empty(0, np.int64), 0)
        above = _Probe(float(z[-1]) + 4 * self.dust, np.full(n, n), self.total)
        self.probes = [below, above]  # by their counts
        chosen = z[((np.arange(_COARSE) + 0.5) * n / _COARSE).astype(np.int64)]
        self.coarse = np.sort((chosen[_FIRST] + chosen[_SECOND]) / 2)

    def find(self, ranks: Sequence[int]) -> dict[int, float]:
        """The average of each rank."""
        found: dict[int, float] = {}
        for rank in ranks:
            if rank not in found:
                found |= self._near(rank, ranks)
        return found

    def _near(self, rank: int, ranks: Sequence[int]) -> dict[int, float]:
        """The averages of one rank and of those that lie between the same two counts."""
        low, high = self._bracket(rank)
        for step in range(1_000):
            if high.count - low.count <= self.few:
                break
            if step >= _GUESSES and step % 3 == 1:
                pivot = self._middle(low, high)
                low, high = self._probe(pivot - self.dust), self._probe(pivot + self.dust)
                if low.count < rank <= high.count:
                    return {inside: pivot for inside in ranks if low.count < inside <= high.count}
            else:
                self._probe(self._next(low, high, rank, step))
            low, high = self._bracket(rank)
        both = [inside for inside in ranks if low.count < inside <= high.count]
        return dict(zip(both, self._select(low, high, both), strict=True))

    def _next(self, low: _Probe, high: _Probe, rank: int, step: int) -> float:
        """An x near the rank, later one that should cut off most of the longer side."""
        if rank - low.count > high.count - rank:
            near, aim = high, rank - self.margin
        else:
            near, aim = low, rank + self.margin
        if step < _GUESSES:
            x = near.x + (aim - near.count) * self._rise(rank) if step else self._guess(rank)
            if low.x < x < high.x:
                return x
        share = (aim - low.count) / (high.count - low.count)
        return low.x + (high.x - low.x) * min(max(share, 0.01), 0.99)

    def _guess(self, rank: int) -> float:
        """Where the coarse averages have this rank, linear between two of them."""
        place = min(max(rank / self.total * self.coarse.size - 0.5, 0.0), self.coarse.size - 1.001)
        below = int(place)
        return float(self.coarse[below] + (place - below) * (self.coarse[below + 1] - self.coarse[below]))

    def _rise(self, rank: int) -> float:
        """How far apart neighbouring averages are about this rank, by the coarse ones."""
        place, last = int(rank / self.total * self.coarse.size), self.coarse.size - 1
        first, final = max(place - _AROUND, 0), min(place + _AROUND, last)
        rise = (self.coarse[final] - self.coarse[first]) / (final - first)
        return float(rise) * self.coarse.size / self.total

    def _probe(self, x: float) -> _Probe:
        probe = _Probe.of(self.z, x)
        insort(self.probes, probe, key=_count)
        return probe

    def _bracket(self, rank: int) -> tuple[_Probe, _Probe]:
        place = bisect_left(self.probes, rank, key=_count)
        return self.probes[place - 1], self.probes[place]

    def _rows(self, low: _Probe, high: _Probe) -> tuple[IntArray, IntArray]:
        """First column and number of candidate averages of each row."""
        start = np.arange(high.beyond.size)
        start[: low.beyond.size] = low.beyond[: start.size]
        return start, np.maximum(high.beyond - start, 0)

    def _middle(self, low: _Probe, high: _Probe) -> float:
        """Weighted median of the rows' middle candidates: at least a quarter lies on either side."""
        start, size = self._rows(low, high)
        rows = np.flatnonzero(size)
        middles = (self.z[rows] + self.z[start[rows] + size[rows] // 2]) / 2
        order = np.argsort(middles)
        reached = np.cumsum(size[rows][order])
        return float(middles[order][np.searchsorted(reached, reached[-1] / 2)])

    def _select(self, low: _Probe, high: _Probe, ranks: Sequence[int]) -> list[float]:
        """The averages of some ranks between two counts, from all averages between them."""
        start, size = self._rows(low, high)
        ends = np.cumsum(size)
        columns = np.arange(ends[-1]) + np.repeat(start - ends + size, size)
        sums = np.repeat(self.z[: size.size], size) + self.z[columns]
        places = np.array(ranks) - low.count - 1
        sums.partition(places)
        chosen: list[float] = (sums[places] / 2).tolist()
        return chosen
