"""Westfall and Young's max-T for means corrected by people: signs of items or documents that all share."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Protocol

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling import monte_carlo_p, one_blas_thread, sign_chunks
from nlpstat_core.methods.judged.weights import factors, unit_of, weights_of

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


_NO_SPREAD = 1e-12  # of a sum of squares: below this part of it is rounding


@dataclass(frozen=True, eq=False, kw_only=True)
class RetunedSigns:
    """What random signs s change of `corrected_means`, for many columns.

    A label's residual e_i = r_i − r̄ becomes s_i·e_i, so people's scores are λ̄(f_i − f̄ᵤ) + s_i·e_i: every λ_i
    is that of these scores, λ̄ + ℓ_i (all 0 where their mean isn't above 0), and so are estimate and error.
    ℓ_i is linear in s, so all follows from eight sums of signs.

    residual, centred, factor, distance (shape (n_labelled, k)): e_i, f_i − f̄ over the labels,
        1/((n − 2)(1 + n/N)·var₋ᵢ(f)) and f_i − f̄ᵤ; 0 where a column has no label.
    judge (shape (n_items, k)): (f_j − f̄ᵤ)/N of items without a label; labelled rows come first.
    trust, of_judge (shape (k,)): λ̄, and the squared error V/N of f̄ᵤ.
    n (shape (k,)): Labels.
    """

    residual: FloatArray
    centred: FloatArray
    factor: FloatArray
    distance: FloatArray
    judge: FloatArray
    trust: FloatArray
    of_judge: FloatArray
    n: IntArray

    @staticmethod
    def empty(n_items: int, n_labelled: int, columns: int) -> "RetunedSigns":
        """To be filled column by column."""
        return RetunedSigns(
            residual=np.zeros((n_labelled, columns)),
            centred=np.zeros((n_labelled, columns)),
            factor=np.zeros((n_labelled, columns)),
            distance=np.zeros((n_labelled, columns)),
            judge=np.zeros((n_items, columns)),
            trust=np.zeros(columns),
            of_judge=np.zeros(columns),
            n=np.full(columns, 2),
        )

    def fill(
        self,
        columns: IntArray,
        items: IntArray,
        human: FloatArray,
        judge: FloatArray,
        labelled: BoolArray,
    ) -> None:
        """What `corrected_means` is given of some columns; `items`: rows of the judge's items here."""
        n, m = human.shape[0], judge.shape[0]
        rows = np.ix_(items[labelled], columns)
        y, f = human / unit_of(human), judge / unit_of(judge)
        self.n[columns] = n
        if n == m:
            self.residual[rows] = y - y.mean(axis=0)
            return
        own, mean = f[labelled], f[~labelled].mean(axis=0)
        centred, distance = own - own.mean(axis=0), own - mean
        spread = ((f - f.mean(axis=0)) ** 2).sum(axis=0) / (m - 1)
        factor = factors(own - f.mean(axis=0), spread, m)
        weights = weights_of(y - y.mean(axis=0), centred, factor)
        r = y - weights * distance
        self.residual[rows] = r - r.mean(axis=0)
        self.centred[rows], self.factor[rows], self.distance[rows] = centred, factor, distance
        self.judge[np.ix_(items[~labelled], columns)] = (f[~labelled] - mean) / (m - n)
        self.trust[columns], self.of_judge[columns] = weights.mean(axis=0), spread / (m - n)

    def of(self, columns: IntArray) -> "RetunedSigns":
        """Some columns, in this order."""
        return RetunedSigns(**{one.name: getattr(self, one.name)[..., columns] for one in fields(self)})

    @cached_property
    def _lever(self) -> tuple[FloatArray, FloatArray]:
        """α_i = c_i(f_i − f̄ᵤ), and β_i = n/(n − 1)·(f_i − f̄)·α_i."""
        alpha = self.factor * self.distance
        return alpha, self.n / (self.n - 1) * self.centred * alpha

    @cached_property
    def parts(self) -> tuple[FloatArray, ...]:
        """What signs are summed over: of labelled items first, the judge's of all items last."""
        if not self.judge.any():
            return (self.residual,)
        e, (alpha, beta) = self.residual, self._lever
        grown = e * (1 + beta)
        own = (e, e * self.centred, e * beta, grown * alpha, grown * beta)
        return (*own, e * self.centred * self.factor, e * self.distance, self.judge)

    def statistics(self, sums: Sequence[FloatArray]) -> FloatArray:
        """|t| of every column in every resample.

        sums (each of shape (resamples, k)): Signs times `parts`.
        """
        n = self.n
        squares = (self.residual**2).sum(axis=0)
        if len(sums) == 1:
            return self._over(sums[0] / n, np.broadcast_to(squares, sums[0].shape), np.zeros(1))
        own, shared, grown, with_alpha, with_beta, tuned, far, judge = sums
        alpha, beta = self._lever
        mean, scale = own / n, n / (n - 1)
        trust = shared * self.factor.sum(axis=0) - scale * tuned
        trust += scale * mean * (self.centred * self.factor).sum(axis=0)
        trust = self.trust + trust / n
        of_beta = beta.sum(axis=0)
        estimate = (own + grown - shared * alpha.sum(axis=0) - mean * of_beta) / n
        square = (self.residual**2 * (1 + beta) ** 2).sum(axis=0) - 2 * shared * with_alpha
        square = square + shared**2 * (alpha**2).sum(axis=0) + mean**2 * (beta**2).sum(axis=0)
        square += 2 * mean * (shared * (alpha * beta).sum(axis=0) - with_beta)
        alone = trust <= 0
        estimate = np.where(alone, (own + self.trust * self.distance.sum(axis=0)) / n, estimate)
        without = squares + self.trust**2 * (self.distance**2).sum(axis=0) + 2 * self.trust * far
        trust = np.maximum(trust, 0.0)
        return self._over(estimate, np.where(alone, without, square), trust**2 * self.of_judge, trust * judge)

    def _over(
        self, estimate: FloatArray, square: FloatArray, of_judge: FloatArray, judge: FloatArray | float = 0.0
    ) -> FloatArray:
        """Means of labels, their sums of squares, and what the judge adds to both → |t|."""
        about = np.maximum(square - self.n * estimate**2, _NO_SPREAD * square)
        variance = about / ((self.n - 1) * self.n) + of_judge
        drawn = np.zeros(estimate.shape)
        np.divide(np.abs(estimate + judge), np.sqrt(variance), out=drawn, where=variance > 0)
        return drawn
