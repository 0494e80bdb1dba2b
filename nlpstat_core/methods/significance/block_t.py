"""The t test with blocks (documents): standard error and degrees of freedom adjusted for their sizes."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import block_notes, clustered_errors, clustered_freedom
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
        t, its asymptotic p-value and the interval d ± t·se. Undefined below three degrees of freedom
        ("too-few-degrees"). Where no block deviates from the mean p = 1 if the difference is δ, undefined
        elsewhere (note "no-spread").

    Notes
    -----
    t = (d − δ)/se, se² = Σ_g e_g²/(1 − L_g/N)/N² with e_g the sum of z − z̄ over block g (CR2), on Bell and
    McCaffrey's degrees of freedom (`blocks.degrees_of_freedom`): G − 1 for blocks of equal size, fewer for
    others. For counts d is the difference of two micro-averaged scores, e_g/N the block's linearised
    contribution to it and L_g/N its share in what the scores are divided by. Cost O(N·S) once and O(G) per
    pair.
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
    freedom = clustered_freedom(batch)
    known = ~np.isnan(freedom)
    degrees = np.where(known, freedom, 1.0)
    log_p = log_p_from_tails(t, lambda x: t_log_sf(x, degrees), config.alternative)
    return outcomes(
        t,
        np.where(zero, 0.0, np.where(known, log_p, np.nan)),
        t,
        interval=block_interval(batch, config),
        notes={"no-spread": constant & ~zero, "too-few-degrees": ~known, **block_notes(batch)},
        freedom=freedom,
    )


METHOD = SignificanceTest(
    key="block-t",
    label="Block t test",
    summary="Compares the mean difference with a standard error that allows items of a document to be alike.",
    run=block_t,
    quantity=MEAN,
    null="the mean difference is {delta}",
    assumptions=(
        "documents are independent (their items need not be)",
        "the mean difference is approximately normal (many documents, none much larger than the others)",
    ),
    formula=r"t = \frac{\bar z}{se},\quad se^2 = \sum_g \frac{e_g^2}{N^2 (1 - L_g/N)},\quad "
    r"e_g = \sum_{i \in g} (z_i - \bar z)",
    references=("bell2002", "imbens2016"),
    design="blocks",
    about_means=True,
    joint_null="flips",
    advice=(
        Advice(
            kinds=("blocks",),
            standing="non-preferred",
            reason="Its level rests on normal sums; few or unequal documents leave few degrees of freedom.",
        ),
        Advice(
            kinds=("few-blocks",),
            standing="non-preferred",
            reason="It assumes a normal distribution for so few documents; use it only if you have a reason.",
        ),
    ),
)
