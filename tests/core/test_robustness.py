"""Robustness: every count against analyses run one by one, and against hand-made decisions."""

from dataclasses import replace

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.robustness import decisions, robustness, variants_of
from nlpstat_core.report.wording.robustness import robustness_sentence, variant_name


def board(missing=False, systems=5, n=120, gap=0.12):
    rng = np.random.default_rng(4)
    values = rng.normal(size=(n, 1)) + rng.normal(scale=0.5, size=(n, systems)) + gap * np.arange(systems)
    if missing:
        values[::6, 0] = np.nan
    labels = {"doc": [f"d{i // 6}" for i in range(n)]}
    return ns.ScoreMatrix(values=np.round(values, 3), systems=tuple("ABCDEFGH"[:systems]), labels=labels)


@pytest.mark.parametrize("missing", [False, True])
def test_counts_are_those_of_analyses_one_by_one(missing):
    analysis = ns.analyse(board(missing), ns.AnalysisConfig(resamples=500))
    lines = []
    found = robustness(analysis, progress=lambda done, total: lines.append((done, total)))
    assert lines[-1] == (len(found.variants) - 1, len(found.variants) - 1)
    pairs = analysis.pairs
    agree = [0] * len(pairs)
    computed = 0
    for variant in found.variants:
        if variant.problem is not None:
            continue
        again = ns.analyse(analysis.scores, variant.config)
        computed += 1
        better = again.pairs.better
        for row in range(len(pairs)):
            winner = better[row] if again.pairs.separated[row] else None
            own = pairs.better[row] if pairs.separated[row] else None
            agree[row] += winner == own
        assert variant.separated == int(again.pairs.separated.sum())
        # The top group from its definition: nobody is significantly better.
        beaten = {
            pairs.systems[again.pairs.right[r] if again.pairs.better_code[r] > 0 else again.pairs.left[r]]
            for r in range(len(pairs))
            if again.pairs.separated[r]
        }
        assert set(variant.top) == set(pairs.systems) - beaten
    assert found.agreement.tolist() == agree
    assert found.computed == computed
    assert (found.for_a + found.for_b + found.neither == computed).all()
    assert found.variants[0].same == len(pairs)
    assert max(found.agreement) <= computed


def test_one_choice_is_changed_at_a_time():
    analysis = ns.analyse(board(True), ns.AnalysisConfig(test="t", seed=3))
    seen = []
    for name, value, config in variants_of(analysis):
        seen.append((name, value))
        assert replace(config, **{name: getattr(analysis.config, name)}) == analysis.config
        assert config != analysis.config
    assert ("seed", 4) in seen
    assert ("missing", "complete") in seen
    assert ("test", "wilcoxon") in seen
    assert ("test", "block-t") not in seen
    assert ("correction", "holm") not in seen
    assert ("correction", "benjamini-hochberg") in seen
    assert len(seen) == len(set(seen))


def test_with_documents_only_their_tests_are_tried():
    analysis = ns.analyse(board(), ns.AnalysisConfig(block_column="doc"))
    tried = {value for name, value, _ in variants_of(analysis) if name == "test"}
    assert tried
    assert all(str(key).startswith("block") for key in tried)


def test_variants_that_cannot_be_computed_say_why():
    analysis = ns.analyse(board(), ns.AnalysisConfig(block_column=None))
    found = robustness(analysis)
    refused = [variant for variant in found.variants if variant.problem]
    assert [variant.value for variant in refused] == ["mcnemar"]
    assert "0 and 1" in refused[0].problem
    assert found.computed == len(found.variants) - 1


def test_clear_boards_are_firm_and_seeds_change_nothing_exact():
    analysis = ns.analyse(board(gap=5.0), ns.AnalysisConfig(test="t"))
    found = robustness(analysis)
    seed = next(variant for variant in found.variants if variant.changed == "seed")
    assert seed.same == len(analysis.pairs)
    assert (found.decision == decisions(analysis.pairs)).all()
    sentence = robustness_sentence(found)
    assert sentence.startswith("10 of 10 pairs are decided the same way")
    same = len(found.variants) - 2
    assert f"{same} of {same} variants have the same top group" in sentence


def test_a_baseline_has_no_top_group_and_names_say_what_changed():
    analysis = ns.analyse(board(True), ns.AnalysisConfig(baseline="A"))
    found = robustness(analysis)
    assert "top group" not in robustness_sentence(found)
    names = [variant_name(variant) for variant in found.variants]
    assert names[0] == "As analysed"
    assert {"Rows per item: 5", "Seed: 1", "Missing scores: only items every system has"} <= set(names)
    assert len(set(names)) == len(names)


def test_cancelling():
    analysis = ns.analyse(board())
    with pytest.raises(ns.Cancelled):
        robustness(analysis, should_stop=lambda: True)
