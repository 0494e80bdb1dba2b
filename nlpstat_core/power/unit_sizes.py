"""Standard deviation against the size of an evaluation unit, and how alike units of a document are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import UnitMetric, UnitRemainder
from nlpstat_core.engine.columns.blocks import pair_design_effects
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.means_only import refuse_measured
from nlpstat_core.scores.units import grouped, row_order

MOST_STABLE = 10
# Units of a size that a standard deviation is still taken from.
_FEWEST_UNITS = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class UnitSizes:
    """Spread of one pair's differences by the size of the unit; arrays have shape (n_sizes,).

    sizes: Rows per evaluation unit.
    n_units: Units there are of each size.
    sd, sd_shuffled: Standard deviation of the units' differences, metric points, with the rows in the order
        of the file and shuffled.
    design_effect, design_effect_shuffled: Variance of a unit's mean over that of independent rows: rows per
        unit·sd²/sd(1)². About 1 where rows are independent, above where neighbouring rows are alike.
    epsilon: Tolerance, metric points.
    stable: The first ten sizes (at most) whose standard deviation differs from that of the size before by at
        most epsilon, rows in the order of the file; sizes that make the same units as the size before don't
        count.
    """

    sizes: IntArray
    n_units: IntArray
    sd: FloatArray
    sd_shuffled: FloatArray
    design_effect: FloatArray
    design_effect_shuffled: FloatArray
    epsilon: float
    stable: IntArray


def unit_sizes(
    scores: ScoreMatrix,
    a: str,
    b: str,
    *,
    sizes: Sequence[int] | None = None,
    epsilon: float | None = None,
    metric: UnitMetric = "mean",
    remainder: UnitRemainder = "spread",
    shuffle_seed: int = 0,
) -> UnitSizes:
    """Standard deviation of a pair's differences by the size of the evaluation unit.

    scores: Rows as they were read, in the order of the file.
    sizes: Rows per unit, rising; None takes 1, 2, 3 … as long as ten units remain, at most 50.
    epsilon: Tolerance, metric points; None takes a hundredth of the standard deviation of single rows.
    Raises AnalysisError: Fewer than four rows that both systems have.
    Raises ConfigError: Sizes that aren't rising whole numbers that leave two units, a negative tolerance.

    Only rows that both systems have are joined; a unit's score is the mean (median) of each system's rows.

    Source: Zhu et al. (2020), NLPStatTest, appendix C.1; Kish (1965), Survey Sampling, section 5.4.
    """
    refuse_measured(scores, "The number of rows per item")
    pair = scores.values[:, [scores.index(a), scores.index(b)]]
    rows = np.flatnonzero(~np.isnan(pair).any(axis=1))
    if rows.size < 4:
        raise AnalysisError(f"{shown(a)} and {shown(b)} share {rows.size} rows; items of two need four.")
    chosen = _checked(sizes, rows.size)
    pair = pair[rows]
    plain = _spreads(pair, row_order(rows.size, None), chosen, metric, remainder)
    shuffled = _spreads(pair, row_order(rows.size, shuffle_seed), chosen, metric, remainder)
    single = float((pair[:, 0] - pair[:, 1]).std(ddof=1))
    tolerance = single / 100 if epsilon is None else float(epsilon)
    if not tolerance >= 0 or not np.isfinite(tolerance):
        raise ConfigError(f"epsilon must be 0 or more, not {shown(epsilon)}.")
    n_units = rows.size // chosen
    # Left-over rows are spread: sizes that leave as many units as the one before give the very same units.
    other = np.diff(n_units) != 0 if remainder == "spread" else np.ones(chosen.size - 1, dtype=bool)
    settled = other & (np.abs(np.diff(plain)) <= tolerance)
    per_unit = rows.size / n_units if remainder == "spread" else chosen
    effect = per_unit / single**2 if single > 0 else np.full(chosen.shape, np.nan)
    return UnitSizes(
        sizes=chosen,
        n_units=n_units,
        sd=plain,
        sd_shuffled=shuffled,
        design_effect=effect * plain**2,
        design_effect_shuffled=effect * shuffled**2,
        epsilon=tolerance,
        stable=chosen[1:][settled][:MOST_STABLE],
    )


def document_design_effects(
    scores: ScoreMatrix, a: str, b: str, column: str, *, shuffle_seed: int = 0
) -> tuple[float, float]:
    """Design effect of documents on a pair's difference, as they are and with the rows dealt out at random.

    Returns: How many times more rows are needed than if rows were independent; about 1 when shuffled. NaN
        below two documents or without spread.

    (cluster-robust standard error / standard error over rows)². Shuffling keeps the sizes of the documents.

    Source: Kish (1965), Survey Sampling, section 5.4.
    """
    if column not in scores.labels:
        raise ConfigError(unknown("column of documents", column, scores.labels))
    _, ids = np.unique(np.array(scores.labels[column], dtype=str), return_inverse=True)
    left, right = (np.array([scores.index(name)]) for name in (a, b))
    found = []
    for order in (slice(None), row_order(scores.n_units, shuffle_seed)):
        batch = next(iter(chunks(scores, left, right, block_ids=ids[order].astype(np.int64)))).batch
        found.append(float(pair_design_effects(batch)[0]))
    return found[0], found[1]


def _checked(sizes: Sequence[int] | None, n_rows: int) -> IntArray:
    if sizes is None:
        return np.arange(1, max(2, min(50, n_rows // _FEWEST_UNITS)) + 1)
    chosen = np.asarray(sizes)
    whole = chosen.ndim == 1 and chosen.size > 0 and chosen.dtype.kind in "iuf"
    if not whole or not np.all((chosen == np.rint(chosen)) & (chosen >= 1) & (chosen <= n_rows // 2)):
        raise ConfigError(f"sizes must be whole numbers from 1 to {n_rows // 2:,}, not {shown(sizes)}.")
    if np.any(np.diff(chosen) <= 0):
        raise ConfigError("sizes must rise.")
    return chosen.astype(np.int64)


def _spreads(
    pair: FloatArray, order: IntArray, sizes: IntArray, metric: UnitMetric, remainder: UnitRemainder
) -> FloatArray:
    """Standard deviation of the units' differences for every size."""
    centre = np.mean if metric == "mean" else np.median
    found = []
    for size in sizes.tolist():
        units = np.array([centre(pair[group], axis=0) for group in grouped(order, size, remainder)])
        found.append((units[:, 0] - units[:, 1]).std(ddof=1))
    return np.array(found)
