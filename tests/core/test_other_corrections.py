"""One pair under every correction: R, definitions, the whole analysis done again, what is left out."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from golden.golden import load, p_values

import nlpstat_core as ns
from nlpstat_core.board.pairs import other_corrections as module
from nlpstat_core.board.pairs.other_corrections import AS_HOLM, COSTLY, OTHER_TEST, REFUSED, other_corrections
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.report.wording.other_corrections import (
    corrections_sentence,
    decision_text,
    left_out_sentence,
)

IN_R = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "hochberg",
    "hommel": "hommel",
    "BH": "benjamini-hochberg",
    "BY": "benjamini-yekutieli",
    "shaffer": "shaffer",
}
CONFIG = ns.AnalysisConfig(block_column=None, test="t", resamples=300, effects=())


def board(n_systems=4, n_units=25, seed=1):
    rng = np.random.default_rng(seed)
    values = (
        rng.normal(size=(n_units, 1)) + rng.normal(size=(n_units, n_systems)) + 0.3 * np.arange(n_systems)
    )
    return ns.ScoreMatrix(values=values.round(4), systems=[f"s{i}" for i in range(n_systems)])


def by_key(analysis, row):
    return {item.correction: item for item in other_corrections(analysis, row)}


def with_p_values(p):
    """An analysis of all pairs whose p-values are these."""
    n_systems = next(k for k in range(2, 99) if comb(k, 2) == len(p))
    analysis = ns.analyse(board(n_systems), CONFIG)
    return replace(analysis, pairs=replace(analysis.pairs, p_value=np.array(p, dtype=float)))


@pytest.mark.parametrize("golden", [g for g in load("p_adjust") if g.case.startswith("pairs-of-")], ids=str)
def test_adjusted_in_r(golden):
    analysis = with_p_values(p_values(golden.case))
    key = IN_R[golden.method]
    if key == CONFIG.correction:
        analysis = replace(analysis, config=replace(CONFIG, correction="none"))
    expected = list(golden.values.values())
    for row in (0, len(expected) // 2):
        found = by_key(analysis, row)[key]
        assert found.p_adjusted == pytest.approx(expected[row], rel=1e-12)
        assert found.significant == (expected[row] <= CONFIG.alpha)


def test_by_definition():
    p = [0.001, 0.01, 0.012, 0.02, 0.04, 0.6]
    analysis = with_p_values(p)
    for row, value in enumerate(p):
        found = by_key(analysis, row)
        assert found["none"].p_adjusted == value
        assert found["bonferroni"].p_adjusted == pytest.approx(min(1, 6 * value))
        assert found["sidak"].p_adjusted == pytest.approx(1 - (1 - value) ** 6)
        steps = [1 - (1 - p[j]) ** (6 - j) for j in range(row + 1)]
        assert found["holm-sidak"].p_adjusted == pytest.approx(max(steps))


OWN = [(own, test) for own in ("holm", "shaffer", "max-t") for test in ("t", "bootstrap-mean", "sign")]


@pytest.mark.parametrize(("own", "test"), [chosen for chosen in OWN if chosen != ("max-t", "sign")])
def test_as_if_the_whole_board_were_analysed_again(own, test):
    scores = board(3)
    analysis = ns.analyse(scores, replace(CONFIG, test=test, correction=own))
    items = [by_key(analysis, row) for row in range(len(analysis.pairs))]
    for key in CORRECTIONS.keys:
        if (key, test) == ("max-t", "sign"):
            assert {item[key].left_out for item in items} == {OTHER_TEST}
            continue
        again = ns.analyse(scores, replace(CONFIG, test=test, correction=key)).pairs
        if "shaffer-as-holm" in again.notes:
            assert key == "shaffer"
            assert {item[key].left_out for item in items} == {AS_HOLM}
            continue
        assert [item[key].left_out for item in items] == [""] * 3
        assert [item[key].p_adjusted for item in items] == list(again.p_adjusted)
        assert [item[key].significant for item in items] == list(again.significant)
        assert [item[key].separated for item in items] == list(again.separated)


def test_the_recommended_test_of_each_pair_leaves_out_what_needs_one_test():
    analysis = ns.analyse(board(), replace(CONFIG, test="recommended", question="each-pair"))
    left_out = {key: item.left_out for key, item in by_key(analysis, 0).items() if item.left_out}
    assert left_out == {"shaffer": AS_HOLM, "max-t": OTHER_TEST}
    lines = [left_out_sentence(item) for item in by_key(analysis, 0).values() if item.left_out]
    assert lines[0].startswith("Shaffer is left out: it needs one two-sided test of means")
    assert "Paired t test" in lines[1]


def test_what_takes_long_is_left_out_but_not_what_is_there_already(monkeypatch):
    monkeypatch.setattr(module, "MOST_PRODUCTS", 100)
    monkeypatch.setattr(module, "LARGEST_SQUARED_FAMILY", 3)
    found = by_key(ns.analyse(board(), CONFIG), 0)
    assert {key for key, item in found.items() if item.left_out == COSTLY} == {"hommel", "max-t"}
    assert "choose it in the settings" in left_out_sentence(found["hommel"])
    own = ns.analyse(board(), replace(CONFIG, correction="max-t"))
    assert by_key(own, 0)["max-t"].p_adjusted == own.pairs.p_adjusted[0]


def test_scores_that_max_t_cannot_use():
    values = np.array(
        [[1.0, 2, np.nan], [2, 4, np.nan], [3, 3, 5], [np.nan, 5, 4], [np.nan, 6, 2], [4, np.nan, 3]]
    )
    analysis = ns.analyse(ns.ScoreMatrix(values=values, systems="abc"), replace(CONFIG, missing="pairwise"))
    item = by_key(analysis, 0)["max-t"]
    assert item.left_out == REFUSED
    assert "at least two items that every system has" in left_out_sentence(item)


def test_an_undefined_pair_stays_undefined():
    analysis = with_p_values([0.01, np.nan, 0.04, 0.03, 0.2, 0.5])
    for item in other_corrections(analysis, 1):
        if item.correction != CONFIG.correction:  # its adjusted p-values are those of the analysis
            assert np.isnan(item.p_adjusted)
            assert not item.significant
    assert by_key(analysis, 0)["bonferroni"].p_adjusted == pytest.approx(0.05)


def test_sentences():
    analysis = with_p_values([0.012, 0.9, 0.9, 0.9, 0.9, 0.9])
    analysis = replace(analysis, config=replace(CONFIG, correction="none"))
    pairs = replace(analysis.pairs, p_adjusted=analysis.pairs.p_value)
    analysis = replace(analysis, pairs=pairs)
    pair, found = analysis.pair("s0", "s1"), other_corrections(analysis, 0)
    text = corrections_sentence(found, pair, analysis)
    assert text.startswith("s0 and s1 are separated at 0.05 under 1 of 11 corrections (Paired t test, ")
    assert text.endswith("6 pairs corrected together); this analysis uses No correction.")
    better = "s0" if pair.difference > 0 else "s1"
    said = {item.correction: decision_text(item) for item in found}
    assert said["none"] == f"{better} is better"
    assert said["bonferroni"] == "no evidence of a difference"
    swapped = replace(found[0], separated=False)
    assert "points against the mean" in decision_text(swapped)


def test_cancelled_between_corrections():
    analysis = ns.analyse(board(), CONFIG)
    with pytest.raises(ns.Cancelled):
        other_corrections(analysis, 0, should_stop=lambda: True)
