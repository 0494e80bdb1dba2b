"""What procedures say of null boards: the work of an audit, a range of boards at a time."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.analysis.analyse import decided_pairs
from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.audit.null_boards import BoardMaker, goes_quickly, quick_t
from nlpstat_core.board.pairs.decision import decide
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.stopping import stop_if_asked

BINS = 20


def counts_of_boards(
    numbers: range,
    make: BoardMaker,
    seed: int,
    procedures: Sequence[AnalysisConfig],
    compared: tuple[IntArray, IntArray],
    null_pair: BoolArray,
) -> list[list[IntArray]]:
    """Of each null board and procedure: null pairs that it claims, that it separates, and their p by bins."""
    counted = []
    for number in numbers:
        stop_if_asked()
        board, row = make(seed, number), []
        for procedure in procedures:
            p_value, claimed, apart = _decided(board, procedure, number, compared)
            two = [np.count_nonzero(claimed & null_pair), np.count_nonzero(apart & null_pair)]
            row.append(np.concatenate([two, _in_bins(p_value[null_pair])]))
        counted.append(row)
    return counted


def _decided(
    board: ScoreMatrix, config: AnalysisConfig, number: int, compared: tuple[IntArray, IntArray]
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """P-values of a null board's pairs, which are claimed to differ, which count as separated."""
    if goes_quickly(board, config):
        p_value, _ = quick_t(board.values, *compared, config)
        claimed = decide(adjust_p_values(p_value, config.correction), config.alpha)
        return p_value, claimed, claimed
    table = decided_pairs(board, replace(config, seed=config.seed + 1 + number), chosen=compared)
    return table.p_value, table.significant, table.separated


def _in_bins(p_value: FloatArray) -> IntArray:
    p_value = p_value[~np.isnan(p_value)]
    # A twentieth holds its upper end: p = 0.05 belongs to the first.
    places = np.clip(np.ceil(p_value * BINS).astype(np.int64) - 1, 0, BINS - 1)
    return np.bincount(places, minlength=BINS)
