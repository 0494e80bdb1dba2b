"""The t test over items and runs: does a difference hold for other items and other training runs?"""

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import block_notes
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes, undefined_outcomes
from nlpstat_core.engine.columns.runs import FEW_RUNS, MOST_LACKING, UnitRuns
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.distributions.tails import log_p_from_tails, t_log_sf
from nlpstat_core.engine.samples.crossed import crossed_errors, crossed_interval
from nlpstat_core.errors import AnalysisError, ConfigError, unknown
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.runs import Runs


def crossed_t(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """t test of the mean difference over items and runs.

    Null hypothesis: the mean of u − v over all items and all runs of both systems is δ.

    Parameters
    ----------
    batch : PairBatch
        Pairs whose systems have runs, on the units both have; two units (blocks) or more, else undefined.
    config : AnalysisConfig
        `alternative`, `level`; δ is in the batch.

    Returns
    -------
    Outcomes
        t, its asymptotic p-value, Satterthwaite's degrees of freedom and the interval. A pair of which a
        system has one run is undefined ("one-run"): nothing says how much another run would differ. Where
        neither items nor runs vary p = 1 if the difference is δ, undefined elsewhere (note "no-spread").

    Notes
    -----
    Model y = μ_s + item + item × system + run(system) + residual. t = (mean(D) − δ)/√V with V and its degrees
    of freedom from `crossed_errors`. Cost O(n·R) for each system and O(1) for each pair after the moments.
    """
    if batch.units.runs is None:
        return undefined_outcomes(batch.n_pairs, "no-runs")
    found = crossed_errors(batch)
    spreads = found.spreads
    shift = batch.difference - batch.delta
    known = ~np.isnan(found.error)
    constant = known & (found.error == 0)
    zero = constant & (np.abs(shift) <= 1e-12 * max(1.0, abs(batch.delta)))
    usable = known & ~constant
    t = np.full(batch.n_pairs, np.nan)
    t[usable] = shift[usable] / found.error[usable]
    t[zero] = 0.0
    freedom = np.where(np.isnan(found.freedom), 1.0, found.freedom)
    log_p = log_p_from_tails(t, lambda x: t_log_sf(x, freedom), config.alternative)
    left, right = batch.left, batch.right
    numbers = spreads.n_runs[left], spreads.n_runs[right]
    one = (numbers[0] == 1) | (numbers[1] == 1)
    pooled = spreads.pooled[left] | spreads.pooled[right]
    worst = np.maximum(spreads.lacking[left], spreads.lacking[right])
    return outcomes(
        t,
        np.where(zero, 0.0, log_p),
        t,
        interval=crossed_interval(batch, config),
        freedom=np.where(usable, found.freedom, np.nan),
        notes={
            "no-spread": constant & ~zero,
            "one-run": one & ~pooled,
            "pooled-runs": pooled,
            "two-runs": known & (spreads.freedom[left] + spreads.freedom[right] <= 2) & ~pooled,
            "unequal-runs": known & ~one & (np.minimum(*numbers) < FEW_RUNS) & (numbers[0] != numbers[1]),
            "unbalanced-runs": (worst > 0) & (worst <= MOST_LACKING),
            "runs-lack-units": worst > MOST_LACKING,
            "too-few-units": np.full(batch.n_pairs, batch.n_units < 2),
            **block_notes(batch),
        },
    )


def crossed_t_p_value(a: ArrayLike, b: ArrayLike, alternative: Alternative = "two-sided") -> float:
    """P-value of the t test over items and runs, for two systems given as tables of scores.

    Parameters
    ----------
    a, b : array-like of float, shapes (n_items, R_a) and (n_items, R_b)
        Scores of every item in every run, two runs or more each; NaN where a run lacks an item. Rows are the
        same items, columns of a and b have nothing to do with each other.
    alternative : {"two-sided", "greater", "less"}
        About the mean of a relative to that of b.

    Returns
    -------
    float
        NaN below two shared items, and where nothing varies but the means differ.

    Raises
    ------
    AnalysisError
        Tables that don't fit together, infinite scores, or a system with one run.
    ConfigError
        An unknown alternative.

    Examples
    --------
    >>> a = [[0.9, 0.8], [0.7, 0.9], [0.6, 0.5], [0.8, 0.8]]
    >>> b = [[0.5, 0.6, 0.4], [0.6, 0.5, 0.6], [0.3, 0.2, 0.4], [0.7, 0.5, 0.6]]
    >>> round(crossed_t_p_value(a, b), 6)
    0.010544
    """
    if alternative not in ("two-sided", "greater", "less"):
        raise ConfigError(unknown("alternative", alternative, ("two-sided", "greater", "less")))
    tables = [_table(given, name) for given, name in ((a, "a"), (b, "b"))]
    if tables[0].shape[0] != tables[1].shape[0]:
        raise AnalysisError(
            f"a has {tables[0].shape[0]:,} items and b {tables[1].shape[0]:,}; "
            "their rows must be the same items."
        )
    shared = np.all([~np.isnan(table).all(axis=1) for table in tables], axis=0)
    tables = [table[shared] for table in tables]
    for name, table in zip("ab", tables, strict=True):
        if np.count_nonzero((~np.isnan(table)).any(axis=0)) == 1:
            raise AnalysisError(
                f"{name} has one run, and nothing says how much another run would differ; give two or more."
            )
    if tables[0].shape[0] < 2:
        return float("nan")
    runs = Runs(values=tuple(tables), names=tuple(tuple(map(str, range(t.shape[1]))) for t in tables))
    units = UnitBlock(
        values=runs.means, decimals=MOST_DECIMALS, binary=np.zeros(2, dtype=bool), runs=UnitRuns(runs)
    )
    batch = PairBatch(units, np.array([0]), np.array([1]))
    return float(crossed_t(batch, AnalysisConfig(alternative=alternative)).p_value[0])


def _table(given: ArrayLike, name: str) -> FloatArray:
    try:
        table = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise AnalysisError(
            f"{name} must be a table of numbers, items × runs, as long in every row."
        ) from None
    if table.ndim != 2 or table.shape[1] == 0:
        raise AnalysisError(f"{name} must have two dimensions, items × runs, not the shape {table.shape}.")
    if np.isinf(table).any():
        raise AnalysisError(f"{name} holds an infinite score; scores must be finite.")
    return table


METHOD = SignificanceTest(
    key="crossed-t",
    label="t test over items and runs",
    summary="Compares the mean difference with a standard error that counts items and training runs.",
    run=crossed_t,
    quantity=MEAN,
    null="the mean difference over all items and runs is {delta}",
    assumptions=(
        "items are independent (or documents, where they are named), and so are the runs of a system",
        "two runs or more of every system; a run is behind all items of its system",
        "means over items and over runs are approximately normal",
    ),
    formula=r"t = \frac{\bar D}{\sqrt V},\quad V = \frac{s_D^2}{n} + \sum_s \frac{\max(0, v_s - E_s/n)}{R_s},"
    r"\quad \nu = \frac{V^2}{\frac{(s_D^2/n)^2}{n-1} + \sum_s \frac{(v_s/R_s)^2}{R_s-1}}",
    references=("satterthwaite1946", "searle1992"),
    design="runs",
    about_means=True,
    advice=(
        Advice(
            kinds=("runs",),
            standing="recommended",
            reason="Every system was trained several times: the difference should hold for other runs too.",
        ),
    ),
)
