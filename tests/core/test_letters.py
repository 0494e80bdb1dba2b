"""Compact letters: every maximal group by enumeration, R's multcompView, the decision matrix given back."""

from itertools import combinations

import numpy as np
import pytest
from golden.golden import load, significant_pairs
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import nlpstat_core as ns
from nlpstat_core.board.ranking.letters import letter_name, letters, maximal_groups

CASES = sorted({golden.case for golden in load("letters")})


def groups_by_enumeration(together):
    """Every set of systems that may stand together and that no other system could join."""
    size = len(together)
    sets = [set(chosen) for k in range(1, size + 1) for chosen in combinations(range(size), k)]
    fine = [chosen for chosen in sets if all(together[i, j] for i, j in combinations(chosen, 2))]
    return sorted(sorted(chosen) for chosen in fine if not any(chosen < other for other in fine))


def carried(text, n_groups):
    return set(text.split()) if n_groups > 26 else set(text)


def given_back(found, n_groups):
    sets = [carried(text, n_groups) for text in found]
    return np.array([[not (a & b) for b in sets] for a in sets])


@st.composite
def decisions(draw, most=8):
    """Any symmetric matrix, also non-transitive ones."""
    size = draw(st.integers(1, most))
    upper = np.triu(draw(arrays(np.bool_, (size, size))), 1)
    return upper | upper.T


@given(decisions())
def test_groups_are_all_maximal_ones(separated):
    assert maximal_groups(~separated) == groups_by_enumeration(~separated)


@given(decisions(most=14))
def test_trap_28_letters_give_the_decisions_back(separated):
    found = letters(separated)
    n_groups = len(maximal_groups(~separated))
    assert (given_back(found, n_groups) == separated).all()
    assert found[0][0] == "a"
    assert all(found)


@pytest.mark.parametrize("case", CASES)
def test_multcompview_finds_the_same_groups(case):
    names, separated = significant_pairs(case)
    columns = {
        frozenset(name for name, value in golden.values.items() if value == 1)
        for golden in load("letters")
        if golden.case == case
    }
    found = maximal_groups(~separated)
    assert {frozenset(names[i] for i in group) for group in found} == columns
    assert (given_back(letters(separated), len(found)) == separated).all()


@given(decisions(), st.randoms(use_true_random=False))
def test_columns_in_another_order_share_the_same_letters(separated, random):
    order = list(range(len(separated)))
    random.shuffle(order)
    moved = separated[np.ix_(order, order)]
    before, after = maximal_groups(~separated), maximal_groups(~moved)
    assert sorted(sorted(order[i] for i in group) for group in after) == before


def test_more_groups_than_the_alphabet_has_letters():
    found = letters(~np.eye(60, dtype=bool))
    assert found[:3] == ("a", "b", "c")
    assert found[25:28] == ("z", "aa", "ab")
    assert len(set(found)) == 60
    assert [letter_name(n) for n in (0, 25, 26, 51, 52, 701, 702)] == [
        "a",
        "z",
        "aa",
        "az",
        "ba",
        "zz",
        "aaa",
    ]
    chain = np.abs(np.subtract.outer(np.arange(40), np.arange(40))) > 1  # 39 groups of two neighbours
    assert letters(chain)[26:28] == ("z aa", "aa ab")
    assert (given_back(letters(chain), 39) == chain).all()


def test_limit_of_groups():
    # Ten (or eleven) couples that are separated only from each other: 2^10 (2^11) groups take one of each.
    def couples(k):
        return np.kron(np.eye(k, dtype=bool), ~np.eye(2, dtype=bool))

    assert len(maximal_groups(~couples(9))) == 512
    assert maximal_groups(~couples(10)) is None
    assert letters(couples(300)) is None


def test_many_systems_in_few_groups():
    ability = np.sort(np.random.default_rng(2).normal(size=213))
    separated = np.abs(np.subtract.outer(ability, ability)) > 0.3
    n_groups = len(maximal_groups(~separated))
    assert 26 < n_groups < 213
    assert (given_back(letters(separated), n_groups) == separated).all()


def test_letters_reach_the_board_and_the_file():
    values = np.random.default_rng(4).normal(size=(60, 7)) + np.array([0, 0.2, 0.4, 1, 1.2, 1.4, 3])
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=tuple("ABCDEFG")))
    rows = {row["system"]: set(row["letters"]) for row in found.to_dict()["leaderboard"]}
    pairs = found.pairs
    for a, b, separated in zip(pairs.system_a, pairs.system_b, pairs.separated, strict=True):
        assert bool(rows[a] & rows[b]) != separated
    assert "a" in rows[found.leaderboard.system[0]]


def test_no_letters_with_a_baseline_or_too_many_groups():
    scores = ns.ScoreMatrix(values=np.random.default_rng(1).normal(size=(8, 4)), systems=tuple("ABCD"))
    assert ns.analyse(scores, ns.AnalysisConfig(baseline="A")).leaderboard.letters is None
    # Copies of 22 columns: each couple differs on every unit by a shift that no other pair keeps apart.
    rng = np.random.default_rng(5)
    noise = rng.normal(size=(40, 22)) * np.repeat(np.arange(1, 12), 2) * 1e3
    noise[:, 1::2] = noise[:, ::2] + 1 + 0.01 * rng.normal(size=(40, 11))
    found = ns.analyse(
        ns.ScoreMatrix(values=noise, systems=tuple(f"s{i}" for i in range(22))),
        ns.AnalysisConfig(test="t", effects=()),
    )
    assert found.leaderboard.letters is None
    assert "too-many-letters" in {note.code for note in found.notes}
