"""The swap test of a measure that is no mean: outputs are exchanged, the measure is made anew."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import MONTE_CARLO, Outcomes, outcomes, undefined_outcomes
from nlpstat_core.engine.distributions.tails import t_interval
from nlpstat_core.engine.swaps.board import swap_tails
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.quantities import MEASURE
from nlpstat_core.records import Advice, Remark, SignificanceTest

# Draws of a pair on a board, at most: a standard error of 4 % of p at 0.5, of 9 % at 1e-12. Where the exact
# tail of the linearised measure is near, 128 to 256 do better. Pairs that this leaves open are drawn again,
# see `board.pairs.near_decisions`.
FIRST_DRAWS = 1_024
ENOUGH = 0.06
# Two-sided p of so many signs, all alike, is above 0.05.
FEW_SIGNS = 5


def swap(batch: PairBatch, config: AnalysisConfig, *, draws: int = FIRST_DRAWS) -> Outcomes:
    """Test of the difference in a measure by exchanging the two systems' outputs.

    Null hypothesis: the outputs of a and b for an item (a document) could be exchanged.

    Parameters
    ----------
    batch : PairBatch
        Pairs of units with a measure; undefined without ("no-measure"), without units ("too-few-units"), and
        where the measure of a side is ("measure-undefined").
    config : AnalysisConfig
        `alternative`, `seed`, and the confidence level.
    draws : int
        Where swaps can't be counted.

    Returns
    -------
    Outcomes
        With the jackknife's interval. `p_kind` is exact or contour for linear measures, exact up to 16 items
        with unlike outputs, else monte-carlo with its relative standard error (note "swap-draws"), which no
        number of draws bounds from below; of a measure with steps or kinks where outputs are exchanged
        (calibration error, measures of one's own) (c + 1)/(B + 1) of plain swaps (note "swap-plain").

    Notes
    -----
    S = (Σa + Σb)/2, D_i = a_i − b_i, Δ(s) = g(S + Σ s_i·D_i/2) − g(S − Σ s_i·D_i/2); p = P(|Δ(s)| ≥ |Δ|) over
    all signs. Systems are first brought to one scale where the measure has none: z-scores for Pearson's
    correlation, mid-ranks for Spearman's, Kendall's and the area under ROC. Draws are tilted towards the
    observed Δ and weighted back (`engine.swaps.tails`), where Δ follows the slope that they are tilted along.
    """
    measured = batch.units.measured
    if measured is None:
        return undefined_outcomes(batch.n_pairs, "no-measure")
    if not batch.n_units:
        return undefined_outcomes(batch.n_pairs, "too-few-units", np.full((batch.n_pairs, 2), np.nan))
    found = swap_tails(
        measured,
        batch.left,
        batch.right,
        config.alternative,
        seed=config.seed,
        draws=draws,
        enough=ENOUGH if draws <= FIRST_DRAWS else 0.0,
        plain_draws=config.resamples,
    )
    undefined = np.isnan(found.log_p)
    return outcomes(
        batch.difference,
        found.log_p,
        found.observed,
        kind=found.kind,
        error=found.error,
        interval=jackknife(batch, config, measured),
        notes={
            "swap-draws": ~undefined & (found.kind == MONTE_CARLO) & ~found.plain,
            "swap-plain": found.plain,
            "measure-undefined": undefined,
            "identical-scores": ~undefined & (found.n_moved == 0),
            "swap-few-items": ~undefined & (found.n_moved <= FEW_SIGNS) & (found.n_moved > 0),
        },
    )


def jackknife(batch: PairBatch, config: AnalysisConfig, measured: MeasuredUnits) -> FloatArray:
    """Interval of every pair's difference in a measure: the delete-one jackknife, by documents where named.

    Returns float array, shape (n_pairs, 2): NaN with one unit (document), and where the measure is undefined
        without one.
    """
    if measured.n_groups < 2:
        return np.full((batch.n_pairs, 2), np.nan)
    error = measured.errors(batch.left, batch.right)
    freedom = np.full(batch.n_pairs, measured.n_groups - 1.0)
    return t_interval(batch.difference, error, freedom, config.level, config.alternative)


METHOD = SignificanceTest(
    key="swap",
    label="Swap test",
    summary="Exchanges the outputs of two systems item by item (document by document) and recomputes the "
    "measure: for measures that are not means, such as macro-F1 or BLEU.",
    run=swap,
    quantity=MEASURE,
    null="the outputs of the two systems for an item could be exchanged",
    assumptions=(
        "items are independent (or documents, where they are named)",
        "systems that don't differ give outputs that could be exchanged",
    ),
    formula=r"p = P\bigl(|\Delta(s)| \ge |\Delta|\bigr),\quad "
    r"\Delta(s) = g\bigl(S + \tfrac12 \sum s_i D_i\bigr) - g\bigl(S - \tfrac12 \sum s_i D_i\bigr)",
    references=("yeh2000", "efron1993"),
    design="measure",
    sign_flips=True,
    joint_null="flips",
    remarks=(
        Remark(
            "no-measure",
            "problem",
            "The swap test needs the outputs behind a measure; these are scores of items.",
        ),
        Remark(
            "measure-undefined", "problem", "The measure of {a} or of {b} is undefined, so the test is, too."
        ),
        Remark(
            "swap-draws",
            "info",
            "p comes from weighted random draws, with a relative standard error of {error}; no number of "
            "draws bounds it from below.",
        ),
        Remark(
            "swap-plain",
            "info",
            "p comes from plain random swaps, because the measure has steps or kinks where outputs are "
            "exchanged; it can't be below 1 divided by their number plus 1.",
        ),
        Remark(
            "swap-few-items",
            "caution",
            "The outputs of {a} and {b} differ in so few items (or documents) that p can't be below 0.05.",
        ),
    ),
    advice=(
        Advice(
            kinds=("measure",),
            standing="recommended",
            reason="The measure is not a mean of item scores: outputs are exchanged and the measure is "
            "recomputed.",
        ),
    ),
)
