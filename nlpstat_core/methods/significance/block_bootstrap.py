"""The studentised bootstrap of whole blocks (documents)."""

from __future__ import annotations

from dataclasses import replace

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import block_notes
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
        Pairs whose shared units are in blocks; at least two blocks, else undefined ("too-few-blocks").
    config : AnalysisConfig
        `alternative`, `level`, `resamples`, `seed`; δ is in the batch.

    Returns
    -------
    Outcomes
        The mean difference, its Monte Carlo p-value and the bootstrap-t interval, which excludes δ exactly
        when p ≤ 1 − level. Notes "no-spread" and "flat-resamples" as in the bootstrap of units.

    Notes
    -----
    G blocks are drawn with replacement; the mean over their units is a ratio of sums, its standard error
    the cluster-robust one, both computed anew in every resample: t* = (z̄* − z̄)/se*. Two-sided
    p = (1 + #{|t*| ≥ |t|})/(B + 1) with t the statistic of the block t test. Cost O(B·G) per pair, by
    matrix products for all pairs; see `resampling.blocks`.

    References
    ----------
    Cameron, Gelbach and Miller (2008), doi:10.1162/rest.90.3.414; Davison and Hinkley (1997), section 3.8.
    """
    blocks = batch.units.blocks
    if blocks is None:
        return undefined_outcomes(batch.n_pairs, "no-blocks")
    if blocks.n_blocks < 2:
        return undefined_outcomes(batch.n_pairs, "too-few-blocks", block_interval(batch, config))
    result = studentised_outcomes(batch, config, batch.difference, observed_block_t(batch), resampled_block_t)
    return replace(result, notes={**result.notes, **block_notes(batch)})


METHOD = SignificanceTest(
    key="block-bootstrap",
    label="Block bootstrap test",
    summary="Resamples whole documents and compares the mean difference over its error with its resamples.",
    run=block_bootstrap,
    quantity=MEAN,
    null="the mean difference is {delta}",
    assumptions=(
        "documents are independent; their units need not be",
        "there are enough documents to stand for those that could have been tested (bootstrap)",
    ),
    formula=r"p = \frac{1 + \#\{|t^*| \ge |t|\}}{B + 1},\quad t^* = \frac{\bar z^* - \bar z}{se^*}",
    references=("cameron2008", "davison1997"),
    design="blocks",
    resampled=True,
    smallest_p=of_resamples,
    advice=(
        Advice(
            kinds=("blocks",),
            standing="non-preferred",
            reason="It needs many documents, and random resamples.",
        ),
        Advice(
            kinds=("few-blocks",),
            standing="inappropriate",
            reason="With so few documents there is next to nothing to resample.",
        ),
    ),
)
