"""Bins for histograms: few distinct values get one bar each, others bins of a readable width."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

MOST_BARS = 60
MOST_DISTINCT = 25


@dataclass(frozen=True, eq=False)
class Bins:
    """Counts between edges.

    edges (float array, shape (n_bins + 1,)).
    counts (int array, shape (n_bins,)).
    """

    edges: FloatArray
    counts: IntArray


def bins(values: FloatArray, edges: FloatArray | None = None) -> Bins:
    """Counts of numbers in bins.

    edges: Given where two histograms are to be compared; else found from the values.
    """
    edges = bin_edges(values) if edges is None else edges
    counts, _ = np.histogram(values, bins=edges)
    return Bins(edges, counts.astype(np.int64))


def bin_edges(values: FloatArray) -> FloatArray:
    """Edges that suit some numbers.

    Returns: Around every value where there are few distinct, evenly spaced ones; else by Freedman and
        Diaconis.

    >>> bin_edges(np.array([0.0, 1.0, 1.0])).tolist()
    [-0.5, 0.5, 1.5]
    """
    finite = values[np.isfinite(values)]
    if not finite.size:
        return np.array([0.0, 1.0])
    distinct = np.unique(finite)
    if distinct.size == 1:
        half = max(abs(float(distinct[0])) * 0.05, 0.5)
        return np.array([distinct[0] - half, distinct[0] + half])
    gaps = np.diff(distinct)
    if distinct.size <= MOST_DISTINCT and gaps.max() < 1.001 * gaps.min():
        step = float(gaps.mean())
        return np.append(distinct - step / 2, distinct[-1] + step / 2)
    low, high = float(distinct[0]), float(distinct[-1])
    quarter, three_quarters = np.quantile(finite, (0.25, 0.75))
    width = 2 * float(three_quarters - quarter) / finite.size ** (1 / 3)
    number = int(np.ceil((high - low) / width)) if width > 0 else MOST_BARS // 2
    return np.linspace(low, high, min(MOST_BARS, max(8, number)) + 1)
