"""How far each label trusts the judge: λ, tuned on the other labels, or on those of other documents."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

# Gaps between people's scores below this part of their range are rounding, and so is a judge's spread.
NO_GAP = 1e-9
# A judge's standard deviation below this part of its largest score is rounding, too.
_NO_SPREAD = 1e-12


def unit_of(values: FloatArray) -> FloatArray:
    """About the largest score of each column, as a power of two: dividing by it rounds nothing."""
    largest = np.abs(values).max(axis=0)
    exponent = np.frexp(np.where(largest > 0, largest, 1.0))[1]
    return np.asarray(np.ldexp(1.0, np.clip(exponent, -1_000, 1_000)))


def factors(from_all: FloatArray, spread: FloatArray, m: int) -> FloatArray:
    """1/((n − 2)(1 + n/N)·var₋ᵢ(f)) of each labelled item, shape (n_labels, n_columns); 0 without spread.

    from_all: The judge's scores of labelled items less its mean over all items, in units of `unit_of`.
    spread: Variance of all the judge's scores.
    """
    n = from_all.shape[0]
    variance = ((m - 1) * spread - m / (m - 1) * from_all**2) / (m - 2)
    found = np.zeros_like(from_all)
    known = variance > np.maximum(NO_GAP**2 * spread, _NO_SPREAD**2)
    np.divide(1.0, (n - 2) * (1 + n / (m - n)) * variance, out=found, where=known)
    return found


def weights_of(y: FloatArray, f: FloatArray, factor: FloatArray) -> FloatArray:
    """λ of each labelled item from the others, shape (n_labels, n_columns).

    y, f: People's and judge's scores of labelled items, each less its mean over these.
    """
    n = y.shape[0]
    return np.asarray(np.maximum(((y * f).sum(axis=0) - n / (n - 1) * y * f) * factor, 0.0))


def weights_by_document(
    y: FloatArray,
    f: FloatArray,
    from_all: FloatArray,
    spread: FloatArray,
    documents: IntArray,
    labelled: BoolArray,
) -> FloatArray:
    """λ of each labelled item from the other documents; as `weights_of`, but `from_all` is of all items."""
    n, m = y.shape[0], from_all.shape[0]
    kinds, of_label = np.unique(documents[labelled], return_inverse=True)
    others = n - np.bincount(of_label)[:, None]
    sum_y, sum_f, sum_both = (sums_of(values, of_label) for values in (y, f, y * f))
    covariance = ((y * f).sum(axis=0) - sum_both - sum_y * sum_f / others) / (others - 1)
    _, of_item = np.unique(documents, return_inverse=True)
    with_label = np.searchsorted(np.unique(documents), kinds)
    rest = (m - np.bincount(of_item))[with_label, None]
    sums, squares = (sums_of(values, of_item)[with_label] for values in (from_all, from_all**2))
    variance = ((m - 1) * spread - squares - sums**2 / rest) / (rest - 1)
    known = variance > np.maximum(NO_GAP**2 * spread, _NO_SPREAD**2)
    weights = np.zeros_like(covariance)
    np.divide(covariance, (1 + n / (m - n)) * variance, out=weights, where=known)
    return np.asarray(np.maximum(weights, 0.0)[of_label])


def sums_of(values: FloatArray, documents: IntArray) -> FloatArray:
    """Sums over the rows of each document."""
    order = np.argsort(documents, kind="stable")
    starts = np.flatnonzero(np.diff(documents[order], prepend=-1))
    return np.asarray(np.add.reduceat(values[order], starts, axis=0))
