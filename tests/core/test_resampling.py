"""Shared random numbers, the Monte Carlo rule, products for all pairs, bootstrap intervals."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpstat_core.engine.resampling import (
    CHUNK,
    count_chunks,
    monte_carlo_p,
    one_blas_thread,
    reached,
    sign_chunks,
    streams,
    tie_tolerance,
)
from nlpstat_core.engine.resampling.monte_carlo import critical_values, rank_of_quantile, standard_error
from nlpstat_core.engine.resampling.products import flipped_sums, padded_rows, sums
from nlpstat_core.engine.resampling.threads import using_threads
from tests.calibration.other_intervals import bootstrap_interval, mean_acceleration


def all_signs(n_units, resamples, seed=0):
    signs = np.zeros((n_units, resamples))
    for which, rows, part in sign_chunks(n_units, resamples, seed):
        signs[rows, which] = part
    return signs


def all_counts(n_units, resamples, seed=0):
    counts = np.zeros((resamples, n_units))
    for which, part in count_chunks(n_units, resamples, seed):
        counts[which] = part
    return counts


def test_signs_are_fair_independent_coins():
    signs = all_signs(300, 3000)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert abs(signs.mean()) < 4 / np.sqrt(signs.size)
    correlations = np.corrcoef(signs)[np.triu_indices(300, k=1)]
    assert abs(correlations.std() * np.sqrt(3000) - 1) < 0.02


@given(st.integers(1, 40), st.integers(1, 600), st.integers(0, 2**70))
def test_the_signs_of_a_unit_depend_on_seed_position_and_resample_only(n_units, resamples, seed):
    few = all_signs(n_units, resamples, seed)
    many = all_signs(n_units + 13, resamples + 300, seed)
    np.testing.assert_array_equal(few, many[:n_units, :resamples])


def test_signs_of_long_boards_come_in_slabs_of_the_same_stream():
    long, short = all_signs(20_000, 300), all_signs(500, 300)
    np.testing.assert_array_equal(long[:500], short)
    assert len({rows.start for _, rows, _ in sign_chunks(20_000, CHUNK, 0)}) > 1


def test_counts_are_resamples_with_replacement():
    counts = all_counts(50, 4000)
    np.testing.assert_array_equal(counts.sum(axis=1), 50)
    np.testing.assert_array_equal(counts, np.round(counts))
    # Multinomial: mean 1, variance 1 − 1/n, covariance −1/n.
    assert abs(counts.mean(axis=0) - 1).max() < 5 * np.sqrt(1 / 4000)
    covariance = np.cov(counts.T)
    assert abs(np.diag(covariance).mean() - (1 - 1 / 50)) < 0.01
    assert abs(covariance[np.triu_indices(50, k=1)].mean() + 1 / 50) < 0.001


@pytest.mark.parametrize("n_units", [1, 2, 7, 2001, 20_000])
def test_fewer_resamples_are_the_first_of_more(n_units):
    np.testing.assert_array_equal(all_counts(n_units, 260), all_counts(n_units, 300)[:260])


@pytest.mark.parametrize("threads", [1, 3])
def test_what_is_made_of_counts_comes_with_its_resamples(threads):
    plain = list(streams.count_chunks(40_001, 600, 7))  # several pieces a chunk
    with using_threads(threads):
        made = list(streams.from_counts(lambda counts: counts[:, :50].copy(), 40_001, 600, 7))
    assert [which for which, _ in made] == [which for which, _ in plain]
    assert len(made) > 3
    for (_, ours), (_, counts) in zip(made, plain, strict=True):
        assert np.array_equal(ours, counts[:, :50])


def test_counts_are_those_of_whole_words():
    """The definition: word after word, low halves first, unit ⌊n·half/2³²⌋."""
    n = 7
    words = streams.bit_generator(3, "bootstrap", 0).random_raw(2 * 4).reshape(2, 4)
    for row, counts in zip(words.tolist(), next(streams.count_chunks(n, 2, 3))[1], strict=True):
        halves = [half for word in row for half in (word & (2**32 - 1), word >> 32)][:n]
        assert np.array_equal(counts, np.bincount([n * half >> 32 for half in halves], minlength=n))


def test_seeds_and_streams_give_different_numbers_and_seed_0_is_a_seed():
    zero = all_counts(30, 100, 0)
    np.testing.assert_array_equal(zero, all_counts(30, 100, 0))
    assert np.any(zero != all_counts(30, 100, 1))
    first, second = (next(sign_chunks(30, 100, 0, stream))[2] for stream in ("signs", "others"))
    assert np.any(first != second)


def test_random_numbers_leave_the_global_generator_alone():
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    all_signs(10, 300)
    all_counts(10, 300)
    np.testing.assert_array_equal(state, np.random.get_state()[1])  # noqa: NPY002


def test_trap_13_p_is_never_zero_and_never_above_one():
    np.testing.assert_array_equal(monte_carlo_p(np.array([0, 99, 4]), 99), [0.01, 1.0, 0.05])
    np.testing.assert_allclose(standard_error(np.array([0.05]), 9999), np.sqrt(0.05 * 0.95 / 10_000) / 0.05)


def test_trap_2_ties_count_although_the_sum_nearly_cancels():
    weights = np.array([0.1, 0.2, -0.3, 1e3, -1e3])
    observed = np.array([weights.sum()])
    other_order = np.array([[weights[::-1].sum()]])
    assert observed[0] != other_order[0, 0]  # mathematically both are 0
    assert reached(other_order, np.abs(observed), tie_tolerance(np.array([np.abs(weights).sum()]))).all()


@given(st.integers(1, 400), st.integers(0, 400), st.floats(0.001, 0.999))
def test_trap_15_critical_value_and_p_agree(resamples, place, alpha):
    statistics = np.arange(resamples, dtype=float)[None, :]
    observed = np.array([min(place, resamples) - 0.5])
    count = np.count_nonzero(reached(statistics, observed, np.zeros(1)), axis=1)
    p_value = monte_carlo_p(count, resamples)[0]
    if abs(p_value - alpha) > 1e-9:
        outside = observed[0] > critical_values(statistics, 1 - alpha)[0]
        assert outside == (p_value <= alpha)


def test_level_at_the_edge_of_rounding():
    assert rank_of_quantile(0.95, 9999) == 9500
    assert rank_of_quantile(1 - 0.05, 99) == 95
    assert np.isinf(critical_values(np.zeros((1, 10)), 0.95)[0])


def test_one_blas_thread_is_shared_and_restored(two_blas_threads):
    inside, go = threading.Event(), threading.Event()

    def other():
        with one_blas_thread():
            inside.set()
            go.wait(10)

    worker = threading.Thread(target=other)
    with one_blas_thread():
        worker.start()
        inside.wait(10)
    assert two_blas_threads() == {1}, "leaving must not free the limit of another caller"
    go.set()
    worker.join()
    assert two_blas_threads() == {2}


def test_flipped_sums_by_a_plain_loop():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(70, 5))
    signs = all_signs(70, 700, 3)
    for which, part in flipped_sums(columns, 700, 3):
        for b in range(which.start, which.stop):
            for k in range(5):
                expected = sum(signs[i, b] * columns[i, k] for i in range(70))
                assert part[k, b - which.start] == pytest.approx(expected, abs=1e-12)


def test_flipped_sums_of_long_boards_add_their_slabs():
    columns = np.random.default_rng(0).integers(0, 9, (9000, 2)).astype(float)
    signs = all_signs(9000, 300, 1)
    whole = np.concatenate([part for _, part in flipped_sums(columns, 300, 1)], axis=1)
    np.testing.assert_array_equal(whole, columns.T @ signs)


@pytest.mark.parametrize("n_units", [5, 500, 2001])
def test_another_column_changes_no_digit_of_a_product(n_units):
    rng = np.random.default_rng(1)
    columns, counts = rng.normal(size=(n_units, 75)), all_counts(n_units, CHUNK).T
    with one_blas_thread():
        whole = sums(padded_rows(columns), counts, 75)
        for chosen in ([0], [3], [74], list(range(0, 75, 2)), list(range(60, 75)), list(range(34))):
            part = sums(padded_rows(columns[:, chosen]), counts, len(chosen))
            np.testing.assert_array_equal(part, whole[chosen])


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_intervals_against_scipy(method, alternative, level):
    """The same resampled means given to scipy.stats.bootstrap (1.17) as an earlier result."""
    z = np.random.default_rng(5).lognormal(size=40)
    means = all_counts(40, 2000, 9) @ z / 40
    reference = stats.bootstrap((z,), np.mean, n_resamples=2, method="percentile")
    reference.bootstrap_distribution = means
    expected = stats.bootstrap(
        (z,),
        np.mean,
        n_resamples=0,
        bootstrap_result=reference,
        method={"bca": "BCa"}.get(method, method),
        confidence_level=level,
        alternative=alternative,
    ).confidence_interval
    ours = bootstrap_interval(
        means[None, :],
        np.array([z.mean()]),
        level,
        alternative,
        method=method,
        acceleration=mean_acceleration((z - z.mean())[:, None]),
    )[0]
    # Our one-sided intervals leave 1 − level in one tail; SciPy's do too.
    np.testing.assert_allclose(ours, expected, rtol=1e-9)


def test_acceleration_is_that_of_the_jackknife():
    z = np.random.default_rng(2).gamma(1.0, size=25)
    jackknife = np.array([np.delete(z, i).mean() for i in range(25)])
    d = jackknife.mean() - jackknife
    expected = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    np.testing.assert_allclose(mean_acceleration((z - z.mean())[:, None]), [expected], rtol=1e-10)


def test_bca_is_undefined_without_spread():
    interval = bootstrap_interval(
        np.ones((1, 50)), np.array([2.0]), 0.95, method="bca", acceleration=np.array([0.0])
    )
    assert np.isnan(interval).all()
