"""Pairs by their design: scores, effect sizes and equivalence, over shared units or each side's own."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray
from nlpstat_core.catalogue import EFFECTS, TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import clustered_errors, clustered_freedom
from nlpstat_core.engine.columns.outcomes import SMALLEST_P, EffectColumns, Outcomes
from nlpstat_core.engine.distributions.tails import t_log_sf
from nlpstat_core.engine.samples.crossed import crossed_errors
from nlpstat_core.engine.samples.independent import shift, shift_interval
from nlpstat_core.engine.samples.paired_shares import score_equivalence_log_p
from nlpstat_core.methods.effects import effect_for
from nlpstat_core.methods.significance.block_permutation import equivalence_by_blocks
from nlpstat_core.methods.significance.inversion import disagrees
from nlpstat_core.methods.significance.mcnemar import with_continuity
from nlpstat_core.quantities import ACCURACY, F1, MEAN, MEASURE


def unpaired_tests(codes: CodeArray) -> BoolArray:
    """Which pairs are compared as independent samples."""
    result: BoolArray = np.array([method.design == "unpaired" for method in TESTS] + [False])[codes]
    return result


def design_notes(batch: PairBatch, codes: CodeArray) -> dict[str, BoolArray]:
    """Which pairs share no unit, are compared as independent samples, or on their units' own scores."""
    unpaired, apart = unpaired_tests(codes), batch.n_units == 0
    named = codes >= 0
    notes = {
        "no-shared-units": ~unpaired & named & apart,
        "unpaired": unpaired & apart,
        "pairing-ignored": unpaired & (not apart),
    }
    if batch.units.counts is not None:
        notes["unit-means"] = _unit_means(batch, codes)
    return notes


def without_test(batch: PairBatch) -> str:
    """Why pairs for which no test is recommended have none."""
    return "no-shared-units" if batch.units.blocks is None else "blocks-need-shared-units"


def _unit_means(batch: PairBatch, codes: CodeArray) -> BoolArray:
    """Pairs of counts whose test compares means of units' own scores where those differ from the scores."""
    designs = np.array([method.design for method in TESTS] + ["none"])[codes]
    paired = (designs == "paired") & (np.abs(batch.mean - batch.difference) > 1e-12)
    own = batch.units.own
    apart = np.abs(own.of_units.score - own.of_board.score) > 1e-12
    of_board = np.array([method.of_board_scores for method in TESTS] + [False])[codes]
    ranked = (designs == "unpaired") & ~of_board
    result: BoolArray = paired | (ranked & (apart[batch.left] | apart[batch.right]))
    return result


def own_scores(batch: PairBatch) -> FloatArray:
    """Scores of a and b over each side's own units. Returns float array, shape (n_pairs, 2)."""
    score = batch.units.own.of_board.score
    return np.stack([score[batch.left], score[batch.right]], axis=1)


def board_interval(batch: PairBatch, config: AnalysisConfig, outcome: Outcomes, design: str) -> Outcomes:
    """The outcome with an interval of the board's scores where the test compares the units' own ones."""
    if batch.units.counts is None or design not in ("paired", "unpaired"):
        return outcome
    if design == "paired":
        return replace(outcome, interval=None)  # the linearised interval stands there already
    return replace(outcome, interval=shift_interval(shift(batch), config.level, config.alternative))


def agreement_notes(
    columns: Mapping[str, NDArray[Any]], codes: CodeArray, delta: float, config: AnalysisConfig
) -> dict[str, BoolArray]:
    """Pairs whose interval of the difference says another thing than their test: it was made another way."""
    apart = disagrees(columns["interval"], columns["p_value"], delta, config)
    shown = (MEAN, ACCURACY, F1, MEASURE)
    of_means = np.array([method.quantity in shown for method in TESTS] + [False])[codes]
    return {"interval-of-other-quantity": apart & ~of_means, "interval-of-other-kind": apart & of_means}


def equivalence(batch: PairBatch, config: AnalysisConfig, margin: float, codes: CodeArray) -> FloatArray:
    """P-values of equivalence, by each pair's design and the interval that its test is shown with."""
    unpaired = unpaired_tests(codes)
    plain = (codes == TESTS.keys.index("mcnemar")) & (not with_continuity(config))
    flips = np.array([method.design == "blocks" and method.sign_flips for method in TESTS] + [False])[codes]
    paired = equivalence_p(
        batch, margin, codes == TESTS.keys.index("t"), ~plain, config if flips.any() else None
    )
    return np.where(unpaired, unpaired_equivalence_p(batch, margin), paired) if unpaired.any() else paired


def effect_columns(
    key: str, batch: PairBatch, config: AnalysisConfig, with_interval: bool, unpaired: BoolArray
) -> EffectColumns:
    """One effect size of every pair, in the version of the pair's design.

    Returns: NaN where the index needs the other design (notes "needs-shared-units",
        "needs-independent-samples").
    """
    if not unpaired.any() or unpaired.all():
        return _of_design(key, batch, config, with_interval, bool(unpaired.any()))
    value, interval = np.full(batch.n_pairs, np.nan), np.full((batch.n_pairs, 2), np.nan)
    notes: dict[str, BoolArray] = {}
    for independent, here in ((False, ~unpaired), (True, unpaired)):
        part = _of_design(key, batch.take(here), config, with_interval, independent)
        value[here] = part.value
        if part.interval is not None:
            interval[here] = part.interval
        for code, mask in part.notes.items():
            notes.setdefault(code, np.zeros(batch.n_pairs, dtype=bool))[here] |= mask
    return EffectColumns(value=value, interval=interval if with_interval else None, notes=notes)


def with_interval_of_test(
    key: str, effect: EffectColumns, difference: FloatArray, interval: FloatArray
) -> EffectColumns:
    """The mean difference with the interval that stands beside the test: one quantity has one interval.

    difference: Of the board's scores; of counts it may be another quantity than the mean of the units' own
        scores.
    """
    if EFFECTS[key].estimates != MEAN or effect.interval is None:
        return effect
    same = np.isclose(effect.value, difference, rtol=1e-12, atol=1e-300)
    return replace(effect, interval=np.where(same[:, None], interval, effect.interval))


def _of_design(
    key: str, batch: PairBatch, config: AnalysisConfig, with_interval: bool, unpaired: bool
) -> EffectColumns:
    method = effect_for(key, unpaired=unpaired)
    if method is not None:
        return method.run(batch, config, with_interval)
    code = "needs-shared-units" if unpaired else "needs-independent-samples"
    return EffectColumns(
        value=np.full(batch.n_pairs, np.nan),
        interval=np.full((batch.n_pairs, 2), np.nan) if with_interval else None,
        notes={code: np.ones(batch.n_pairs, dtype=bool)},
    )


def equivalence_p(
    batch: PairBatch,
    margin: float,
    student: BoolArray | bool = False,
    continuity: BoolArray | bool = True,
    flipped: AnalysisConfig | None = None,
) -> FloatArray:
    """P-value of two one-sided tests (TOST) for every pair: of t, for 0/1 scores of the score of shares.

    Null hypothesis: the mean difference is at least the margin away from 0, on one side or the other.

    student (bool or bool array of shape (n_pairs,)): 0/1 pairs whose interval is Student's, since t was
        chosen for them.
    continuity (bool or bool array of shape (n_pairs,)): Whether the score interval of 0/1 pairs is the one
        with continuity correction.
    flipped: Settings of the block permutation test where the batch's pairs are compared by it.
    Returns: The larger of the two one-sided p-values; NaN below two units. Without spread the mean difference
        itself decides: the smallest p inside the margin, 1 outside. When blocks are named, by blocks.

    t± = (d ± margin)/se on n − 1 degrees of freedom, se = sd/√n (linearised for counts); with blocks error
    and degrees of freedom are those of the block t test, or both tests are block permutation tests; with
    training runs both are those of the test over items and runs; of a measure that is no mean the error is
    the jackknife's on G − 1, G items or documents. Pairs of 0/1 scores without blocks: Tango's score, so that
    the p and the interval shown agree (`paired_shares`). Cost O(1) per pair after the moments.

    Source: Schuirmann (1987), doi:10.1007/BF01068419;
    Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    """
    measured = batch.units.measured
    if measured is not None:
        error = measured.errors(batch.left, batch.right)
        freedom = np.full(batch.n_pairs, max(1.0, measured.n_groups - 1.0))
        return np.where(np.isnan(error), np.nan, _larger_p(batch.difference, error, freedom, margin))
    if batch.units.runs is not None:
        found = crossed_errors(batch)
        unknown = np.isnan(found.error)
        freedom = np.where(unknown, 1.0, found.freedom)
        return np.where(unknown, np.nan, _larger_p(batch.difference, found.error, freedom, margin))
    counts = batch.units.counts
    if batch.n_units < 2:
        return np.full(batch.n_pairs, np.nan)
    if batch.units.blocks is not None:
        if flipped is not None and counts is None:
            return equivalence_by_blocks(batch, flipped, margin)
        freedom = clustered_freedom(batch)
        known = ~np.isnan(freedom)
        p_value = _larger_p(batch.difference, clustered_errors(batch), np.where(known, freedom, 1.0), margin)
        return np.where(known, p_value, np.nan)
    p_value = _larger_p(batch.difference, batch.score_error, batch.n_units - 1.0, margin)
    if counts is not None and not counts.of_single_items:
        return p_value
    shares = batch.units.binary[batch.left] & batch.units.binary[batch.right] & ~np.asarray(student)
    if shares.any():
        pairs = batch.unshifted.take(shares)
        corrected = np.broadcast_to(continuity, shares.shape)[shares]
        log_p = score_equivalence_log_p(pairs.wins, pairs.losses, batch.n_units, margin, continuity=corrected)
        p_value[shares] = np.maximum(np.exp(log_p), SMALLEST_P)
    return p_value


def unpaired_equivalence_p(batch: PairBatch, margin: float) -> FloatArray:
    """The same for independent samples: two one-sided Welch tests.

    Null hypothesis: the means are at least the margin apart, on one side or the other.

    Returns: NaN below two units on a side.

    t± = (d ± margin)/se with Welch's standard error and degrees of freedom. Cost O(N·S).

    Source: Schuirmann (1987), doi:10.1007/BF01068419; Welch (1947), doi:10.1093/biomet/34.1-2.28.
    """
    found = shift(batch)
    undefined = np.isnan(found.error)
    freedom = np.where(undefined, 1.0, found.freedom)
    p_value = _larger_p(found.difference, found.error, freedom, margin)
    return np.where(undefined, np.nan, p_value)


def _larger_p(
    difference: FloatArray, error: FloatArray, freedom: float | FloatArray, margin: float
) -> FloatArray:
    """The larger one-sided p-value, the one of the nearer margin."""
    room = margin - np.abs(difference)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        p_value: FloatArray = np.exp(t_log_sf(room / error, freedom))
    return np.where(error > 0, p_value, np.where(room > 0, SMALLEST_P, 1.0))
