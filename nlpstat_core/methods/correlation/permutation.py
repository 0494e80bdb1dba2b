"""The permutation test of one correlation."""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling.monte_carlo import monte_carlo_p
from nlpstat_core.engine.signflip.outcome import checked_alternative
from nlpstat_core.errors import AnalysisError, unknown
from nlpstat_core.methods.correlation.columns import CorrelationTest
from nlpstat_core.methods.correlation.fisher_z import fisher_z
from nlpstat_core.methods.correlation.kendall import kendall
from nlpstat_core.methods.correlation.pearson import pearson
from nlpstat_core.methods.correlation.spearman import ranks, spearman
from nlpstat_core.records import Procedure
from nlpstat_core.stopping import stop_if_asked

MOST_EXACT = 8  # 40,320 arrangements
AT_ONCE = 512
STATISTICS: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def permuted_correlation(
    x: FloatArray,
    y: FloatArray,
    *,
    statistic: str = "pearson",
    alternative: str = "two-sided",
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
) -> CorrelationTest:
    """Permutation test of one correlation.

    Null hypothesis: every pairing of the x with the y was equally probable.

    Parameters
    ----------
    x, y : float arrays, shape (n,)
        Units that miss one of them are left out.
    statistic : {"pearson", "spearman", "kendall"}
    alternative : {"two-sided", "greater", "less"}
    resamples : int
        Random pairings for more than eight units; up to eight all are counted.
    seed : int
    level : float
        Of Fisher's interval, for Pearson's correlation alone.

    Returns
    -------
    CorrelationTest
        p is NaN where the correlation is undefined.

    Raises
    ------
    AnalysisError
        Arrays of different length, or an unknown statistic.

    Notes
    -----
    p is the share of pairings whose correlation is at least as extreme (two-sided: as far from 0), with ties
    within 1e-12; of random ones (C + 1)/(B + 1).

    References
    ----------
    Pitman (1937), doi:10.2307/2983647.

    Examples
    --------
    >>> x = np.arange(5.0)
    >>> permuted_correlation(x, x).p_value * 120
    2.0
    """
    checked_alternative(alternative)
    if statistic not in STATISTICS:
        raise AnalysisError(unknown("correlation", statistic, STATISTICS))
    if x.ndim != 1 or x.shape != y.shape:
        raise AnalysisError("A correlation needs two one-dimensional arrays of equal length.")
    there = ~(np.isnan(x) | np.isnan(y))
    u, v = x[there], y[there]
    if statistic == "spearman":
        u, v = ranks(u[:, None])[:, 0], ranks(v[:, None])[:, 0]
    run = STATISTICS["pearson" if statistic == "spearman" else statistic]
    n = int(u.size)
    estimate = float(run(u[:, None], v)[0]) if n > 1 else math.nan
    fitted = fisher_z(estimate, n, level=level, alternative=alternative) if statistic == "pearson" else None
    exact = n <= MOST_EXACT
    extreme = total = 0
    if not math.isnan(estimate):
        for order in _orders(n, exact, resamples, seed):
            stop_if_asked()
            drawn = run(u[order].T, v)
            extreme += int(np.count_nonzero(_as_extreme(drawn, estimate, alternative)))
            total += len(order)
    p = math.nan
    if total:
        p = extreme / total if exact else float(monte_carlo_p(np.array(extreme), total))
    return CorrelationTest(
        test="permutation-correlation",
        estimate=estimate,
        statistic=estimate,
        p_value=p,
        lower=math.nan if fitted is None else fitted.lower,
        upper=math.nan if fitted is None else fitted.upper,
        n=n,
        exact=exact,
    )


def _orders(n: int, exact: bool, resamples: int, seed: int) -> Iterator[IntArray]:
    """Arrangements of n units, some at a time, shape (some, n)."""
    if exact:
        arrangements = itertools.permutations(range(n))
        while some := list(itertools.islice(arrangements, AT_ONCE)):
            yield np.array(some, dtype=np.int64)
        return
    rng = np.random.default_rng([seed, n])
    for start in range(0, resamples, AT_ONCE):
        yield rng.permuted(np.tile(np.arange(n), (min(AT_ONCE, resamples - start), 1)), axis=1)


def _as_extreme(drawn: FloatArray, observed: float, alternative: str) -> BoolArray:
    if alternative == "two-sided":
        return np.asarray(np.abs(drawn) >= abs(observed) - 1e-12)
    return np.asarray(drawn >= observed - 1e-12 if alternative == "greater" else drawn <= observed + 1e-12)


METHOD = Procedure(
    key="permutation-correlation",
    label="Permutation test of a correlation",
    summary="Counts the pairings of the two scores whose correlation is at least as extreme.",
    run=permuted_correlation,
    null="every pairing of the two scores was equally probable: they are independent",
    assumptions=("items are exchangeable",),
    formula=r"p = \frac{\#\{\pi : |r(x_\pi, y)| \ge |r(x, y)|\}}{n!}",
    references=("pitman1937b",),
)
