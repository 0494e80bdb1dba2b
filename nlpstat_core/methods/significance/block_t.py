"""The t test with blocks (documents): cluster-robust standard error, one degree of freedom per block."""

from __future__ import annotations

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import block_notes, clustered_errors
from nlpstat_core.engine.columns.outcomes import Outcomes, outcomes, undefined_outcomes
from nlpstat_core.engine.distributions.tails import log_p_from_tails, t_log_sf
from nlpstat_core.engine.samples.intervals import block_interval
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest


def block_t(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Cluster-robust t test of the mean difference over units.

    Null hypothesis: the mean of u − v is δ.

    Parameters
    ----------
    batch : PairBatch
        Pairs whose shared units are in blocks; at least two blocks, else undefined ("too-few-blocks").
    config : AnalysisConfig
        `alternative`, `level`; δ is in the batch.

    Returns
    -------
    Outcomes
        t, its asymptotic p-value on G − 1 degrees of freedom and the interval d ± t·se. Where no block
        deviates from the mean p = 1 if the difference is δ, undefined elsewhere (note "no-spread").

    Notes
    -----
    t = (d − δ)/se, se² = G/(G − 1)·Σ_g e_g²/N² with e_g the sum of z − z̄ over block g. For counts d is the
    difference of two micro-averaged scores and e_g/N the block's linearised contribution to it. Cost O(N·S)
    once and O(G) per pair.

    References
    ----------
    Liang and Zeger (1986), doi:10.1093/biomet/73.1.13; Cameron and Miller (2015), doi:10.3368/jhr.50.2.317.
    """
    blocks = batch.units.blocks
    if blocks is None:
        return undefined_outcomes(batch.n_pairs, "no-blocks")
    if blocks.n_blocks < 2:
        return undefined_outcomes(batch.n_pairs, "too-few-blocks", block_interval(batch, config))
    error = clustered_errors(batch)
    shift = batch.difference - batch.delta
    constant = error == 0
    zero = constant & (np.abs(shift) <= 1e-12 * max(1.0, abs(batch.delta)))
    t = np.where(zero, 0.0, np.where(constant, np.nan, shift / np.where(constant, 1.0, error)))
    log_p = log_p_from_tails(t, lambda x: t_log_sf(x, blocks.n_blocks - 1), config.alternative)
    return outcomes(
        t,
        np.where(zero, 0.0, log_p),
        t,
        interval=block_interval(batch, config),
        notes={"no-spread": constant & ~zero, **block_notes(batch)},
    )


METHOD = SignificanceTest(
    key="block-t",
    label="Block t test",
    summary="Compares the mean difference with a standard error that allows units of a document to be alike.",
    run=block_t,
    quantity=MEAN,
    null="the mean difference is {delta}",
    assumptions=(
        "documents are independent; their units need not be",
        "the mean difference is approximately normal (many documents, none much larger than the others)",
    ),
    formula=r"t = \frac{\bar z}{se},\quad se^2 = \frac{G}{G - 1} \sum_g \frac{e_g^2}{N^2},\quad "
    r"e_g = \sum_{i \in g} (z_i - \bar z)",
    references=("liang1986", "cameron2015"),
    design="blocks",
    about_means=True,
    joint_null="flips",
    advice=(
        Advice(
            kinds=("blocks",),
            standing="non-preferred",
            reason="It needs many documents of similar size.",
        ),
        Advice(
            kinds=("few-blocks",),
            standing="recommended",
            reason="Permuting fewer than six documents gives no two-sided p-value below 1/16.",
        ),
    ),
)
