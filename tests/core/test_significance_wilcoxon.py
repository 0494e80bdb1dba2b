"""Wilcoxon's signed-rank test: R's exact and asymptotic p, SciPy, enumerations of all sign patterns."""

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, board, differences_batch, one_pair, run, wilcoxon_p, wilcoxon_ranks
from golden.golden import agree, load, pair
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpstat_core import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.signed_ranks import doubled_signed_ranks
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.wilcoxon import wilcoxon

small_whole = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


def settings_of(golden):
    return AnalysisConfig(
        alternative=golden.alternative, continuity=bool(golden.options.get("correct", False))
    )


@pytest.mark.parametrize("golden", load("wilcoxon", "wilcox.exact"), ids=str)
def test_exact_in_r(golden):
    batch = one_pair(*pair(golden.case), golden.options["delta"])
    found = wilcoxon(batch, settings_of(golden), exact=True)
    agree(golden, statistic=found.statistic[0], p_value=found.p_value[0], rel=1e-7)


@pytest.mark.parametrize(
    "golden", [g for g in load("wilcoxon", "wilcox.test") if "delta" in g.options], ids=str
)
def test_wilcox_test_in_r(golden):
    batch = one_pair(*pair(golden.case), golden.options["delta"])
    found = wilcoxon(batch, settings_of(golden), exact=golden.options["exact"])
    agree(golden, statistic=found.statistic[0], p_value=found.p_value[0])


@pytest.mark.parametrize("golden", load("wilcoxon", "wilcoxsign_test"), ids=str)
def test_coin_in_r(golden):
    batch = one_pair(*pair(golden.case), golden.options["delta"])
    zero_method = golden.options["zero"]
    config = AnalysisConfig(alternative=golden.alternative, zero_method=zero_method)
    found = wilcoxon(batch, config, exact=golden.options["distribution"] == "exact")
    ranks = batch.signed_ranks
    z = (ranks.statistic(zero_method) - ranks.mean(zero_method)) / ranks.sd(zero_method)
    agree(golden, z=z[0], p_value=found.p_value[0], rel=1e-7)


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scipy_asymptotic_on_a_board(alternative, zero_method):
    scores = np.random.default_rng(5).integers(0, 6, size=(90, 7)).astype(float)
    batch = board(scores)
    config = AnalysisConfig(alternative=alternative, zero_method=zero_method)
    found = wilcoxon(batch, config, exact=False)
    wanted = stats.wilcoxon(
        batch.differences,
        alternative=alternative,
        zero_method=zero_method,
        method="asymptotic",
        correction=False,
        axis=0,
    )
    np.testing.assert_allclose(found.p_value, wanted.pvalue, rtol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scipy_permutation_of_signs_with_ties(alternative):
    z = np.array([0, 1, 1, -1, 2, 2, 2, -3, 4, 0, 5], dtype=float)
    wanted = stats.wilcoxon(z[z != 0], alternative=alternative, method=stats.PermutationMethod())
    found = run("wilcoxon", differences_batch(z), alternative=alternative)
    assert found.p_value[0] == pytest.approx(wanted.pvalue, rel=1e-12)


@given(small_whole, st.sampled_from(ALTERNATIVES), st.sampled_from(["wilcox", "pratt", "zsplit"]))
def test_enumeration(whole, alternative, zero_method):
    z = np.array(whole, dtype=float)
    found = run("wilcoxon", differences_batch(z), alternative=alternative, zero_method=zero_method)
    ranked = "wilcox" if zero_method == "wilcox" else "pratt"
    assert found.p_value[0] == pytest.approx(wilcoxon_p(z, alternative, ranked), rel=1e-12)
    assert found.p_kind[0] == 0


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=60), st.sampled_from(["wilcox", "pratt"]))
def test_rank_sums_from_the_definition(whole, zero_method):
    z = np.array(whole, dtype=float)
    ranks = differences_batch(z).signed_ranks
    signed = wilcoxon_ranks(z, zero_method)
    assert ranks.statistic(zero_method)[0] == signed[signed > 0].sum()
    assert ranks.mean(zero_method)[0] == np.abs(signed).sum() / 2
    assert ranks.sd(zero_method)[0] == pytest.approx(np.sqrt(np.sum(signed**2)) / 2, rel=1e-12)


def test_rank_sums_of_a_board_with_every_kind_of_column():
    rng = np.random.default_rng(8)
    columns = [
        rng.normal(size=300),
        np.round(rng.normal(size=300), 1),
        rng.integers(0, 3, 300),
        np.zeros(300),
    ]
    scores = np.stack([*columns, columns[0]], axis=1)
    batch = board(scores)
    found = batch.signed_ranks
    for pair_number in range(batch.n_pairs):
        signed = wilcoxon_ranks(batch.rounded[:, pair_number])
        assert found.w_plus[pair_number] == signed[signed > 0].sum()
        assert found.sd()[pair_number] == pytest.approx(np.sqrt(np.sum(signed**2)) / 2, rel=1e-12)
        assert found.nonzero[pair_number] == np.count_nonzero(batch.rounded[:, pair_number])


def test_binary_scores_take_the_short_way_to_the_same_numbers():
    rng = np.random.default_rng(2)
    scores = (rng.random((80, 5)) < 0.6).astype(float)
    batch = board(scores)
    general = PairBatch(UnitBlock(scores, 0, np.zeros(5, dtype=bool)), batch.left, batch.right)
    assert batch.is_binary
    assert not general.is_binary
    for name in ("w_plus", "ties", "nonzero", "zeros", "positive"):
        np.testing.assert_array_equal(getattr(batch.signed_ranks, name), getattr(general.signed_ranks, name))
    np.testing.assert_array_equal(run("wilcoxon", batch).p_value, run("wilcoxon", general).p_value)


def test_doubled_ranks_are_twice_the_midranks():
    z = np.array([0, 3, -1, 1, 0, 2, -2, 2], dtype=float)
    doubled = doubled_signed_ranks(differences_batch(z), np.array([0]), 8, "wilcox")[:, 0]
    assert sorted(doubled[doubled != 0]) == sorted(2 * wilcoxon_ranks(z))
    pratt = doubled_signed_ranks(differences_batch(z), np.array([0]), 6, "pratt")[:, 0]
    assert sorted(pratt) == sorted(2 * wilcoxon_ranks(z, "pratt")[z != 0])


def test_exact_up_to_fifty_differences_that_are_not_zero():
    rng = np.random.default_rng(4)
    fifty = np.concatenate([rng.normal(size=50), np.zeros(200)])
    assert run("wilcoxon", differences_batch(fifty)).p_kind[0] == 0
    assert run("wilcoxon", differences_batch(np.append(fifty, 0.3))).p_kind[0] == 2


def test_exact_for_any_number_of_units():
    z = np.random.default_rng(6).normal(0.2, 1, size=400)
    exact = wilcoxon(differences_batch(z), AnalysisConfig(), exact=True)
    usual = run("wilcoxon", differences_batch(z))
    assert (exact.p_kind[0], usual.p_kind[0]) == (0, 2)
    assert exact.p_value[0] == pytest.approx(usual.p_value[0], rel=0.1)


def test_zsplit_moves_statistic_and_mean_alike():
    z = np.random.default_rng(1).integers(-3, 5, 200).astype(float)
    pratt, zsplit = (run("wilcoxon", differences_batch(z), zero_method=m) for m in ("pratt", "zsplit"))
    assert pratt.p_value[0] == zsplit.p_value[0]
    assert zsplit.statistic[0] == stats.wilcoxon(z, zero_method="zsplit", alternative="greater").statistic


def test_estimate_is_the_pseudo_median_of_all_units():
    z = np.array([0.0, 0.0, 1.0, 2.0, 4.0])
    found = TESTS["wilcoxon"].estimate(differences_batch(z), AnalysisConfig())
    assert (found.of, found.value[0]) == ("pseudo-median", 1.0)
    assert found.notes["interval-with-ties"][0]
