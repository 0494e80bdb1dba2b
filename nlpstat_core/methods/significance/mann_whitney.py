"""Mann and Whitney's U test of two independent samples."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import ASYMPTOTIC, EXACT, Outcomes, outcomes
from nlpstat_core.engine.distributions.tails import continuity_step, log_p_from_tails, normal_log_sf
from nlpstat_core.engine.samples.independent import shift, shift_interval, too_few
from nlpstat_core.engine.samples.label_sums import two_tails, whole_number_tails
from nlpstat_core.engine.samples.location_shifts import location_shifts
from nlpstat_core.quantities import WINS
from nlpstat_core.records import Advice, SignificanceTest
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.stopping import stop_if_asked

MOST_EXACT = 50


def mann_whitney(batch: PairBatch, config: AnalysisConfig, *, exact: bool | None = None) -> Outcomes:
    """Mann and Whitney's rank test, ties included.

    Null hypothesis: the scores of a, less δ, are distributed as those of b.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts; scores are compared as they were written, to their decimals.
    config : AnalysisConfig
        `alternative`, `continuity` (of the normal approximation), `level`; δ is in the batch.
    exact : bool or None
        None: exact up to 50 units in all, normal above.

    Returns
    -------
    Outcomes
        U of a: pairs of units in which a's score is the larger one, ties counting half. The interval is
        Welch's for the difference of means. Without units on a side undefined ("too-few-own-units").

    Notes
    -----
    The exact p counts labellings of these very midranks; two-sided is twice the smaller tail. Approximation:
    Z = (U − n_u·n_v/2)/√Var, Var = n_u·n_v/12·(N + 1 − Σ(t³ − t)/(N(N − 1))). Cost O(N·log N) per pair, exact
    O(N⁴) at most.
    """
    statistic, log_p, centre = (np.full(batch.n_pairs, np.nan) for _ in range(3))
    kind = np.full(batch.n_pairs, ASYMPTOTIC, dtype=np.int8)
    for pair, (a, b) in enumerate(zip(batch.left, batch.right, strict=True)):
        stop_if_asked()
        u = np.round(batch.units.own.sample(a), batch.units.decimals)
        v = np.round(np.round(batch.units.own.sample(b), batch.units.decimals) + batch.delta, MOST_DECIMALS)
        if u.size and v.size:
            counted = u.size + v.size <= MOST_EXACT if exact is None else exact
            statistic[pair], log_p[pair] = _rank_test(u, v, config, counted)
            centre[pair] = u.size * v.size / 2
            kind[pair] = EXACT if counted else ASYMPTOTIC
    interval = shift_interval(shift(batch), config.level, config.alternative)
    return outcomes(
        statistic, log_p, statistic - centre, kind=kind, interval=interval, notes=too_few(batch, 1)
    )


def _rank_test(u: FloatArray, v: FloatArray, config: AnalysisConfig, exact: bool) -> tuple[float, float]:
    """U and the natural logarithm of p."""
    from scipy import stats

    n_u, n_v = u.size, v.size
    ranks = stats.rankdata(np.concatenate([u, v]))
    centred = ranks[:n_u].sum() - n_u * (n_u + n_v + 1) / 2
    u_statistic = centred + n_u * n_v / 2
    if exact:
        doubled = np.rint(2 * ranks).astype(np.int64)
        tails = whole_number_tails(doubled, n_u, int(doubled[:n_u].sum()))
        if tails is not None:
            return float(u_statistic), float(np.log(two_tails(*tails, config.alternative)))
    n = n_u + n_v
    variance = n_u * n_v * float(np.sum((ranks - (n + 1) / 2) ** 2)) / (n * (n - 1))
    if variance == 0:
        return float(u_statistic), 0.0
    step = continuity_step(np.array([centred]), config.alternative) / 2 if config.continuity else 0.0
    z = (np.array([centred]) - step) / np.sqrt(variance)
    return float(u_statistic), float(log_p_from_tails(z, normal_log_sf, config.alternative)[0])


METHOD = SignificanceTest(
    key="mann-whitney",
    label="Mann–Whitney U test (unpaired)",
    summary="Compares the ranks of two independent samples.",
    run=mann_whitney,
    quantity=WINS,
    null="the scores of {a} and {b} have the same distribution{shift}",
    assumptions=("all items are independent, also between the systems",),
    formula=r"U = \#\{u_i > v_j\} + \tfrac12 \#\{u_i = v_j\}",
    references=("mann1947",),
    design="unpaired",
    estimate=location_shifts,
    named="the Mann–Whitney U test (unpaired)",
    advice=(Advice(kinds=("unpaired",), standing="non-preferred", reason="It compares ranks, not means."),),
)
