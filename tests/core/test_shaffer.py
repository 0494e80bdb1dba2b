"""Shaffer's correction: R, the factors from all partitions of the systems, where Holm takes its place."""

from itertools import combinations

import numpy as np
import pytest
from golden.golden import load, p_values
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.methods.corrections.shaffer import true_together


def partitions(items):
    """All ways to split the systems into groups of equal mean."""
    if not items:
        yield []
        return
    first, *rest = items
    for k in range(len(rest) + 1):
        for others in combinations(rest, k):
            for split in partitions([item for item in rest if item not in others]):
                yield [[first, *others], *split]


def numbers_by_enumeration(size):
    splits = partitions(list(range(size)))
    return sorted({sum(len(group) * (len(group) - 1) // 2 for group in split) for split in splits})


@pytest.mark.parametrize("size", range(1, 9))
def test_numbers_that_can_be_true_together(size):
    assert true_together(size).tolist() == numbers_by_enumeration(size)


@pytest.mark.parametrize("golden", load("p_adjust", "shaffer"), ids=str)
def test_adjusted_in_r(golden):
    found = ns.adjust_p_values(p_values(golden.case), "shaffer")
    np.testing.assert_allclose(found, list(golden.values.values()), rtol=1e-12)


@pytest.mark.parametrize(("size", "factors"), [(4, [6, 3, 3, 3, 2, 1]), (5, [10, 6, 6, 6, 6, 4, 4, 3, 2, 1])])
def test_published_factors(size, factors):
    p = np.logspace(-30, -20, size * (size - 1) // 2)
    np.testing.assert_allclose(ns.adjust_p_values(p, "shaffer"), factors * p, rtol=1e-12)


@given(
    st.sampled_from([1, 3, 6, 10, 15, 21]).flatmap(
        lambda m: st.lists(st.floats(0, 1), min_size=m, max_size=m)
    )
)
def test_between_the_p_values_and_holm(p):
    adjusted = ns.adjust_p_values(p, "shaffer")
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= ns.adjust_p_values(p, "holm") + 1e-15).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


@pytest.mark.parametrize("m", [2, 4, 5, 7])
def test_lists_that_are_not_all_pairs_get_holm(m):
    p = np.linspace(0.001, 0.2, m)
    np.testing.assert_array_equal(ns.adjust_p_values(p, "shaffer"), ns.adjust_p_values(p, "holm"))


def board():
    values = np.random.default_rng(11).normal(size=(40, 5)) + 0.25 * np.arange(5)
    return ns.ScoreMatrix(values=values, systems=tuple("ABCDE"))


@pytest.mark.parametrize("test", ["t", "permutation-mean", "bootstrap-mean"])
def test_used_for_means(test):
    found = ns.analyse(board(), ns.AnalysisConfig(test=test, correction="shaffer", resamples=999))
    np.testing.assert_array_equal(found.pairs.p_adjusted, ns.adjust_p_values(found.pairs.p_value, "shaffer"))
    assert (found.pairs.p_adjusted < ns.adjust_p_values(found.pairs.p_value, "holm")).any()
    assert "shaffer-as-holm" not in found.pairs.notes


@pytest.mark.parametrize(
    "settings",
    [
        {"test": "sign"},
        {"test": "wilcoxon"},
        {"test": "recommended", "question": "each-pair"},
        {"test": "t", "alternative": "greater", "baseline": "A"},
        {"test": "t", "delta": 0.1},
        {"test": "t", "baseline": "A"},
    ],
)
def test_holm_takes_its_place_and_a_note_says_so(settings):
    found = ns.analyse(board(), ns.AnalysisConfig(correction="shaffer", **settings))
    np.testing.assert_array_equal(found.pairs.p_adjusted, ns.adjust_p_values(found.pairs.p_value, "holm"))
    assert found.pairs.notes["shaffer-as-holm"].all()
    assert "shaffer-as-holm" in {note.code for note in found.notes}
    assert "shaffer-as-holm" in {note.code for note in found.pair("A", "B").notes}


def test_an_undefined_pair_brings_holm():
    values = board().values.copy()
    values[:20, 0], values[20:, 1] = np.nan, np.nan
    found = ns.analyse(
        ns.ScoreMatrix(values=values, systems=tuple("ABCDE")),
        ns.AnalysisConfig(test="t", correction="shaffer"),
    )
    assert np.isnan(found.pairs.p_adjusted[0])
    np.testing.assert_array_equal(found.pairs.p_adjusted, ns.adjust_p_values(found.pairs.p_value, "holm"))


def test_margin_uses_holm_and_too_many_pairs_are_refused():
    found = ns.analyse(board(), ns.AnalysisConfig(test="t", correction="shaffer", equivalence_margin=3.0))
    assert found.pairs.equivalent.all()
    assert true_together(447)[-1] == 447 * 446 // 2
    with pytest.raises(ns.AnalysisError, match="use holm"):
        ns.adjust_p_values(np.full(448 * 447 // 2, 0.5), "shaffer")


def test_family_wise_error_holds_where_some_means_are_equal():
    # Systems 0–2 and 3–4 share a mean: any finding within a group is false.
    rng = np.random.default_rng(3)
    false, rounds = 0, 400
    left, right = np.triu_indices(5, 1)
    within = (left < 3) == (right < 3)
    for _ in range(rounds):
        values = rng.normal([0, 0, 0, 3, 3], size=(30, 5))
        z = values[:, left] - values[:, right]
        t = z.mean(axis=0) / z.std(axis=0, ddof=1) * np.sqrt(30)
        adjusted = ns.adjust_p_values(2 * stats.t.sf(np.abs(t), 29), "shaffer")
        false += (adjusted[within] <= 0.05).any()
    assert false / rounds <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / rounds)
