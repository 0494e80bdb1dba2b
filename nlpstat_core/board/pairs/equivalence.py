"""Equivalence within the user's margin: two one-sided tests, by the interval that is shown."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import clustered_errors, clustered_freedom
from nlpstat_core.engine.columns.outcomes import SMALLEST_P
from nlpstat_core.engine.distributions.tails import t_log_sf
from nlpstat_core.engine.samples.crossed import crossed_errors
from nlpstat_core.engine.samples.independent import shift
from nlpstat_core.engine.samples.paired_shares import score_equivalence_log_p
from nlpstat_core.methods.significance.block_permutation import equivalence_by_blocks


def equivalence_p(
    batch: PairBatch,
    margin: float,
    student: BoolArray | bool = False,
    continuity: BoolArray | bool = True,
    flipped: AnalysisConfig | None = None,
) -> FloatArray:
    """P-value of two one-sided tests (TOST) for every pair: of t, for 0/1 scores of the score of shares.

    Null hypothesis: the mean difference is at least the margin away from 0, on one side or the other.

    student (bool or bool array of shape (n_pairs,)): 0/1 pairs whose interval is Student's, since t was
        chosen for them.
    continuity (bool or bool array of shape (n_pairs,)): Whether the score interval of 0/1 pairs is the one
        with continuity correction.
    flipped: Settings of the block permutation test where the batch's pairs are compared by it.
    Returns: The larger of the two one-sided p-values; NaN below two units. Without spread the mean difference
        itself decides: the smallest p inside the margin, 1 outside. When blocks are named, by blocks.

    t± = (d ± margin)/se on n − 1 degrees of freedom, se = sd/√n (linearised for counts); with blocks error
    and degrees of freedom are those of the block t test, or both tests are block permutation tests; with
    training runs both are those of the test over items and runs; of a measure that is no mean the error is
    the jackknife's on G − 1, G items or documents. Pairs of 0/1 scores without blocks: Tango's score, so that
    the p and the interval shown agree (`paired_shares`). Cost O(1) per pair after the moments.

    Source: Schuirmann (1987), doi:10.1007/BF01068419;
    Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    """
    measured = batch.units.measured
    if measured is not None:
        error = measured.errors(batch.left, batch.right)
        freedom = np.full(batch.n_pairs, max(1.0, measured.n_groups - 1.0))
        return np.where(np.isnan(error), np.nan, _larger_p(batch.difference, error, freedom, margin))
    if batch.units.runs is not None:
        found = crossed_errors(batch)
        unknown = np.isnan(found.error)
        freedom = np.where(unknown, 1.0, found.freedom)
        return np.where(unknown, np.nan, _larger_p(batch.difference, found.error, freedom, margin))
    counts = batch.units.counts
    if batch.n_units < 2:
        return np.full(batch.n_pairs, np.nan)
    if batch.units.blocks is not None:
        if flipped is not None and counts is None:
            return equivalence_by_blocks(batch, flipped, margin)
        freedom = clustered_freedom(batch)
        known = ~np.isnan(freedom)
        p_value = _larger_p(batch.difference, clustered_errors(batch), np.where(known, freedom, 1.0), margin)
        return np.where(known, p_value, np.nan)
    p_value = _larger_p(batch.difference, batch.score_error, batch.n_units - 1.0, margin)
    if counts is not None and not counts.of_single_items:
        return p_value
    shares = batch.units.binary[batch.left] & batch.units.binary[batch.right] & ~np.asarray(student)
    if shares.any():
        pairs = batch.unshifted.take(shares)
        corrected = np.broadcast_to(continuity, shares.shape)[shares]
        log_p = score_equivalence_log_p(pairs.wins, pairs.losses, batch.n_units, margin, continuity=corrected)
        p_value[shares] = np.maximum(np.exp(log_p), SMALLEST_P)
    return p_value


def unpaired_equivalence_p(batch: PairBatch, margin: float) -> FloatArray:
    """The same for independent samples: two one-sided Welch tests.

    Null hypothesis: the means are at least the margin apart, on one side or the other.

    Returns: NaN below two units on a side.

    t± = (d ± margin)/se with Welch's standard error and degrees of freedom. Cost O(N·S).

    Source: Schuirmann (1987), doi:10.1007/BF01068419; Welch (1947), doi:10.1093/biomet/34.1-2.28.
    """
    found = shift(batch)
    undefined = np.isnan(found.error)
    freedom = np.where(undefined, 1.0, found.freedom)
    p_value = _larger_p(found.difference, found.error, freedom, margin)
    return np.where(undefined, np.nan, p_value)


def _larger_p(
    difference: FloatArray, error: FloatArray, freedom: float | FloatArray, margin: float
) -> FloatArray:
    """The larger one-sided p-value, the one of the nearer margin."""
    room = margin - np.abs(difference)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        p_value: FloatArray = np.exp(t_log_sf(room / error, freedom))
    return np.where(error > 0, p_value, np.where(room > 0, SMALLEST_P, 1.0))
