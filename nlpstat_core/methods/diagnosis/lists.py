"""Looking at the differences before testing: shape, normality, and the test that suits every pair."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig, Question
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.methods.diagnosis.advice import (
    RULES,
    Lists,
    central_tendency,
    disjoint_rule,
    lists,
    reason,
    recommended_codes,
)
from nlpstat_core.methods.diagnosis.normality import NormalityTest, normality_tests, shapiro_wilk_p
from nlpstat_core.methods.diagnosis.summary import Summary, summarise
from nlpstat_core.methods.diagnosis.variance_ratio import VarianceRatio, variance_ratio

__all__ = [
    "RULES",
    "Diagnosis",
    "DiagnosisColumns",
    "Lists",
    "central_tendency",
    "diagnose",
    "diagnosis_dict",
    "lists",
    "pair_diagnosis",
    "reason",
    "recommended_tests",
]

# A skewness that equals the limit in decimals counts as reaching it.
_AT_LIMIT = 1e-12
FEWEST_BLOCKS = 6
MOST_FOR_SHAPIRO = 5_000


@dataclass(frozen=True, eq=False, kw_only=True)
class DiagnosisColumns:
    """What the differences of many pairs look like; all arrays have shape (n_pairs,).

    skewness: Biased moment estimate g1; NaN for constant differences.
    normality_p: Shapiro–Wilk p-value; NaN where it was not needed (skewed or 0/1) or is undefined.
    rule: Position in `RULES`: the kind of data.
    recommended: Position in `TESTS.keys` of the recommended test, −1 for none.
    notes (mapping of str to bool array): "constant-differences", "shapiro-many-units".
    """

    skewness: FloatArray
    normality_p: FloatArray
    rule: CodeArray
    recommended: CodeArray
    notes: dict[str, BoolArray] = field(default_factory=dict)


def diagnose(batch: PairBatch, config: AnalysisConfig) -> DiagnosisColumns:
    """Skewness, normality and the recommended test of every pair of a batch.

    No shared units → no test, or Welch's t where each pair has its own question or an unpaired test was
    chosen by name (`disjoint_rule`); a measure that is no mean → the swap test; training runs → the test over
    items and runs; units in named blocks → block tests; counts → the exact test of their score; 0/1 scores →
    McNemar. Any other pair: under the question "mean" the permutation test of the mean; under "each-pair"
    constant differences → sign test; |g1| at or over the first limit → sign test; Shapiro–Wilk p at most
    `normality_alpha`, or undefined → Wilcoxon; otherwise t. Shapiro–Wilk runs only where differences are
    neither skewed nor 0/1. Cost O(n log n) per pair.

    Source: Zhu et al. (2020), doi:10.18653/v1/2020.aacl-demo.7.
    """
    g1 = batch.skewness
    constant = np.isnan(g1)
    skewed = np.abs(g1) >= config.skewness_limits[0] - _AT_LIMIT
    countable = batch.delta == 0 and batch.n_units > 0
    binary = batch.units.binary[batch.left] & batch.units.binary[batch.right] & countable
    undecided = ~(skewed | binary | constant)
    normality_p = _shapiro(batch, undecided)
    names = np.select(
        [binary, constant, skewed, normality_p > config.normality_alpha],
        [RULES.index("binary"), RULES.index("constant"), RULES.index("skewed"), RULES.index("normal")],
        RULES.index("not-normal"),
    )
    rule = _named_rule(batch, config, names.astype(np.int8))
    notes = {
        "constant-differences": constant & ~binary & (batch.n_units > 1),
        "shapiro-many-units": undecided & (batch.n_units > MOST_FOR_SHAPIRO),
    }
    return DiagnosisColumns(
        skewness=g1,
        normality_p=normality_p,
        rule=rule,
        recommended=recommended_codes(rule, config.question),
        notes=notes,
    )


def _named_rule(batch: PairBatch, config: AnalysisConfig, rule: CodeArray) -> CodeArray:
    """The rule without shared units, for runs, blocks or counts; else the rule that the differences gave."""
    blocks, counts = batch.units.blocks, batch.units.counts
    apart = batch.n_units == 0 and batch.units.all_scores is not None
    if batch.units.measured is not None:
        name = "no-shared-units" if apart else "measure"
    elif apart:
        name = disjoint_rule(config, in_blocks=blocks is not None)
    elif batch.units.runs is not None:
        name = "runs"
    elif blocks is not None:
        name = "few-blocks" if blocks.n_blocks < FEWEST_BLOCKS else "blocks"
    elif counts is not None:
        name = f"{counts.kind}-counts"
    else:
        return rule
    return np.full_like(rule, RULES.index(name))


def _shapiro(batch: PairBatch, wanted: BoolArray) -> FloatArray:
    result = np.full(batch.n_pairs, np.nan)
    if batch.n_units < 3 or not wanted.any():
        return result
    chosen = np.flatnonzero(wanted)
    for part, rows in batch.take(chosen).rows():
        rows.sort(axis=1)
        result[chosen[part]] = shapiro_wilk_p(rows)
    return result


def recommended_tests(columns: DiagnosisColumns) -> list[str]:
    """Key of the recommended test of every pair; empty where none is recommended."""
    by_code = (*TESTS.keys, "")
    return [by_code[code] for code in columns.recommended]


def diagnosis_dict(columns: DiagnosisColumns, row: int, question: Question) -> dict[str, Any]:
    """One pair's diagnosis as plain data, as it stands in analysis.json; undefined numbers are None."""
    found = lists(RULES[int(columns.rule[row])], question)
    return _plain(
        float(columns.skewness[row]), float(columns.normality_p[row]), found, RULES[int(columns.rule[row])]
    )


def _plain(g1: float, normality_p: float, found: Lists, rule: str) -> dict[str, Any]:
    return {
        "skewness": None if math.isnan(g1) else g1,
        "normality_p": None if math.isnan(normality_p) else normality_p,
        "central_tendency": central_tendency(rule),
        "recommended": list(found.recommended),
        "non_preferred": list(found.non_preferred),
        "inappropriate": list(found.inappropriate),
    }


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """Everything about the shape of one pair's differences.

    rule: One of `RULES`.
    reasons (mapping of str to str): One sentence for every test in the lists.
    summaries (mapping of str to Summary): Of "a", "b" and "difference".
    normality: Five tests on the differences.
    variances: Of independent samples, the F test of equal variances.
    """

    skewness: float
    normality_p: float
    rule: str
    central_tendency: str | None
    lists: Lists
    reasons: Mapping[str, str]
    summaries: Mapping[str, Summary]
    normality: tuple[NormalityTest, ...]
    variances: VarianceRatio | None = None

    def to_dict(self) -> dict[str, Any]:
        """The diagnosis as plain data, in the shape of analysis.json."""
        return _plain(self.skewness, self.normality_p, self.lists, self.rule)


def pair_diagnosis(batch: PairBatch, config: AnalysisConfig, *, unpaired: bool = False) -> Diagnosis:
    """The full diagnosis of a batch that holds one pair.

    unpaired: Compared as independent samples: the summaries of a and b are over all their units.
    """
    columns = diagnose(batch, config)
    rule = RULES[int(columns.rule[0])]
    found = lists(rule, config.question)
    tests = (*found.recommended, *found.non_preferred, *found.inappropriate)
    values, own = batch.units.values, batch.units.own
    u, v = (
        own.sample(int(side[0])) if unpaired else values[:, side[0]] for side in (batch.left, batch.right)
    )
    return Diagnosis(
        skewness=float(columns.skewness[0]),
        normality_p=float(columns.normality_p[0]),
        rule=rule,
        central_tendency=central_tendency(rule),
        lists=found,
        reasons={test: reason(rule, test, config.question) for test in tests},
        summaries={
            "a": summarise(u),
            "b": summarise(v),
            "difference": summarise(batch.unshifted.rounded[:, 0]),
        },
        normality=normality_tests(batch.differences[:, 0]),
        variances=variance_ratio(u, v) if unpaired else None,
    )
