"""Pearson, Spearman and Kendall of many columns with one column, over the entries that both have."""

import numpy as np

from nlpstat_core.arrays import FloatArray

FEWEST = 3  # with two points every correlation is −1, 0 or +1


def columns(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Columns and the one they are held against, NaN wherever either is missing.

    y (float array, shape (n,) or (n, k)).
    """
    wide = np.broadcast_to(y[:, None] if y.ndim == 1 else y, x.shape)
    missing = np.isnan(x) | np.isnan(wide)
    return np.where(missing, np.nan, x), np.where(missing, np.nan, wide)


def centred_correlation(x: FloatArray, y: FloatArray, axis: int = 0) -> FloatArray:
    """Pearson's correlation along an axis of arrays that are missing the same entries.

    x, y (float arrays of equal shape): NaN where missing.
    Returns: NaN where one side is constant (its spread is nothing but rounding) or nothing is there.
    """
    there = ~np.isnan(x)
    n = np.maximum(there.sum(axis=axis, keepdims=True), 1)
    parts = []
    constant = np.zeros(np.sum(there, axis=axis).shape, dtype=bool)
    for side in (x, y):
        filled = np.where(there, side, 0.0)
        deviations = np.where(there, filled - filled.sum(axis=axis, keepdims=True) / n, 0.0)
        squares = np.sum(deviations**2, axis=axis)
        scale = np.max(np.abs(filled), axis=axis, initial=0.0)
        constant |= squares <= (1e-13 * scale) ** 2 * n.squeeze(axis)
        parts.append((deviations, squares))
    (a, a2), (b, b2) = parts
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.sum(a * b, axis=axis) / (np.sqrt(a2) * np.sqrt(b2))
    found: FloatArray = np.where(constant, np.nan, np.clip(r, -1.0, 1.0))
    return found
