"""Random labels of two pooled samples, shared by all pairs of samples with the same sizes."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.resampling import one_blas_thread, tie_tolerance
from nlpstat_core.engine.resampling.products import padded_rows, sums
from nlpstat_core.engine.resampling.streams import CHUNK, bit_generator

_STREAM = "labels"
# Labels drawn at a time (16 MB); fixed.
_MOST_LABELS = 2**21
# Pairs whose resampled sums are held together; the labels are drawn again for the next ones.
_MOST_PAIRS = 8_192


def shared_label_tails(batch: PairBatch, resamples: int, seed: int) -> FloatArray:
    """Both tails of the sum of a's scores when the labels of the pooled units are shuffled at random.

    batch: Pairs with at least one unit on each side.
    Returns float array, shape (n_pairs, 2): (C + 1)/(B + 1) of the labellings whose sum is at least, and at
        most, the observed one; ties count.

    The labels depend on the seed, the number of the resample and the sizes of the two samples only. With c
    of the n_u chosen units among a's own, the sum less its mean is Σ(u − ū) + Σ(v − v̄) over the chosen units
    plus (ū − v̄ − δ)·(c − n_u²/(n_u + n_v)): two products of S columns serve all pairs with the same sizes.
    Cost O(B·n·S), and O(B) per pair.
    """
    scores = {int(s): batch.units.own.sample(int(s)) for s in np.union1d(batch.left, batch.right)}
    ends = np.stack([batch.left, batch.right], axis=1).tolist()
    sizes = np.array([[scores[a].size, scores[b].size] for a, b in ends])
    tails = np.empty((batch.n_pairs, 2))
    for same in np.unique(sizes, axis=0):
        rows = np.flatnonzero((sizes == same).all(axis=1))
        for start in range(0, rows.size, _MOST_PAIRS):
            part = rows[start : start + _MOST_PAIRS]
            tails[part] = _tails(scores, batch.take(part), resamples, seed)
    return tails


def _tails(scores: dict[int, FloatArray], batch: PairBatch, resamples: int, seed: int) -> FloatArray:
    """Both tails of pairs with the same sizes."""
    left, of_u = np.unique(batch.left, return_inverse=True)
    right, of_v = np.unique(batch.right, return_inverse=True)
    u, v = (np.stack([scores[s] for s in systems.tolist()], axis=1) for systems in (left, right))
    n_u, n_v = u.shape[0], v.shape[0]
    apart = u.mean(axis=0)[of_u] - v.mean(axis=0)[of_v] - batch.delta
    observed = apart * n_u * n_v / (n_u + n_v)
    tolerance = tie_tolerance(np.abs(u).sum(axis=0)[of_u] + np.abs(v + batch.delta).sum(axis=0)[of_v])
    rows_u, rows_v = padded_rows(u - u.mean(axis=0)), padded_rows(v - v.mean(axis=0))
    above, below = np.zeros((2, batch.n_pairs), dtype=np.int64)
    with one_blas_thread():
        for labels in _labels(n_u, n_v, resamples, seed):
            drawn = sums(rows_u, labels[:n_u], left.size)[of_u] + sums(rows_v, labels[n_u:], right.size)[of_v]
            drawn += np.outer(apart, labels[:n_u].sum(axis=0) - n_u**2 / (n_u + n_v))
            above += np.count_nonzero(drawn >= (observed - tolerance)[:, np.newaxis], axis=1)
            below += np.count_nonzero(drawn <= (observed + tolerance)[:, np.newaxis], axis=1)
    result: FloatArray = (np.stack([above, below], axis=1) + 1) / (resamples + 1)
    return result


def _labels(n_u: int, n_v: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """1 for the units called a's and 0 for the others, shape (n_u + n_v, resamples of this piece)."""
    n = n_u + n_v
    step = max(1, _MOST_LABELS // n)
    for chunk, start in enumerate(range(0, resamples, CHUNK)):
        generator = bit_generator(seed, _STREAM, chunk)
        end = min(start + CHUNK, resamples)
        for first in range(start, end, step):
            size = min(step, end - first)
            words = generator.random_raw(n * size).reshape(size, n)
            chosen: IntArray = np.argpartition(words, n_u - 1, axis=1)[:, :n_u]
            labels = np.zeros((size, n))
            np.put_along_axis(labels, chosen, 1.0, axis=1)
            yield labels.T
