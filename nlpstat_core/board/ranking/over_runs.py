"""Intervals of the leaderboard over items and runs."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.columns.runs import SpreadColumns, UnitRuns
from nlpstat_core.engine.distributions.tails import t_interval
from nlpstat_core.engine.resampling import count_chunks
from nlpstat_core.engine.samples.crossed import combined
from nlpstat_core.engine.samples.shares import estimated_share_interval
from nlpstat_core.scores.matrix import ScoreMatrix


def spreads_of(scores: ScoreMatrix) -> SpreadColumns | None:
    """How much the runs of every system differ on its own units; None without runs."""
    if scores.runs is None:
        return None
    return UnitRuns(scores.runs).columns(np.arange(scores.n_systems))


def score_interval_over_runs(
    scores: ScoreMatrix, score: FloatArray, errors: FloatArray, freedom: FloatArray, level: float
) -> FloatArray:
    """Intervals of the systems' scores over items and runs.

    scores: With runs.
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
