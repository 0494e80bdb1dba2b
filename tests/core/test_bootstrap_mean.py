"""The studentised bootstrap test: definitions in plain loops, enumeration, SciPy, properties, calibration."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.engine.columns.pairing import chunks, pair_indices
from nlpstat_core.engine.resampling import count_chunks
from nlpstat_core.methods.significance.bootstrap_mean import bootstrap_mean
from tests.calibration.other_intervals import bootstrap_mean_interval

CONFIG = ns.AnalysisConfig(test="bootstrap-mean", resamples=400, seed=3)
ALTERNATIVES = ("two-sided", "greater", "less")


def board(values, **fields):
    return ns.ScoreMatrix(values=values, systems=tuple(f"s{i}" for i in range(values.shape[1])), **fields)


def batch_of(values, delta=0.0, left=None, right=None):
    scores = board(np.asarray(values, dtype=float))
    if left is None:
        left, right = pair_indices(scores.n_systems)
    return next(chunks(scores, np.asarray(left), np.asarray(right), delta=delta)).batch


def by_definition(u, v, delta, config, tails="symmetric"):
    """p and interval of one pair: every resample written out as a list of drawn differences."""
    z = np.asarray(u) - np.asarray(v) - delta
    n, big = len(z), config.resamples
    se = z.std(ddof=1) / np.sqrt(n)
    t = z.mean() / se
    t_star = []
    for _, counts in count_chunks(n, big, config.seed):
        for row in counts:
            drawn = np.repeat(z, row.astype(int))
            spread = drawn.std(ddof=1) if np.ptp(drawn) > 1e-9 else 0.0
            t_star.append((drawn.mean() - z.mean()) / (spread / np.sqrt(n)) if spread else None)

    def tail(turn):
        values = sorted(np.inf if one is None else turn(one) for one in t_star)
        return (1 + sum(value >= turn(t) - 1e-10 for value in values)) / (big + 1), values

    def quantile(values, level):
        rank = int(np.ceil(level * (big + 1) - 1e-9))
        return values[rank - 1] if rank <= big else np.inf

    middle, level = z.mean() + delta, config.level
    (both, absolute), (upper, up), (lower, down) = tail(abs), tail(lambda x: x), tail(lambda x: -x)
    if config.alternative == "greater":
        return upper, (middle - quantile(up, level) * se, np.inf)
    if config.alternative == "less":
        return lower, (-np.inf, middle + quantile(down, level) * se)
    if tails == "equal":
        half = (1 + level) / 2
        ends = (middle - quantile(up, half) * se, middle + quantile(down, half) * se)
        return min(1.0, 2 * min(upper, lower)), ends
    q = quantile(absolute, level)
    return both, (middle - q * se, middle + q * se)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("tails", ["symmetric", "equal"])
@pytest.mark.parametrize("kind", ["normal", "skewed", "likert", "binary", "tiny"])
def test_against_the_definition(alternative, tails, kind):
    rng = np.random.default_rng(7)
    values = {
        "normal": rng.normal(0.2, 1, (23, 4)),
        "skewed": rng.lognormal(size=(30, 4)),
        "likert": rng.integers(1, 5, (15, 4)).astype(float),
        "binary": rng.integers(0, 2, (40, 4)).astype(float),
        "tiny": rng.normal(size=(3, 4)),
    }[kind]
    for delta in (0.0, 0.25):
        config = replace(CONFIG, alternative=alternative, alpha=0.1)
        batch = batch_of(values, delta)
        outcome = bootstrap_mean(batch, config, tails=tails)
        for pair in range(batch.n_pairs):
            u, v = values[:, batch.left[pair]], values[:, batch.right[pair]]
            p_value, interval = by_definition(u, v, delta, config, tails)
            assert outcome.p_value[pair] == pytest.approx(p_value, rel=1e-12)
            np.testing.assert_allclose(outcome.interval[pair], interval, rtol=1e-9, atol=1e-12)
            assert outcome.statistic[pair] == pytest.approx((u - v).mean(), abs=1e-12)


@pytest.mark.parametrize("n", [4, 5, 6])
def test_close_to_all_samples_enumerated(n):
    """All nⁿ bootstrap samples of z: what infinitely many resamples would give."""
    rng = np.random.default_rng(n)
    z = rng.normal(0.8, 1, n)
    drawn = z[np.array(list(product(range(n), repeat=n)))]
    spread = drawn.std(axis=1, ddof=1)
    flat = spread < 1e-12
    t_star = (drawn.mean(axis=1) - z.mean()) / np.where(flat, 1, spread)
    t = z.mean() / z.std(ddof=1)
    exact = {
        "two-sided": np.mean(flat | (np.abs(t_star) >= abs(t) - 1e-12)),
        "greater": np.mean(flat | (t_star >= t - 1e-12)),
        "less": np.mean(flat | (t_star <= t + 1e-12)),
    }
    for alternative, p in exact.items():
        config = replace(CONFIG, alternative=alternative, resamples=20_000)
        found = bootstrap_mean(batch_of(np.column_stack([z, np.zeros(n)])), config)
        assert found.p_value[0] == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / 20_000) + 1 / 20_000)


def test_unstudentised_intervals_against_scipy():
    """scipy.stats.bootstrap (1.17) with its own resamples: equal up to Monte Carlo error."""
    values = np.random.default_rng(4).gamma(2.0, size=(60, 2))
    z = values[:, 0] - values[:, 1]
    config = replace(CONFIG, resamples=20_000)
    for method in ("percentile", "basic", "bca"):
        ours = bootstrap_mean_interval(batch_of(values), config, method)[0]
        reference = stats.bootstrap(
            (z,), np.mean, n_resamples=20_000, method={"bca": "BCa"}.get(method, method), rng=1
        ).confidence_interval
        # A 2.5 % quantile of 20,000 has standard error 0.019 se; four times that of a difference.
        np.testing.assert_allclose(ours, reference, atol=0.11 * z.std(ddof=1) / np.sqrt(60))


def test_unstudentised_intervals_by_a_plain_loop():
    values = np.random.default_rng(4).gamma(2.0, size=(20, 3))
    counts = np.concatenate([part for _, part in count_chunks(20, 400, 3)])
    batch = batch_of(values)
    found = bootstrap_mean_interval(batch, CONFIG)
    for pair in range(batch.n_pairs):
        z = values[:, batch.left[pair]] - values[:, batch.right[pair]]
        means = [np.repeat(z, row.astype(int)).mean() for row in counts]
        np.testing.assert_allclose(found[pair], np.quantile(means, [0.025, 0.975]), rtol=1e-9)


@given(st.integers(3, 30), st.integers(0, 10_000), st.floats(0.02, 0.6), st.sampled_from(ALTERNATIVES))
def test_p_and_interval_agree_at_every_level(n, seed, alpha, alternative):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 3)) + np.array([0, 0.3, 0.8])
    for tails in ("symmetric", "equal"):
        config = replace(CONFIG, alpha=alpha, alternative=alternative, resamples=199)
        outcome = bootstrap_mean(batch_of(values), config, tails=tails)
        low, high = outcome.interval.T
        outside = (low > 0) | (high < 0)
        clear = np.abs(outcome.p_value - alpha) > 1e-9
        np.testing.assert_array_equal(outside[clear], (outcome.p_value <= alpha)[clear])


@given(st.integers(2, 25), st.integers(0, 10_000), st.booleans())
def test_antisymmetry_shift_and_scale(n, seed, discrete):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (n, 2)).astype(float) if discrete else rng.normal(size=(n, 2))
    plain, swapped = batch_of(values), batch_of(values[:, ::-1])
    for one, other in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        first = bootstrap_mean(plain, replace(CONFIG, alternative=one, resamples=150))
        second = bootstrap_mean(swapped, replace(CONFIG, alternative=other, resamples=150))
        np.testing.assert_array_equal(first.p_value, second.p_value)
        np.testing.assert_allclose(first.interval, -second.interval[:, ::-1], rtol=1e-10, atol=1e-12)
        item = rng.normal(size=(n, 1)).round(
            3
        )  # trap 9: an item effect common to all systems changes nothing
        moved = bootstrap_mean(batch_of(8 * (values + item)), replace(CONFIG, alternative=one, resamples=150))
        np.testing.assert_allclose(moved.p_value, first.p_value, rtol=1e-12)
        np.testing.assert_allclose(moved.interval, 8 * first.interval, rtol=1e-8, atol=1e-8)


def test_degenerate_pairs():
    u = np.arange(10.0)
    batch = batch_of(np.column_stack([u, u, u + 1]))
    outcome = bootstrap_mean(batch, CONFIG)
    assert outcome.p_value[0] == 1.0  # identical systems
    np.testing.assert_array_equal(outcome.interval[0], [0.0, 0.0])
    assert np.isnan(outcome.p_value[1:]).all()
    assert np.isnan(outcome.interval[1:]).all()
    np.testing.assert_array_equal(outcome.notes["no-spread"], [False, True, True])
    assert not outcome.notes["flat-resamples"].any()
    shifted = bootstrap_mean(batch_of(np.column_stack([u + 1, u]), delta=1.0), CONFIG)
    assert shifted.p_value[0] == 1.0
    for n in (0, 1):
        nothing = bootstrap_mean(batch_of(np.ones((n, 2))), CONFIG)
        assert np.isnan(nothing.p_value).all()
        assert nothing.notes["too-few-units"].all()


def test_resamples_without_spread_count_as_extreme_and_are_told():
    values = np.zeros((50, 2))
    values[0, 0] = 1.0  # a resample misses the only difference with probability (49/50)⁵⁰ = 0.364
    for alternative in ALTERNATIVES:
        outcome = bootstrap_mean(batch_of(values), replace(CONFIG, alternative=alternative, resamples=2000))
        assert outcome.notes["flat-resamples"].all()
        assert outcome.p_value[0] >= 0.33
        assert np.isinf(outcome.interval).any()
    few = bootstrap_mean(batch_of(np.random.default_rng(0).normal(size=(50, 2))), CONFIG)
    assert not few.notes["flat-resamples"].any()


def test_error_is_the_relative_monte_carlo_error():
    outcome = bootstrap_mean(batch_of(np.random.default_rng(1).normal(size=(30, 2))), CONFIG)
    p = outcome.p_value[0]
    assert outcome.error[0] == pytest.approx(np.sqrt(p * (1 - p) / 401) / p)


def test_trap_8_pairing_matters():
    rng = np.random.default_rng(0)
    item = rng.normal(size=(80, 1))
    values = item + 0.1 * rng.normal(size=(80, 2)) + np.array([0.1, 0.0])
    paired = bootstrap_mean(batch_of(values), replace(CONFIG, resamples=2000)).p_value[0]
    values[:, 1] = rng.permutation(values[:, 1])
    broken = bootstrap_mean(batch_of(values), replace(CONFIG, resamples=2000)).p_value[0]
    assert paired < 0.02
    assert broken > 0.2


def test_trap_4_and_6_under_the_null_p_is_uniform():
    """600 independent pairs of 40 normal units: Type I error at three levels, distribution, coverage."""
    rng = np.random.default_rng(12)
    values = rng.normal(size=(40, 1200))
    batch = batch_of(values, left=np.arange(0, 1200, 2), right=np.arange(1, 1200, 2))
    outcome = bootstrap_mean(batch, replace(CONFIG, resamples=999, alpha=0.1))
    for alpha in (0.01, 0.05, 0.2):
        error = np.sqrt(alpha * (1 - alpha) / 600)
        assert abs(np.mean(outcome.p_value <= alpha) - alpha) <= 3.5 * error
    assert stats.kstest(outcome.p_value, "uniform").pvalue > 0.01
    assert outcome.p_value.max() > 0.98
    covered = np.mean((outcome.interval[:, 0] <= 0) & (outcome.interval[:, 1] >= 0))
    assert abs(covered - 0.9) <= 3.5 * np.sqrt(0.9 * 0.1 / 600)


def table(scores, **settings):
    options = {"workers": settings.pop("workers", 1)}
    config = ns.AnalysisConfig(test="bootstrap-mean", resamples=300, effects=(), **settings)
    return ns.analyse(scores, config, **options).pairs


def columns_by_name(pairs):
    return {
        (pairs.system_a[i], pairs.system_b[i]): (
            pairs.p_value[i],
            *pairs.interval[i],
            pairs.n_units[i],
        )
        for i in range(len(pairs))
    }


def big_board():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(2500, 1)) + rng.normal(size=(2500, 60))
    units = tuple(f"unit-{i}" for i in rng.permutation(2500))
    return values, units


def test_trap_30_same_digits_for_any_workers_and_backend():
    import joblib

    values, units = big_board()
    scores = board(values[:, :60], units=units)  # 1,770 pairs: two chunks
    alone = table(scores)
    for workers in (2, 3):
        together = table(scores, workers=workers)
        np.testing.assert_array_equal(alone.p_value, together.p_value)
        np.testing.assert_array_equal(alone.interval, together.interval)
    with joblib.parallel_config(backend="loky"):
        elsewhere = table(scores, workers=2)
    np.testing.assert_array_equal(alone.p_value, elsewhere.p_value)
    np.testing.assert_array_equal(alone.interval, elsewhere.interval)


def test_another_system_another_order_other_rows_change_no_digit():
    values, units = big_board()
    values, units = values[:400], units[:400]
    scores = board(values[:, :5], units=units)
    expected = columns_by_name(table(scores))
    more = columns_by_name(table(board(values[:, :40], units=units)))
    assert expected == {pair: more[pair] for pair in expected}
    rows = np.random.default_rng(3).permutation(400)
    permuted = board(values[rows, :5], units=tuple(units[i] for i in rows))
    assert columns_by_name(table(permuted)) == expected
    swapped = ns.ScoreMatrix(values=values[:, 4::-1], systems=("s4", "s3", "s2", "s1", "s0"), units=units)
    for (a, b), (p, low, high, n) in columns_by_name(table(swapped)).items():
        assert expected[b, a][0] == p
        np.testing.assert_allclose(expected[b, a][1:], (-high, -low, n), rtol=1e-12)


def test_missing_cells_of_other_systems_change_nothing():
    values, units = big_board()
    values, units = values[:300, :5].copy(), units[:300]
    expected = columns_by_name(table(board(values, units=units)))
    values[::7, 4] = np.nan
    found = columns_by_name(table(board(values, units=units)))
    for pair in expected:
        if "s4" not in pair:
            assert found[pair] == expected[pair]
    kept = ~np.isnan(values[:, 4])
    own = columns_by_name(table(board(values[kept][:, [0, 4]], units=tuple(np.array(units)[kept]))))
    assert own["s0", "s1"] == found["s0", "s4"], "a pair's result is that of its own shared items"


def test_trap_31_large_scores_and_seeds():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 2)).round(3)
    plain = bootstrap_mean(batch_of(values), CONFIG)
    large = bootstrap_mean(batch_of(values + 1e6), CONFIG)
    np.testing.assert_array_equal(plain.p_value, large.p_value)
    again = bootstrap_mean(batch_of(values), replace(CONFIG, seed=0))
    np.testing.assert_array_equal(
        again.p_value, bootstrap_mean(batch_of(values), replace(CONFIG, seed=0)).p_value
    )
    assert again.p_value != plain.p_value or np.any(again.interval != plain.interval)


def test_trap_14_too_few_resamples_for_the_family_is_a_problem():
    scores = board(np.random.default_rng(0).normal(size=(30, 8)))
    config = ns.AnalysisConfig(test="bootstrap-mean", resamples=200)
    analysis = ns.analyse(scores, config)  # 28 pairs: 28/201 = 0.14
    assert {(note.code, note.severity) for note in analysis.notes} >= {("few-resamples", "problem")}
    assert "28/(200 + 1)" in " ".join(note.text for note in analysis.pair("s0", "s1").notes)
    enough = ns.analyse(scores, replace(config, resamples=2000))
    assert "few-resamples" not in {note.code for note in enough.notes}
    exact = ns.analyse(scores, replace(config, test="t"))
    assert "few-resamples" not in {note.code for note in exact.notes}
