"""Every pair lands in exactly one chunk, with exactly the units it shares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse
from nlpstat_core.engine.columns.pairing import chunks, pair_indices
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS


def matrix(values):
    return ScoreMatrix(values=values, systems=tuple(f"s{i}" for i in range(values.shape[1])))


def test_pairs_follow_column_order():
    left, right = pair_indices(4)
    assert list(zip(left, right, strict=True)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def test_baseline_is_always_b():
    left, right = pair_indices(4, baseline=2)
    assert left.tolist() == [0, 1, 3]
    assert right.tolist() == [2, 2, 2]


@given(st.integers(2, 7), st.integers(1, 12), st.floats(0, 0.7), st.integers(0, 10_000))
def test_each_pair_once_with_its_shared_units(n_systems, n_units, share_missing, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_units, n_systems))
    values[rng.random(values.shape) < share_missing] = np.nan
    scores = matrix(values)
    left, right = pair_indices(n_systems)
    seen = np.zeros(len(left), dtype=int)
    for chunk in chunks(scores, left, right):
        for column, position in enumerate(chunk.positions):
            seen[position] += 1
            a, b = left[position], right[position]
            shared = scores.present[:, a] & scores.present[:, b]
            np.testing.assert_array_equal(
                chunk.batch.differences[:, column], (values[:, a] - values[:, b])[shared]
            )
    assert np.all(seen == 1)


@given(st.integers(2, 7), st.integers(1, 12), st.sampled_from([0, 0, 0.2, 0.6]), st.integers(0, 10_000))
def test_scores_of_a_pair_are_means_over_the_units_it_shares(n_systems, n_units, share_missing, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_units, n_systems))
    values[rng.random(values.shape) < share_missing] = np.nan
    values[0] = 1.0
    pairs = analyse(matrix(values), AnalysisConfig(test="t", effects=())).pairs
    for row, (a, b) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        shared = ~np.isnan(values[:, a] + values[:, b])
        means = values[shared, a].mean(), values[shared, b].mean()
        np.testing.assert_allclose((pairs.score_a[row], pairs.score_b[row]), means, rtol=1e-13)
    assert (pairs.pair_scores is None) == (not np.isnan(values).any())


def test_wide_boards_come_in_several_chunks():
    scores = matrix(np.random.default_rng(0).normal(size=(3_000, 60)))
    left, right = pair_indices(60)
    sizes = [len(chunk.positions) for chunk in chunks(scores, left, right)]
    assert sum(sizes) == len(left)
    assert len(sizes) > 1


@given(st.integers(2, 7), st.integers(1, 12), st.floats(0, 0.7), st.integers(0, 10_000))
def test_pairs_that_share_as_many_units_go_together_with_their_own(n_systems, n_units, share, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_units, n_systems))
    values[rng.random(values.shape) < share] = np.nan
    scores = matrix(values)
    left, right = pair_indices(n_systems)
    seen = np.zeros(len(left), dtype=int)
    for chunk in chunks(scores, left, right, together=True):
        for column, position in enumerate(chunk.positions):
            seen[position] += 1
            a, b = left[position], right[position]
            shared = scores.present[:, a] & scores.present[:, b]
            np.testing.assert_array_equal(
                chunk.batch.differences[:, column], (values[:, a] - values[:, b])[shared]
            )
    assert np.all(seen == 1)


def test_scores_missing_at_random_make_few_chunks():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(200, 40))
    values[rng.random(values.shape) < 0.03] = np.nan
    left, right = pair_indices(40)
    scores = matrix(values)
    assert sum(1 for _ in chunks(scores, left, right)) > 700
    assert sum(1 for _ in chunks(scores, left, right, together=True)) < 40


PAIRED = [method.key for method in TESTS if method.design == "paired"]


@pytest.mark.parametrize("kind", ["real", "gridded", "binary"])
@pytest.mark.parametrize("test", [*PAIRED, "recommended"])
def test_a_pair_alone_has_the_digits_it_has_on_a_board_with_holes(test, kind):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(60, 1)) + rng.normal(size=(60, 7)) ** 3
    if kind == "gridded":
        values = np.round(values, 1)
    if kind == "binary" or test == "mcnemar":
        values = (values > 0).astype(float)
    values[rng.random(values.shape) < 0.08] = np.nan
    config = AnalysisConfig(test=test, resamples=200, effects=tuple(EFFECTS.keys), equivalence_margin=0.3)
    board = analyse(matrix(values), config)
    for row in range(0, len(board.pairs), 2):
        a, b = board.pairs.left[row], board.pairs.right[row]
        two = ScoreMatrix(values=values[:, [a, b]], systems=("a", "b"))
        # the decimals are those of the whole file
        alone = analyse(two, config).pairs
        assert two.decimals == board.units.decimals
        for name in ("n_units", "score_a", "score_b", "difference", "interval", "statistic", "p_value"):
            np.testing.assert_array_equal(alone[name][0], board.pairs[name][row], err_msg=name)
        for key, effect in alone.effects.items():
            of_board, near = board.pairs.effects[key], 1e-12 if EFFECTS[key].costly else 0
            np.testing.assert_allclose(effect.value[0], of_board.value[row], rtol=near, err_msg=key)
            if effect.interval is not None:
                np.testing.assert_allclose(
                    effect.interval[0], of_board.interval[row], rtol=1e-12, err_msg=key
                )
        for code, mask in alone.notes.items():
            if code != "direction-contradicts-board":
                assert mask[0] == board.pairs.notes.get(code, np.zeros(21, dtype=bool))[row], code


def test_tiny_differences_are_not_called_identical():
    values = np.random.default_rng(0).normal(size=(20, 1)) * 1e-13 + [[0.0, 3e-13, 0.0]]
    values[:, 2] = values[:, 0]
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=list("abc")), ns.AnalysisConfig(test="wilcoxon"))
    notes = found.pairs.notes
    row = found.pairs.find(0, 2)
    assert notes["identical-scores"].tolist() == [i == row for i in range(3)]
    assert notes["below-decimals"].tolist() == [i != row for i in range(3)]
    decimals = ns.ScoreMatrix(values=[[0.3, 0.2], [0.7, 0.6]], systems=list("ab"))
    shifted = ns.analyse(decimals, ns.AnalysisConfig(test="sign", delta=0.1))
    assert shifted.pairs.notes["identical-scores"].all()
