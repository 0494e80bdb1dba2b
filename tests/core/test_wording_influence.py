"""Sentences on left-out groups and slices say what the numbers say."""

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.board.pairs.influence import leave_one_out, slices
from nlpstat_core.report.wording.influence import left_out_sentence, slices_sentence


def board(gap):
    values = np.zeros((20, 2))
    values[:, 0] = np.tile([0.9, 1.1], 10) * 0.1
    values[:2, 0] = gap
    labels = {"doc": [f"d{i // 2}" for i in range(20)]}
    return ns.ScoreMatrix(values=values, systems=("A", "B"), labels=labels)


@pytest.mark.parametrize(("gap", "given"), [(0.1, "stays there"), (-2.0, "crosses it for 1 of")])
def test_left_out(gap, given):
    analysis = ns.analyse(board(gap), ns.AnalysisConfig(test="t"))
    groups = leave_one_out(analysis, 0, "doc")
    pair = analysis.pair("A", "B")
    sentence = left_out_sentence(groups, pair, 0.05)
    assert given in sentence
    decided = [bool(p <= 0.05) != (pair.p_value <= 0.05) for p in groups.p_value]
    assert sum(decided) == (0 if gap > 0 else 1)
    assert f"without {groups.name[int(np.argmax(groups.difference))]}" in sentence


def test_slices():
    analysis = ns.analyse(board(-2.0))
    sentence = slices_sentence(slices(analysis, 0, "doc"), analysis.pair("A", "B"))
    assert sentence == "Of 10 values of doc, A scores higher in 9, B in 1."
