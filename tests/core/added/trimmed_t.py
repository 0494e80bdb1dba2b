"""The trimmed t test of paired differences."""

from __future__ import annotations

import numpy as np
from core.added.trimmed_difference import trimmed_difference

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EstimateColumns, Outcomes, outcomes, undefined_outcomes
from nlpstat_core.engine.distributions.tails import log_p_from_tails, t_log_sf
from nlpstat_core.quantities import Quantity
from nlpstat_core.records import Advice, Remark, SignificanceTest

CUT = 0.2
TRIMMED_MEAN = Quantity(
    key="trimmed-mean",
    title="trimmed mean",
    asks="the 20 % trimmed mean of the differences",
    text="the 20 % trimmed mean of the differences",
    differ="in the trimmed mean",
)


def trimmed_t(batch: PairBatch, config: AnalysisConfig, share: float = CUT) -> Outcomes:
    """Tukey and McLaughlin's t test of the trimmed mean of the differences.

    Null hypothesis: the 20 % trimmed mean of u − v is δ.

    Parameters
    ----------
    batch : PairBatch
        Pairs with their shared units; at least two, else undefined.
    config : AnalysisConfig
        `alternative`; δ is in the batch.
    share : float
        Of the differences, trimmed at each end.

    Returns
    -------
    Outcomes
        t and its asymptotic p-value on n − 2g − 1 degrees of freedom, g = ⌊0.2·n⌋. Where the middle
        differences are all alike p is 1 if they equal δ, else undefined (note "no-inner-spread").

    Notes
    -----
    t = 0.6·√n·(trimmed mean − δ)/s_w with the winsorised standard deviation s_w. Cost O(n log n) per pair.

    References
    ----------
    Tukey and McLaughlin (1963); Yuen (1974), doi:10.1093/biomet/61.1.165.
    """
    n, cut = batch.n_units, int(share * batch.n_units)
    if n < 2:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    centre, error = np.empty(batch.n_pairs), np.empty(batch.n_pairs)
    for part, rows in batch.rows():
        rows.sort(axis=1)
        inner = rows[:, cut : n - cut]
        centre[part] = inner.mean(axis=1)
        winsorised = np.clip(rows, inner[:, :1], inner[:, -1:])
        alike = np.ptp(winsorised, axis=1) == 0
        error[part] = np.where(alike, 0.0, winsorised.std(axis=1, ddof=1) / ((1 - 2 * share) * np.sqrt(n)))
    shift = np.where(np.isclose(centre, batch.delta, rtol=1e-12, atol=1e-12), 0.0, centre - batch.delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error == 0, np.where(shift == 0, 0.0, np.nan), shift / error)
    log_p = log_p_from_tails(t, lambda x: t_log_sf(x, n - 2 * cut - 1), config.alternative)
    log_p = np.where((error == 0) & (shift == 0), 0.0, log_p)
    return outcomes(t, log_p, t, notes={"no-inner-spread": (error == 0) & (shift != 0)})


def trimmed_mean(batch: PairBatch, config: AnalysisConfig) -> EstimateColumns:
    """What the test is about, with its interval."""
    found = trimmed_difference(batch, config, True)
    assert found.interval is not None
    return EstimateColumns(of="trimmed mean", value=found.value, interval=found.interval)


METHOD = SignificanceTest(
    key="trimmed-t",
    label="Trimmed t test",
    summary="Compares the trimmed mean of the differences with its standard error.",
    run=trimmed_t,
    quantity=TRIMMED_MEAN,
    null="the 20 % trimmed mean of the differences is {delta}",
    assumptions=("items are independent", "the trimmed mean is approximately normal"),
    formula=r"t = \frac{(1 - 2\gamma)\sqrt n\,\bar z_t}{s_w}",
    references=("student1908",),
    design="paired",
    estimate=trimmed_mean,
    quick=True,
    needs_spread=True,
    advice=(
        Advice(
            kinds=("not-normal",),
            standing="non-preferred",
            reason="Trimming withstands long tails, but no single quantity of the board is trimmed.",
            questions=("each-pair",),
        ),
    ),
    remarks=(Remark("no-inner-spread", "problem", "The middle differences are alike: it is undefined."),),
)
