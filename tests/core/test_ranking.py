"""Rank intervals and clusters against their definitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

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
