"""What raters who judge the same items add to the error of a mean: items × raters, complete or not."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class RaterVariance:
    """Of the means of several columns that the same raters judged, each array of shape (n_columns,).

    added: What raters add to the squared error of the mean over items.
    untruncated: The same before what ratings vary without raters is taken off: its freedom counts.
    freedom: Raters that can be compared, less one.
    """

    added: FloatArray
    untruncated: FloatArray
    freedom: int


def rater_variance(ratings: FloatArray, rated: BoolArray) -> RaterVariance:
    """The variance of raters by Henderson's third method, times the squared shares that each has in the mean.

    Where every rater judged every item it is max(0, v − E/n)/R, v the variance of the raters' means and E the
    residual mean square, as for runs.

    ratings (floats, shape (n_items, n_raters, n_columns)): Finite where rated.
    rated (shape (n_items, n_raters)): Who judged what: an item's score is the mean over its raters.
    Source: Searle, Casella and McCulloch (1992), Variance components, section 5.5.
    """
    there = rated.astype(np.float64)
    n, per_item, per_rater = len(rated), there.sum(axis=1), there.sum(axis=0)
    kept = np.where(rated[:, :, None], ratings, 0.0)
    means = kept.sum(axis=1) / per_item[:, None]
    within = np.where(rated[:, :, None], kept - means[:, None], 0.0)
    share = (there / per_item[:, None]).sum(axis=0) / n
    # Raters after items: their sums within items, and the matrix of what these have in common.
    matrix = np.diag(per_rater) - there.T @ (there / per_item[:, None])
    rank = int(np.linalg.matrix_rank(matrix, hermitian=True, tol=1e-9 * max(1.0, float(per_rater.max()))))
    trace = float(there.sum()) - n
    if rank == 0:
        nothing = np.full(ratings.shape[2], np.nan)
        return RaterVariance(added=nothing, untruncated=nothing, freedom=0)
    sums = within.sum(axis=0)
    of_raters = (sums * (np.linalg.pinv(matrix, rcond=1e-9, hermitian=True) @ sums)).sum(axis=0)
    rest = trace - rank
    residual = np.zeros_like(of_raters)
    if rest > 0:
        residual = np.maximum((within**2).sum(axis=(0, 1)) - of_raters, 0.0) / rest
    squares = float((share**2).sum())
    return RaterVariance(
        added=np.maximum(of_raters - rank * residual, 0.0) / trace * squares,
        untruncated=of_raters / trace * squares,
        freedom=rank,
    )
