"""The systems' scores with intervals: over shared units, fitted, or each over its own; over runs, too."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.ranking.additive import additive_fit, same_units
from nlpstat_core.engine.columns.blocks import blocks_of, clustered_score_errors, degrees_of_freedom, shares
from nlpstat_core.engine.columns.contributions import Contributions, contributions, standard_errors
from nlpstat_core.engine.columns.pairing import binary_columns
from nlpstat_core.engine.columns.runs import SpreadColumns, UnitRuns
from nlpstat_core.engine.distributions.tails import t_interval
from nlpstat_core.engine.resampling import count_chunks
from nlpstat_core.engine.samples.crossed import combined
from nlpstat_core.engine.samples.shares import counted_share_interval, estimated_share_interval
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.measured import Measured


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardScores:
    """What orders the systems; arrays have shape (n_systems,), in column order.

    own_score: Scores over each system's own units where these are not what orders the board.
    group: Systems that units connect; all 1 where scores of own units are compared.
    """

    score: FloatArray
    n_units: IntArray
    interval: FloatArray
    own_score: FloatArray | None
    group: IntArray


def board_scores(
    scores: ScoreMatrix, level: float, block_ids: IntArray | None = None, *, own_units: bool = False
) -> BoardScores:
    """Scores that order the systems, with their intervals.

    own_units: Score every system over its own units, whatever the others have.
    Returns: Where systems have different units the scores of the additive fit, with standard errors of its
        influence function (cluster-robust when blocks are named) and the degrees of freedom of the system's
        own units or blocks.
    """
    if scores.measured is not None:
        return _measures(scores, scores.measured, level, block_ids)
    score, n_units, interval = own_scores(scores, level, block_ids)
    if own_units or not scores.has_missing or same_units(scores):
        group = np.ones(scores.n_systems, dtype=np.int64)
        return BoardScores(score=score, n_units=n_units, interval=interval, own_score=None, group=group)
    fit = additive_fit(scores)
    if not fit.fitted.any():
        return BoardScores(score=score, n_units=n_units, interval=interval, own_score=None, group=fit.group)
    errors, freedom = _fitted_errors(scores, fit.unit_values, block_ids)
    margin = _margin(errors, freedom, level)
    adjusted = np.where(fit.fitted, fit.score, score)
    ends = np.stack([adjusted - margin, adjusted + margin], axis=-1)
    if scores.runs is not None:
        ends = score_interval_over_runs(scores, adjusted, errors, freedom, level)
    return BoardScores(
        score=adjusted,
        n_units=n_units,
        interval=np.where(fit.fitted[:, None], ends, interval),
        own_score=score,
        group=fit.group,
    )


def _measures(
    scores: ScoreMatrix, measured: Measured, level: float, block_ids: IntArray | None
) -> BoardScores:
    """The measure of every system on the units it has, its jackknife interval within the measure's range.

    By documents where they are named: d ± t·se, t with one degree of freedom fewer than units (documents).
    """
    from scipy import special

    n = scores.n_systems
    score, interval, n_units = np.full(n, np.nan), np.full((n, 2), np.nan), np.zeros(n, dtype=np.int64)
    for system in range(n):
        rows = scores.canonical_order[scores.present[scores.canonical_order, system]]
        n_units[system] = rows.size
        if not rows.size:
            continue
        ids = None if block_ids is None else block_ids[rows]
        own = MeasuredUnits(measured.columns([system]).rows(rows), ids)
        score[system] = own.by_unit[0][0]
        pseudo = own.by_group[1][0]
        if pseudo.size > 1:
            error = float(pseudo.std(ddof=1)) / np.sqrt(pseudo.size)
            if error == 0.0:  # every item adds the same: nothing says how far a perfect score reaches
                continue
            margin = float(special.stdtrit(pseudo.size - 1, (1 + level) / 2)) * error
            interval[system] = np.clip([score[system] - margin, score[system] + margin], *measured.bounds)
    group = np.ones(n, dtype=np.int64)
    return BoardScores(score=score, n_units=n_units, interval=interval, own_score=None, group=group)


def _fitted_errors(
    scores: ScoreMatrix, unit_values: FloatArray, block_ids: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """Standard errors of fitted scores, and the degrees of freedom of the system's own units or blocks."""
    there = ~np.isnan(unit_values)
    n_group = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = unit_values - np.nansum(unit_values, axis=0) / n_group
        parts = np.where(there, centred / n_group, 0.0).T
    order = scores.canonical_order
    if block_ids is None:
        n_own = np.count_nonzero(scores.present, axis=0)
        return standard_errors(parts, n_group), np.asarray(n_own - 1, dtype=np.float64)
    errors, _ = clustered_score_errors(parts, there.T.astype(float), block_ids[order])
    own = blocks_of(block_ids).sums(scores.present.T.astype(float))
    return errors, degrees_of_freedom(shares(own))


def _margin(errors: FloatArray, freedom: FloatArray, level: float) -> FloatArray:
    """Half widths of intervals; NaN without degrees of freedom."""
    from scipy import special

    known = freedom > 0
    margin: FloatArray = special.stdtrit(np.where(known, freedom, 1.0), (1 + level) / 2) * errors
    return np.where(known, margin, np.nan)


def own_scores(
    scores: ScoreMatrix, level: float, block_ids: IntArray | None = None
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Score of every system with its interval; shares have intervals that never leave [0, 1].

    Returns interval (float array, shape (n_systems, 2)): Student's t of means (`mean_with_interval`,
        `score_with_interval`), Wilson's of 0/1 scores and of scores made of counts (`shares`); over items and
        runs where systems have training runs.
    """
    if scores.runs is not None:
        return _over_runs(scores, level, block_ids)
    single = scores.counts is None or scores.counts.of_single_items
    if not single or block_ids is not None:
        return score_with_interval(scores, level, block_ids)
    score, n_units, interval = mean_with_interval(scores.values, level)
    shares = _share_columns(scores)
    interval[shares] = counted_share_interval(score[shares], n_units[shares], level)
    return score, n_units, interval


def _over_runs(
    scores: ScoreMatrix, level: float, block_ids: IntArray | None
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Means of systems with training runs, their units, and intervals over items and runs."""
    found = contributions(scores.values, scores.counts)
    errors, freedom = _own_errors(scores, found, block_ids)
    interval = score_interval_over_runs(scores, found.score, errors, freedom, level)
    return found.score, found.n_units, interval


def _own_errors(
    scores: ScoreMatrix, found: Contributions, block_ids: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """Standard errors of scores over each system's own units or blocks, and their degrees of freedom."""
    if block_ids is None:
        return standard_errors(found.parts, found.n_units), np.asarray(found.n_units - 1, dtype=np.float64)
    counts = scores.counts
    sizes = scores.present.astype(float) if counts is None else np.where(scores.present, counts.weights, 0.0)
    return clustered_score_errors(found.parts, np.ascontiguousarray(sizes.T), block_ids)


def mean_with_interval(values: FloatArray, level: float) -> tuple[FloatArray, IntArray, FloatArray]:
    """Column means over the cells that are there, with Student's t intervals.

    Returns interval (float array, shape (n_systems, 2); NaN below two units).
    """
    from scipy import special

    there = ~np.isnan(values)
    count = np.count_nonzero(there, axis=0)
    filled = np.where(there, values, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(count > 0, filled.sum(axis=0) / count, np.nan)
        centred = np.where(there, values - mean, 0.0)
        variance = np.where(count > 1, np.einsum("ij,ij->j", centred, centred) / (count - 1), np.nan)
        margin = special.stdtrit(np.maximum(count - 1, 1), (1 + level) / 2) * np.sqrt(variance / count)
    return mean, count, np.stack([mean - margin, mean + margin], axis=-1)


def score_with_interval(
    scores: ScoreMatrix, level: float, block_ids: IntArray | None
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Scores made of counts, or of units in blocks, with their intervals.

    Returns score (float array, shape (n_systems,); NaN for an empty column): Mean over the cells that are
        there, or the micro-averaged score of the counts.
    Returns interval (float array, shape (n_systems, 2)): NaN below two units, or where blocks leave fewer
        than three degrees of freedom.

    Means: score ± t·se, se cluster-robust over the blocks in which the system has units, with Bell and
    McCaffrey's degrees of freedom (`clustered_score_errors`). Shares (0/1 scores, ratios of counts): Wilson's
    interval over as many effective units as that error implies (`estimated_share_interval`); for counts
    without blocks the error is the linearised one of a ratio of sums, with n − 1 degrees of freedom.
    """
    found = contributions(scores.values, scores.counts)
    errors, freedom = _own_errors(scores, found, block_ids)
    margin = _margin(errors, freedom, level)
    interval = np.stack([found.score - margin, found.score + margin], axis=-1)
    binary = _share_columns(scores)
    interval[binary] = estimated_share_interval(found.score[binary], errors[binary], freedom[binary], level)
    return found.score, found.n_units, interval


def _share_columns(scores: ScoreMatrix) -> BoolArray:
    """Systems whose score is a share: of counts, or a column of 0 and 1 (of one alone if all columns are)."""
    if scores.counts is not None:
        return np.ones(scores.n_systems, dtype=bool)
    binary = binary_columns(scores)
    with_missing = np.where(scores.present, scores.values, 0.5)
    both = (with_missing == 0).any(axis=0) & (with_missing == 1).any(axis=0)
    result: BoolArray = binary & (both | binary.all())
    return result


def spreads_of(scores: ScoreMatrix) -> SpreadColumns | None:
    """How much the runs of every system differ on its own units; None without runs."""
    if scores.runs is None:
        return None
    return UnitRuns(scores.runs).columns(np.arange(scores.n_systems))


def score_interval_over_runs(
    scores: ScoreMatrix, score: FloatArray, errors: FloatArray, freedom: FloatArray, level: float
) -> FloatArray:
    """Intervals of the systems' scores over items and runs.

    score, errors (float arrays, shape (n_systems,)): Scores and their standard errors over items (documents).
    freedom (float array, shape (n_systems,)): Degrees of freedom of each error; NaN where undefined.
    Returns float array, shape (n_systems, 2): score ± t·√(se² + max(0, v − E/n)/R) with Satterthwaite's
        degrees of freedom; Wilson's formula where all runs hold 0 and 1 only. NaN for a system of one run
        without a pooled variance.
    """
    spreads = spreads_of(scores)
    if spreads is None:
        raise ValueError("The scores have no runs.")
    every = np.arange(scores.n_systems)
    items = np.where(freedom > 0, errors**2, np.nan)
    error, over_both = combined(items, freedom, spreads, (every,))
    interval = t_interval(score, error, over_both, level, "two-sided")
    shares = spreads.shares & ~np.isnan(error) & ~np.isnan(over_both) & (score >= 0) & (score <= 1)
    if shares.any():
        interval[shares] = estimated_share_interval(score[shares], error[shares], over_both[shares], level)
    return interval


def run_shifts(scores: ScoreMatrix, resamples: int, seed: int, stream: str) -> FloatArray | None:
    """What drawing runs with replacement adds to every system's score in every resample.

    Returns float array, shape (n_systems, resamples), or None: None without runs; 0 for a system of one run.

    The deviations of a system's run means from their mean are drawn R at a time and averaged, after they were
    scaled so that the average has the variance max(0, v − E/n)/R of the test over items and runs: unscaled,
    few runs give a variance (R − 1)/R too small, and the noise of the items would be counted twice. The
    draws of a system depend on the seed and its number of runs and column only.
    """
    if scores.runs is None:
        return None
    found = UnitRuns(scores.runs)
    shifts = np.zeros((scores.n_systems, resamples))
    for system in range(scores.n_systems):
        spread = found.spread(system)
        n_runs = spread.n_runs
        if n_runs < 2 or not spread.component > 0:
            continue
        scale = np.sqrt(n_runs / (n_runs - 1) * spread.component / spread.variance)
        deviations = (spread.means - spread.means.mean()) * scale
        for which, drawn in count_chunks(n_runs, resamples, seed, f"{stream}-runs-{system}"):
            shifts[system, which] = drawn @ deviations / n_runs
    return shifts
