"""Westfall and Young's max-T for means corrected by people: signs of items that all pairs share."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.resampling import monte_carlo_p, one_blas_thread, sign_chunks

RESAMPLES, SEED = 9_999, 0


def max_t_p_values(
    statistic: FloatArray,
    p_values: FloatArray,
    influence: FloatArray,
    labelled: BoolArray,
    resamples: int = RESAMPLES,
) -> FloatArray:
    """Step-down p-values of all columns, by signs that the columns share.

    What every item (or document) adds to each estimate changes its sign at random; the estimate is divided by
    its error in the same resample. Signs that the columns share leave these as dependent as they are.

    statistic (shape (k,)): |estimate|/error; NaN where undefined.
    p_values (shape (k,)): Of one column alone; no adjusted one is smaller.
    influence (shape (n, k)): What each item or document adds to the estimate less its expectation.
    labelled (shape (n, k)): Whether it holds labels that the column counts.
    Source: Westfall and Young (1993), algorithm 2.8.
    """
    known = np.flatnonzero(~np.isnan(statistic))
    adjusted = np.full(statistic.shape, np.nan)
    if not known.size:
        return adjusted
    order = known[np.argsort(-statistic[known], kind="stable")]
    own = statistic[order]
    parts = np.where(labelled[:, order], influence[:, order], 0.0), influence[:, order]
    n = labelled[:, order].sum(axis=0)
    of_labels = (parts[0] ** 2).sum(axis=0)
    rest = (parts[1] ** 2).sum(axis=0) - of_labels
    squared = n / (n - 1) * of_labels + rest
    extreme = np.zeros(own.size, dtype=np.int64)
    sums = np.zeros((0, 0, 0))
    with one_blas_thread():
        for which, rows, signs in sign_chunks(len(influence), resamples, SEED, "judged max-t"):
            if rows.start == 0:
                sums = np.zeros((2, which.stop - which.start, own.size))
            for place, part in enumerate(parts):
                sums[place] += signs.T @ part[rows]
            if rows.stop == len(influence):
                error = np.sqrt(np.maximum(squared - sums[0] ** 2 / (n - 1), 1e-12 * squared))
                drawn = np.abs(sums[1]) / error
                largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
                extreme += np.count_nonzero(largest >= own * (1 - 1e-9), axis=0)
    stepped = np.maximum.accumulate(monte_carlo_p(extreme, resamples))
    adjusted[order] = np.maximum.accumulate(np.maximum(stepped, p_values[order]))
    return adjusted
