"""The studentised bootstrap of whole blocks (documents)."""

from dataclasses import replace

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import block_notes, clustered_freedom
from nlpstat_core.engine.columns.outcomes import Outcomes, undefined_outcomes
from nlpstat_core.engine.resampling.blocks import observed_block_t, resampled_block_t
from nlpstat_core.engine.resampling.bootstrap_t import studentised_outcomes
from nlpstat_core.engine.samples.intervals import block_interval
from nlpstat_core.methods.significance.smallest import of_resamples
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest


def block_bootstrap(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Studentised bootstrap test of the mean difference over units, whole blocks resampled.

    Null hypothesis: the mean of u − v is δ.

    Parameters
    ----------
    batch : PairBatch
        Pairs whose shared units are in blocks; at least two blocks, else undefined ("too-few-blocks"), as
        below three degrees of freedom ("too-few-degrees").
    config : AnalysisConfig
        `alternative`, `level`, `resamples`, `seed`; δ is in the batch.

    Returns
    -------
    Outcomes
        The mean difference, its Monte Carlo p-value and the bootstrap-t interval, which excludes δ exactly
        when p ≤ 1 − level. Notes "no-spread" and "flat-resamples" as in the bootstrap of units.

    Notes
    -----
    t is the statistic of the block t test. G blocks are drawn with replacement; the mean over their units is
    a ratio of sums, its standard error that of the test (CR2, each copy a block of its own), both computed
    anew in every resample: (z̄* − z̄)/se*. Bell and McCaffrey's degrees of freedom differ between resamples, as
    the largest blocks are drawn often or not at all; t* is the value as far out on the degrees of freedom
    observed (Wallace's normal score), for blocks of equal size (z̄* − z̄)/se* itself. Two-sided
    p = (1 + #{|t*| ≥ |t|})/(B + 1). Cost O(B·G) per pair, by matrix products for all pairs; see
    `resampling.blocks`.

    References
    ----------
    Cameron, Gelbach and Miller (2008), doi:10.1162/rest.90.3.414; Davison and Hinkley (1997), section 3.8;
    Beran (1988), doi:10.1080/01621459.1988.10478649; Bell and McCaffrey (2002), Survey Methodology 28,
    169–181; Wallace (1959), Annals of Mathematical Statistics 30, 1121–1130.
    """
    blocks = batch.units.blocks
    if blocks is None:
        return undefined_outcomes(batch.n_pairs, "no-blocks")
    if blocks.n_blocks < 2:
        return undefined_outcomes(batch.n_pairs, "too-few-blocks", block_interval(batch, config))
    result = studentised_outcomes(batch, config, batch.difference, observed_block_t(batch), resampled_block_t)
    known = ~np.isnan(clustered_freedom(batch))
    notes = {"no-spread": result.notes["no-spread"] & known, "too-few-degrees": ~known}
    return replace(
        result,
        interval=None if result.interval is None else np.where(known[:, None], result.interval, np.nan),
        notes={**result.notes, **notes, **block_notes(batch)},
    )


METHOD = SignificanceTest(
    key="block-bootstrap",
    label="Block bootstrap test",
    summary="Resamples whole documents and compares the mean difference, in standard errors, with its "
    "resamples.",
    run=block_bootstrap,
    quantity=MEAN,
    null="the mean difference is {delta}",
    assumptions=(
        "documents are independent (their items need not be)",
        "there are enough documents to represent those that could have been tested (bootstrap)",
    ),
    formula=r"p = \frac{1 + \#\{|t^*| \ge |t|\}}{B + 1},\quad "
    r"F_{\nu}(t^*) = F_{\nu^*}\!\left(\frac{\bar z^* - \bar z}{se^*}\right)",
    references=("cameron2008", "davison1997", "beran1988", "bell2002", "wallace1959"),
    design="blocks",
    resampled=True,
    smallest_p=of_resamples,
    advice=(
        Advice(
            kinds=("blocks",),
            standing="non-preferred",
            reason="It needs random resamples, and with few or unequal documents it finds less.",
        ),
        Advice(
            kinds=("few-blocks",),
            standing="inappropriate",
            reason="With so few documents there is hardly anything to resample.",
        ),
    ),
)
