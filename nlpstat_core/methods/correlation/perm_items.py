"""Two metrics compared by exchanging whole items: means over items, and soft accuracy."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK, sign_chunks, signs_of_chunk
from nlpstat_core.methods.correlation.columns import Exchanged, pairs_of
from nlpstat_core.methods.correlation.perm_both import standardised
from nlpstat_core.records import Procedure
from nlpstat_core.stopping import stop_if_asked

_TIE = 1e-6  # differences of shares in single precision


def exchanged_means(
    by_item: FloatArray, left: IntArray, right: IntArray, *, resamples: int = 1_000, seed: int = 0
) -> Exchanged:
    """Pairs of metrics by a statistic that is a mean over items.

    Null hypothesis: in every item the two metrics' statistics could be exchanged.

    Parameters
    ----------
    by_item : float array, shape (k, n_units)
        The statistic of each metric within each item; NaN where undefined, which leaves the item out.
    left, right : int arrays, shape (n_pairs,)
    resamples, seed : int

    Returns
    -------
    Exchanged
        NaN without an item.

    Notes
    -----
    Whole items are exchanged, so that what depends within an item stays together. Cost O(B·n) for each pair.
    """
    z = by_item[left] - by_item[right]
    known = ~np.isnan(z)
    n = known.sum(axis=1)
    z = np.where(known, z, 0.0) / np.maximum(n, 1)[:, None]
    drawn = np.zeros((left.size, resamples))
    for which, units, signs in sign_chunks(z.shape[1], resamples, seed, "perm-items"):
        drawn[:, which] += z[:, units] @ signs
    return Exchanged(np.where(n > 0, np.abs(z.sum(axis=1)), np.nan), np.abs(drawn), 1e-12)


def exchanged_confidence(
    metrics: FloatArray,
    human: FloatArray,
    p_human: FloatArray,
    left: IntArray,
    right: IntArray,
    *,
    resamples: int = 1_000,
    seed: int = 0,
    step: Callable[[], None] | None = None,
) -> Exchanged:
    """Pairs of metrics by soft pairwise accuracy.

    Null hypothesis: in every item the standardised scores of the two metrics could be exchanged.

    metrics (float array, shape (k, n_units, n_systems)): Higher is better; NaN where missing, in the same
        cells for all.
    p_human (float array, shape (pairs of systems,)): One-sided p of people.
    step: Called after every 256 exchanges.
    Returns: NaN for constant metrics.

    Here, for observed and exchanged scores alike, a metric's one-sided p is that of the normal approximation
    Φ(−Σd/√Σd²) to the permutation test, whose sums are linear in the exchange.
    """
    from scipy.special import ndtr

    k, n_units, n_systems = metrics.shape
    there = ~np.isnan(human)
    a, b = pairs_of(n_systems)
    both = there[:, a] & there[:, b]
    # Single precision: twice as fast, and its error is far below what a thousand draws can tell.
    differences = np.empty((k, a.size, n_units), dtype=np.float32)
    for metric in range(k):
        z = standardised(metrics[metric], there)
        differences[metric] = np.where(both, z[:, a] - z[:, b], 0.0).T
    shared = both.any(axis=0) & ~np.isnan(p_human)
    people = p_human[shared, None].astype(np.float32)

    def soft(total: FloatArray, squares: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(squares > _TIE, total / np.sqrt(squares), 0 * total).astype(np.float32)
            p = ndtr(-z)
        return np.asarray(1.0 - np.abs(p - people).mean(axis=0), dtype=np.float64)

    if not shared.any():
        return Exchanged(np.full(left.size, np.nan), np.full((left.size, resamples), np.inf), _TIE)
    rows = np.ascontiguousarray(differences[:, shared]).reshape(-1, n_units)
    total = rows.sum(axis=1).reshape(k, -1, 1)
    squares = (rows**2).sum(axis=1).reshape(k, -1, 1)
    observed = np.array([soft(total[metric], squares[metric])[0] for metric in range(k)])
    delta = np.abs(observed[left] - observed[right])
    gaps = np.zeros((left.size, resamples))
    for first in range(0, resamples, CHUNK):
        which = slice(first, min(first + CHUNK, resamples))
        drawn = np.zeros((2, rows.shape[0], which.stop - which.start), dtype=np.float32)
        for units, signs in signs_of_chunk(which, n_units, seed, "perm-items"):
            drawn[0] += rows[:, units] @ signs.astype(np.float32)
            drawn[1] += rows[:, units] ** 2 @ signs.astype(np.float32)
        moved = drawn.reshape(2, k, int(shared.sum()), -1)
        for pair, (x, y) in enumerate(zip(left, right, strict=True)):
            stop_if_asked()
            middle = (total[x] + total[y]) / 2, (squares[x] + squares[y]) / 2
            away = (moved[:, x] - moved[:, y]) / 2
            gap = soft(middle[0] + away[0], middle[1] + away[1]) - soft(
                middle[0] - away[0], middle[1] - away[1]
            )
            gaps[pair, which] = np.where(np.isnan(gap), np.inf, np.abs(gap))
        if step is not None:
            step()
    return Exchanged(delta, gaps, _TIE)


METHOD = Procedure(
    key="perm-items",
    label="PERM-INPUTS",
    summary="Compares two metrics by exchanging their scores on whole items.",
    run=exchanged_means,
    null="on every item the two metrics could be exchanged",
    assumptions=("items are independent", "the claim is about these systems"),
    formula=r"p = P\left(\left|\sum_i \varepsilon_i (g_i^x - g_i^y)\right|"
    r" \ge \left|\sum_i (g_i^x - g_i^y)\right|\right)",
    references=("deutsch2021", "thompson2024"),
)
