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
from nlpstat_core.engine.signflip.shift_tables import affordable, limits_from_tables
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


def documents_of(shape, n_documents, rng):
    """Sizes of documents: alike, mildly unequal, halving or so, or one that outweighs the rest."""
    return {
        "equal": np.full(n_documents, 8),
        "mild": rng.integers(3, 12, n_documents),
        "geometric": np.maximum(np.round(60 * 0.7 ** np.arange(n_documents)), 1),
        "one-big": np.r_[60, np.full(n_documents - 1, 6)],
    }[shape].astype(float)


def ratios_of_all_subsets(sums, sizes):
    """Σ S/Σ L over every subset but the empty one, formed one document after the other."""
    s, length = np.zeros(1), np.zeros(1)
    for own, units in zip(sums, sizes, strict=True):
        s, length = np.r_[s, s + own], np.r_[length, length + units]
    return s[1:] / length[1:]


@pytest.mark.parametrize("shape", ["equal", "mild", "geometric", "one-big"])
@pytest.mark.parametrize("decimals", [0, 1, 12])
@pytest.mark.parametrize(("n_documents", "mass"), [(5, 0.05), (15, 0.025), (17, 0.001), (20, 0.025)])
def test_ends_are_those_of_all_subsets(n_documents, mass, shape, decimals):
    """Halves, tables and all subsets give the same number: whole sums and ties included."""
    rng = np.random.default_rng(n_documents)
    sizes = documents_of(shape, n_documents, rng)
    for known in (decimals, None):
        # Large whole numbers are too many for a table.
        scale = 1.0 if known is not None else 1000.0
        sums = np.round(rng.normal(0.1, scale, (2, n_documents)) * sizes, decimals)
        sums[1, ::2] = sums[1, 0] * sizes[::2] / sizes[0]
        found = accepted_shifts(sums, sizes, mass, decimals=known)
        least = int(mass * 2**n_documents + 1e-9)
        for row, ends in zip(sums, found, strict=True):
            ratios = ratios_of_all_subsets(row, sizes)
            wanted = np.partition(ratios, (least - 1, ratios.size - least))[[least - 1, -least]]
            np.testing.assert_allclose(ends, wanted, rtol=1e-12, atol=1e-13 * np.abs(ratios).max())


@pytest.mark.parametrize("n_documents", [16, 17, 24, 26, 27, 32, 36, 52, 60, 200])
@pytest.mark.parametrize("shape", ["equal", "mild", "geometric", "one-big"])
@pytest.mark.parametrize("mass", [0.025, 1e-4])
def test_the_test_turns_at_the_ends(n_documents, shape, mass):
    """p is above the mass a millionth of the documents' range inside an end, and not so far outside."""
    rng = np.random.default_rng(n_documents)
    sizes = documents_of(shape, n_documents, rng)
    sums = rng.normal(0.1, 1, (2, n_documents)) * sizes**0.8
    ratio = sums / sizes
    # Exact up to 26 documents: so near that only rounding lies in between.
    near = (1e-6 if n_documents > 26 else 1e-9) * np.ptp(ratio, axis=1)
    ends = accepted_shifts(sums, sizes, mass)
    for end, inward, alternative in zip(ends.T, (1, -1), ("greater", "less"), strict=True):
        for side in (inward, -inward):
            z = np.ascontiguousarray((sums - (end + side * near)[:, None] * sizes).T)
            p_value = sign_flip_columns(z, alternative).p_value
            assert np.all((p_value > mass) if side == inward else (p_value <= mass))


@pytest.mark.parametrize("mass", [0.025, 0.2])
def test_whole_sums_beyond_the_table_are_off_by_no_more_than_a_step_of_p(mass):
    """Thirty documents of unequal size, right or wrong: a table counts what is too much for every pair."""
    rng = np.random.default_rng(2)
    sizes = rng.integers(60, 90, 30).astype(float)
    sums = rng.binomial(30, 0.5, (2, 30)) - rng.binomial(29, 0.5, (2, 30)).astype(float)
    assert not affordable(sums, sizes).any()
    found, exact = accepted_shifts(sums, sizes, mass, decimals=0), limits_from_tables(sums, sizes, mass)
    np.testing.assert_allclose(found, exact, atol=5e-4 * np.diff(exact).min())


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1e60])
@pytest.mark.parametrize("n_documents", [12, 20, 40, 80])
def test_ends_go_with_the_unit(unit, n_documents):
    rng = np.random.default_rng(n_documents)
    sizes = documents_of("mild", n_documents, rng)
    sums = rng.normal(0.1, 1, (2, n_documents)) * sizes
    ends = accepted_shifts(sums, sizes, 0.025)
    np.testing.assert_allclose(accepted_shifts(sums * unit, sizes, 0.025) / unit, ends, rtol=1e-9, atol=1e-9)


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
