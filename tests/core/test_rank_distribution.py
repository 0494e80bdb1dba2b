"""Ranks over resamples: counted by hand in the same resamples, and against all n^n resamples."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution, rank_distribution
from nlpstat_core.engine.resampling import count_chunks
from nlpstat_core.report.wording.ranks import best_sentence
from nlpstat_core.results.ranks import RankDistribution
from nlpstat_core.scores.count_matrices import accuracy_matrix


def named(values, **fields):
    values = np.asarray(values, dtype=float)
    return ns.ScoreMatrix(values=values, systems=tuple(f"s{i}" for i in range(values.shape[1])), **fields)


def shares_by_hand(score_of, n_drawn, n_systems, resamples, seed):
    """The definition, resample by resample: ranks of scores, tied ranks shared in equal parts."""
    found = np.zeros((n_systems, n_systems))
    for _, drawn in count_chunks(n_drawn, resamples, seed, "rank-distribution"):
        for counts in drawn:
            scores = [score_of(counts, j) for j in range(n_systems)]
            for j, own in enumerate(scores):
                above = sum(other > own + 1e-9 for other in scores)
                tied = sum(abs(other - own) <= 1e-9 for other in scores)
                found[j, above : above + tied] += 1 / tied
    return found / resamples


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(2, 5))
def test_means_of_ratings(seed, n_units, n_systems):
    values = np.random.default_rng(seed).integers(0, 3, (n_units, n_systems)).astype(float)
    found = rank_distribution(named(values), resamples=40, seed=7)
    wanted = shares_by_hand(lambda c, j: c @ values[:, j] / n_units, n_units, n_systems, 40, 7)
    np.testing.assert_allclose(found.shares, wanted, atol=1e-12)
    np.testing.assert_allclose(found.shares.sum(axis=0), 1)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1)
    np.testing.assert_allclose(found.best, wanted[:, 0], atol=1e-12)
    assert found.mean_rank.sum() == pytest.approx(n_systems * (n_systems + 1) / 2)
    falling = rank_distribution(named(values, lower_is_better=True), resamples=40, seed=7)
    np.testing.assert_allclose(falling.shares, found.shares[:, ::-1], atol=1e-12)


def test_all_resamples_of_four_units():
    values = np.array([[3.0, 1, 2], [1, 2, 4], [5, 6, 1], [2, 2, 2.5]])
    every = np.array(list(itertools.product(range(4), repeat=4)))
    means = values[every].mean(axis=1)
    exact = np.zeros(3)
    for row in means:
        top = np.isclose(row, row.max())
        exact += top / top.sum() / len(means)
    found = rank_distribution(named(values), resamples=20_000, seed=1).best
    np.testing.assert_allclose(found, exact, atol=4 * np.sqrt(0.25 / 20_000))


def test_counts_are_added_up_before_the_ratio():
    correct = np.array([[9.0, 5, 8], [1, 2, 1], [40, 45, 41]])
    total = np.array([[10.0, 10, 10], [3, 3, 3], [60, 60, 60]])
    found = rank_distribution(accuracy_matrix(correct, total, tuple("ABC")), resamples=300, seed=2)
    wanted = shares_by_hand(lambda c, j: (c @ correct[:, j]) / (c @ total[:, j]), 3, 3, 300, 2)
    np.testing.assert_allclose(found.shares, wanted, atol=1e-12)


def test_whole_documents_are_drawn():
    rng = np.random.default_rng(0)
    values, ids = rng.normal(size=(12, 3)), np.array([2, 0, 0, 1, 1, 1, 2, 3, 3, 3, 3, 0])
    found = rank_distribution(named(values), resamples=200, seed=3, block_ids=ids)
    members = [ids == number for number in range(4)]

    def score(counts, j):
        hits = sum(c * values[m, j].sum() for c, m in zip(counts, members, strict=True))
        return hits / sum(c * m.sum() for c, m in zip(counts, members, strict=True))

    np.testing.assert_allclose(found.shares, shares_by_hand(score, 4, 3, 200, 3), atol=1e-12)
    assert found.resampled == "blocks"


def test_missing_units_are_left_out_and_never_zero():
    values = np.random.default_rng(4).normal(10, 1, size=(6, 3))
    values[[0, 3], 1] = np.nan
    there = ~np.isnan(values)

    def score(counts, j):
        weights = counts * there[:, j]
        return weights @ np.nan_to_num(values[:, j]) / weights.sum() if weights.sum() else -1e9

    found = rank_distribution(named(values), resamples=300, seed=5, own_units=True)
    np.testing.assert_allclose(found.shares, shares_by_hand(score, 6, 3, 300, 5), atol=1e-12)


def test_copies_share_and_a_clear_winner_always_wins():
    rng = np.random.default_rng(6)
    base = rng.random(50)
    found = rank_distribution(named(np.stack([base, base, base + 5, base], axis=1)), resamples=500)
    assert found.best.tolist() == [0, 0, 1, 0]
    np.testing.assert_allclose(found.shares[[0, 1, 3], 1:], 1 / 3)


def test_share_of_wins_of_two_systems_is_the_normal_one_for_many_units():
    z = np.random.default_rng(8).normal(0.05, 1, 400)
    found = rank_distribution(named(np.stack([z, np.zeros(400)], axis=1)), resamples=20_000).best[0]
    assert found == pytest.approx(stats.norm.cdf(z.mean() / (z.std() / 20)), abs=0.015)


def test_order_of_rows_and_other_systems_change_nothing():
    values = np.random.default_rng(9).normal(size=(30, 4))
    names = tuple(f"u{i:02}" for i in range(30))
    mixed = np.random.default_rng(1).permutation(30)
    base = rank_distribution(named(values, units=names), resamples=100).shares
    moved = named(values[mixed], units=tuple(names[i] for i in mixed))
    np.testing.assert_array_equal(rank_distribution(moved, resamples=100).shares, base)
    far = np.column_stack([values, values.min() - 100 + np.zeros(30)])
    wider = rank_distribution(named(far, units=names), resamples=100).shares
    np.testing.assert_allclose(wider[:4, :4], base, atol=1e-12)


def test_of_an_analysis():
    scores = named(np.random.default_rng(3).normal(size=(20, 3)))
    analysis = ns.analyse(scores, ns.AnalysisConfig(resamples=200, seed=4))
    wanted = rank_distribution(scores, resamples=200, seed=4).shares
    np.testing.assert_array_equal(board_rank_distribution(analysis).shares, wanted)
    with pytest.raises(ns.AnalysisError, match="one resample"):
        rank_distribution(scores, resamples=0)


def test_middle_ranks_are_quantiles_of_the_ranks():
    shares = np.array([[0.9, 0.06, 0.04], [0.06, 0.9, 0.04], [0.04, 0.04, 0.92]])
    found = RankDistribution(systems=("A", "B", "C"), shares=shares, resamples=100, resampled="units")
    # The definition: expand to 100 ranks and cut 5 % at either end.
    for share in (0.9, 0.95, 0.5):
        ranks = [np.repeat([1, 2, 3], np.round(100 * row).astype(int)) for row in shares]
        wanted = [
            np.quantile(row, [(1 - share) / 2, (1 + share) / 2], method="inverted_cdf") for row in ranks
        ]
        np.testing.assert_array_equal(found.middle(share), wanted)
    text = best_sentence(found)
    assert "A 90 %, B 6 %, C 4 %" in text
    assert "items" in text


def test_the_sentence_on_the_best_claims_no_certainty():
    shares = np.array([[0.996, 0.004], [0.004, 0.996]])
    found = RankDistribution(systems=("A", "B"), shares=shares, resamples=1_000, resampled="blocks")
    assert best_sentence(found).endswith("documents: A more than 99 %.")


@pytest.mark.parametrize("documents", [False, True])
def test_items_of_a_composite_are_drawn_within_their_tracks(documents):
    rng = np.random.default_rng(2)
    boards = {}
    for place, n in enumerate((6, 30, 10)):
        # How much A is ahead is another matter on every track: drawn from all items, it would be noise.
        noise = rng.normal(scale=0.3, size=(n, 2))
        values = rng.normal(size=(n, 1)) + noise - noise.mean(axis=0) + np.array([place - 0.92, 0.0])
        labels = {"doc": tuple(f"d{i // 2}" for i in range(n))} if documents else {}
        boards[f"t{place}"] = ns.ScoreMatrix(values=values, systems=("A", "B"), labels=labels)
    board = ns.composite(boards)
    groups = None
    if documents:
        groups = np.unique(np.array(board.labels["doc"]), return_inverse=True)[1]
    found = rank_distribution(board, resamples=20_000, seed=3, block_ids=groups).best[0]
    # By the definition: every track's items drawn anew, the mean of the tracks' mean differences.
    ahead = np.zeros(20_000)
    for one in boards.values():
        difference = one.values[:, 0] - one.values[:, 1]
        if documents:
            difference = difference.reshape(-1, 2).mean(axis=1)
        drawn = rng.integers(0, difference.size, size=(20_000, difference.size))
        ahead += difference[drawn].mean(axis=1)
    expected = float((ahead > 0).mean())
    assert 0.02 < expected < 0.98
    assert found == pytest.approx(expected, abs=0.015)
