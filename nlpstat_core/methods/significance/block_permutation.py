"""The permutation test by block (document): whole documents are swapped, every pattern counted."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import Blocks, block_notes, clustered_freedom
from nlpstat_core.engine.columns.outcomes import (
    MONTE_CARLO,
    Outcomes,
    outcomes_from_tails,
    undefined_outcomes,
)
from nlpstat_core.engine.count_statistics.exact_ratios import exact_ratio_columns
from nlpstat_core.engine.samples.intervals import block_interval
from nlpstat_core.engine.signflip import TailColumns, sign_flip_columns
from nlpstat_core.methods.significance.inversion import inverted_interval, too_few_signs
from nlpstat_core.methods.significance.smallest import of_documents
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.grid import MOST_DECIMALS, Grid, parts_of

# With so few blocks even the smallest two-sided p-value is 1/16.
MOST_FOR_NOTHING = 5


def block_permutation(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Sign-flip permutation test of the mean difference over units, whole blocks swapped.

    Null hypothesis: in every block the two systems' scores (a's shifted by δ) could be exchanged as a whole.

    Parameters
    ----------
    batch : PairBatch
        Pairs whose shared units are in blocks.
    config : AnalysisConfig
        `alternative`, `level`; `seed` and, as the least number of draws, `resamples` for the last resort
        only; δ is in the batch.

    Returns
    -------
    Outcomes
        The difference and its p-value: exact on a grid of scores, for up to 36 blocks or far out in the tail,
        else by a contour integral or a count of rounded differences, at last from weighted draws
        ("monte-carlo-last-resort"). Without blocks, or for counts with δ ≠ 0, undefined ("no-blocks",
        "counts-need-zero-delta").

    Notes
    -----
    p is the share of the 2^G sign patterns ε with Σ ε_g·|w_g| at least as large as observed, w_g the sum of z
    over block g; swapping blocks leaves N unchanged, so this is a test of the mean over units. The smallest
    p is 2^(1−G), or 2^(−G) for one side: note "smallest-p-by-blocks" up to 5 blocks. Where the blocks leave
    no standard error (fewer than three degrees of freedom) the test stands alone: "no-error-by-documents".
    For counts whole blocks of counts are swapped and the micro-averaged scores computed anew. Cost O(N·S)
    once, then as the permutation test of the mean with G in place of n.
    """
    blocks = batch.units.blocks
    if blocks is None:
        return undefined_outcomes(batch.n_pairs, "no-blocks")
    if blocks.n_blocks == 0:
        return undefined_outcomes(batch.n_pairs, "too-few-units", block_interval(batch, config))
    counts = batch.units.counts
    if counts is not None and batch.delta:
        interval = block_interval(batch, config)
        return undefined_outcomes(batch.n_pairs, "counts-need-zero-delta", interval)
    if counts is None:
        sums = block_sums(batch, blocks)
        tails, direction = _tails_of_sums(sums, batch, config), sums.sum(axis=1)
    else:
        tails, direction = _tails_of_counts(counts, blocks, batch, config), batch.difference
    same = np.ones(batch.n_pairs, dtype=bool)
    result = outcomes_from_tails(batch.difference, tails, direction)
    notes = {
        "monte-carlo-last-resort": tails.kind == MONTE_CARLO,
        "smallest-p-by-blocks": same & (blocks.n_blocks <= MOST_FOR_NOTHING),
        "no-error-by-documents": np.isnan(clustered_freedom(batch)),
        **block_notes(batch),
    }
    return replace(result, notes=notes)


def interval_by_blocks(batch: PairBatch, config: AnalysisConfig, outcome: Outcomes) -> Outcomes:
    """The outcomes with the interval of all mean differences that the test does not reject.

    Returns: The interval leaves δ out exactly where p is at most 1 − level. Where the blocks are too few for
        the level both ends are infinite (note "interval-needs-more-documents"). For counts, which can't be
        shifted, the interval of the block t test.

    Shifted by θ the sums over blocks are S_g − θ·L_g; see `shifts.accepted_shifts`. Cost: 0.1 to
    3 ms for each end.

    Source: Hartigan (1969), doi:10.1080/01621459.1969.10501057.
    """
    blocks = batch.units.blocks
    if outcome.interval is not None or blocks is None:
        return outcome
    if batch.units.counts is not None:
        return replace(outcome, interval=block_interval(batch, config))
    sums = block_sums(batch.unshifted, blocks)
    interval = inverted_interval(sums, blocks.sizes, batch, config, outcome.p_value, outcome.direction)
    few = np.full(batch.n_pairs, too_few_signs(blocks.n_blocks, config))
    return replace(outcome, interval=interval, notes={**outcome.notes, "interval-needs-more-documents": few})


def equivalence_by_blocks(batch: PairBatch, config: AnalysisConfig, margin: float) -> FloatArray:
    """P-value of two one-sided block permutation tests about a margin, the larger of the two.

    Null hypothesis: the mean difference is at least the margin away from 0, on one side or the other.

    batch: Its units are in blocks; no counts.
    """
    blocks = batch.units.blocks
    if blocks is None:
        return np.full(batch.n_pairs, np.nan)
    found = np.zeros(batch.n_pairs)
    sides: tuple[tuple[float, Alternative], ...] = ((-margin, "greater"), (margin, "less"))
    for delta, alternative in sides:
        shifted = PairBatch(batch.units, batch.left, batch.right, delta)
        settings = replace(config, alternative=alternative)
        tails = _tails_of_sums(block_sums(shifted, blocks), shifted, settings)
        found = np.maximum(found, tails.p_value)
    return found


def block_sums(batch: PairBatch, blocks: Blocks) -> FloatArray:
    """Sum of z = u − v − δ over each block, for every pair.

    Returns float array, shape (n_pairs, n_blocks): On the grid of the scores where they have one, so that
        sums that tie in decimals tie here.
    """
    decimals = batch.units.decimals
    if isinstance(decimals, Grid) and decimals.parts:
        steps = blocks.sums(np.ascontiguousarray(decimals.steps(batch.units.values).T))
        by_fractions = (steps[batch.left] - steps[batch.right]) / decimals.parts
        return np.asarray(by_fractions - batch.delta * blocks.sizes, dtype=np.float64)
    if decimals >= MOST_DECIMALS:
        return blocks.sums(np.ascontiguousarray(batch.shifted.T))
    by_system = blocks.sums(np.ascontiguousarray(batch.units.values.T))
    grid = np.round(by_system[batch.left] - by_system[batch.right], decimals) + 0.0
    if not batch.delta:
        return grid
    shifted: FloatArray = np.round(grid - batch.delta * blocks.sizes, MOST_DECIMALS) + 0.0
    return shifted


def _tails_of_sums(sums: FloatArray, batch: PairBatch, config: AnalysisConfig) -> TailColumns:
    decimals, parts = batch.units.decimals, parts_of(batch.units.decimals)
    known: int | None = decimals if decimals < MOST_DECIMALS else None
    if parts:
        # In steps of their fractions sums are whole numbers, up to the last digit of float64.
        sums, known = sums * parts if batch.delta else np.rint(sums * parts), 0
    return sign_flip_columns(
        np.ascontiguousarray(sums.T),
        config.alternative,
        max_decimals=None if batch.delta else known,
        seed=config.seed,
        resamples=config.resamples,
    )


def _tails_of_counts(counts: Counts, blocks: Blocks, batch: PairBatch, config: AnalysisConfig) -> TailColumns:
    return exact_ratio_columns(
        blocks.sums(np.ascontiguousarray(counts.hits.T)),
        blocks.sums(np.ascontiguousarray(counts.misses.T)),
        counts.miss_weight,
        batch,
        config,
    )


METHOD = SignificanceTest(
    key="block-permutation",
    label="Block permutation test",
    summary="Swaps the two systems in whole documents and counts how often the mean differs as much.",
    run=block_permutation,
    interval=interval_by_blocks,
    quantity=MEAN,
    null="in every document the two systems' scores could be exchanged as a whole{shift}",
    assumptions=(
        "documents are independent (their items need not be)",
        "under the null the documents' sums of z = u − v − δ are symmetric about 0",
    ),
    formula=r"p = \min\bigl(1,\, 2 \cdot 2^{-G}\, \#\{\varepsilon \in \{\pm 1\}^G : "
    r"\textstyle\sum_g \varepsilon_g |w_g| \ge |\sum_g w_g|\}\bigr),\quad w_g = \sum_{i \in g} z_i",
    references=("fisher1935", "hartigan1969", "winkler2014"),
    design="blocks",
    about_means=True,
    sign_flips=True,
    lowest_with_all_signs=True,
    smallest_p=of_documents,
    joint_null="flips",
    advice=(
        Advice(
            kinds=("blocks",),
            standing="recommended",
            reason="Documents are swapped whole, so their items may depend on each other.",
        ),
        Advice(
            kinds=("few-blocks",),
            standing="recommended",
            reason="It keeps its level, though so few documents give no two-sided p-value below 1/16.",
        ),
    ),
)
