"""From p-values to decisions in one place; simultaneous intervals, and pairs that can't be significant."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.board.pairs.columns import ChunkColumns, Progress, system_scores
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import SIMULTANEOUS, AnalysisConfig
from nlpstat_core.engine.columns.outcomes import MONTE_CARLO, EffectColumns
from nlpstat_core.methods.corrections import Comparisons, Family, family_size
from nlpstat_core.methods.corrections.adjust import adjust_claims
from nlpstat_core.methods.corrections.simultaneous import Simultaneous, simultaneous_intervals
from nlpstat_core.methods.diagnosis.lists import DiagnosisColumns
from nlpstat_core.records import Design
from nlpstat_core.results.columns import SHORT_OF_DELTA, PairTable
from nlpstat_core.scores.direction import agrees
from nlpstat_core.scores.documents import block_ids, blocks_needed
from nlpstat_core.scores.matrix import ScoreMatrix

# The notes of p-values from weighted random draws, which sit at no floor.
FLOORLESS = "monte-carlo-last-resort"
SWAPPED = "swap-draws"


def decided(
    units: ScoreMatrix,
    left: IntArray,
    right: IntArray,
    columns: ChunkColumns,
    config: AnalysisConfig,
    progress: Progress | None = None,
) -> PairTable:
    """The pair table: adjusted p-values and, last of all, the decisions."""
    known = Comparisons(units=units, left=left, right=right, config=config, progress=progress)
    family = Family(p_values=columns["p_value"], comparisons=known)
    p_equivalence = columns.get("equivalence_p")
    exclusive = claims_exclude(columns["test_code"], config)
    adjusted, equivalence = adjust_claims(family, p_equivalence, config.correction, exclusive=exclusive)
    p_adjusted = adjusted.p_values
    significant = decide(p_adjusted, config.alpha)
    direction = columns["direction"]
    separated, unclear = told_apart(significant, direction, columns["difference"], config.delta)
    notes = {name.removeprefix("note:"): mask for name, mask in columns.items() if name.startswith("note:")}
    few = few_resamples(
        columns["p_value"],
        columns["p_kind"],
        config,
        family_size(columns["p_value"]),
        floorless=notes.get(FLOORLESS, False) | np.asarray(notes.get(SWAPPED, False)),
    )
    never = never_significant(
        units,
        left,
        right,
        columns["n_units"],
        columns["test_code"],
        columns["p_value"],
        config,
        family_size(columns["p_value"]),
    )
    simultaneous = family_intervals(known, columns["p_value"], columns["test_code"])
    own = {
        **unclear,
        "few-resamples": few,
        "never-significant": never,
        UNDEFINED: without_interval(simultaneous, columns["p_value"]),
    }
    for code, mask in (adjusted.notes | own).items():
        if mask.any():
            notes[code] = notes.get(code, False) | mask
    return PairTable(
        systems=units.systems,
        left=left,
        right=right,
        n_units=columns["n_units"],
        system_scores=system_scores(units, config, columns),
        pair_scores=columns.get("scores"),
        difference=columns["difference"],
        interval=columns["interval"],
        mean_skewness=columns["mean_skewness"],
        tests=TESTS.keys,
        test_code=columns["test_code"],
        statistic=columns["statistic"],
        p_value=columns["p_value"],
        log10_p=columns["log10_p"],
        error=columns["error"],
        p_kind_code=columns["p_kind"],
        direction=direction,
        p_adjusted=p_adjusted,
        significant=significant,
        separated=separated,
        lower_is_better=units.lower_is_better,
        equivalent=None if equivalence is None else decide(equivalence, config.alpha),
        df=columns.get("df"),
        one_sided=columns.get("one_sided"),
        p_equivalence=p_equivalence,
        p_equivalence_adjusted=equivalence,
        interval_simultaneous=simultaneous,
        effects=_with_intervals(columns, "effect"),
        diagnosis=DiagnosisColumns(
            skewness=columns["skewness"],
            normality_p=columns["normality_p"],
            rule=columns["rule"],
            recommended=columns["recommended"],
        ),
        system_units=np.count_nonzero(units.present, axis=0),
        estimates=_with_intervals(columns, "estimate"),
        notes=notes,
    )


def decide(p_adjusted: FloatArray, alpha: float) -> BoolArray:
    """The one place where a p-value becomes a decision: p_adjusted ≤ alpha; undefined is no."""
    return np.asarray(p_adjusted <= alpha)


def told_apart(
    significant: BoolArray, direction: CodeArray, difference: FloatArray, delta: float
) -> tuple[BoolArray, dict[str, BoolArray]]:
    """Which significant pairs say who is better, and why the others don't.

    direction: Of the test's own statistic.
    delta: Hypothesised difference: below it lie positive differences, too, where it is above 0.
    Returns notes: "direction-short-of-delta" and "direction-contradicts-mean".
    """
    short = significant & (direction == -np.sign(delta)) if delta else np.zeros_like(significant)
    contradicts = significant & ~short & ~agrees(direction, difference)
    notes = {SHORT_OF_DELTA: short, "direction-contradicts-mean": contradicts}
    return significant & ~short & ~contradicts, notes


def few_resamples(
    p_value: FloatArray,
    p_kind: CodeArray,
    config: AnalysisConfig,
    family: int,
    *,
    floorless: BoolArray | bool = False,
) -> BoolArray:
    """Pairs judged by resampling although m p-values on B resamples can hardly reach alpha: m/(B + 1) > α.

    A correction that resamples the whole family at once can give 1/(B + 1) to any pair, whatever m is.

    floorless (bool array, shape (n_pairs,), or bool): Pairs whose draws were weighted, so that p can be
        smaller than 1/(B + 1): note `FLOORLESS`.
    """
    joint = CORRECTIONS[config.correction].resamples
    sampled = ((p_kind == MONTE_CARLO) & ~np.asarray(floorless)) | joint
    judged = 1 if config.correction == "none" or joint else family
    too_few = judged / (config.resamples + 1) > config.alpha
    result: BoolArray = sampled & ~np.isnan(p_value) & too_few
    return result


def claims_exclude(test_code: CodeArray, config: AnalysisConfig) -> bool:
    """Whether a pair can't be without difference and outside the margin at once.

    Returns: True for two-sided tests of the mean whose hypothesised difference lies inside the margin.
    """
    margin = config.equivalence_margin
    if margin is None or config.alternative != "two-sided" or abs(config.delta) >= margin:
        return False
    return all(TESTS[TESTS.keys[code]].about_means for code in np.unique(test_code) if code >= 0)


def _with_intervals(columns: ChunkColumns, kind: str) -> dict[str, EffectColumns]:
    found = {}
    for name, values in columns.items():
        if name.startswith(f"{kind}:"):
            key = name.removeprefix(f"{kind}:")
            found[key] = EffectColumns(value=values, interval=columns.get(f"{kind}-interval:{key}"))
    return found


def lowest_level(config: AnalysisConfig, family: int) -> float:
    """Largest p with which the first pair of a family can be significant, all others helping."""
    level = CORRECTIONS[config.correction].level_of_first
    return config.alpha if level is None else level.of_one(config.alpha, max(family, 1))


def never_significant(
    units: ScoreMatrix,
    left: IntArray,
    right: IntArray,
    n_units: IntArray,
    test_code: CodeArray,
    p_value: FloatArray,
    config: AnalysisConfig,
    family: int,
) -> BoolArray:
    """Pairs whose smallest possible p-value is above the level that the correction leaves.

    p_value: Undefined pairs are none of these.
    Returns: For the tests that count sign patterns. Documents in which both systems have a score count as
        shared even if they have none of their units in common.
    """
    needed = blocks_needed(lowest_level(config, family), config.alternative)
    found: BoolArray = np.isin(test_code, _lowest_with_all_signs("paired")) & (n_units < needed)
    ids = block_ids(units, config)
    by_blocks = np.isin(test_code, _lowest_with_all_signs("blocks"))
    if ids is not None and by_blocks.any():
        there = np.zeros((int(ids.max(initial=-1)) + 1, units.n_systems))
        np.maximum.at(there, ids, units.present)
        shared = (there.T @ there)[left, right]
        found |= by_blocks & (shared < needed)
    return found & ~np.isnan(p_value)


def _lowest_with_all_signs(design: Design) -> list[int]:
    """Codes of the tests whose smallest p-value is 2^(1 − n), for n units or for n documents."""
    return [code for code, test in enumerate(TESTS) if test.lowest_with_all_signs and test.design == design]


UNDEFINED = "simultaneous-undefined"


def simultaneous_method(units: ScoreMatrix, config: AnalysisConfig) -> Simultaneous:
    """Where the intervals come from: the resamples of max-T where it is the correction, else Bonferroni.

    units: Scores made of counts are micro-averaged, and measures are no means: max-T's resamples of units are
        not about these.
    """
    plain = units.counts is None and units.measured is None
    return "max-t" if config.correction == "max-t" and plain else "bonferroni"


def family_intervals(
    known: Comparisons, p_values: FloatArray, tests: CodeArray, *, family: int | None = None
) -> FloatArray | None:
    """Intervals that contain all differences of the family at once with the probability of their level.

    p_values: A pair without a p-value is not in the family and has no interval.
    family: Comparisons corrected together, where they go beyond these pairs.
    Returns float array, shape (n_pairs, 2), or None: None where the settings don't name them; NaN where
        undefined.
    """
    if SIMULTANEOUS not in known.config.intervals:
        return None
    inside = ~np.isnan(p_values)
    intervals = np.full((inside.shape[0], 2), np.nan)
    if inside.any():
        members = replace(known, left=known.left[inside], right=known.right[inside])
        method = simultaneous_method(known.units, known.config)
        intervals[inside] = simultaneous_intervals(members, method, tests=tests[inside], family=family)
    return intervals


def without_interval(intervals: FloatArray | None, p_values: FloatArray) -> BoolArray:
    """Pairs of the family that have no simultaneous interval although the settings name them."""
    if intervals is None:
        return np.zeros(p_values.shape[0], dtype=bool)
    result: BoolArray = np.isnan(intervals).all(axis=1) & ~np.isnan(p_values)
    return result
