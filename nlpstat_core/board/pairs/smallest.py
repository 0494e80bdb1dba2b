"""Pairs with so few units or documents that no p-value of theirs can be significant."""

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.records import Design
from nlpstat_core.scores.documents import block_ids, blocks_needed
from nlpstat_core.scores.matrix import ScoreMatrix


def lowest_level(config: AnalysisConfig, family: int) -> float:
    """Largest p with which the first pair of a family can be significant, all others helping.

    family: p-values corrected together.
    """
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

    left, right, n_units: Systems of each pair and how many units they share.
    p_value: Undefined pairs are none of these.
    family: p-values corrected together.
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
