"""One family over all boards: p-values adjusted together, decisions and leaderboards made again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.board.pairs.decision import (
    FLOORLESS,
    UNDEFINED,
    claims_exclude,
    decide,
    family_intervals,
    few_resamples,
    simultaneous_method,
    told_apart,
    without_interval,
)
from nlpstat_core.board.ranking.leaderboard import rank_systems
from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import ConfigError, Remedy
from nlpstat_core.methods.corrections import Adjusted, Comparisons, Family, family_size
from nlpstat_core.methods.corrections.adjust import adjust_claims
from nlpstat_core.report.wording import analysis_notes
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.means_only import refuse_measured


def corrected_together(analyses: Sequence[Analysis], config: AnalysisConfig) -> tuple[Analysis, ...]:
    """The same analyses with all their pairs as one family.

    config: Its correction goes over all pairs of all boards. Shaffer's logic of equal means ends at the
        border of a board, so Holm is used for it; max-T needs boards on the same units.
    Returns: Unadjusted p-values, effects and intervals unchanged; p_adjusted, decisions, ranks, clusters,
        letters, family size and notes belong to the joint family.
    Raises ConfigError: max-T over boards whose units differ.
    """
    adjusted, equivalence = _adjusted(analyses, config)
    family = family_size(np.concatenate([analysis.pairs.p_value for analysis in analyses]))
    together = _simultaneous(analyses, family)
    found, start = [], 0
    for analysis in analyses:
        here = slice(start, start + len(analysis.pairs))
        start = here.stop
        codes = {code: mask[here] for code, mask in adjusted.notes.items()}
        pairs = _decided(analysis.pairs, adjusted.p_values[here], codes, config, family)
        if equivalence is not None:
            alike = equivalence[here]
            pairs = replace(pairs, p_equivalence_adjusted=alike, equivalent=decide(alike, config.alpha))
        if together is not None:
            ends = together[here]
            missing = without_interval(ends, pairs.p_value)
            notes = dict(pairs.notes) | ({UNDEFINED: missing} if missing.any() else {})
            pairs = replace(pairs, interval_simultaneous=ends, notes=notes)
        found.append(_with_pairs(analysis, pairs, family))
    return tuple(found)


def _adjusted(analyses: Sequence[Analysis], config: AnalysisConfig) -> tuple[Adjusted, FloatArray | None]:
    """Differences and, with a margin, equivalences of all boards, corrected together."""
    p_values = np.concatenate([analysis.pairs.p_value for analysis in analyses])
    alone = [analysis.pairs.p_equivalence for analysis in analyses]
    equivalence = None if alone[0] is None else np.concatenate([p for p in alone if p is not None])
    codes = np.concatenate([analysis.pairs.test_code for analysis in analyses])
    exclusive = claims_exclude(codes, config)
    record = CORRECTIONS[config.correction]
    if record.resamples:
        family = Family(p_values=p_values, comparisons=_side_by_side(analyses))
        return adjust_claims(family, equivalence, config.correction, exclusive=exclusive)
    known = record.p_values_only
    method = config.correction if known else "holm"
    adjusted, alike = adjust_claims(Family(p_values=p_values), equivalence, method, exclusive=exclusive)
    if not known:
        everywhere = np.ones(p_values.shape[0], dtype=bool)
        adjusted = replace(adjusted, notes={f"{config.correction}-as-holm": everywhere})
    return adjusted, alike


def _simultaneous(analyses: Sequence[Analysis], family: int) -> FloatArray | None:
    """Intervals of all boards' differences that hold together; None where the settings don't name them."""
    tables = [analysis.pairs for analysis in analyses]
    if simultaneous_method(analyses[0].units, analyses[0].config) == "max-t":
        p_values = np.concatenate([pairs.p_value for pairs in tables])
        codes = np.concatenate([pairs.test_code for pairs in tables])
        return family_intervals(_side_by_side(analyses), p_values, codes)
    parts = []
    for analysis, pairs in zip(analyses, tables, strict=True):
        known = Comparisons(units=analysis.units, left=pairs.left, right=pairs.right, config=analysis.config)
        part = family_intervals(known, pairs.p_value, pairs.test_code, family=family)
        if part is None:
            return None
        parts.append(part)
    return np.concatenate(parts)


def _side_by_side(analyses: Sequence[Analysis]) -> Comparisons:
    """The systems of all boards as columns of one matrix, so that one shared sign flips a unit in all."""
    first = analyses[0].units
    for analysis in analyses:
        refuse_measured(analysis.units, "max-t over several boards")
    for analysis in analyses[1:]:
        if analysis.units.units != first.units or analysis.units.n_units != first.n_units:
            raise ConfigError(
                "max-t over all boards resamples items that all of them share, and each of these boards "
                "has different items; choose another correction, for example holm, or correct each board "
                "separately."
            )
    if len({analysis.config.block_column for analysis in analyses}) > 1:
        raise ConfigError(
            "max-t over all boards resamples the same documents on all of them, and some of these boards "
            "have none, or others; name the column",
            Remedy("block_column", form="aside"),
            ", or treat items as independent",
            Remedy("block_column", "none", "aside"),
            ".",
        )
    offsets = np.cumsum([0, *(analysis.units.n_systems for analysis in analyses)])
    units = ScoreMatrix(
        values=np.concatenate([analysis.units.values for analysis in analyses], axis=1),
        systems=tuple(f"{i}:{name}" for i, board in enumerate(analyses) for name in board.units.systems),
        units=first.units,
        labels=first.labels,
    )
    return Comparisons(
        units=units,
        left=np.concatenate([board.pairs.left + at for board, at in zip(analyses, offsets, strict=False)]),
        right=np.concatenate([board.pairs.right + at for board, at in zip(analyses, offsets, strict=False)]),
        config=analyses[0].config,
    )


def _decided(
    pairs: PairTable, p_adjusted: FloatArray, codes: dict[str, BoolArray], config: AnalysisConfig, family: int
) -> PairTable:
    """The table with other adjusted p-values, and what follows from them."""
    significant = decide(p_adjusted, config.alpha)
    separated, unclear = told_apart(significant, pairs.direction, pairs.difference, config.delta)
    few = few_resamples(
        pairs.p_value, pairs.p_kind_code, config, family, floorless=pairs.notes.get(FLOORLESS, False)
    )
    about_family = ("max-t-", "shaffer-as-holm", "direction-", "few-resamples", UNDEFINED)
    notes = {code: mask for code, mask in pairs.notes.items() if not code.startswith(about_family)}
    own = {**unclear, "few-resamples": few}
    notes |= {code: mask for code, mask in (codes | own).items() if mask.any()}
    return replace(pairs, p_adjusted=p_adjusted, significant=significant, separated=separated, notes=notes)


def _with_pairs(analysis: Analysis, pairs: PairTable, family: int) -> Analysis:
    """The analysis with other decisions."""
    units, config = analysis.units, analysis.config
    board, pairs = rank_systems(
        units,
        pairs,
        level=config.level,
        all_pairs=config.baseline is None,
        block_ids=block_ids(units, config),
    )
    before = analysis_notes(units, config, analysis.leaderboard, analysis.pairs, analysis.omnibus)
    own = tuple(note for note in analysis.notes if note not in before)
    after = analysis_notes(units, config, board, pairs, analysis.omnibus, family=family)
    return replace(analysis, pairs=pairs, leaderboard=board, family_size=family, notes=(*own, *after))
