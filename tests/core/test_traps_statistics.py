"""Mistakes measured in other tools, and the numbers of their own sample files: one test for each trap.

The sample files are NLPStatTest's (columns of scores of two systems) and TREC-8 ad hoc average precision; the
tests that need them are skipped where the files are missing.
"""

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, binomial_p, board, differences_batch, one_pair, p_of, run
from core.oracles_signflip import permutation_interval
from numpy.testing import assert_allclose
from scipy import stats

from nlpstat_core import AnalysisConfig, ScoreMatrix
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.diagnosis.normality import normality_tests
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.wilcoxon import wilcoxon
from nlpstat_core.scores.units import evaluation_units
from tests.calibration.other_intervals import normal_interval

DATA = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = DATA / "nlpstattest_samples"
PAIRED = ("t", "wilcoxon", "sign", "permutation-mean", "permutation-median")


def sample(name):
    path = SAMPLES / name
    if not path.exists():
        pytest.skip("the sample files of NLPStatTest are not here")
    return np.loadtxt(path)


def effect(key, batch, **settings):
    return EFFECTS[key].run(batch, AnalysisConfig(**settings), True)


# n, mean, median, sd, skewness, Shapiro p; t, its p, Wilcoxon p with continuity, sign p, d, Hodges–Lehmann
CHECKED = {
    "data-file.txt": (
        *(2001, 0.004128, 0.000699, 0.112279, -0.2637, 1.2e-23),
        *(1.64451, 0.100227, None, 0.012608, 0.03676, 0.00407),
    ),
    "data-h0-equal-beta": (
        *(100, 0.018150, 0.034562, 0.199232, -0.0370, 0.3023),
        *(0.91101, 0.364506, 0.326276, 0.484118, 0.09110, 0.01734),
    ),
    "data-h0-equal-normal": (
        *(100, 0.024046, -0.092784, 1.370694, 0.2296, 0.6968),
        *(0.17543, 0.861102, 0.965718, 0.617299, 0.01754, -0.00504),
    ),
    "data-h1-greater-beta": (
        *(100, 0.703289, 0.729916, 0.182710, -0.8170, 6.6e-4),
        *(38.49217, None, None, None, 3.84922, 0.71726),
    ),
    "data-h1-greater-normal": (
        *(100, 1.012050, 1.170736, 1.453334, -0.1839, 0.0720),
        *(6.96364, None, None, None, 0.69636, 1.04202),
    ),
    "data-h1-less-beta": (
        *(100, -0.720168, -0.750016, 0.170053, 0.6001, 1.1e-3),
        *(-42.34968, None, None, None, -4.23497, -0.73120),
    ),
    "data-h1-less-normal": (
        *(100, -1.110489, -1.305304, 1.354741, 0.3206, 0.4786),
        *(-8.19706, None, None, None, -0.81971, -1.15278),
    ),
}


@pytest.mark.parametrize("name", CHECKED)
def test_numbers_of_the_sample_files(name):
    n, mean, median, sd, skewness, shapiro, t, t_p, wilcoxon_p, sign_p, d, hl = CHECKED[name]
    batch = one_pair(*sample(name).T)
    assert batch.n_units == n
    assert batch.mean[0] == pytest.approx(mean, abs=1e-6)
    assert effect("median-difference", batch).value[0] == pytest.approx(median, abs=1e-6)
    assert batch.sd[0] == pytest.approx(sd, abs=1e-6)
    assert batch.skewness[0] == pytest.approx(skewness, abs=1e-4)
    assert normality_tests(batch.differences[:, 0])[0].p_value == pytest.approx(shapiro, rel=0.05)
    assert run("t", batch).statistic[0] == pytest.approx(t, abs=1e-5)
    assert effect("cohen-d", batch).value[0] == pytest.approx(d, abs=1e-5)
    assert effect("hodges-lehmann", batch).value[0] == pytest.approx(hl, abs=1e-5)
    continuity = wilcoxon(batch, AnalysisConfig(continuity=True), exact=False)
    for found, wanted in (
        (p_of("t", batch), t_p),
        (continuity.p_value[0], wilcoxon_p),
        (p_of("sign", batch), sign_p),
    ):
        if wanted is not None:
            assert found == pytest.approx(wanted, abs=1e-6)


def test_more_numbers_of_the_largest_sample_file():
    u, v = sample("data-file.txt").T
    batch = one_pair(u, v)
    assert u.mean() == pytest.approx(0.284640, abs=1e-6)
    assert v.mean() == pytest.approx(0.280512, abs=1e-6)
    ranks = batch.signed_ranks
    assert (ranks.zeros[0], ranks.nonzero[0], ranks.w_plus[0]) == (91, 1910, 966042)
    # eight pairs of equal differences; in floats one of them is missed
    _, sizes = np.unique(np.abs(u - v)[u != v], return_counts=True)
    assert (ranks.ties[0], np.sum(sizes**3 - sizes)) == (48, 42)
    assert p_of("wilcoxon", batch) == pytest.approx(stats.wilcoxon(u - v, correction=False).pvalue, rel=1e-3)
    assert p_of("wilcoxon", batch, zero_method="pratt") == pytest.approx(0.023514, abs=1e-6)
    assert p_of("wilcoxon", batch, continuity=True, alternative="greater") == pytest.approx(
        0.013177, abs=1e-6
    )
    assert p_of("wilcoxon", batch, continuity=True, alternative="less") == pytest.approx(0.986824, abs=1e-6)
    assert effect("wilcoxon-r", batch).value[0] == pytest.approx(0.050819, abs=1e-6)
    assert_allclose(effect("mean-difference", batch).interval[0], [-0.00079, 0.00905], atol=6e-6)
    assert_allclose(effect("hodges-lehmann", batch).interval[0], [0.00041, 0.00785], atol=6e-6)
    d = effect("cohen-d", batch).value
    assert_allclose(normal_interval(d, 2001, 0.95, "two-sided")[0], [-0.00707, 0.08059], atol=6e-6)
    assert run("sign", batch).statistic[0] == 1010
    # R drops the zeros first and gives 0.004727: its root search stops within 1e-4 of the median 0.004719.
    z = np.round(u - v, batch.units.decimals)
    without_zeros = effect("hodges-lehmann", differences_batch(z[z != 0])).value[0]
    assert without_zeros == pytest.approx(0.004719, abs=1e-6)


def test_more_numbers_of_the_other_sample_files():
    beta = one_pair(*sample("data-h0-equal-beta").T)
    # NLPStatTest multiplies by 1 − 3/(4n − 9), the factor for two groups; paired differences need 4n − 5.
    d = effect("cohen-d", beta).value[0]
    assert d * (1 - 3 / 391) == pytest.approx(0.09040, abs=1e-5)
    assert effect("hedges-g", beta).value[0] == pytest.approx(d * (1 - 3 / 395), rel=1e-5)
    assert beta.signed_ranks.w_plus[0] == 2811
    assert effect("wilcoxon-r", beta).value[0] == pytest.approx(0.09834, abs=1e-5)
    normal = one_pair(*sample("data-h1-greater-normal").T)
    assert normal.signed_ranks.w_plus[0] == 4173
    assert effect("wilcoxon-r", normal).value[0] == pytest.approx(0.56664, abs=1e-5)
    assert [run("sign", one_pair(*sample(f"data-h1-{side}").T)).statistic[0] for side in SIDES] == [75, 0, 22]


SIDES = ("greater-normal", "less-beta", "less-normal")


def test_evaluation_units_of_ten_and_fifteen_rows():
    scores = ScoreMatrix(values=sample("data-file.txt"), systems=("a", "b"))
    for size, seed, t_p, d in (
        (10, None, 0.19937, 0.09105),
        (10, 13, 0.10351, None),
        (15, None, 0.23488, 0.10348),
    ):
        batch = board(evaluation_units(scores, size=size, shuffle_seed=seed).values)
        assert p_of("t", batch) == pytest.approx(t_p, abs=1e-5)
        if d is not None:
            assert effect("cohen-d", batch).value[0] == pytest.approx(d, abs=1e-5)
        if seed is not None:
            assert effect("wilcoxon-r", batch).value[0] == pytest.approx(0.13209, abs=1e-5)
            assert effect("hodges-lehmann", batch).value[0] == pytest.approx(0.00468, abs=1e-5)


def test_published_wilcoxon_of_trec():
    path = DATA / "trec_adhoc8_ap.csv"
    if not path.exists():
        pytest.skip("the TREC scores are not here")
    with path.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    u, v = (np.array([float(row[header.index(name)]) for row in rows]) for name in ("run125", "run126"))
    batch = one_pair(u, v)
    assert p_of("t", batch) == pytest.approx(0.0013193972, abs=1e-10)
    assert p_of("wilcoxon", batch) == pytest.approx(0.0028210637, abs=1e-10)
    # The published value takes the normal approximation with continuity and floats that miss a tie.
    missed = stats.wilcoxon(u - v, method="asymptotic", correction=True).pvalue
    assert missed == pytest.approx(0.003445188, abs=1e-9)
    ours = wilcoxon(batch, AnalysisConfig(continuity=True), exact=False).p_value[0]
    tied = stats.wilcoxon(np.round(u - v, 4), method="asymptotic", correction=True).pvalue
    assert ours == pytest.approx(tied, rel=1e-12)
    assert ours != pytest.approx(missed, rel=1e-3)


@pytest.mark.parametrize("key", PAIRED)
def test_trap_01_one_sided_p_from_an_absolute_statistic(key):
    z = np.random.default_rng(1).normal(0.5, 1, 60)
    there, back = differences_batch(z), differences_batch(-z)
    greater, less = (p_of(key, there, alternative=a) for a in ("greater", "less"))
    assert greater < 0.05 < 0.9 < less
    assert p_of(key, back, alternative="less") == pytest.approx(greater, rel=1e-12)
    assert greater + less >= 1 - 1e-12
    assert run(key, there).direction[0] == 1
    assert run(key, back).direction[0] == -1


@pytest.mark.parametrize(("wins", "losses", "ties"), [(5, 0, 95), (6, 2, 30), (9, 1, 0)])
def test_trap_02_ties_with_the_observed_value_count(wins, losses, ties):
    z = np.array([1.0] * wins + [-1.0] * losses + [0.0] * ties)
    for key in ("permutation-mean", "wilcoxon", "sign"):
        for alternative in ALTERNATIVES:
            wanted = float(binomial_p(wins, losses, alternative))
            assert p_of(key, differences_batch(z), alternative=alternative) == pytest.approx(
                wanted, rel=1e-12
            )


@pytest.mark.parametrize("key", PAIRED)
def test_trap_03_copies_are_never_significant(key):
    scores = np.random.default_rng(0).normal(size=50)
    found = run(key, one_pair(scores, scores))
    assert found.p_value[0] == 1.0
    assert found.direction[0] == 0


def test_trap_07_wins_ties_and_losses_add_up():
    batch = board(np.random.default_rng(2).integers(0, 3, (70, 5)))
    zeros = batch.signed_ranks.zeros
    assert (batch.wins + batch.losses + zeros == 70).all()
    assert_allclose(batch.signed_ranks.positive, batch.wins)


def test_trap_08_pairing_is_used():
    rng = np.random.default_rng(3)
    items = rng.normal(0, 10, 80)
    u, v = items + rng.normal(0.5, 1, 80), items + rng.normal(0, 1, 80)
    for key in PAIRED:
        assert p_of(key, one_pair(u, v)) < 0.05
        assert p_of(key, one_pair(u, rng.permutation(v))) > 0.05


def test_trap_09_and_10_item_effects_move_neither_tests_nor_paired_effects():
    rng = np.random.default_rng(4)
    scores = np.round(rng.normal(size=(40, 2)), 2)
    harder = scores + np.round(100 * rng.random((40, 1)))
    for key in PAIRED:
        assert p_of(key, board(harder)) == pytest.approx(p_of(key, board(scores)), rel=1e-9)
    for key in ("cohen-d", "hedges-g", "wilcoxon-r", "rank-biserial"):
        there, then = (EFFECTS[key].run(board(x), AnalysisConfig(), False).value for x in (scores, harder))
        assert_allclose(then, there, rtol=1e-9)
    d_z, d_av = (
        EFFECTS[key].run(board(harder), AnalysisConfig(), False).value for key in ("cohen-d", "cohen-d-av")
    )
    assert abs(d_av[0]) < abs(d_z[0]) / 5


@pytest.mark.parametrize("key", PAIRED)
def test_trap_11_two_sided_is_the_default_and_costs_a_factor_of_two(key):
    batch = differences_batch(np.random.default_rng(5).normal(0.4, 1, 30))
    assert AnalysisConfig().alternative == "two-sided"
    assert p_of(key, batch) == pytest.approx(2 * p_of(key, batch, alternative="greater"), rel=1e-9)


@pytest.mark.parametrize("key", TESTS.keys)
def test_trap_12_every_test_states_its_null_hypothesis(key):
    assert TESTS[key].null
    assert TESTS[key].hypothesis


@pytest.mark.parametrize("key", PAIRED)
def test_trap_13_p_is_never_zero(key):
    z = 5 + 0.01 * np.random.default_rng(0).normal(size=3000)
    found = run(key, differences_batch(z))
    assert found.p_value[0] > 0
    assert -2000 < found.log10_p[0] < -20 if key == "permutation-median" else found.log10_p[0] < -300


def test_trap_15_interval_and_p_agree_for_any_level():
    rng = np.random.default_rng(6)
    z = rng.normal(0.3, 1, 18)
    for level in (0.7, 0.83, 0.95, 0.99):
        config = AnalysisConfig(confidence_level=level)
        for key in ("wilcoxon", "permutation-mean", "sign"):
            if key == "permutation-mean":
                low, high = permutation_interval(z, 15, level, "two-sided")
            else:
                low, high = TESTS[key].estimate(differences_batch(z), config).interval[0]
            for end, inwards in ((low, 2e-6), (high, -2e-6)):
                assert p_of(key, differences_batch(z - end - inwards)) > 1 - level
                assert p_of(key, differences_batch(z - end + inwards)) <= 1 - level


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_trap_17_intervals_cover_their_level(level):
    rng = np.random.default_rng(17)
    runs, n = 2000, 20
    scores = np.zeros((n, runs + 1))
    scores[:, 1:] = rng.normal(size=(n, runs)) + 1.0
    every = board_against_first(scores)
    for key, truth in (("mean-difference", -1.0), ("cohen-d", -1.0), ("hodges-lehmann", -1.0)):
        low, high = effect(key, every, confidence_level=level).interval.T
        covered = np.mean((low <= truth) & (truth <= high))
        error = np.sqrt(level * (1 - level) / runs)
        assert covered == pytest.approx(level, abs=4 * error + (0.004 if key == "hodges-lehmann" else 0))


def board_against_first(scores):
    others = np.arange(1, scores.shape[1])
    units = UnitBlock(scores, 10, np.zeros(scores.shape[1], dtype=bool))
    return PairBatch(units, np.zeros_like(others), others)


def test_trap_18_order_statistics_are_the_exact_ones():
    z = np.arange(1.0, 101.0)
    assert_allclose(TESTS["sign"].estimate(differences_batch(z), AnalysisConfig()).interval[0], [40, 61])
    for n in range(6, 21):
        z = np.arange(1.0, n + 1)
        low, high = TESTS["sign"].estimate(differences_batch(z), AnalysisConfig()).interval[0]
        tail = stats.binom.cdf(low - 1, n, 0.5)
        assert tail <= 0.025 < stats.binom.cdf(low, n, 0.5)
        assert high == n + 1 - low


def test_trap_19_interval_of_r_is_about_r():
    rng = np.random.default_rng(7)
    for scale in (1.0, 1000.0):
        batch = differences_batch(scale * rng.normal(0.8, 1, 40))
        for key in ("wilcoxon-r", "rank-biserial"):
            found = effect(key, batch, resamples=499)
            low, high = found.interval[0]
            assert -1 <= low <= found.value[0] <= high <= 1


def test_trap_20_tie_correction_counts_ties_whatever_the_scale():
    ratings = np.random.default_rng(8).integers(0, 101, (90, 2)).astype(float)
    found = p_of("wilcoxon", board(ratings))
    z = ratings[:, 0] - ratings[:, 1]
    assert found == pytest.approx(stats.wilcoxon(z, method="asymptotic", correction=False).pvalue, rel=1e-12)
    assert p_of("wilcoxon", board(ratings * 100)) == found
    assert p_of("wilcoxon", board(ratings / 100)) == found


@pytest.mark.parametrize("key", [method.key for method in TESTS if method.design == "paired"])
def test_trap_21_degenerate_data(key):
    columns = [[0.0, 0.0, 0.0], [0.4, 0.4, 0.4], [0.4, 0.4, 0.9], [1.0, 0.0, 1.0]]
    for n, (first, second) in itertools.product((1, 2, 3), itertools.product(columns, repeat=2)):
        found = run(key, one_pair(first[:n], second[:n]))
        p_value = found.p_value[0]
        if np.isnan(p_value):
            assert any(mask[0] for mask in found.notes.values())
        else:
            assert 0 < p_value <= 1
            assert p_value == 1.0 or first[:n] != second[:n]


@pytest.mark.parametrize("key", PAIRED)
def test_trap_30_numbers_do_not_depend_on_other_systems(key):
    scores = np.random.default_rng(9).normal(size=(35, 6))
    few, many = run(key, board(scores[:, :3])), run(key, board(scores))
    assert_allclose(many.p_value[[0, 1]], few.p_value[[0, 1]], rtol=1e-11)


def test_trap_31_scores_near_a_million():
    z = np.round(np.random.default_rng(10).normal(0.3, 1, 45), 3)
    base = 1e6 + np.arange(45)
    for key in PAIRED:
        assert p_of(key, one_pair(base + z, base)) == pytest.approx(p_of(key, differences_batch(z)), rel=1e-5)


def test_trap_34_one_unit_has_no_spread_to_show():
    one = one_pair([0.5], [0.2])
    assert np.isnan(effect("mean-difference", one).interval).all()
    assert np.isnan(effect("cohen-d", one).value[0])
    assert np.isnan(p_of("t", one))


def test_trap_36_and_40_nothing_is_rounded():
    batch = differences_batch(np.random.default_rng(11).normal(0.2, 1, 40))
    for key in PAIRED:
        p_value = p_of(key, batch)
        assert p_value != round(p_value, 6)


def test_trap_42_the_four_cells_of_mcnemars_table_add_up():
    rng = np.random.default_rng(12)
    u, v = (rng.random((2, 64)) < 0.5).astype(float)
    batch = one_pair(u, v)
    both, neither = int(np.sum(u * v)), int(np.sum((1 - u) * (1 - v)))
    assert both + neither + batch.wins[0] + batch.losses[0] == 64
    assert p_of("mcnemar", batch) == pytest.approx(
        float(binomial_p(int(batch.wins[0]), int(batch.losses[0]), "two-sided"))
    )


def test_trap_43_rank_biserial_is_signed_and_paired():
    z = np.array([1.0, -2.0, 3.0, 4.0])
    # W⁺ = 1 + 3 + 4, W⁻ = 2
    assert EFFECTS["rank-biserial"].run(differences_batch(z), AnalysisConfig(), False).value[
        0
    ] == pytest.approx(0.6)
    assert EFFECTS["rank-biserial"].run(differences_batch(-z), AnalysisConfig(), False).value[
        0
    ] == pytest.approx(-0.6)
