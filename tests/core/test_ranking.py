"""Rank intervals and clusters against their definitions."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.board.ranking.leaderboard import clusters, rank_intervals
from nlpstat_core.board.ranking.system_scores import mean_with_interval


@st.composite
def beats_matrices(draw):
    """Any antisymmetric decision matrix, also non-transitive ones."""
    size = draw(st.integers(2, 9))
    codes = draw(arrays(np.int8, (size, size), elements=st.integers(-1, 1)))
    upper = np.triu(codes, 1)
    return (upper - upper.T) > 0


@given(beats_matrices())
def test_cluster_line_iff_every_pair_across_is_separated(beats):
    found = clusters(beats)
    size = len(beats)
    expected = [1]
    for k in range(1, size):
        line = all(beats[i, j] for i in range(k) for j in range(k, size))
        expected.append(expected[-1] + line)
    assert found.tolist() == expected


@given(beats_matrices())
def test_rank_interval_counts_better_and_worse(beats):
    found = rank_intervals(beats)
    size = len(beats)
    for i in range(size):
        better = sum(beats[j, i] for j in range(size))
        worse = sum(beats[i, j] for j in range(size))
        assert found[i].tolist() == [1 + better, size - worse]


def test_score_interval_is_students_t_on_the_units_there():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(20, 3))
    values[4:9, 1] = np.nan
    mean, count, interval = mean_with_interval(values, 0.9)
    for j in range(3):
        there = values[~np.isnan(values[:, j]), j]
        expected = stats.t.interval(0.9, len(there) - 1, there.mean(), stats.sem(there))
        np.testing.assert_allclose(interval[j], expected, rtol=1e-12)
        assert count[j] == len(there)
        np.testing.assert_allclose(mean[j], there.mean(), rtol=1e-14)


def test_undefined_scores_stay_undefined():
    values = np.array([[1.0, np.nan], [2.0, np.nan]])
    mean, count, interval = mean_with_interval(values, 0.95)
    assert np.isnan(mean[1])
    assert np.isnan(interval[1]).all()
    assert count.tolist() == [2, 0]
    assert np.isnan(mean_with_interval(values[:1], 0.95)[2]).all()


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), n_systems=st.integers(2, 6), n_empty=st.integers(1, 3))
def test_systems_without_scores_change_nothing_of_the_others(seed, n_systems, n_empty):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(30, n_systems)) + rng.choice([0.0, 0.5, 2.0], n_systems)
    if rng.random() < 0.5:
        values[rng.random(values.shape) < 0.2] = np.nan
    names = [f"s{i}" for i in range(n_systems)]
    alone = ns.analyse(ns.ScoreMatrix(values=values, systems=tuple(names))).leaderboard
    at = sorted(rng.integers(0, n_systems + 1, n_empty))
    with_empty = ns.ScoreMatrix(
        values=np.insert(values, at, np.nan, axis=1),
        systems=tuple(np.insert(np.array(names, dtype=object), at, [f"empty{i}" for i in range(n_empty)])),
    )
    found = ns.analyse(with_empty).leaderboard
    assert found.system[:n_systems] == alone.system
    for name in ("rank", "rank_interval", "cluster"):
        np.testing.assert_array_equal(found[name][:n_systems], alone[name])
    assert found.letters[:n_systems] == alone.letters
    assert set(found.rank[n_systems:].tolist()) == {n_systems + 1}
    last = [n_systems + 1, n_systems + n_empty]
    assert found.rank_interval[n_systems:].tolist() == [last] * n_empty
    assert not {*found.letters[-1]} & {*"".join(alone.letters)}
