"""The logistic swap: its definition by a slow simulation, McNemar's model on 0/1 scores, real boards."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from core.oracles import board
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core import AnalysisConfig, AnalysisError, ScoreMatrix, analyse
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power import board_power, pair_curve, power_curve
from nlpstat_core.power.binomial import detectable_surplus, sign_power
from nlpstat_core.power.draws import drawn_counts
from nlpstat_core.power.effects import assumed_model
from nlpstat_core.power.flips import flip_decisions
from nlpstat_core.power.resampled import resampled_batch, source_of
from nlpstat_core.power.swap import chances, mean_under, strength_for_mean, strength_for_wins
from nlpstat_core.power.thresholds import half_step

DATA = Path(__file__).parents[3] / "shared" / "data"
TIED = np.repeat([0.0, 1.0, -1.0], [110, 50, 40])
PAIRED = ("t", "wilcoxon", "sign", "permutation-mean")
QUICK = settings(max_examples=30, deadline=None)


def pair_of(z, labels=None):
    values = np.stack([np.asarray(z, dtype=float) + 5, np.full(len(z), 5.0)], axis=1)
    return ScoreMatrix(values=values, systems=("A", "B"), labels=labels or {})


def likert(seed=1, n=300):
    rng = np.random.default_rng(seed)
    return np.rint(rng.normal(0.1, 1.0, n)).clip(-4, 4)


def detectable(z, test="t", **settings_):
    analysis = analyse(pair_of(z), AnalysisConfig(test=test, **settings_))
    return float(board_power(analysis).detectable[0])


@QUICK
@given(
    sizes=st.lists(st.integers(0, 40), min_size=2, max_size=40).filter(any),
    share=st.floats(-0.999, 0.999),
)
def test_the_strength_gives_the_difference(sizes, share):
    sizes = np.array(sizes) / 4
    target = share * sizes.mean()
    strength = strength_for_mean(sizes, target)
    assert mean_under(sizes, strength) == pytest.approx(target, rel=1e-9, abs=1e-12)
    assert mean_under(sizes, -strength) == pytest.approx(-target, rel=1e-9, abs=1e-12)
    up = chances(sizes, strength)
    assert np.sum(sizes * (2 * up - 1)) / sizes.size == pytest.approx(target, rel=1e-9, abs=1e-12)
    assert up[sizes == 0] == pytest.approx(0.5)
    decided = chances(sizes[sizes > 0], strength_for_wins(sizes, share))
    assert np.mean(2 * decided - 1) == pytest.approx(share, rel=1e-9, abs=1e-12)


def test_nothing_beyond_the_scale():
    sizes = np.array([0.0, 1.0, 1.0, 2.0])
    assert strength_for_mean(sizes, 1.0) == np.inf
    assert strength_for_mean(sizes, -1.0) == -np.inf
    assert mean_under(sizes, np.inf) == 1.0
    with pytest.raises(AnalysisError, match="not reachable on this scale"):
        strength_for_mean(sizes, 1.01)
    with pytest.raises(AnalysisError, match="not reachable on this scale"):
        power_curve(pair_of(TIED), "A", "B", test="wilcoxon", shift=0.5)


@pytest.mark.parametrize("test", PAIRED)
def test_curves_are_those_of_a_slow_simulation_from_the_definition(test):
    """Units drawn one by one, each with a coin of its own, and SciPy's test."""
    z, n, target, times = likert(), 130, 0.17, 800
    sizes, rng = np.abs(z), np.random.default_rng(0)
    strength = strength_for_mean(sizes, target)
    rejected = 0
    for _ in range(times):
        drawn = rng.choice(sizes, n)
        signed = np.where(rng.random(n) < 1 / (1 + np.exp(-2 * strength * drawn)), drawn, -drawn)
        if test == "t":
            p = stats.ttest_1samp(signed, 0).pvalue
        elif test == "sign":
            p = stats.binomtest(int(np.sum(signed > 0)), int(np.sum(signed != 0))).pvalue
        elif test == "wilcoxon":
            p = stats.wilcoxon(signed, method="asymptotic", correction=False).pvalue
        else:
            flips = rng.choice([-1.0, 1.0], (999, n)) @ np.abs(signed)
            p = (1 + np.sum(np.abs(flips) >= abs(signed.sum()) - 1e-9)) / 1000
        rejected += p <= 0.05
    curve = power_curve(pair_of(z), "A", "B", test=test, sizes=[n], iterations=6_000, shift=target)
    assert curve.model == "swap"
    assert curve.power[0] == pytest.approx(rejected / times, abs=4 * np.sqrt(0.25 / times))


def test_on_binary_scores_it_is_the_model_of_mcnemar():
    a, b = np.repeat([1.0, 0, 1, 0], [50, 30, 15, 5]), np.repeat([1.0, 0, 0, 1], [50, 30, 15, 5])
    sizes = np.abs(a - b)
    assert np.unique(chances(sizes, strength_for_mean(sizes, 0.12))) == pytest.approx([0.5, 0.8])
    scores = ScoreMatrix(values=np.stack([a, b], axis=1), systems=("A", "B"))
    expected = np.array([sign_power(n, 0.3, 0.05, decided=0.2) for n in (60, 200)])
    for test in ("mcnemar", "sign", "permutation-mean"):
        curve = power_curve(scores, "A", "B", test=test, sizes=[60, 200], iterations=4_000, shift=0.12)
        assert curve.power == pytest.approx(expected, abs=0.03)
        found = board_power(analyse(scores, AnalysisConfig(test=test)))
        assert found.detectable[0] == pytest.approx(0.2 * detectable_surplus(100, 20, 0.8, 0.05, True))


@pytest.mark.parametrize("test", PAIRED)
@pytest.mark.parametrize("scores", ["tied", "likert", "precision", "few"])
def test_the_detectable_difference_is_found_with_the_promised_power(test, scores):
    rng = np.random.default_rng(3)
    z = {
        "tied": TIED,
        "likert": likert(2),
        "precision": (rng.binomial(10, 0.5, 120) - rng.binomial(10, 0.45, 120)) / 10,
        "few": likert(4, 40),
    }[scores]
    size = detectable(z, test)
    curve = power_curve(
        pair_of(z), "A", "B", test=test, sizes=[z.size], iterations=4_000, shift=size * np.sign(z.mean())
    )
    of_mean = test in ("t", "permutation-mean")
    assert curve.power[0] == pytest.approx(0.8, abs=0.03 if of_mean or scores != "few" else 0.06)
    if scores == "tied":
        assert size == pytest.approx(0.134, abs=0.004)


@settings(max_examples=15, deadline=None)
@given(
    z=st.lists(st.integers(-4, 4), min_size=12, max_size=60).filter(lambda z: sum(map(bool, z)) > 7),
    test=st.sampled_from(PAIRED),
    seed=st.integers(0, 99),
    steps=st.booleans(),
)
def test_neither_order_of_systems_nor_signs_nor_order_of_rows_matter(z, test, seed, steps):
    z = (
        np.array(z) * 0.5
        if steps
        else np.array(z) + np.random.default_rng(seed).normal(0, 0.2, len(z)).round(6)
    )
    other = 10 + np.random.default_rng(seed).integers(0, 5, z.size)
    values = np.stack([z + other, other], axis=1).round(6)
    shuffled = np.random.default_rng(seed).permutation(z.size)
    found = [
        float(
            board_power(
                analyse(ScoreMatrix(values=given_, systems=("A", "B")), AnalysisConfig(test=test))
            ).detectable[0]
        )
        for given_ in (values, values[:, ::-1], -values, values[shuffled])
    ]
    assert found[1:] == pytest.approx([found[0]] * 3, rel=1e-6)


def test_which_model():
    rng = np.random.default_rng(0)
    near_continuous = rng.normal(size=400).round(4)
    assert assumed_model(near_continuous, "t") == assumed_model(near_continuous, "sign") == "shift"
    assert assumed_model(likert(), "t") == assumed_model(likert(), "wilcoxon") == "swap"
    some_ties = np.where(rng.random(400) < 0.1, 0.0, near_continuous)
    assert assumed_model(some_ties, "t") == "swap"
    assert assumed_model(some_ties, "wilcoxon") == "shift"
    certain = 1 / (1 + np.exp(-9 * rng.normal(size=(400, 2))))
    preferences = (certain[:, 0] - certain[:, 1]).round(6)
    assert assumed_model(preferences, "sign") == "shape"
    assert assumed_model(preferences, "t") == "shift"
    assert assumed_model(near_continuous, "mcnemar") == assumed_model(near_continuous, "f1-exact") == "swap"


def test_where_neither_model_predicts_the_t_test_is_shown():
    rng = np.random.default_rng(0)
    certain = 1 / (1 + np.exp(-9 * rng.normal(size=(400, 2))))
    scores = ScoreMatrix(values=certain.round(6), systems=("A", "B"))
    for test in ("wilcoxon", "sign"):
        found = board_power(analyse(scores, AnalysisConfig(test=test)))
        assert found.model[0] == "shape-t"
        assert found.detectable[0] == board_power(analyse(scores, AnalysisConfig(test="t"))).detectable[0]
        curve = power_curve(scores, "A", "B", test=test, shift=0.05, sizes=[400], iterations=100)
        assert curve.test == "t"
        assert "depends-on-shape" in curve.notes


def test_whole_documents_are_swapped():
    """Units of a document alike: power of the block test is that of its documents' sums, drawn by hand."""
    rng = np.random.default_rng(5)
    z = np.rint(np.repeat(rng.normal(0.2, 1, 40), 5) + rng.normal(0, 0.5, 200))
    scores = pair_of(z, {"doc": tuple(f"d{i // 5}" for i in range(200))})
    sums, target = z.reshape(40, 5).sum(axis=1), 0.35
    up = chances(np.abs(sums), strength_for_mean(np.abs(sums), 5 * target))
    rejected = 0
    for _ in range(1_000):
        drawn = rng.integers(0, 40, 30)
        signed = np.abs(sums[drawn]) * np.where(rng.random(30) < up[drawn], 1, -1)
        flips = rng.choice([-1.0, 1.0], (999, 30)) @ np.abs(signed)
        rejected += (1 + np.sum(np.abs(flips) >= abs(signed.sum()) - 1e-9)) / 1000 <= 0.05
    for test in ("block-permutation", "block-t"):
        curve = power_curve(
            scores, "A", "B", test=test, block_column="doc", sizes=[150], iterations=2_000, shift=target
        )
        assert curve.documents.tolist() == [30]
        assert curve.power[0] == pytest.approx(rejected / 1_000, abs=0.05)


def test_documents_as_units_are_the_block_permutation_test():
    z = np.random.default_rng(6).normal(0.3, 1, 60).round(3)
    labels = {"doc": tuple(f"d{i % 11}" for i in range(60))}
    scores = pair_of(z, labels)
    analysis = analyse(scores, AnalysisConfig(test="block-permutation", block_column="doc"))
    sums = np.array([z[np.arange(60) % 11 == d].sum() for d in range(11)]).round(3)
    by_sums = analyse(pair_of(sums), AnalysisConfig(test="permutation-mean"))
    assert analysis.pairs.p_value[0] == pytest.approx(by_sums.pairs.p_value[0], rel=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("shape", ["normal", "likert", "lognormal", "small"])
def test_decisions_without_running_the_test_are_those_of_the_test(alternative, shape):
    rng = np.random.default_rng(1)
    z, decimals = {
        "normal": (rng.normal(0.2, 1, 120).round(4), 4),
        "likert": (likert(3, 400), 0),
        "lognormal": ((rng.lognormal(0, 1.0, 40) - 1.3).round(4), 4),
        "small": (rng.normal(0.5, 1, 22).round(3), 3),
    }[shape]
    source = source_of(z[:, None], decimals, 0.0)
    batch = resampled_batch(source, next(drawn_counts(z.size, z.size, 120, 3)), z.size)
    config = AnalysisConfig(test="permutation-mean", alternative=alternative)
    p = TESTS["permutation-mean"].run(batch, config).p_value
    for level in (0.2, 0.05, 0.002):
        assert np.array_equal(flip_decisions(batch, config, level), p <= level)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_decisions_on_normal_test_sets_are_those_of_the_test(alternative):
    rng = np.random.default_rng(2)
    batch = board(np.column_stack([rng.normal(0.35, 1, (24, 60)), np.zeros((24, 60))]))
    pairs = PairBatch(batch.units, np.arange(60), np.arange(60, 120))
    config = AnalysisConfig(test="permutation-mean", alternative=alternative)
    p = TESTS["permutation-mean"].run(pairs, config).p_value
    for level in (0.2, 0.05, 0.002):
        assert np.array_equal(flip_decisions(pairs, config, level), p <= level)


def test_half_steps():
    assert half_step(np.array([[0.0, 0.6, 0.9, 1.5]]))[0] == pytest.approx(0.3)
    assert half_step(np.array([[1 / 3, 0.5]]))[0] == pytest.approx(1 / 6)
    assert half_step(np.array([[0.0, 0.0]]))[0] == 0.0


FILES = (
    "alpacaeval1_gpt4_pref",
    "mbppplus_pass",
    "metabench_mmlu_213models",
    "ner_conll03_tp_fp_fn",
    "terminalbench1_0_counts",
    "testsignificancenlp_resA_resB",
    "trec_adhoc8_ap",
    "ucr128_accuracy_by_dataset",
    "wmt20_toen_ter",
    "wmt24_ende_chrf",
    "wmt24_ende_sentbleu",
    "wmt_mqm_newstest2021_zhen",
)


def taken(scores, systems):
    """The same units with some of the systems."""
    columns = [scores.index(name) for name in systems]
    counts = scores.counts
    if counts is not None:
        counts = replace(counts, hits=counts.hits[:, columns], misses=counts.misses[:, columns])
    return replace(scores, values=scores.values[:, columns], systems=systems, counts=counts)


@pytest.mark.skipif(not DATA.exists(), reason="the shared data are not here")
@pytest.mark.parametrize("name", FILES)
def test_the_detectable_difference_on_real_boards(name):
    """A pair of every file and test, by simulated test sets of the present size."""
    scores = ns.read_scores(DATA / f"{name}.csv")
    if scores.counts is not None:
        tests = [f"{scores.counts.kind}-exact"]
    else:
        known = scores.values[~np.isnan(scores.values)]
        tests = ["mcnemar", "t"] if np.isin(known, (0, 1)).all() else ["permutation-mean", "t"]
    if "doc" in scores.labels and name != "wmt20_toen_ter":
        tests.append("block-permutation")
    rng = np.random.default_rng(8)
    chosen = tuple(
        scores.systems[i] for i in rng.choice(scores.n_systems, min(4, scores.n_systems), replace=False)
    )
    for test in tests:
        slow = test.endswith("-exact") or (name.startswith("trec") and test != "t")
        times = 150 if test == "f1-exact" else 400 if slow else 1_500
        block = "doc" if test.startswith("block") else None
        config = AnalysisConfig(test=test, correction="none", block_column=block)
        analysis = analyse(taken(scores, chosen), config)
        rows = np.flatnonzero((analysis.pairs.test_code >= 0) & (analysis.pairs.n_units > 30))[:1]
        found = board_power(analysis, rows=rows)
        for row in rows:
            size = found.detectable[row]
            if not np.isfinite(size):
                continue
            pair = analysis.pairs.system_a[row], analysis.pairs.system_b[row]
            turns = (1, -1) if found.model[row] == "resampled-shift" else (1,)
            curves = [
                pair_curve(
                    analysis.units,
                    pair,
                    replace(config, resamples=1_000),
                    1,
                    sizes=[int(analysis.pairs.n_units[row])],
                    iterations=times,
                    shift=turn * size * (np.sign(analysis.pairs.difference[row]) or 1.0),
                )
                for turn in turns
            ]
            close = 0.03 if times >= 1_000 else 0.05 if times >= 400 else 0.08
            harder = min(float(curve.power[0]) for curve in curves)
            assert harder == pytest.approx(0.8, abs=close), (test, pair, found.model[row])
