"""Order statistics of the Walsh averages (z_i + z_j)/2, i ≤ j, without forming them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

# Up to so many averages (of distinct values) they are formed and sorted.
_FORMED = 20_000
# Order statistics whose averages give the first x.
_COARSE = 64
_FIRST, _SECOND = np.triu_indices(_COARSE)


def walsh_order_statistics(z: FloatArray, ranks: Sequence[int]) -> FloatArray:
    """The k-th smallest Walsh averages of one sample.

    Parameters
    ----------
    z : float array, shape (n,)
        Finite values.
    ranks : sequence of int
        Each k from 1 to n(n + 1)/2.

    Returns
    -------
    float array, shape (len(ranks),)

    Notes
    -----
    Averages up to x are counted row by row of the sorted sample with binary searches; a coarse sample of
    the averages gives the first x, interpolation the next, until few averages are left between two x and can
    be formed. Few distinct values are weighted by how often they occur. Cost O(n log n) for each of about
    four counts; memory O(n).

    Examples
    --------
    >>> walsh_order_statistics(np.array([1.0, 2.0, 4.0]), [1, 3, 6]).tolist()
    [1.0, 2.0, 4.0]
    """
    values, counts = np.unique(z, return_counts=True)
    k = values.size
    if k * (k + 1) // 2 <= _FORMED:
        return _formed(values, counts, ranks)
    search = _Search(np.sort(z))
    return np.array([search.find(rank) for rank in ranks])


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


class _Probe:
    """Averages up to x: for each row i the first j whose average with i is above x, and how many in all."""

    def __init__(self, z: FloatArray, x: float) -> None:
        self.x = x
        rows = int(np.searchsorted(z, x, side="right"))
        self.beyond = np.searchsorted(z, 2 * x - z[:rows], side="right")
        self.count = int(self.beyond.sum()) - rows * (rows - 1) // 2


class _Search:
    """Finds order statistics of the Walsh averages of one sorted sample; counts are shared between ranks."""

    def __init__(self, z: FloatArray) -> None:
        self.z = z
        n = z.size
        self.total = n * (n + 1) // 2
        self.few = 2 * n + 1_000
        self.dust = 4 * float(np.spacing(max(abs(z[0]), abs(z[-1]))))
        self.below = _Probe(z[:0], float(z[0]) - 4 * self.dust)
        above = _Probe(z, float(z[-1]) + 4 * self.dust)
        self.probes = [self.below, above]
        chosen = z[((np.arange(_COARSE) + 0.5) * n / _COARSE).astype(np.int64)]
        self.coarse = np.sort((chosen[_FIRST] + chosen[_SECOND]) / 2)

    def find(self, rank: int) -> float:
        """The average of this rank."""
        low, high = self._bracket(rank)
        for step in range(1_000):
            if high.count - low.count <= self.few:
                break
            if step < 2:
                self._probe(self._guess(rank + (2 * step - 1) * self.few // 4))
            elif step % 3 == 1:
                pivot = self._middle(low, high)
                low = self._probe(pivot - self.dust)
                high = self._probe(pivot + self.dust)
                if low.count < rank <= high.count:
                    return pivot
            else:
                self._probe(self._between(low, high, rank))
            low, high = self._bracket(rank)
        return self._select(low, high, rank)

    def _guess(self, rank: int) -> float:
        share = np.clip(rank / self.total, 0.0, 1.0) * self.coarse.size - 0.5
        return float(np.interp(share, np.arange(self.coarse.size), self.coarse))

    def _probe(self, x: float) -> _Probe:
        probe = _Probe(self.z, x)
        self.probes.append(probe)
        return probe

    def _bracket(self, rank: int) -> tuple[_Probe, _Probe]:
        low = max((p for p in self.probes if p.count < rank), key=lambda p: p.count)
        high = min((p for p in self.probes if p.count >= rank), key=lambda p: p.count)
        return low, high

    def _between(self, low: _Probe, high: _Probe, rank: int) -> float:
        """Interpolated x that should cut off most of the longer side."""
        margin = self.few // 4
        aim = rank - margin if rank - low.count > high.count - rank else rank + margin
        share = (aim - low.count) / (high.count - low.count)
        return low.x + (high.x - low.x) * min(max(share, 0.01), 0.99)

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

    def _select(self, low: _Probe, high: _Probe, rank: int) -> float:
        start, size = self._rows(low, high)
        ends = np.cumsum(size)
        columns = np.arange(ends[-1]) + np.repeat(start - ends + size, size)
        sums = np.repeat(self.z[: size.size], size) + self.z[columns]
        position = rank - low.count - 1
        return float(np.partition(sums, position)[position]) / 2
