"""Fractions as they were printed: ties, ranks and exact p-values by the grid they come from."""

import pickle

import numpy as np
import pytest
from core.oracles_signflip import enumerated_p, log_error, subset_tail
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.scores.grid import Grid, parts_of

NAMES = ("a", "b", "c")


def board(values, **more) -> ns.ScoreMatrix:
    return ns.ScoreMatrix(values=values, systems=NAMES[: values.shape[1]], **more)


def fractions(parts: int, n: int, seed: int = 0, systems: int = 2) -> np.ndarray:
    """Whole numbers of steps."""
    rng = np.random.default_rng(seed)
    return rng.binomial(parts, np.linspace(0.5, 0.62, systems), (n, systems))


def first_pair(values, test: str, **more):
    config = ns.AnalysisConfig(test=test, effects=(), **more)
    return ns.analyse(board(values), config).pairs


@given(parts=st.integers(3, 97).filter(lambda q: 10**6 % q), seed=st.integers(0, 5))
def test_denominators_are_found(parts, seed):
    steps = np.vstack([[[1, parts - 1]], fractions(parts, 60, seed)])
    for values in (np.round(steps / parts, 6), steps / parts, np.round(steps / parts, 12)):
        found = board(values).decimals
        assert parts_of(found) == parts
        assert np.array_equal(found.steps(values), steps)
    single = (steps / parts).astype(np.float32).astype(float)
    assert parts_of(board(single).decimals) == parts


def test_percentages_and_means_of_units():
    steps = fractions(30, 200)
    assert board(np.round(100 * steps / 30, 4)).decimals.parts == 3
    assert (
        board(np.random.default_rng(1).integers(0, 101, (15, 90, 2)).mean(axis=0) / 100).decimals.parts
        == 1500
    )
    # Dust on four decimals: a file that holds −0.6409999999999999 for −0.641.
    dusty = np.round(np.random.default_rng(2).normal(size=(300, 2)), 4)
    dusty[::7] = np.nextafter(dusty[::7], 9.0)
    assert board(dusty).decimals.parts == 10_000


@pytest.mark.parametrize("places", [0, 1, 2, 3, 4, 6, 8, 10])
def test_decimals_stay_decimals(places):
    rng = np.random.default_rng(places)
    for values in (rng.random((300, 2)), rng.normal(30, 15, (300, 2)), rng.integers(0, 9, (300, 2)) / 8):
        found = board(np.round(values, places)).decimals
        assert parts_of(found) == 0
        assert found <= min(places, 10)
    assert board(rng.random((300, 2))).decimals.parts == 0
    # Two numbers of two decimals may be thirds or not.
    assert board(np.round(fractions(3, 50) / 3, 2)).decimals.parts == 0
    # One score off the grid and there is none.
    off = np.round(fractions(30, 100) / 30, 6)
    off[17, 1] = 0.412345
    assert board(off).decimals.parts == 0


def test_the_grid_survives_a_copy():
    found = pickle.loads(pickle.dumps(Grid(6, 30)))
    assert (found, found.parts, parts_of(3)) == (6, 30, 0)


@pytest.mark.parametrize("written", [lambda x: x, lambda x: np.round(x, 6)])
@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_permutation_of_fractions_is_exact(written, delta):
    steps = fractions(30, 80)
    pairs = first_pair(written(steps / 30), "permutation-mean", delta=delta)
    scaled = 10 * (steps[:, 0] - steps[:, 1]) - round(300 * delta)
    expected = 2 * subset_tail(np.abs(scaled), abs(int(scaled.sum())))
    assert pairs.p_kind_code[0] == 0
    assert log_error(pairs.log10_p[0] * np.log(10), expected) < 1e-11
    small = steps[:10]
    found = first_pair(written(np.vstack([small, small]) / 30), "permutation-mean")
    twice = np.vstack([small, small])
    assert found.p_value[0] == pytest.approx(
        float(enumerated_p(twice[:, 0] - twice[:, 1], "two-sided")), rel=1e-12
    )


def test_signs_ranks_and_ties_of_fractions():
    # 0.333333 − 0 and 0.666667 − 0.333333 tie as thirds; as decimals no two ranks did.
    steps = fractions(30, 40, 3)
    z = steps[:, 0] - steps[:, 1]
    printed = first_pair(np.round(steps / 30, 6), "wilcoxon")
    exact = first_pair(steps.astype(float), "wilcoxon")
    assert printed.p_value[0] == exact.p_value[0]
    assert printed.statistic[0] == exact.statistic[0]
    ranks = stats.rankdata(np.abs(z[z != 0]))
    doubled = np.rint(2 * ranks).astype(int)
    t = int((np.sign(z[z != 0]) * doubled).sum())
    assert printed.p_value[0] == pytest.approx(float(2 * subset_tail(doubled, abs(t))), rel=1e-12)
    sign = first_pair(np.round(steps / 30, 6), "sign")
    binomial = stats.binomtest(int((z > 0).sum()), int((z != 0).sum())).pvalue
    assert sign.p_value[0] == pytest.approx(binomial, rel=1e-13)


@pytest.mark.parametrize("delta", [0.0, 0.02])
def test_blocks_of_fractions_are_exact(delta):
    steps = fractions(7, 300, 5)
    labels = {"doc": tuple(str(number) for number in np.random.default_rng(1).integers(0, 15, 300))}
    scores = board(np.round(steps / 7, 5), labels=labels)
    config = ns.AnalysisConfig(test="block-permutation", block_column="doc", effects=(), delta=delta)
    found = ns.analyse(scores, config).pairs
    blocks = np.unique(labels["doc"], return_inverse=True)[1]
    z = 50 * (steps[:, 0] - steps[:, 1]) - round(350 * delta)
    sums = np.bincount(blocks, weights=z).astype(int)
    assert found.p_value[0] == pytest.approx(float(enumerated_p(sums, "two-sided")), rel=1e-11)


def test_unpaired_labels_and_max_t_of_fractions():
    steps = fractions(30, 60, 7)
    for test, correction in (("permutation-unpaired", "holm"), ("t", "max-t")):
        config = ns.AnalysisConfig(test=test, correction=correction, effects=(), resamples=500)
        printed = ns.analyse(board(np.round(steps / 30, 6)), config).pairs
        whole = ns.analyse(board(steps.astype(float)), config).pairs
        assert printed.p_adjusted[0] == pytest.approx(whole.p_adjusted[0], rel=1e-5)


def test_estimates_are_those_of_the_printed_scores():
    printed = np.round(fractions(30, 50) / 30, 6)
    pairs = first_pair(printed, "permutation-mean")
    assert pairs.difference[0] == pytest.approx(float((printed[:, 0] - printed[:, 1]).mean()), rel=1e-14)
