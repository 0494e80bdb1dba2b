"""From p-values to decisions: adjusted over the family, compared with alpha in one place."""

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.board.pairs.columns import ChunkColumns, Progress
from nlpstat_core.board.pairs.simultaneous import UNDEFINED, family_intervals, without_interval
from nlpstat_core.board.pairs.smallest import never_significant
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.outcomes import MONTE_CARLO, EffectColumns
from nlpstat_core.methods.corrections import (
    CORRECTIONS,
    Adjusted,
    Comparisons,
    Family,
    adjust_family,
    family_size,
)
from nlpstat_core.methods.corrections.both_claims import adjust_claims
from nlpstat_core.methods.diagnosis.lists import DiagnosisColumns
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.results.columns import SHORT_OF_DELTA, PairTable
from nlpstat_core.scores.direction import agrees
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
    adjusted, equivalence = adjusted_claims(family, p_equivalence, config.correction, exclusive=exclusive)
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
        score_a=columns["score_a"],
        score_b=columns["score_b"],
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
    difference: a − b.
    delta: Hypothesised difference: below it lie positive differences, too, where it is above 0.
    Returns separated.
    Returns notes: "direction-short-of-delta" and "direction-contradicts-mean".
    """
    short = significant & (direction * delta < 0)
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

    p_kind: Positions in `P_KINDS`.
    family: m.
    floorless (bool array, shape (n_pairs,), or bool): Pairs whose draws were weighted, so that p can be
        smaller than 1/(B + 1): note `FLOORLESS`.
    """
    joint = CORRECTIONS[config.correction].resamples
    sampled = ((p_kind == MONTE_CARLO) & ~np.asarray(floorless)) | joint
    judged = 1 if config.correction == "none" or joint else family
    too_few = judged / (config.resamples + 1) > config.alpha
    result: BoolArray = sampled & ~np.isnan(p_value) & too_few
    return result


def adjusted_claims(
    family: Family, p_equivalence: FloatArray | None, correction: str, *, exclusive: bool
) -> tuple[Adjusted, FloatArray | None]:
    """A family of differences, corrected alone or together with the pairs' equivalence.

    p_equivalence: None without a margin.
    Returns equivalence.
    """
    if p_equivalence is None:
        return adjust_family(family, correction), None
    return adjust_claims(family, p_equivalence, correction, exclusive=exclusive)


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
