"""Westfall and Young's max-T for means corrected by people: signs of items that all pairs share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling import monte_carlo_p, one_blas_thread, sign_chunks

RESAMPLES, SEED = 9_999, 0


class Signed(Protocol):
    """What random signs of items (or documents) change.

    parts: What signs are summed over, each of shape (n, k); one with fewer rows is about the first of them.
    """

    @property
    def parts(self) -> tuple[FloatArray, ...]:
        """Of shapes (n, k), or (fewer, k)."""
        ...

    def statistics(self, sums: Sequence[FloatArray]) -> FloatArray:
        """|t| of every column from signs times `parts`, each of shape (resamples, k)."""
        ...

    def of(self, columns: IntArray) -> "Signed":
        """Some columns, in this order."""
        ...


@dataclass(frozen=True, eq=False)
class DocumentSigns:
    """What each document adds to an estimate changes its sign; weights of the judge stay.

    influence (shape (n, k)): What a document adds to the estimate less its expectation.
    labelled (shape (n, k)): Whether it holds labels that the column counts.
    """

    influence: FloatArray
    labelled: BoolArray

    @property
    def parts(self) -> tuple[FloatArray, ...]:
        """Of documents with labels, and of all."""
        return np.where(self.labelled, self.influence, 0.0), self.influence

    def of(self, columns: IntArray) -> "DocumentSigns":
        """Some columns, in this order."""
        return DocumentSigns(self.influence[:, columns], self.labelled[:, columns])

    def statistics(self, sums: Sequence[FloatArray]) -> FloatArray:
        """|t| of every column from its two sums, each of shape (resamples, k)."""
        n = self.labelled.sum(axis=0)
        of_labels, every = ((part**2).sum(axis=0) for part in self.parts)
        squared = n / (n - 1) * of_labels + every - of_labels
        about = np.maximum(squared - sums[0] ** 2 / (n - 1), 1e-12 * squared)
        return np.asarray(np.abs(sums[1]) / np.sqrt(about))


def max_t_p_values(
    statistic: FloatArray, p_values: FloatArray, signed: Signed, resamples: int = RESAMPLES
) -> FloatArray:
    """Step-down p-values of all columns, by signs that the columns share, which leave these as dependent as
    they are.

    statistic (shape (k,)): |estimate|/error; NaN where undefined.
    p_values (shape (k,)): Of one column alone; no adjusted one is smaller.
    Source: Westfall and Young (1993), algorithm 2.8.
    """
    known = np.flatnonzero(~np.isnan(statistic))
    adjusted = np.full(statistic.shape, np.nan)
    if not known.size:
        return adjusted
    order = known[np.argsort(-statistic[known], kind="stable")]
    own, signed = statistic[order], signed.of(order)
    parts = signed.parts
    n = max(map(len, parts))
    extreme = np.zeros(own.size, dtype=np.int64)
    sums: list[FloatArray] = []
    with one_blas_thread():
        for which, rows, signs in sign_chunks(n, resamples, SEED, "judged max-t"):
            if rows.start == 0:
                sums = [np.zeros((which.stop - which.start, own.size)) for _ in parts]
            for total, part in zip(sums, parts, strict=True):
                of = part[rows]
                total += signs[: len(of)].T @ of
            if rows.stop == n:
                drawn = signed.statistics(sums)
                largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
                extreme += np.count_nonzero(largest >= own * (1 - 1e-9), axis=0)
    stepped = np.maximum.accumulate(monte_carlo_p(extreme, resamples))
    adjusted[order] = np.maximum.accumulate(np.maximum(stepped, p_values[order]))
    return adjusted
