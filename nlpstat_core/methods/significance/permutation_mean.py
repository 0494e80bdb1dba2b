"""The permutation test of the mean: every sign pattern of the differences, counted without sampling."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.by_size import short_steps, signed
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.outcomes import (
    MONTE_CARLO,
    Outcomes,
    outcomes_from_tails,
    undefined_outcomes,
)
from nlpstat_core.engine.samples.intervals import difference_interval
from nlpstat_core.engine.samples.locations import clean
from nlpstat_core.engine.signflip import TailColumns, binomial_tail_columns, sign_flip_rows
from nlpstat_core.methods.significance.inversion import disagrees, inverted_interval
from nlpstat_core.methods.significance.smallest import of_untied_units
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest
from nlpstat_core.scores.grid import MOST_DECIMALS, Grid


def permutation_mean(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Sign-flip permutation test of the mean difference.

    Null hypothesis: in every unit the two systems' scores (a's shifted by δ) could be exchanged.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        `alternative`; `seed` and, as the least number of draws, `resamples` for the last resort only; δ is in
        the batch.

    Returns
    -------
    Outcomes
        The mean difference and its p-value: exact on a grid of scores or for few units unless that takes
        long, else by a contour integral with its error estimate or, where that does not converge, by counting
        the sums of rounded differences with what rounding may have cost (both of kind "contour"), or from
        weighted draws with their standard error where none comes within half a percent, or within what draws
        would (note "monte-carlo-last-resort").
        A pair without non-zero difference has p = 1, without any unit it is undefined ("too-few-units").

    Notes
    -----
    p is the share of the 2ⁿ sign patterns ε with Σ ε_i·|z_i| at least as large as observed, doubled for two
    sides. Scores written with up to nine decimals, even if kept as float32 since, or printed from fractions
    of one denominator, or scaled by any number as to unit variance, are compared on their own grid, so that
    sums that tie there tie here. Scores that nearly share a grid, and miss it by more than rounding, are what
    the last resort is for: no estimate of the contour holds there, and rounding hides what they miss it by.
    No p sits at a floor but that of all signs alike, 2^(1−n). Cost: about 0.1 ms per pair of 1,000 units,
    some 20 ms at most.
    """
    if batch.n_units == 0:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    tails = _tails(batch, config)
    result = outcomes_from_tails(batch.mean, tails, batch.mean - batch.delta)
    result.notes["monte-carlo-last-resort"] = result.p_kind == MONTE_CARLO
    return result


def _tails(batch: PairBatch, config: AnalysisConfig) -> TailColumns:
    """P-values from counts, from the scores' grid, or from the differences as they are."""
    if batch.is_binary:
        return binomial_tail_columns(batch.wins, batch.losses, config.alternative)
    decimals = batch.units.decimals
    fractions = decimals if isinstance(decimals, Grid) and decimals.parts else None
    gridded = decimals < MOST_DECIMALS
    short = short_steps(batch) > 0.0
    known = 0 if short or fractions is not None else int(decimals) if gridded else None
    # Sorted here, not by the first of several threads.
    keys = batch.by_size if batch.delta == 0.0 and (short or fractions is None) else None

    def rows(part: slice) -> FloatArray:
        if keys is not None:
            return signed(keys[part])
        differences = batch.rows_of(part)
        if fractions is not None:
            return fractions.steps(differences) - batch.delta * fractions.parts
        return on_grid(differences, decimals, batch.delta) if gridded else differences - batch.delta

    return sign_flip_rows(
        rows,
        batch.n_pairs,
        batch.n_units,
        config.alternative,
        by_size=keys is not None,
        max_decimals=None if batch.delta else known,
        seed=config.seed,
        resamples=config.resamples,
    )


def interval_by_units(batch: PairBatch, config: AnalysisConfig, outcome: Outcomes) -> Outcomes:
    """The outcomes with Student's interval, or with the test's own where that one contradicts the p-value.

    config: `level` and `alternative`; where `intervals` names "estimate" every pair gets the test's own.
    Returns: The test's own interval holds all means that the test does not reject (note
        "interval-by-inversion"); it is open where n is too small for the level. Unchanged for counts; pairs
        of 0/1 scores keep the score interval.

    See `shifts.accepted_shifts`.

    Source: Hartigan (1969), doi:10.1080/01621459.1969.10501057.
    """
    if batch.n_units == 0 or batch.units.counts is not None:
        return outcome
    interval = difference_interval(batch, config)
    binary = batch.units.binary[batch.left] & batch.units.binary[batch.right]
    contradicts = disagrees(interval, outcome.p_value, batch.delta, config)
    wanted = ~binary & (contradicts | ("estimate" in config.intervals))
    chosen = np.flatnonzero(wanted)
    some, ones = batch.take(chosen), np.ones(batch.n_units)
    for part, rows in some.rows():
        pairs = chosen[part]
        p_value, direction = outcome.p_value[pairs], outcome.direction[pairs]
        own = inverted_interval(clean(rows, batch), ones, batch.take(pairs), config, p_value, direction)
        interval[pairs] = own
    return replace(outcome, interval=interval, notes={**outcome.notes, "interval-by-inversion": wanted})


_MEAN = "It compares the means, which the board is sorted by, and counts every sign pattern"

METHOD = SignificanceTest(
    key="permutation-mean",
    label="Permutation test of the mean",
    summary="Swaps the two systems at random in every item and counts how often the mean differs as much.",
    run=permutation_mean,
    by_wins=True,
    quantity=MEAN,
    null="in every item the scores of the two systems could be exchanged{shift}",
    assumptions=(
        "items are independent",
        "under the null the differences are symmetric about the hypothesised one",
    ),
    formula=r"p = \min\bigl(1,\, 2 \cdot 2^{-n}\, \#\{\varepsilon \in \{\pm 1\}^n : "
    r"\textstyle\sum \varepsilon_i |z_i| \ge |\sum z_i|\}\bigr)",
    references=("fisher1935", "pitman1937"),
    design="paired",
    about_means=True,
    by_documents="block-permutation",
    interval=interval_by_units,
    former_keys=("permutation",),
    quick=True,
    exact_for_shares=True,
    sign_flips=True,
    lowest_with_all_signs=True,
    smallest_p=of_untied_units,
    joint_null="flips",
    advice=(
        Advice(
            kinds=("normal",),
            standing="recommended",
            reason=f"{_MEAN}; for normal differences it agrees with t.",
            questions=("mean",),
        ),
        Advice(
            kinds=("not-normal",),
            standing="recommended",
            reason=f"{_MEAN}; it needs no normal distribution.",
            questions=("mean",),
        ),
        Advice(
            kinds=("skewed",),
            standing="recommended",
            reason=f"{_MEAN}; a note says where the differences are too skewed for so few items.",
            questions=("mean",),
        ),
        Advice(
            kinds=("constant",),
            standing="recommended",
            reason="All differences are equal; counting sign patterns is still defined.",
            questions=("mean",),
        ),
        Advice(
            kinds=("normal",),
            standing="non-preferred",
            reason="It is valid, but normal differences don't need it.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("not-normal",),
            standing="non-preferred",
            reason="It is valid, but with long tails ranks have more power.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("skewed",),
            standing="non-preferred",
            reason="It is valid for the mean, which is not the quantity recommended here.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("constant",),
            standing="non-preferred",
            reason="With equal differences it gives the p-value of the sign test.",
            questions=("each-pair",),
        ),
        Advice(
            kinds=("binary",),
            standing="non-preferred",
            reason="For 0/1 scores it gives the p-value of McNemar's exact test.",
        ),
    ),
)
