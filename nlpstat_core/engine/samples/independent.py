"""Two independent samples: every unit a system has, whether the other has it or not."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes
from nlpstat_core.engine.distributions.tails import log_p_from_tails, one_sided, t_log_sf, two_sided_mass


@dataclass(frozen=True, eq=False, kw_only=True)
class Shift:
    """Difference of two independent means with its standard error; arrays have shape (n_pairs,).

    difference: Mean of a's units minus mean of b's units; NaN where a side has none.
    error: Standard error; NaN below two units on a side.
    freedom: Degrees of freedom.
    """

    difference: FloatArray
    error: FloatArray
    freedom: FloatArray


def shift(batch: PairBatch, *, equal_variances: bool = False, of_units: bool = False) -> Shift:
    """The difference of means of every pair, over each side's own units.

    equal_variances: Pool the variances (Student), or not (Welch).
    of_units: Of counts, compare the means of the units' own scores instead of the micro-averaged scores.

    Welch: se² = s_a²/n_a + s_b²/n_b with Satterthwaite's degrees of freedom; Student: pooled variance and
    n_a + n_b − 2. Cost O(N·S).
    """
    sides = batch.units.own.of_units if of_units else batch.units.own.of_board
    n, variance = sides.n, sides.variance
    a, b = batch.left, batch.right
    difference = sides.gap(a, b)
    if equal_variances:
        freedom = n[a] + n[b] - 2
        pooled = ((n[a] - 1) * variance[a] + (n[b] - 1) * variance[b]) / np.where(
            freedom > 0, freedom, np.nan
        )
        error = np.sqrt(pooled * (1 / np.maximum(n[a], 1) + 1 / np.maximum(n[b], 1)))
        return Shift(difference=difference, error=error, freedom=freedom)
    parts = variance / np.maximum(n, 1)
    squares = parts**2 / np.maximum(n - 1, 1)
    below = squares[a] + squares[b]
    square = parts[a] + parts[b]
    freedom = np.where(below > 0, square**2 / np.where(below > 0, below, 1.0), 1.0)
    return Shift(difference=difference, error=np.sqrt(square), freedom=freedom)


def shift_interval(found: Shift, level: float, alternative: Alternative) -> FloatArray:
    """Student's t interval of a difference of independent means.

    Returns float array, shape (n_pairs, 2); NaN below two units on a side.
    """
    from scipy import special

    freedom = np.where(np.isnan(found.error), 1.0, found.freedom)
    margin = special.stdtrit(freedom, 1 - two_sided_mass(level, alternative)) * found.error
    return one_sided(found.difference - margin, found.difference + margin, alternative)


def swapped_pairs(batch: PairBatch) -> BoolArray:
    """Pairs whose second sample comes first for random numbers: these must not depend on the columns' order.

    Returns bool array, shape (n_pairs,): The smaller sample comes first; of equal sizes that with the smaller
        sum, then by the scores.
    """
    samples = {int(s): batch.units.own.sample(int(s)) for s in np.union1d(batch.left, batch.right)}
    keys = {system: (own.size, float(own.sum()), own.tobytes()) for system, own in samples.items()}
    swapped = [keys[int(a)] > keys[int(b)] for a, b in zip(batch.left, batch.right, strict=True)]
    return np.array(swapped, dtype=bool)


def too_few(batch: PairBatch, fewest: int) -> dict[str, BoolArray]:
    """The note of pairs with fewer than so many units on a side.

    Returns mapping of "too-few-own-units" to bool array, shape (n_pairs,).
    """
    n = batch.units.own.of_units.n
    return {"too-few-own-units": np.minimum(n[batch.left], n[batch.right]) < fewest}


def shift_outcomes(batch: PairBatch, config: AnalysisConfig, *, equal_variances: bool) -> Outcomes:
    """Student's or Welch's t test of two independent samples.

    batch: At least two units on each side, else undefined.
    config: `alternative`, `level`; δ is in the batch.
    Returns: With the interval that belongs to it. Without any spread p = 1 where the means differ by δ,
        undefined elsewhere (note "no-pooled-spread").
    """
    found = shift(batch, equal_variances=equal_variances)
    centred = found.difference - batch.delta
    constant = found.error == 0
    zero = constant & (np.abs(centred) <= 1e-12 * max(1.0, abs(batch.delta)))
    t = np.where(zero, 0.0, np.where(constant, np.nan, centred / np.where(constant, 1.0, found.error)))
    freedom = np.where(np.isnan(t), 1.0, found.freedom)

    def log_sf(values: FloatArray) -> FloatArray:
        return t_log_sf(values, freedom)

    log_p = np.where(zero, 0.0, log_p_from_tails(t, log_sf, config.alternative))
    interval = shift_interval(found, config.level, config.alternative)
    notes = {"no-pooled-spread": constant & ~zero, **too_few(batch, 2)}
    return outcomes(t, log_p, t, interval=interval, notes=notes)
