"""A pair in the order a reader chose: everything about first − second, decisions those of the board."""

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.in_order import in_order
from nlpstat_core.board.pairs.one_pair import pair_scores
from nlpstat_core.methods.significance import TESTS

NAMES = ("A", "B", "C", "D")


def board(values, **more):
    return ns.ScoreMatrix(values=values, systems=NAMES, **more)


def scores(seed=0, binary=False):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(40, 1)) + rng.normal(size=(40, 4)) + [0.0, 0.2, 0.7, 1.0]
    return board((values > 0.3).astype(float) if binary else values.round(2))


PAIRED = [method.key for method in TESTS if method.design == "paired" and method.key != "mcnemar"]


@pytest.mark.parametrize("test", [*PAIRED, "recommended"])
def test_turning_a_pair_mirrors_every_number(test):
    config = ns.AnalysisConfig(test=test, resamples=500, equivalence_margin=0.3)
    analysis = ns.analyse(scores(), config)
    here, there = analysis.pair("A", "C"), in_order(analysis, "C", "A").pair("C", "A")
    assert (there.system_a, there.system_b) == ("C", "A")
    assert (there.score_a, there.score_b) == (here.score_b, here.score_a)
    assert there.difference == pytest.approx(-here.difference)
    assert there.interval == pytest.approx((-here.interval[1], -here.interval[0]))
    for name in (
        "p_value",
        "log10_p",
        "p_adjusted",
        "p_kind",
        "significant",
        "better",
        "p_equivalence_adjusted",
    ):
        assert getattr(there, name) == getattr(here, name)
    flipped = {"better": "worse", "worse": "better"}
    assert there.verdict == flipped.get(here.verdict, here.verdict)
    assert there.effects["cohen-d"].value == pytest.approx(-here.effects["cohen-d"].value)
    assert there.effects["common-language"].value == pytest.approx(1 - here.effects["common-language"].value)
    if here.estimate is not None:
        assert there.estimate.value == pytest.approx(-here.estimate.value)
    u, v = pair_scores(in_order(analysis, "C", "A"), 0)
    assert np.array_equal(u, scores().values[:, 2])
    assert np.array_equal(v, scores().values[:, 0])


def test_the_table_s_own_order_is_the_analysis_itself():
    analysis = ns.analyse(scores(), ns.AnalysisConfig(test="t"))
    assert in_order(analysis, "A", "C") is analysis
    assert in_order(analysis, "C", "A").family_size == analysis.family_size == 6


def test_a_one_sided_alternative_turns_with_the_pair():
    config = ns.AnalysisConfig(test="t", baseline="A", alternative="greater", delta=0.1, correction="none")
    analysis = ns.analyse(scores(), config)
    here, asked = analysis.pair("C", "A"), in_order(analysis, "A", "C")
    there = asked.pair("A", "C")
    assert (asked.config.alternative, asked.config.delta) == ("less", -0.1)
    assert there.p_value == here.p_value
    assert there.statistic == pytest.approx(-here.statistic)
    assert there.interval == pytest.approx((-here.interval[1], -here.interval[0]))


def test_discordant_units_change_sides():
    analysis = ns.analyse(scores(binary=True))
    here, there = analysis.pair("A", "D"), in_order(analysis, "D", "A").pair("D", "A")
    assert here.test == there.test == "mcnemar"
    assert there.effects["odds-ratio"].value == pytest.approx(1 / here.effects["odds-ratio"].value)
    assert there.statistic == pytest.approx(
        np.count_nonzero((analysis.units.values[:, 3] == 1) & (analysis.units.values[:, 0] == 0))
    )


def test_missing_pairs_and_unknown_names_are_refused():
    analysis = ns.analyse(scores(), ns.AnalysisConfig(test="t", baseline="A"))
    with pytest.raises(ns.AnalysisError, match="were not compared"):
        in_order(analysis, "C", "B")
    with pytest.raises(ns.ScoreError, match="Unknown system"):
        in_order(analysis, "X", "B")
