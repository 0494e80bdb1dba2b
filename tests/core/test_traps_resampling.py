"""Mistakes measured in other tools' resampling and in what they assume: one test for each trap."""

import numpy as np
import pytest
from core.oracles import board, one_pair, run
from numpy.testing import assert_allclose
from scipy import stats

import nlpstat_core as ns
from nlpstat_core import AnalysisConfig
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.resampling import count_chunks
from nlpstat_core.engine.samples.locations import medians
from nlpstat_core.methods.significance import TESTS
from tests.calibration.other_intervals import bootstrap_mean_interval


def against_zero(z, decimals=10, **units):
    """Every column of z as the differences of a pair of its own."""
    scores = np.column_stack([z, np.zeros(z.shape[0])])
    many = z.shape[1]
    block = UnitBlock(scores, decimals, np.zeros(many + 1, dtype=bool), **units)
    return PairBatch(block, np.arange(many), np.full(many, many))


def rate(p_values, alpha):
    return float(np.mean(p_values <= alpha))


def test_trap_04_the_bootstrap_null_is_centred_so_that_p_is_uniform():
    """Absolute differences minus their mean gave a type I error of 0.126 at 0.05 and no p above 0.45."""
    z = np.random.default_rng(4).normal(size=(60, 500))
    p_values = run("bootstrap-mean", against_zero(z), resamples=999).p_value
    for alpha in (0.01, 0.05, 0.2):
        assert rate(p_values, alpha) == pytest.approx(alpha, abs=4 * np.sqrt(alpha * (1 - alpha) / 500))
    assert stats.kstest(p_values, "uniform").pvalue > 0.001
    assert p_values.max() > 0.98


def test_trap_05_a_share_of_wins_is_no_p_value():
    rng = np.random.default_rng(5)
    z = rng.normal(size=200)
    z += 1.75 * z.std(ddof=1) / np.sqrt(200) - z.mean()
    scores = ns.ScoreMatrix(values=np.column_stack([z, np.zeros(200)]), systems=("A", "B"))
    found = ns.analyse(scores, AnalysisConfig(test="bootstrap-mean"))
    best = board_rank_distribution(found).best
    assert best[0] == pytest.approx(0.96, abs=0.015)  # "96 % sure"
    assert found.pairs.p_value[0] == pytest.approx(0.08, abs=0.02)  # and yet no evidence at 0.05
    assert not found.pairs.significant[0]
    assert "best" not in " ".join(found.pairs_frame().columns)


def test_trap_06_resamples_are_as_large_as_the_data():
    for n in (7, 64, 201):
        for _, counts in count_chunks(n, 300, 6):
            assert (counts.sum(axis=1) == n).all()
    z = np.random.default_rng(6).normal(size=(400, 3))
    intervals = bootstrap_mean_interval(against_zero(z), AnalysisConfig(resamples=4000), "percentile")
    widths = intervals[:, 1] - intervals[:, 0]
    assert_allclose(widths, 2 * stats.norm.ppf(0.975) * z.std(axis=0, ddof=1) / 20, rtol=0.05)


def test_trap_14_too_few_resamples_for_the_family_are_a_problem():
    values = np.random.default_rng(14).normal(size=(30, 6))
    scores = ns.ScoreMatrix(values=values, systems=tuple("ABCDEF"))
    config = {"test": "bootstrap-mean", "correction": "bonferroni"}
    few = ns.analyse(scores, AnalysisConfig(resamples=200, **config))
    assert 15 / 201 > 0.05
    assert {note.code: note.severity for note in few.notes}["few-resamples"] == "problem"
    assert "few-resamples" in {note.code for note in few.pair("A", "B").notes}
    enough = ns.analyse(scores, AnalysisConfig(resamples=400, **config))
    assert "few-resamples" not in {note.code for note in enough.notes}


@pytest.mark.parametrize("n", [15, 40])
def test_trap_16_medians_of_ratings_are_covered(n):
    """The reflected bootstrap rejected a true median 13.5 % of the time."""
    z = np.random.default_rng(16).integers(-2, 3, (n, 800)).astype(float)
    batch = against_zero(z, decimals=0)
    low, high = medians(batch, AnalysisConfig()).interval.T
    assert np.mean((low <= 0) & (high >= 0)) >= 0.95 - 3 * np.sqrt(0.0475 / 800)
    assert rate(run("bootstrap-median", batch).p_value, 0.05) <= 0.05 + 3 * np.sqrt(0.0475 / 800)


@pytest.mark.parametrize("test", ["bootstrap-mean", "permutation-unpaired", "bootstrap-unpaired"])
def test_trap_29_no_early_stopping(test):
    """Whatever the data, p is (C + 1)/(B + 1) of all B resamples."""
    rng = np.random.default_rng(29)
    for shift in (0.0, 0.3, 3.0):
        u, v = rng.normal(size=(2, 60))
        found = TESTS[test].run(one_pair(u + shift, v), AnalysisConfig(resamples=437, seed=1))
        assert found.p_kind[0] == 3
        counted = found.p_value[0] * 438 / (2 if test == "permutation-unpaired" else 1)
        assert counted == pytest.approx(round(counted), abs=1e-9) or found.p_value[0] == 1
        assert counted >= 1 - 1e-9


def test_trap_35_documents_inflate_tests_of_single_units_and_not_tests_of_documents():
    rng = np.random.default_rng(35)
    documents, size, many = 20, 10, 400
    shared = np.repeat(rng.normal(0, np.sqrt(0.3), (documents, many)), size, axis=0)
    z = shared + rng.normal(0, np.sqrt(0.7), (documents * size, many))
    batch = against_zero(z, block_ids=np.repeat(np.arange(documents), size))
    error = 3 * np.sqrt(0.0475 / many)
    assert rate(run("t", batch).p_value, 0.05) > 0.2
    assert rate(run("block-t", batch).p_value, 0.05) <= 0.05 + error
    assert rate(run("block-permutation", batch).p_value, 0.05) <= 0.05 + error
    few = against_zero(z[:150], block_ids=np.repeat(np.arange(15), size))
    assert run("block-t", few).notes["few-blocks"].all()  # under 20 documents: rough, and said
    assert not run("block-t", batch).notes.get("few-blocks", np.zeros(1, dtype=bool)).any()


def test_trap_39_normality_is_asked_of_differences_and_only_advises():
    """Systems that are not normal may have normal differences, and a fixed test stays what it is."""
    rng = np.random.default_rng(39)
    items = np.repeat([0.0, 10.0], 100)  # easy and hard: both systems are far from normal
    u, v = items + rng.normal(0.2, 1, 200), items + rng.normal(size=200)
    assert stats.shapiro(u).pvalue < 1e-6
    found = ns.compare(u, v, question="each-pair")
    assert found.diagnosis.lists.recommended == ("t",)
    assert found.test == "t"
    assert ns.compare(u, v).test == "permutation-mean"  # the default asks about the mean, whatever the shape
    skewed = ns.compare(rng.lognormal(size=60), np.zeros(60), test="permutation-mean", question="each-pair")
    assert skewed.diagnosis.lists.recommended == ("sign",)
    assert skewed.test == "permutation-mean"
    assert run("permutation-mean", board(np.column_stack([u, v]))).p_value[0] < 1
