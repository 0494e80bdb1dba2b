"""Swapping units between two systems, reduced to one walk in the plane of hits and misses."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

TIE_TOLERANCE = 1e-12


@dataclass(frozen=True)
class Swaps:
    """Totals of system a when each unit is swapped with probability ½, and the ratio they decide.

    steps (ndarray of int64, shape (n_steps, 2)): Distinct changes of (hits, misses) of a by swapping one
        unit; none is (0, 0).
    counts (ndarray, shape (n_steps,)): How many units have each.
    start (ndarray, shape (2,)): Observed (hits, misses) of a, in counts.
    both (ndarray, shape (2,)): Hits and misses of a and b together, which no swap changes.
    scale (ndarray, shape (2,)): One step of each axis in counts.
    miss_weight: κ of the ratio hits/(hits + κ·misses): ½ for F1, 1 for precision, recall and accuracy.
    """

    steps: IntArray
    counts: FloatArray
    start: FloatArray
    both: FloatArray
    scale: FloatArray
    miss_weight: float

    @property
    def units(self) -> int:
        """Number of units that a swap changes."""
        return int(self.counts.sum())

    def difference(self, hits: FloatArray, misses: FloatArray) -> FloatArray:
        """Ratio of a minus ratio of b when the swapped units move a by so many steps.

        hits, misses: Steps from the observed totals of a, of shapes that broadcast.
        Returns: A side with neither hits nor misses has ratio 0.
        """
        x = self.start[0] + self.scale[0] * hits
        y = self.start[1] + self.scale[1] * misses
        return self._ratio(x, y) - self._ratio(self.both[0] - x, self.both[1] - y)

    def gradient(self, point: FloatArray) -> FloatArray:
        """Slope of the difference at a point of the plane, per step.

        point (ndarray, shape (2,)): Steps from the observed totals of a.
        Returns ndarray, shape (2,).
        """
        own = self.start + self.scale * point
        slope = self._slope(own) + self._slope(self.both - own)
        return np.asarray(slope * self.scale, dtype=np.float64)

    def reached(self, hits: FloatArray, misses: FloatArray, strict: bool) -> BoolArray:
        """Where the difference is at least (or more than) the observed one, ties within 1e-12.

        hits, misses: Steps from the observed totals of a.
        strict: Whether ties with the observed difference are left out.
        """
        observed = float(self.difference(np.zeros(1), np.zeros(1))[0])
        margin = TIE_TOLERANCE if strict else -TIE_TOLERANCE
        return np.asarray(self.difference(hits, misses) >= observed + margin, dtype=np.bool_)

    def _ratio(self, x: FloatArray, y: FloatArray) -> FloatArray:
        whole = x + self.miss_weight * y
        return np.asarray(np.where(whole > 0.0, x / np.where(whole > 0.0, whole, 1.0), 0.0), dtype=np.float64)

    def _slope(self, totals: FloatArray) -> FloatArray:
        # The floor keeps the slope finite where a side is emptied; only a direction for tilting is wanted.
        x, y = np.maximum(totals, 0.25 * self.scale)
        weight = self.miss_weight
        slope = np.array([weight * y, -weight * x]) / (x + weight * y) ** 2
        return np.asarray(slope, dtype=np.float64)


def sheared(steps: IntArray, counts: FloatArray) -> tuple[IntArray, int]:
    """Steps with the second axis sheared by a whole multiple of the first, so that the axes hardly correlate.

    steps (ndarray of int64, shape (n_steps, 2)): Changes of (hits, misses).
    counts (ndarray, shape (n_steps,)): How often each occurs.
    Returns steps (ndarray of int64, shape (n_steps, 2)): Second column is misses + multiple·hits.
    Returns multiple: A lost hit is often one more miss; the shear makes the grid narrower, down to one line
        when that is always so.
    """
    power = float(np.dot(counts, steps[:, 0].astype(float) ** 2))
    product = float(np.dot(counts, steps[:, 0].astype(float) * steps[:, 1]))
    multiple = -round(product / power) if power > 0.0 else 0
    return np.stack([steps[:, 0], steps[:, 1] + multiple * steps[:, 0]], axis=1), multiple
