"""PERM-BOTH: two metrics compared by exchanging their standardised scores cell by cell."""

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK, signs_of_chunk
from nlpstat_core.methods.correlation.columns import Exchanged
from nlpstat_core.methods.correlation.spearman import ranks
from nlpstat_core.methods.correlation.system_statistics import complete_statistics
from nlpstat_core.records import Procedure
from nlpstat_core.stopping import stop_if_asked

Exchange = Literal["cells", "systems"]
EXCHANGES: tuple[str, ...] = get_args(Exchange)
_PAIRS_AT_ONCE = 32
_TIE = 1e-12


def perm_both(
    metrics: FloatArray,
    human: FloatArray,
    left: IntArray,
    right: IntArray,
    *,
    exchange: Exchange = "cells",
    resamples: int = 1_000,
    seed: int = 0,
    step: Callable[[], None] | None = None,
) -> dict[str, Exchanged]:
    """Exchanges of pairs of metrics, for every statistic that sums can be exchanged for.

    Null hypothesis: in every cell (system and item), or for every system, the standardised scores of the two
    metrics could be exchanged.

    Parameters
    ----------
    metrics : float array, shape (k, n_units, n_systems)
        Higher is better; NaN where missing, in the same cells for all.
    human : float array, shape (n_units, n_systems)
        As `metrics`.
    left, right : int arrays, shape (n_pairs,)
        The metrics of each pair.
    exchange : {"cells", "systems"}
        What is exchanged at once: a single cell, or all scores of a system.
    resamples : int
        Random exchanges B, the same for all pairs.
    seed : int
    step : callable or None
        Called after every 256 exchanges.

    Returns
    -------
    dict of str to Exchanged
        By statistic: "system-pearson", "system-spearman", "system-kendall", "system-accuracy",
        "segment-pearson", "segment-spearman". NaN where a statistic is undefined for either metric.

    Notes
    -----
    Each metric is standardised over all its cells; for Spearman's ρ of segments its ranks are. After an
    exchange with signs ε the scores are (x + y)/2 ± ε(x − y)/2, so sums of scores, of squares and of products
    with people need one product of signs and scores per metric, not per pair. Cost O(B·k·cells + B·pairs·S²).
    """
    judged = ~np.isnan(human).all(axis=0)
    metrics, human = metrics[:, :, judged], human[:, judged]
    k, n_units, n_systems = metrics.shape
    there = ~np.isnan(human)
    stacks = np.array([_stack(metric, human, there) for metric in metrics]).reshape(k * 6, n_units, n_systems)
    sums = stacks.sum(axis=1).reshape(k, 6, n_systems).transpose(1, 0, 2)
    counts = there.sum(axis=0).astype(np.float64)
    people = np.where(there, human, 0.0).sum(axis=0) / counts
    observed = _of_sums(sums, counts, people)
    delta = {key: value[left] - value[right] for key, value in observed.items()}
    drawn = {key: np.full((left.size, resamples), np.inf) for key in delta}
    for first in range(0, resamples, CHUNK):
        which = slice(first, min(first + CHUNK, resamples))
        signed = _signed_sums(stacks, sums, exchange, which, seed)
        for start in range(0, left.size, _PAIRS_AT_ONCE):
            stop_if_asked()
            a, b = left[start : start + _PAIRS_AT_ONCE], right[start : start + _PAIRS_AT_ONCE]
            middle = (sums[:, a] + sums[:, b])[:, :, None, :] / 2
            moved = (signed[:, a] - signed[:, b]) / 2
            one = _of_sums(middle + moved, counts, people)
            other = _of_sums(middle - moved, counts, people)
            for key, found in drawn.items():
                gap = np.abs(one[key] - other[key])
                found[start : start + _PAIRS_AT_ONCE, which] = np.where(np.isnan(gap), np.inf, gap)
        if step is not None:
            step()
    return {key: Exchanged(np.abs(delta[key]), found, _TIE) for key, found in drawn.items()}


def standardised(scores: FloatArray, there: BoolArray) -> FloatArray:
    """Scores with mean 0 and standard deviation 1 over all cells, 0 in missing ones; NaN for a constant."""
    values = scores[there]
    spread = float(values.std()) if values.size else 0.0
    if spread <= 1e-13 * float(np.max(np.abs(values), initial=0.0)):
        return np.where(there, np.nan, 0.0)
    return np.where(there, (scores - float(values.mean())) / spread, 0.0)


def _stack(metric: FloatArray, human: FloatArray, there: BoolArray) -> FloatArray:
    """What is summed of a metric: scores, squares, products with people; the same of ranks. (6, N, S)."""
    rows = []
    for x, y in ((metric, human), (_ranked(metric, there), _ranked(human, there))):
        z = standardised(x, there)
        rows += [z, z * z, z * standardised(y, there)]
    return np.array(rows)


def _ranked(scores: FloatArray, there: BoolArray) -> FloatArray:
    found = np.full(scores.shape, np.nan)
    found[there] = ranks(scores[there][:, None])[:, 0]
    return found


def _signed_sums(
    stacks: FloatArray, sums: FloatArray, exchange: Exchange, which: slice, seed: int
) -> FloatArray:
    """Sums over units with random signs, shape (6, k, resamples in which, n_systems)."""
    _, k, n_systems = sums.shape
    size = which.stop - which.start
    if exchange == "systems":
        signs = np.concatenate([piece for _, piece in signs_of_chunk(which, n_systems, seed, "perm-systems")])
        return np.asarray(sums[:, :, None, :] * signs.T)
    found = np.zeros((k * 6, size, n_systems))
    for system in range(n_systems):
        for units, signs in signs_of_chunk(which, stacks.shape[1], seed, f"perm-both {system}"):
            found[:, :, system] += stacks[:, units, system] @ signs
    return found.reshape(k, 6, size, n_systems).transpose(1, 0, 2, 3)


def _of_sums(sums: FloatArray, counts: FloatArray, people: FloatArray) -> dict[str, FloatArray]:
    """Every statistic from the sums of `_stack`, shape (6, ..., n_systems), people standardised."""
    found = complete_statistics(sums[0] / counts, people)
    n = counts.sum()
    for key, (s, squares, products) in (("pearson", sums[:3]), ("spearman", sums[3:])):
        spread = squares.sum(axis=-1) - s.sum(axis=-1) ** 2 / n
        with np.errstate(divide="ignore", invalid="ignore"):
            found[f"segment-{key}"] = products.sum(axis=-1) / np.sqrt(n * spread)
    return found


METHOD = Procedure(
    key="perm-both",
    label="PERM-BOTH",
    summary="Compares two metrics by exchanging their standardised scores in random cells.",
    run=perm_both,
    null="in every cell the standardised scores of the two metrics could be exchanged",
    assumptions=(
        "the claim is about these systems: metrics that favour different systems are not exchangeable; "
        "exchange whole systems to speak about systems like these",
    ),
    formula=r"p = \frac{1 + \#\{b : |\delta_b| \ge |\delta|\}}{B + 1}",
    references=("deutsch2021",),
)
