"""The interval of a difference and the test beside it: inverted by definition, never at odds in silence."""

from pathlib import Path

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, accepted_by_subsets
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.analysis.analyse import analyse_side
from nlpstat_core.engine.signflip import sign_flip_columns
from nlpstat_core.engine.signflip.shifts import accepted_shifts
from nlpstat_core.methods.significance.inversion import disagrees

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
# Every kind of board, in the time that a suite has; the larger files of the folder give 0, too.
FILES = (
    "wmt24_ende_chrf.csv",
    "wmt_mqm_newstest2021_zhen.csv",
    "mbppplus_pass.csv",
    "terminalbench1_0_counts.csv",
    "ucr128_accuracy_by_dataset.csv",
    "ner_conll03_tp_fp_fn.csv",
    "tools/mqm_annotations_first400.tsv",
    "tools/llm_answers_quoted_text.csv",
    "formats/wmt24_AutoRank.xlsx",
)
EXPLAINED = ("interval-of-other-quantity", "interval-of-other-kind")


def unexplained(analysis):
    pairs, config = analysis.pairs, analysis.config
    apart = disagrees(pairs.interval, pairs.p_value, config.delta, config)
    for code in EXPLAINED:
        apart &= ~pairs.notes.get(code, np.zeros(len(pairs), dtype=bool))
    return int(apart.sum())


@given(
    sizes=st.lists(st.integers(1, 60), min_size=1, max_size=12),
    grid=st.sampled_from([0, 1, 12]),
    mass=st.sampled_from([0.025, 0.05, 0.0625, 0.25, 0.001]),
    seed=st.integers(0, 10_000),
)
def test_the_inverted_interval_by_all_subsets(sizes, grid, mass, seed):
    rng = np.random.default_rng(seed)
    sums = np.round(rng.normal(0.2, 1, (3, len(sizes))) * sizes, grid)
    found = accepted_shifts(sums, np.array(sizes, dtype=float), mass, decimals=grid)
    wanted = [accepted_by_subsets(row, sizes, mass) for row in sums]
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("grid", [0, 12])
def test_routes_beyond_all_subsets_agree_with_them(grid):
    """Eighteen documents: by table on a grid, by contour and the test itself off it."""
    rng = np.random.default_rng(4)
    sizes = rng.integers(1, 9, 18).astype(float)
    sums = np.round(rng.normal(0.1, 1, (2, 18)) * sizes, grid)
    found = accepted_shifts(sums, sizes, 0.025, decimals=grid)
    wanted = np.array([accepted_by_subsets(row, sizes, 0.025) for row in sums])
    np.testing.assert_allclose(found, wanted, atol=1e-9 if grid == 0 else 1e-4)


@pytest.mark.parametrize("n_blocks", [20, 37, 60, 170])
@pytest.mark.parametrize("shape", ["mild", "one-big", "geometric"])
@pytest.mark.parametrize("mass", [0.025, 1e-4])
def test_at_its_ends_the_test_says_the_mass(n_blocks, shape, mass):
    rng = np.random.default_rng(n_blocks)
    sizes = {
        "mild": rng.integers(3, 12, n_blocks),
        "one-big": np.r_[60, np.full(n_blocks - 1, 6)],
        "geometric": np.maximum(np.round(60 * 0.8 ** np.arange(n_blocks)), 1),
    }[shape].astype(float)
    sums = rng.normal(0.1, 1, (4, n_blocks)) * sizes**0.8
    ends = accepted_shifts(sums, sizes, mass)
    for end, alternative in zip(ends.T, ("greater", "less"), strict=True):
        z = np.ascontiguousarray((sums - end[:, None] * sizes).T)
        p_value = sign_flip_columns(z, alternative).p_value
        steps = 2.0 ** (2 - n_blocks) / mass
        np.testing.assert_allclose(p_value, mass, rtol=max(1e-4, 2 * steps))


@given(
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=20),
    alternative=st.sampled_from(ALTERNATIVES),
    delta=st.sampled_from([0.0, 0.3, -1.0]),
    level=st.sampled_from([None, 0.9, 0.9375, 0.5]),
    decimals=st.sampled_from([0, 1, 12]),
    test=st.sampled_from(["block-permutation", "block-t", "recommended"]),
    seed=st.integers(0, 10_000),
)
def test_documents_never_disagree(sizes, alternative, delta, level, decimals, test, seed):
    """p ≤ 1 − level exactly where δ lies outside: ties, few documents, one side, other δ, missing cells."""
    rng = np.random.default_rng(seed)
    n = max(2, sum(sizes))
    documents = [f"d{g}" for g, size in enumerate(sizes) for _ in range(size)] or ["d0"]
    documents += ["d0"] * (n - len(documents))
    values = np.round(rng.normal(size=(n, 3)) * rng.choice([0.3, 1, 3]), decimals)
    values[rng.random(values.shape) < 0.1 * rng.integers(0, 2)] = np.nan
    values[:2] = 0.0
    scores = ns.ScoreMatrix(values=values, systems=["a", "b", "c"], labels={"doc": documents})
    config = ns.AnalysisConfig(
        test=test, block_column="doc", alternative=alternative, delta=delta, confidence_level=level
    )
    analysis = analyse_side(scores, config)
    assert not disagrees(analysis.pairs.interval, analysis.pairs.p_value, delta, config).any()


@given(
    n=st.integers(2, 40),
    alternative=st.sampled_from(ALTERNATIVES),
    delta=st.sampled_from([0.0, 0.5]),
    kind=st.sampled_from(["binary", "likert", "skewed"]),
    test=st.sampled_from(["recommended", "permutation-mean", "wilcoxon", "sign", "mcnemar", "t"]),
    seed=st.integers(0, 10_000),
)
def test_units_disagree_with_a_reason_only(n, alternative, delta, kind, test, seed):
    rng = np.random.default_rng(seed)
    draw = {
        "binary": lambda: (rng.random((n, 3)) < [0.3, 0.5, 0.6]).astype(float),
        "likert": lambda: rng.integers(1, 6, (n, 3)).astype(float),
        "skewed": lambda: rng.lognormal(0, 1.5, (n, 3)),
    }
    if test == "mcnemar":
        kind, delta = "binary", 0.0
    scores = ns.ScoreMatrix(values=draw[kind](), systems=["a", "b", "c"])
    config = ns.AnalysisConfig(test=test, alternative=alternative, delta=delta)
    try:
        analysis = analyse_side(scores, config)
    except ns.AnalysisError:
        assert test == "mcnemar"
        return
    assert unexplained(analysis) == 0
    if test == "permutation-mean" and kind != "binary":
        assert not disagrees(analysis.pairs.interval, analysis.pairs.p_value, delta, config).any()


def test_a_pair_says_why_its_interval_is_at_odds():
    """Wins decide the sign test, a few large losses the mean."""
    u = np.array([0.1] * 12 + [-3.0] * 2)
    sign = ns.compare(u, np.zeros(14), test="sign")
    assert sign.p_value <= 0.05
    assert sign.interval[0] < 0 < sign.interval[1]
    text = next(note.text for note in sign.notes if note.code == "interval-of-other-quantity")
    assert "the interval is one of the mean difference" in text


def test_one_mean_difference_has_one_interval():
    """Where Student's interval and the permutation test part, the test's own stands everywhere."""
    z = np.array([0.2, 0.3, 0.25, 0.4, 0.1, 2.5])
    pair = ns.compare(z, np.zeros(6), test="permutation-mean", effects=("mean-difference",))
    assert pair.p_value == pytest.approx(2 / 64)
    student = ns.compare(z, np.zeros(6), test="t").interval
    assert student[0] < 0 < pair.interval[0]
    assert pair.interval == pytest.approx((0.1, 2.5))  # the smallest and the largest mean of a subset
    assert pair.interval == pair.estimate.interval == pair.effects["mean-difference"].interval
    assert "interval-by-inversion" in {note.code for note in pair.notes}


@pytest.mark.parametrize("name", FILES)
def test_real_boards_disagree_with_a_reason_only(name):
    """Every label column as documents, and none; the pairs that are at odds carry the sentence."""
    if not (DATA / name).exists():
        pytest.skip("the shared data are not here")
    scores = ns.read_scores(DATA / name)
    for column in (None, *scores.labels):
        tests = ("recommended", "t", "wilcoxon", "sign") if column is None else ("recommended", "block-t")
        if column is not None and not 1 < len(set(scores.labels[column])) < scores.n_units:
            continue
        if scores.runs is not None or (column is None and scores.n_units * scores.n_systems > 30_000):
            tests = tests[:1]
        for test in tests:
            config = ns.AnalysisConfig(test=test, block_column=column, correction="none")
            assert unexplained(ns.analyse(scores, config)) == 0
