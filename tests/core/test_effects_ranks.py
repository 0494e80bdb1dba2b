"""Wilcoxon r, rank-biserial, Hodges–Lehmann: R, enumerations of Walsh averages, resampling by hand."""

import numpy as np
import pytest
from core.oracles import board, differences_batch, one_pair, p_of, walsh_averages, wilcoxon_ranks
from golden.golden import agree, load, pair
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core import AnalysisConfig
from nlpstat_core.engine.resampling.streams import count_chunks
from nlpstat_core.engine.samples.locations import pseudo_medians, signed_rank_counts, signed_rank_order
from nlpstat_core.engine.samples.walsh import walsh_order_statistics
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.effects.wilcoxon_r import attainable_r
from tests.calibration.other_intervals import ResampledWilcoxon, wilcoxon_r_bootstrap


def effect(key, batch, with_interval=True, **settings):
    return EFFECTS[key].run(batch, AnalysisConfig(**settings), with_interval)


@pytest.mark.parametrize("golden", load("effects", "wilcoxon-r"), ids=str)
def test_wilcoxon_r_in_r(golden):
    batch = one_pair(*pair(golden.case))
    assert batch.signed_ranks.nonzero[0] == golden.values["n_nonzero"]
    agree(golden, r=effect("wilcoxon-r", batch).value[0])


@pytest.mark.parametrize("method", ["rank-biserial", "rank_biserial"])
def test_rank_biserial_in_r(method):
    for golden in load("effects", method):
        agree(golden, rank_biserial=effect("rank-biserial", one_pair(*pair(golden.case)), False).value[0])


@pytest.mark.parametrize("method", ["walsh-median", "pseudomedian"])
def test_hodges_lehmann_in_r(method):
    for golden in load("effects", method):
        agree(golden, hodges_lehmann=effect("hodges-lehmann", one_pair(*pair(golden.case))).value[0])


def interval_of(golden):
    config = AnalysisConfig(alternative=golden.alternative, confidence_level=golden.options["level"])
    return pseudo_medians(one_pair(*pair(golden.case)), config).interval[0]


@pytest.mark.parametrize("golden", load("wilcoxon", "walsh"), ids=str)
def test_interval_of_the_pseudo_median_in_r(golden):
    low, high = interval_of(golden)
    if pair(golden.case)[0].size <= 50:
        agree(golden, lower=low, upper=high)
    else:  # R's table is exact for any n; from 51 units on the order of the averages is the normal one
        assert low == pytest.approx(golden.values["lower"], rel=0.02)
        assert high == pytest.approx(golden.values["upper"], rel=0.02)


@pytest.mark.parametrize(
    "golden", [g for g in load("wilcoxon", "wilcox.test", exact=False) if "level" in g.options], ids=str
)
def test_normal_interval_in_r(golden):
    # R's root of the standardised statistic lies between two neighbouring Walsh averages.
    u, v = pair(golden.case)
    averages = np.append(walsh_averages(list(np.round(u - v, 6))), [np.inf, -np.inf])
    for end, wanted in zip(
        interval_of(golden), (golden.values["lower"], golden.values["upper"]), strict=True
    ):
        if np.isfinite(wanted):
            gap = np.sort(np.abs(averages - wanted))[1]
            assert abs(end - wanted) <= gap + 1e-9


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=12), st.data())
def test_walsh_averages_by_definition(whole, data):
    z = np.array(whole, dtype=float)
    averages = walsh_averages(whole)
    rank = data.draw(st.integers(1, averages.size))
    assert walsh_order_statistics(z, [rank])[0] == averages[rank - 1]


def samples(n):
    rng = np.random.default_rng(n)
    normal = rng.normal(size=n)
    return {
        "normal": normal,
        "long tails": rng.standard_cauchy(n),
        "half of them ties": np.where(rng.random(n) < 0.5, 0.0, normal),
        "ratings": rng.integers(-5, 6, n).astype(float),
        "two decimals": np.round(normal, 2),
        "far apart": np.where(rng.random(n) < 0.5, 1e6, 0.0) + 1e-3 * normal,
        "many scales": np.exp(5 * normal),
    }


@pytest.mark.parametrize("n", [230, 700])
@pytest.mark.parametrize("name", samples(2))
def test_walsh_averages_of_many_units(n, name):
    z = samples(n)[name]
    i, j = np.triu_indices(n)
    averages = np.sort((z[i] + z[j]) / 2)
    total = averages.size
    ranks = [1, 2, total // 10, total // 2, total // 2 + 1, total - 1, total]
    found = walsh_order_statistics(z, ranks)
    np.testing.assert_allclose(found, averages[np.array(ranks) - 1], rtol=1e-12, atol=1e-12)


def test_walsh_averages_of_a_hundred_thousand_units():
    z = np.random.default_rng(0).normal(size=100_000)
    total = z.size * (z.size + 1) // 2
    low, middle, high = walsh_order_statistics(z, [total // 4, total // 2, 3 * total // 4])
    x = np.sort(z)
    for value, rank in ((low, total // 4), (middle, total // 2), (high, 3 * total // 4)):
        pairs = np.searchsorted(x, 2 * value - x, side="right").sum()  # ordered pairs
        diagonal = np.searchsorted(x, value, side="right")
        assert (pairs + diagonal) // 2 == pytest.approx(rank, abs=2)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
def test_counts_of_rank_sums_by_enumeration(n):
    sums = [sum(k for k in range(1, n + 1) if pattern >> (k - 1) & 1) for pattern in range(2**n)]
    np.testing.assert_array_equal(signed_rank_counts(n), np.bincount(sums))


def test_counts_of_fifty_ranks_are_exact():
    assert signed_rank_counts(50).sum() == 2.0**50


def test_interval_of_the_pseudo_median_inverts_the_test():
    rng = np.random.default_rng(1)
    z = rng.normal(0.5, 1, 17)
    (low, high), *_ = pseudo_medians(differences_batch(z), AnalysisConfig(confidence_level=0.9)).interval
    for end, outwards in ((low, -1e-9), (high, 1e-9)):
        assert p_of("wilcoxon", differences_batch(z - end - outwards)) <= 0.1
        assert p_of("wilcoxon", differences_batch(z - end + outwards)) > 0.1


@pytest.mark.parametrize(("n", "order"), [(5, 0), (6, 1), (10, 9), (50, 435), (51, 454)])
def test_order_of_walsh_averages(n, order):
    assert signed_rank_order(n, 0.95, "two-sided")[0] == order


def test_zeros_count_in_the_pseudo_median():
    z = np.array([0.0, 0.0, 0.0, 1.0, 3.0])
    assert effect("hodges-lehmann", differences_batch(z)).value[0] == np.median(walsh_averages(list(z)))


def test_attainable_r():
    z = np.arange(1.0, 13.0)
    batch = differences_batch(z)
    bound = attainable_r(batch.signed_ranks)[0]
    assert bound == pytest.approx(np.sqrt(3 * 13 / (2 * 25)))
    found = effect("wilcoxon-r", batch)
    assert found.value[0] == pytest.approx(bound)
    assert found.interval[0, 1] == pytest.approx(bound)
    assert effect("wilcoxon-r", differences_batch(-z)).interval[0, 0] == pytest.approx(-bound)


def test_fisher_interval_by_hand():
    z = np.random.default_rng(3).normal(0.3, 1, 60)
    found = effect("wilcoxon-r", differences_batch(z))
    centre, margin = np.arctanh(found.value[0]), 1.959963984540054 / np.sqrt(57)
    np.testing.assert_allclose(found.interval[0], np.tanh([centre - margin, centre + margin]), rtol=1e-12)


def test_undefined_intervals_of_r():
    few = effect("wilcoxon-r", differences_batch([1.0, 2.0, -3.0]))
    assert np.isnan(few.interval).all()
    assert few.notes["interval-too-few-units"][0]
    bound = effect("wilcoxon-r", differences_batch(np.ones(9)))
    assert bound.value[0] == pytest.approx(1.0)
    assert bound.notes["interval-at-bound"][0]
    ties = effect("wilcoxon-r", differences_batch(np.zeros(9)))
    assert np.isnan(ties.value[0])
    assert ties.notes["no-untied-units"][0]


@pytest.mark.parametrize("decimals", [0, 1, 10])
def test_rank_statistics_of_resamples_by_hand(decimals):
    z = np.round(np.random.default_rng(decimals).normal(0.5, 2, 30), decimals)
    ranks = ResampledWilcoxon(z)
    _, counts = next(count_chunks(30, 20, 1))
    for row, biserial, r in zip(counts, ranks.rank_biserial(counts), ranks.wilcoxon_r(counts), strict=True):
        signed = wilcoxon_ranks(np.repeat(z, row.astype(int)))
        assert biserial == pytest.approx(signed.sum() / np.abs(signed).sum(), rel=1e-9, abs=1e-12)
        z_score = signed.sum() / np.sqrt(np.sum(signed**2))
        assert r == pytest.approx(z_score / np.sqrt(signed.size), rel=1e-9, abs=1e-12)


def test_bootstrap_intervals_hold_the_estimate_and_mirror():
    z = np.round(np.random.default_rng(6).normal(0.4, 1, 50), 1)
    settings = AnalysisConfig(resamples=999, seed=2)
    there = effect("rank-biserial", differences_batch(z), resamples=999, seed=2)
    back = effect("rank-biserial", differences_batch(-z), resamples=999, seed=2)
    assert there.interval[0, 0] < there.value[0] < there.interval[0, 1]
    np.testing.assert_allclose(there.interval[0], -back.interval[0, ::-1], atol=1e-12)
    low, high = wilcoxon_r_bootstrap(differences_batch(z), settings)[0]
    assert low < effect("wilcoxon-r", differences_batch(z)).value[0] < high
    assert effect("rank-biserial", differences_batch(np.arange(1, 9)), resamples=99).notes[
        "interval-at-bound"
    ][0]


def test_values_of_a_board_are_those_of_its_pairs():
    scores = np.round(np.random.default_rng(8).normal(size=(40, 5)), 1)
    batch = board(scores)
    for key in ("wilcoxon-r", "rank-biserial", "hodges-lehmann", "median-difference"):
        together = effect(key, batch, False).value
        alone = [
            effect(key, one_pair(scores[:, a], scores[:, b]), False).value[0]
            for a, b in zip(batch.left, batch.right, strict=True)
        ]
        np.testing.assert_allclose(together, alone, rtol=1e-12, atol=1e-15)
