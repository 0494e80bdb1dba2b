"""Intervals of effect sizes whose units are in blocks (documents): cluster-robust, from influence values."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import Blocks, adjusted_errors, degrees_of_freedom
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.engine.samples.locations import clean
from nlpstat_core.engine.samples.shares import wilson
from nlpstat_core.engine.samples.walsh import walsh_order_statistics

# Of a part of the pairs and their differences, shape (k, n_units): what each unit adds to the deviation of
# the estimate, of the same shape. To first order an estimate deviates by the sum of these influences.
Influences = Callable[[slice, FloatArray], FloatArray]


def robust_errors(batch: PairBatch, blocks: Blocks, influences: Influences) -> FloatArray:
    """Cluster-robust standard errors of an estimate of every pair.

    Returns float array, shape (n_pairs,); NaN below two blocks.

    √Σ_g (Σ_{i in g} influence_i)²/(1 − L_g/N), as for means (`blocks.adjusted_errors`).

    Source: Bell and McCaffrey (2002), Survey Methodology 28, 169–181.
    """
    errors, leverage = np.full(batch.n_pairs, np.nan), blocks.leverage
    for part, rows in batch.rows():
        with np.errstate(divide="ignore", invalid="ignore"):
            errors[part] = adjusted_errors(blocks.sums(influences(part, rows)), leverage)
    return errors


def t_quantile(blocks: Blocks, config: AnalysisConfig) -> float:
    """Student's t quantile of the configuration's level on Bell and McCaffrey's degrees of freedom."""
    from scipy import special

    freedom = float(degrees_of_freedom(blocks.leverage)[0])
    if np.isnan(freedom):
        return freedom
    return float(special.stdtrit(freedom, 1 - two_sided_mass(config.level, config.alternative)))


def about(value: FloatArray, errors: FloatArray, blocks: Blocks, config: AnalysisConfig) -> FloatArray:
    """value ± t·error."""
    margin = t_quantile(blocks, config) * errors
    return one_sided(value - margin, value + margin, config.alternative)


def standardised_mean(value: FloatArray, batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Interval of Cohen's d_z over documents.

    A unit with e = (z − z̄)/s adds (e − d·(e² − 1)/2)/n.
    """
    blocks, n = _blocks(batch), batch.n_units

    def influences(part: slice, rows: FloatArray) -> FloatArray:
        e = (rows - batch.mean[part, None]) / batch.sd[part, None]
        found: FloatArray = (e - value[part, None] * (e * e - 1) / 2) / n
        return found

    return about(value, robust_errors(batch, blocks, influences), blocks, config)


def average_standardised_mean(value: FloatArray, batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """The same for d_av, whose spread is the average of the two systems'.

    With S² the average of the two variances and w that of the squares of u − ū and v − v̄, a unit adds
    ((z − z̄)/S − d·(w/S² − 1)/2)/n.
    """
    blocks, n = _blocks(batch), batch.n_units
    centred = batch.units.by_system - batch.units.by_system.mean(axis=1, keepdims=True)

    def influences(part: slice, rows: FloatArray) -> FloatArray:
        u, v = centred[batch.left[part]], centred[batch.right[part]]
        average = (u * u + v * v) / 2
        square = average.sum(axis=1, keepdims=True) / (n - 1)
        shift = (u - v) / np.sqrt(square)
        found: FloatArray = (shift - value[part, None] * (average / square - 1) / 2) / n
        return found

    return about(value, robust_errors(batch, blocks, influences), blocks, config)


def share(value: FloatArray, batch: PairBatch, config: AnalysisConfig, *, untied: bool) -> FloatArray:
    """Wilson's interval of a share of wins with as many units as its cluster-robust error implies.

    value (float array, shape (n_pairs,)): a's wins with half of the ties as a share of all units; with
        `untied` a's wins as a share of the units that are not tied.
    Returns float array, shape (n_pairs, 2): Where every block says the same (error 0), each counts as one
        unit.
    """
    blocks, n, decimals = _blocks(batch), batch.n_units, batch.units.decimals

    def influences(part: slice, rows: FloatArray) -> FloatArray:
        side = np.sign(on_grid(rows, decimals, 0.0))
        if untied:
            there = np.abs(side)
            found: FloatArray = ((side + there) / 2 - value[part, None] * there) / there.sum(axis=1)[:, None]
        else:
            found = ((side + 1) / 2 - value[part, None]) / n
        return found

    errors = robust_errors(batch, blocks, influences)
    with np.errstate(divide="ignore", invalid="ignore"):
        units = np.where(errors > 1e-15, value * (1 - value) / errors**2, blocks.n_blocks)
        units = np.where(units > 0, units, blocks.n_blocks)
        low, high = wilson(value, np.where(np.isnan(errors), np.nan, units), t_quantile(blocks, config))
    return one_sided(low, high, config.alternative, 0.0, 1.0)


def rank_correlation(value: FloatArray, batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Interval of the matched-pairs rank-biserial correlation over documents.

    Returns float array, shape (n_pairs, 2): In [−1, 1]; NaN at ±1, where Fisher's transformation ends.

    To first order the correlation is the mean of sign(z_i + z_j) over the m non-zero differences, and a unit
    adds 2(h_i − r)/m, h_i = Σ_j sign(z_i + z_j)/m. The interval is tanh(atanh r ± t·error/(1 − r²)).
    """
    blocks, decimals = _blocks(batch), batch.units.decimals

    def influences(part: slice, rows: FloatArray) -> FloatArray:
        grid = on_grid(rows, decimals, 0.0)
        found = np.zeros(grid.shape)
        for row, z in enumerate(grid):
            there = np.flatnonzero(z)
            if there.size:
                ordered, m = np.sort(z[there]), there.size
                above = m - np.searchsorted(ordered, -z[there], side="right")
                h = (above - np.searchsorted(ordered, -z[there], side="left")) / m
                found[row, there] = 2 * (h - h.mean()) / m
        return found

    errors = robust_errors(batch, blocks, influences)
    usable = np.abs(value) < 1 - 1e-12
    inside = np.where(usable, value, np.nan)
    margin = t_quantile(blocks, config) * errors / (1 - inside**2)
    low, high = np.tanh(np.arctanh(inside) - margin), np.tanh(np.arctanh(inside) + margin)
    return one_sided(low, high, config.alternative, -1.0, 1.0)


def median(value: FloatArray, batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Order statistics about the median, as far from it as the share below it is uncertain over documents.

    Returns float array, shape (n_pairs, 2): Open where there are too few blocks for the level.

    Source: Woodruff (1952), doi:10.1080/01621459.1952.10483443.
    """
    n = batch.n_units

    def shares(z: FloatArray, centre: float) -> tuple[FloatArray, FloatArray]:
        return (z <= centre) / n, (z < centre) / n

    return _from_order(value, batch, config, shares, n, lambda z, ranks: np.sort(z)[np.array(ranks) - 1])


def pseudo_median(value: FloatArray, batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """The same for the Hodges–Lehmann estimate, among the Walsh averages.

    To first order the share of the averages (z_i + z_j)/2 up to the estimate θ deviates by twice the mean
    of the deviations of h_i = #{j: z_j ≤ 2θ − z_i}/n.
    """
    n = batch.n_units

    def shares(z: FloatArray, centre: float) -> tuple[FloatArray, FloatArray]:
        ordered = np.sort(z)
        up_to = np.searchsorted(ordered, 2 * centre - z, side="right")
        below = np.searchsorted(ordered, 2 * centre - z, side="left")
        return 2 * up_to / n**2, 2 * below / n**2

    return _from_order(value, batch, config, shares, n * (n + 1) // 2, walsh_order_statistics)


def _from_order(
    value: FloatArray,
    batch: PairBatch,
    config: AnalysisConfig,
    shares: Callable[[FloatArray, float], tuple[FloatArray, FloatArray]],
    total: int,
    select: Callable[[FloatArray, list[int]], FloatArray],
) -> FloatArray:
    """Values at the ranks total·(½ ± t·error), error that of the share up to (or below) the centre."""
    blocks, quantile = _blocks(batch), t_quantile(_blocks(batch), config)
    low, high = np.full((2, batch.n_pairs), np.nan)
    leverage = blocks.leverage
    for part, rows in () if np.isnan(quantile) else batch.rows():
        for pair, z in enumerate(clean(rows, batch), start=part.start):
            both = np.stack(shares(z, float(value[pair])))
            both -= both.mean(axis=1, keepdims=True)
            error = float(adjusted_errors(blocks.sums(both), leverage).max())
            rank = int(np.floor(total * (0.5 - quantile * error)))
            if rank < 1:
                low[pair], high[pair] = -np.inf, np.inf
            else:
                low[pair], high[pair] = select(z, [rank, total + 1 - rank])
    return one_sided(low, high, config.alternative)


def _blocks(batch: PairBatch) -> Blocks:
    if batch.units.blocks is None:
        raise ValueError("An interval over documents needs items in blocks.")
    return batch.units.blocks
