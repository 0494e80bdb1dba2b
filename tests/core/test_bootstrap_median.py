"""The bootstrap of the median in closed form: enumeration of all nⁿ samples, R, resamples, properties."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, log

import numpy as np
import pytest
from golden.golden import differences, load
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.engine.resampling import count_chunks
from nlpstat_core.engine.resampling.medians import log_median_at_most_zero, log_rank_cdf, median_distribution
from nlpstat_core.methods.significance.bootstrap_median import bootstrap_median, bootstrap_median_estimate

CONFIG = ns.AnalysisConfig(test="bootstrap-median")
SMALL_SAMPLES = st.lists(st.integers(-4, 4).map(lambda k: k / 2), min_size=1, max_size=6)


def batch_of(z, delta=0.0):
    values = np.column_stack([np.asarray(z, dtype=float), np.zeros(len(z))])
    scores = ns.ScoreMatrix(values=values, systems=("a", "b"))
    return next(chunks(scores, np.array([0]), np.array([1]), delta=delta)).batch


def all_medians(z):
    """Medians of all nⁿ bootstrap samples."""
    z = np.asarray(z, dtype=float)
    return np.median(z[np.array(list(product(range(len(z)), repeat=len(z))))], axis=1)


@given(SMALL_SAMPLES)
def test_probabilities_by_enumeration(z):
    medians = all_medians(z)
    ordered = np.sort(np.asarray(z, dtype=float))
    assert np.exp(log_median_at_most_zero(ordered)) == pytest.approx(np.mean(medians <= 0), abs=1e-14)
    values, probabilities = median_distribution(ordered)
    assert probabilities.sum() == pytest.approx(1, abs=1e-12)
    for x in np.unique(medians):
        assert probabilities[values == x].sum() == pytest.approx(np.mean(medians == x), abs=1e-14)


@given(SMALL_SAMPLES, st.sampled_from(["two-sided", "greater", "less"]), st.sampled_from([0.0, 0.5]))
def test_p_and_percentile_interval_by_enumeration(z, alternative, delta):
    medians, n = all_medians(z), len(z)
    below, above = np.mean(medians <= delta), np.mean(medians >= delta)
    expected = {
        "two-sided": min(1.0, max(2 * min(below, above), 2.0 ** (1 - n))),
        "greater": max(below, 2.0**-n),
        "less": max(above, 2.0**-n),
    }[alternative]
    config = replace(CONFIG, alternative=alternative, alpha=0.23)
    outcome = bootstrap_median(batch_of(z, delta), config)
    assert outcome.p_value[0] == pytest.approx(expected, rel=1e-12)
    assert outcome.statistic[0] == pytest.approx(np.median(z), abs=1e-12)
    estimate = bootstrap_median_estimate(batch_of(z, delta), config)
    tail = 0.115 if alternative == "two-sided" else 0.23
    support = np.unique(medians)
    low = next(x for x in support if np.mean(medians <= x) > tail)
    high = next(x for x in support[::-1] if np.mean(medians >= x) > tail)
    ends = {"two-sided": (low, high), "greater": (low, np.inf), "less": (-np.inf, high)}[alternative]
    np.testing.assert_allclose(estimate.interval[0], ends)
    assert estimate.of == "median"


@pytest.mark.parametrize("golden", load("bootstrap_median"), ids=str)
def test_against_r(golden):
    z = np.sort(differences(golden.case))
    values = golden.values
    assert np.exp(log_median_at_most_zero(z)) == pytest.approx(values["p_le_zero"], rel=1e-12)
    assert np.exp(log_median_at_most_zero(-z[::-1])) == pytest.approx(values["p_ge_zero"], rel=1e-12)
    for k, at in enumerate(z, start=1):
        assert np.exp(log_median_at_most_zero(z - at)) == pytest.approx(values[f"le_{k}"], rel=1e-9)
        assert np.exp(log_median_at_most_zero((at - z)[::-1])) == pytest.approx(values[f"ge_{k}"], rel=1e-9)


@pytest.mark.parametrize("n", [41, 60, 2000, 2001])
def test_against_drawn_resamples(n):
    z = np.sort(np.random.default_rng(n).normal(0.6 / np.sqrt(n), 1, n))
    medians = np.concatenate(
        [
            [np.median(np.repeat(z, row.astype(int))) for row in counts]
            for _, counts in count_chunks(n, 2000, 1)
        ]
    )
    p = np.exp(log_median_at_most_zero(z))
    assert p == pytest.approx(np.mean(medians <= 0), abs=4 * np.sqrt(p * (1 - p) / 2000))
    values, probabilities = median_distribution(z)
    for x in np.quantile(z, [0.45, 0.48, 0.501, 0.52, 0.56]):
        share = probabilities[values <= x].sum()
        assert share == pytest.approx(np.mean(medians <= x), abs=4 * np.sqrt(0.25 / 2000))
        assert share == pytest.approx(np.exp(log_median_at_most_zero(z - x)), abs=1e-9)


@pytest.mark.parametrize(("n", "k"), [(11, 3), (2001, 1), (2001, 5), (2001, 400), (2001, 990), (500, 2)])
def test_tails_below_the_smallest_double_by_exact_fractions(n, k):
    share, h = Fraction(k, n), (n + 1) // 2
    exact = sum(comb(n, j) * k**j * (n - k) ** (n - j) for j in range(h, n + 1))
    assert 0 < share < 1
    expected = log(exact) - n * log(n) if exact < 10**300 else log(exact) - log(n**n)
    assert log_rank_cdf(n)[k] == pytest.approx(expected, rel=1e-11)


def test_tiny_p_of_even_n_by_exact_fractions():
    n, k, m = 40, 3, 20
    z = np.sort(np.concatenate([[-3.0, -2.0, -1.0], np.arange(4, n + 1)]))

    def probability(i, j):
        """P(I = i, J > j), 1-based, over n^n."""
        return comb(n, m) * (i**m - (i - 1) ** m) * (n - j) ** m

    def at_most(i):
        return sum(comb(n, x) * i**x * (n - i) ** (n - x) for x in range(m, n + 1))

    total = 0
    for i in range(1, k + 1):
        partners = int(np.count_nonzero(z <= -z[i - 1]))
        total += at_most(i) - at_most(i - 1) - probability(i, partners)
    expected = log(Fraction(total, n**n))
    assert log_median_at_most_zero(z) == pytest.approx(expected, rel=1e-11)
    outcome = bootstrap_median(batch_of(z), CONFIG)
    assert outcome.p_value[0] == pytest.approx(max(2 * np.exp(expected), 2.0**-39), rel=1e-9)


def test_p_is_never_below_that_of_the_smallest_sign_pattern():
    outcome = bootstrap_median(batch_of(np.arange(1.0, 2001.0)), CONFIG)
    assert outcome.p_value[0] == 5e-324
    assert outcome.log10_p[0] == pytest.approx(-1999 * np.log10(2))
    assert bootstrap_median(batch_of(np.arange(1.0, 12.0)), CONFIG).p_value[0] == 2.0**-10


@given(st.integers(1, 60), st.integers(0, 10_000), st.booleans(), st.floats(0.02, 0.7))
def test_p_and_interval_agree_and_swapping_mirrors(n, seed, discrete, alpha):
    rng = np.random.default_rng(seed)
    z = rng.integers(-3, 5, n).astype(float) if discrete else rng.normal(0.4, 1, n)
    for alternative, mirrored in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        config = replace(CONFIG, alternative=alternative, alpha=alpha)
        outcome = bootstrap_median(batch_of(z), config)
        estimate = bootstrap_median_estimate(batch_of(z), config)
        low, high = estimate.interval[0]
        floor = 2.0 ** (1 - n) if alternative == "two-sided" else 2.0**-n
        p = outcome.p_value[0]
        if abs(p - alpha) > 1e-9 and p > floor * (1 + 1e-9):
            assert (low > 0 or high < 0) == (p <= alpha)
        swapped = bootstrap_median(batch_of(-z), replace(config, alternative=mirrored))
        assert swapped.p_value[0] == pytest.approx(p, rel=1e-9)
        assert swapped.direction[0] == -outcome.direction[0]
        other = bootstrap_median_estimate(batch_of(-z), replace(config, alternative=mirrored))
        np.testing.assert_allclose(other.interval[0], (-high, -low))


def test_differences_tie_on_the_scores_grid():
    """0.3 − 0.2 and 0.2 − 0.1 are the same difference."""
    values = np.array([[0.3, 0.2], [0.2, 0.1], [0.1, 0.2], [0.2, 0.3]])
    scores = ns.ScoreMatrix(values=values, systems=("a", "b"))
    batch = next(chunks(scores, np.array([0]), np.array([1]))).batch
    assert bootstrap_median(batch, CONFIG).p_value[0] == 1.0
    assert bootstrap_median(batch, CONFIG).direction[0] == 0


def test_degenerate_and_tied_pairs():
    same = bootstrap_median(batch_of(np.zeros(20)), CONFIG)
    assert same.p_value[0] == 1.0
    assert same.notes["median-ties"].all()
    nothing = bootstrap_median(batch_of([]), CONFIG)
    assert np.isnan(nothing.p_value).all()
    assert nothing.notes["too-few-units"].all()
    assert np.isnan(bootstrap_median_estimate(batch_of([]), CONFIG).interval).all()
    rng = np.random.default_rng(1)
    assert not bootstrap_median(batch_of(rng.normal(size=101)), CONFIG).notes["median-ties"].any()
    constant = bootstrap_median(batch_of(np.full(5, 2.0)), CONFIG)
    assert constant.p_value[0] == 2.0**-4


def test_trap_16_coverage_on_discrete_data_where_the_basic_interval_fails():
    """400 samples of 50 symmetric units: the percentile interval covers, the reflected one misses often."""
    rng = np.random.default_rng(8)
    counts = {"percentile": 0, "basic": 0}
    rejected = 0
    for _ in range(400):
        batch = batch_of(np.round(rng.normal(size=50), 1))
        for method in counts:
            low, high = bootstrap_median_estimate(batch, CONFIG, method=method).interval[0]
            counts[method] += low <= 0 <= high
        rejected += bootstrap_median(batch, CONFIG).p_value[0] <= 0.05
    assert counts["percentile"] / 400 >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 400)
    assert rejected / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert counts["basic"] / 400 < 0.92


def test_basic_is_the_percentile_interval_reflected():
    batch = batch_of(np.random.default_rng(3).lognormal(size=30))
    percentile = bootstrap_median_estimate(batch, CONFIG)
    basic = bootstrap_median_estimate(batch, CONFIG, method="basic")
    np.testing.assert_allclose(
        basic.interval[0], 2 * percentile.value[0] - percentile.interval[0][::-1], rtol=1e-12
    )


def test_on_a_board_p_belongs_to_the_pair_alone():
    rng = np.random.default_rng(4)
    values, units = rng.normal(size=(150, 6)).round(2), tuple(f"u{i}" for i in range(150))
    config = ns.AnalysisConfig(test="bootstrap-median", intervals=("estimate",))

    def found(columns, rows):
        scores = ns.ScoreMatrix(
            values=values[np.ix_(rows, columns)],
            systems=tuple(f"s{i}" for i in columns),
            units=tuple(units[i] for i in rows),
        )
        pairs = ns.analyse(scores, config).pairs
        estimates = pairs.estimates["median"]
        names = zip(pairs.system_a, pairs.system_b, strict=True)
        return dict(zip(names, zip(pairs.p_value, *estimates.interval.T, strict=True), strict=True))

    few, all_rows = found([0, 1, 2], range(150)), list(range(150))
    more = found(range(6), rng.permutation(all_rows))
    assert few == {pair: more[pair] for pair in few}
