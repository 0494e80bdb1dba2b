"""Bayesian models: published values, R's BayesFactor, slow oracles, properties."""

import numpy as np
import pytest
from core.oracles_bayes import binary_above, gibbs, log_bayes_factor
from golden.golden import load
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.methods.bayes.bayesian_bootstrap import drawn_posteriors, score_draws
from nlpstat_core.methods.bayes.binary import _above, _support, binary_posteriors, difference_density
from nlpstat_core.methods.bayes.covariance import shrunk_covariance
from nlpstat_core.methods.bayes.independent_binary import independent_posteriors
from nlpstat_core.methods.bayes.jzs import _integrated, log_bayes_factors
from nlpstat_core.methods.bayes.means import mean_posteriors
from nlpstat_core.methods.bayes.partial_pooling import pool, pooled_draws, pooled_posteriors, score_posteriors
from tests.calibration.rows import load as load_kept

# R's sleep: extra hours of sleep under the second drug and under the first.
SLEEP = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]) - np.array(
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
)
# Eight schools (Rubin 1981): effects and standard errors.
SCHOOLS = np.array([28, 8, -3, 7, -1, 1, 18, 12.0])
ERRORS = np.array([15, 10, 16, 11, 9, 11, 10, 18.0])


def one(*numbers):
    return [np.array([number]) for number in numbers]


def of_mean(z, margin=0.0):
    n = len(z)
    return mean_posteriors(*one(z.mean(), z.std(ddof=1) / np.sqrt(n)), n - 1, margin=margin)


# Means


def test_sleep():
    at_zero, at_one = of_mean(SLEEP), of_mean(SLEEP, 1.0)
    assert at_zero.greater[0] == pytest.approx(0.998583554901, abs=1e-12)
    assert at_one.greater[0] == pytest.approx(0.914944114551, abs=1e-12)
    assert at_zero.interval[0] == pytest.approx([0.70011, 2.45989], abs=1e-5)


def test_with_margin_0_the_probability_repeats_the_one_sided_p():
    p = stats.ttest_1samp(SLEEP, 0, alternative="greater").pvalue
    assert of_mean(SLEEP).greater[0] == pytest.approx(1 - p, abs=1e-14)


@given(
    st.floats(-5, 5),
    st.floats(0.01, 3),
    st.integers(1, 2000),
    st.floats(0, 4),
    st.sampled_from([0.5, 0.9, 0.95]),
)
def test_parts_of_a_mean_sum_to_one_and_turn_with_the_pair(difference, error, freedom, margin, level):
    there = mean_posteriors(*one(difference, error), freedom, margin=margin, level=level)
    swapped = mean_posteriors(*one(-difference, error), freedom, margin=margin, level=level)
    total = there.greater + there.within + there.less
    assert total[0] == pytest.approx(1, abs=1e-12)
    assert there.greater[0] == pytest.approx(swapped.less[0], abs=1e-15)
    assert there.interval[0] == pytest.approx(-swapped.interval[0][::-1])


def test_a_far_region_keeps_its_digits():
    found = mean_posteriors(*one(-40.0, 1.0), 2000, margin=1.0)
    tails = [stats.t.logsf(at, 2000) for at in (39.0, 41.0)]
    assert np.log(found.within[0]) == pytest.approx(
        np.log(-np.expm1(tails[1] - tails[0])) + tails[0], rel=1e-8
    )


def test_without_spread_only_equality_is_taken_as_known_and_one_unit_says_nothing():
    found = mean_posteriors(np.array([0.0, 2.0, 2.0, -3.0]), np.array([0.0, 0.0, np.nan, 0.0]), 4, margin=2.0)
    assert (found.greater[0], found.within[0], found.less[0]) == (0, 1, 0)
    for values in (found.greater, found.within, found.less, found.centre, found.interval):
        assert np.isnan(values[1:]).all()
    assert np.isnan(mean_posteriors(*one(2.0, 1.0), 0).greater[0])


# Right and wrong answers


def test_dirichlet_values():
    found = binary_posteriors(*one(30, 15, 200))
    assert found.greater[0] == pytest.approx(0.9870519591, abs=1e-10)
    found = binary_posteriors(*one(30, 15, 200), margin=0.02)
    parts = [found.greater[0], found.within[0], found.less[0]]
    assert parts == pytest.approx([0.9483955543, 0.0491700980, 0.0024343476], abs=1e-10)
    found = binary_posteriors(*one(133, 97, 805), margin=0.01)
    parts = [found.greater[0], found.within[0], found.less[0]]
    assert parts == pytest.approx([0.9672191023, 0.0309281505, 0.0018527472], abs=1e-10)


@pytest.mark.parametrize(
    ("b", "c", "n"), [(0, 0, 1), (1, 0, 1), (3, 1, 5), (0, 0, 40), (10, 0, 10), (7, 9, 60), (40, 3, 300)]
)
@pytest.mark.parametrize("x", [0.001, 0.05, 0.4])
def test_dirichlet_by_the_simplex(b, c, n, x):
    found = binary_posteriors(*one(b, c, n), margin=x)
    assert found.greater[0] == pytest.approx(binary_above(b, c, n, x), abs=1e-10)
    assert found.less[0] == pytest.approx(binary_above(c, b, n, x), abs=1e-10)


def test_dirichlet_on_a_finer_grid():
    rng = np.random.default_rng(1)
    b, c = rng.integers(0, 400, (2, 200)).astype(float)
    rest = np.floor(10 ** rng.uniform(0, 5, 200))
    for limit in (1e-6, 1e-3, 0.01, 0.1, 0.6):
        x = np.full(200, limit)
        support = _support(b + c + 2, rest + 1)
        finer = _above(b, c, rest, x, support, 400)[0]
        assert _above(b, c, rest, x, support)[0] == pytest.approx(finer, abs=1e-10)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 300))
def test_at_margin_0_the_complement_is_the_mid_p(b, c, rest):
    if b + c == 0 and rest == 0:
        return
    found = binary_posteriors(*one(b, c, b + c + rest))
    law = stats.binom(b + c, 0.5)
    mid_p = law.sf(b) + 0.5 * law.pmf(b)
    # Beta(b + 1, c + 1) above ½ is a tail of b + c + 1 tosses: half way between the two tails of b + c.
    assert found.greater[0] == pytest.approx(1 - mid_p, abs=1e-12)
    assert found.greater[0] + found.within[0] + found.less[0] == pytest.approx(1, abs=1e-12)


def test_dirichlet_interval_and_density():
    draws = np.random.default_rng(0).dirichlet([31, 16, 156], 400_000)
    difference = draws[:, 0] - draws[:, 1]
    found = binary_posteriors(*one(30, 15, 200))
    assert found.interval[0] == pytest.approx(np.quantile(difference, [0.025, 0.975]), abs=3e-4)
    assert found.centre[0] == pytest.approx(15 / 203)
    at = np.linspace(-0.4, 0.6, 4001)
    density = difference_density(30, 15, 200, at)
    assert np.trapezoid(density, at) == pytest.approx(1, abs=1e-8)
    above = np.trapezoid(np.where(at >= 0, density, 0), at)
    assert above == pytest.approx(found.greater[0], abs=3e-4)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_dirichlet_limits_hold_their_level(level):
    b = np.array([0, 1, 5, 0, 300, 3, 2000, 0])
    c = np.array([0, 0, 5, 30, 280, 0, 1500, 1])
    n = np.array([1, 1, 10, 30, 100000, 7, 4000, 100000])
    found = binary_posteriors(b, c, n, level=level)
    for end, above in ((0, (1 + level) / 2), (1, (1 - level) / 2)):
        x = found.interval[:, end]
        wins, losses, rest = (column.astype(float) for column in (b, c, n - b - c))
        support = _support(wins + losses + 2, rest + 1)
        upper = _above(wins, losses, rest, np.abs(x), support)[0]
        lower = _above(losses, wins, rest, np.abs(x), support)[0]
        assert np.where(x >= 0, upper, 1 - lower) == pytest.approx(np.full(8, above), abs=1e-8)


def test_no_units_are_undefined():
    assert np.isnan(binary_posteriors(*one(0, 0, 0)).greater[0])


def test_shares_of_different_items():
    """Right answers on ARC of the two systems that HyBayes compares (Sadeqi Azer et al. 2020)."""
    easy = independent_posteriors(*one(1721.0, 2376.0, 1637.0, 2376.0))
    assert easy.greater[0] == pytest.approx(0.9962757785, abs=1e-10)
    challenge = independent_posteriors(*one(566.0, 1172.0, 496.0, 1172.0))
    assert challenge.greater[0] == pytest.approx(0.9981580262, abs=1e-10)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [((1721, 2376, 1637, 2376), 0.009463, 0.061180), ((566, 1172, 496, 1172), 0.019434, 0.099789)],
)
def test_published_shortest_intervals(counts, low, high):
    """HyBayes' highest density intervals: they hold 95 %, and the density is the same at both ends."""

    def above(x):
        return independent_posteriors(*one(*map(float, counts)), margin=x).greater[0]

    assert above(low) - above(high) == pytest.approx(0.95, abs=2e-5)
    step = 1e-4
    at_low, at_high = ((above(x - step) - above(x + step)) / (2 * step) for x in (low, high))
    assert at_low == pytest.approx(at_high, rel=1e-3)


@pytest.mark.parametrize("counts", [(0, 3, 0, 3), (5, 5, 1, 1), (1, 900, 300, 500), (499, 500, 3, 20000)])
def test_shares_of_different_items_by_draws(counts):
    rng = np.random.default_rng(2)
    a, n_a, b, n_b = counts
    draws = rng.beta(a + 1, n_a - a + 1, 200_000) - rng.beta(b + 1, n_b - b + 1, 200_000)
    found = independent_posteriors(*one(*map(float, counts)), margin=0.01)
    assert found.greater[0] == pytest.approx(np.mean(draws > 0.01), abs=0.005)
    assert found.less[0] == pytest.approx(np.mean(draws < -0.01), abs=0.005)
    assert found.interval[0] == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.01)


# Bayes factor


@pytest.mark.parametrize("golden", load("bayes", "ttest.tstat"), ids=str)
def test_bayes_factor_as_in_r(golden):
    t, n = golden.values["t"], golden.values["n"]
    found = log_bayes_factors(*one(t, n, n - 1), scale=golden.options["scale"])[0]
    # R integrates to a relative tolerance that leaves six digits of the Bayes factor.
    assert found == pytest.approx(golden.values["log_bf"], rel=1e-6, abs=2e-6)


@pytest.mark.parametrize(
    ("t", "n", "expected"),
    [
        (SLEEP.mean() / (SLEEP.std(ddof=1) / np.sqrt(10)), 10, 17.2588802678),
        (3.5, 20, 17.1846157196),
        (0.0, 100, 0.110704637733),
        (1.64451, 2001, 0.0971368432),
    ],
)
def test_bayes_factor_values(t, n, expected):
    assert np.exp(log_bayes_factors(*one(t, n, n - 1.0))[0]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("t", "n", "freedom", "scale"),
    [
        (0, 2, 1, 1.0),
        (2.2, 7, 6, 0.5),
        (-3, 30, 29, 3.0),
        (60, 12, 11, 0.7),
        (1e4, 5, 4, 0.2),
        (5, 80, 19, 1.0),
    ],
)
def test_bayes_factor_by_the_definition(t, n, freedom, scale):
    found = log_bayes_factors(*one(t, n, freedom), scale=scale)[0]
    assert found == pytest.approx(log_bayes_factor(t, n, freedom, scale), abs=1e-10)


def test_bayes_factor_on_a_finer_grid(monkeypatch):
    rng = np.random.default_rng(4)
    t, n = rng.normal(0, 6, 200), rng.integers(2, 5000, 200).astype(float)
    rough = _integrated(np.abs(t), n, n - 1, 0.7, 40.0)
    monkeypatch.setattr("nlpstat_core.methods.bayes.jzs._NODES", 12_000)
    assert rough == pytest.approx(_integrated(np.abs(t), n, n - 1, 0.7, 40.0), abs=1e-10)


def test_bayes_factor_at_the_edges():
    found = log_bayes_factors(np.array([np.nan, np.inf, 1.0, 0.0]), np.array([5.0, 5, 1, 5]), [4.0, 4, 0, 4])
    assert np.isnan(found[[0, 2]]).all()
    assert found[1] == np.inf
    assert found[3] < 0
    assert log_bayes_factors(*one(200.0, 100_000, 99_999))[0] > 15_000


# Partial pooling


def test_eight_schools():
    found = pool(SCHOOLS, np.diag(ERRORS**2), prior=None)
    expected = [11.400, 7.895, 6.131, 7.645, 5.126, 6.139, 10.667, 8.457]
    assert found.score == pytest.approx(expected, abs=5.1e-4)
    assert found.weight @ found.level == pytest.approx(7.932, abs=5.1e-4)
    assert found.mean_tau == pytest.approx(6.576, abs=1e-3)


@pytest.mark.parametrize("prior", [None, 2.0, 50.0])
@pytest.mark.parametrize("size", [3, 8])
def test_pooling_on_a_finer_grid(prior, size):
    score, covariance = SCHOOLS[:size], np.diag(ERRORS[:size] ** 2)
    left, right = np.triu_indices(size, 1)
    rough, fine = (pool(score, covariance, prior=prior, fineness=times) for times in (1, 100))
    assert rough.score == pytest.approx(fine.score, abs=1e-10)
    found = [pooled_posteriors(each, left, right, margin=3.0) for each in (rough, fine)]
    assert found[0].greater == pytest.approx(found[1].greater, abs=1e-10)
    assert found[0].interval == pytest.approx(found[1].interval, abs=1e-8)


BOARDS = [
    (SCHOOLS[:4], np.diag(ERRORS[:4] ** 2), 10.0),
    (np.array([0.3, 0.1, -0.4]), 0.04 * (0.6 + 0.4 * np.eye(3)), 0.5),
    (np.array([1.0, 1.1, 5.0, 0.9, 1.3]), np.diag([0.2, 0.1, 0.4, 0.3, 0.05]), 1.0),
]


@pytest.mark.parametrize(("score", "covariance", "prior"), BOARDS)
def test_pooling_by_a_gibbs_sampler(score, covariance, prior):
    draws = gibbs(score, covariance, prior, 6_000, seed=5)
    found = pool(score, covariance, prior=prior)
    batches = draws.reshape(40, 150, -1).mean(axis=1)  # batch means: errors of a chain whose draws are alike
    error = batches.std(axis=0, ddof=1) / np.sqrt(40)
    assert np.all(np.abs(draws.mean(axis=0) - found.score) <= 3.5 * error)
    left, right = np.triu_indices(len(score), 1)
    margin = 0.1 * score.std()
    above = draws[:, left] - draws[:, right] > margin
    error = above.reshape(40, 150, -1).mean(axis=1).std(axis=0, ddof=1) / np.sqrt(40)
    posteriors = pooled_posteriors(found, left, right, margin=margin)
    assert np.all(np.abs(above.mean(axis=0) - posteriors.greater) <= 3.5 * error + 1e-4)
    own = pooled_draws(found, 40_000, 3)
    direct = np.mean(own[left] - own[right] > margin, axis=1)
    assert direct == pytest.approx(posteriors.greater, abs=0.012)
    assert score_posteriors(found) == pytest.approx(
        np.quantile(own, [0.025, 0.975], axis=1).T, rel=0.05, abs=0.05
    )


def test_pooling_does_not_depend_on_units_of_measurement_or_order():
    covariance = np.diag(ERRORS**2)
    left, right = np.triu_indices(8, 1)
    plain = pool(SCHOOLS, covariance, prior=10.0)
    scaled = pool(SCHOOLS / 1000 + 7, covariance / 1e6, prior=0.01)
    assert scaled.score == pytest.approx(plain.score / 1000 + 7, abs=1e-10)
    order = np.array([3, 1, 7, 0, 2, 6, 5, 4])
    moved = pool(SCHOOLS[order], covariance[np.ix_(order, order)], prior=10.0)
    assert moved.score == pytest.approx(plain.score[order], abs=1e-9)
    swapped = pooled_posteriors(plain, right, left, margin=2.0)
    assert pooled_posteriors(plain, left, right, margin=2.0).greater == pytest.approx(swapped.less, abs=1e-12)


def test_covariance_of_more_systems_than_units():
    rng = np.random.default_rng(6)
    scores = rng.normal(0, 3, (9, 1)) + rng.normal(0, 1, (9, 14))
    shrunk = shrunk_covariance((scores - scores.mean(axis=0)) / 9)
    assert 0 < shrunk.intensity <= 1
    left, right = np.triu_indices(14, 1)
    own = np.diag(shrunk.covariance)
    variances = own[left] + own[right] - 2 * shrunk.covariance[left, right]
    assert np.linalg.eigvalsh(shrunk.covariance)[0] > 0.001  # the sample covariance has eigenvalues 0
    assert variances.mean() == pytest.approx(2 / 9, rel=0.35)
    found = pooled_posteriors(pool(scores.mean(axis=0), shrunk.covariance, prior=1.0), left, right)
    assert found.greater.max() < 0.999
    assert found.greater.min() > 0.001


def test_covariance_of_many_units_is_the_sample_covariance():
    rng = np.random.default_rng(7)
    scores = rng.normal(0, 1, (20_000, 4)) * np.array([1, 2, 3, 4])
    shrunk = shrunk_covariance((scores - scores.mean(axis=0)) / 20_000)
    assert shrunk.intensity < 0.01
    assert shrunk.covariance == pytest.approx(np.cov(scores.T) / 20_000, abs=2e-5)


def test_covariance_of_two_systems_is_never_shrunk():
    scores = np.array([[1.0, 2], [3, 5], [4, 4]])
    shrunk = shrunk_covariance((scores - scores.mean(axis=0)) / 3)
    assert shrunk.covariance == pytest.approx(np.cov(scores.T) / 3)
    assert shrunk.intensity == 0


def test_shrinking_by_its_definition():
    """Ledoit and Wolf's sums over units, on coordinates of the contrasts."""
    rng = np.random.default_rng(8)
    scores = rng.normal(0, 1, (30, 5)) @ rng.normal(0, 1, (5, 5))
    parts = (scores - scores.mean(axis=0)) / 30
    basis = np.linalg.qr(np.column_stack([np.ones(5), np.eye(5)[:, :4]]))[0][:, 1:]
    x = parts @ basis * 30
    sample = x.T @ x / 30
    average = np.trace(sample) / 4
    d2 = np.sum((sample - average * np.eye(4)) ** 2)
    b2 = sum(np.sum((np.outer(row, row) - sample) ** 2) for row in x) / 30**2
    assert shrunk_covariance(parts).intensity == pytest.approx(min(b2, d2) / d2, rel=1e-9)


# Bayesian bootstrap


def test_bayesian_bootstrap_has_the_moments_of_its_definition():
    rng = np.random.default_rng(9)
    scores = rng.lognormal(0, 1, (40, 3))
    draws = score_draws(scores, None, 60_000, 1)
    means = scores.mean(axis=0)
    variance = scores.var(axis=0) / 41
    assert draws.mean(axis=1) == pytest.approx(means, abs=4 * np.sqrt(variance.max() / 60_000))
    assert draws.var(axis=1) == pytest.approx(variance, rel=0.05)
    found = drawn_posteriors(draws, np.array([0, 0]), np.array([1, 2]), freedom=np.inf, margin=0.1)
    difference = draws[0] - draws[1]
    assert found.greater[0] == pytest.approx(np.mean(difference > 0.1), abs=1e-4)
    assert found.interval[0] == pytest.approx(np.quantile(difference, [0.025, 0.975]), abs=2e-3)
    assert found.greater + found.within + found.less == pytest.approx([1, 1])


def test_studentised_draws_are_those_of_the_definition_and_normal_ones_those_of_the_t_test():
    rng = np.random.default_rng(11)
    for n, scores in ((8, rng.normal(0.4, 1, (8, 2))), (35, rng.lognormal(0, 1, (35, 2)))):
        draws = score_draws(scores, None, 20_000, 3)
        found = drawn_posteriors(draws, np.array([0]), np.array([1]), freedom=n - 1, margin=0.3, level=0.9)
        difference = draws[0] - draws[1]
        centre, spread = difference.mean(), difference.std()
        wider = stats.t.ppf(stats.norm.cdf((difference - centre) / spread), n - 1)
        moved = centre + wider * spread * np.sqrt((n + 1) / (n - 1))
        assert found.greater[0] == pytest.approx(np.mean(moved > 0.3), abs=2e-4)
        assert found.less[0] == pytest.approx(np.mean(moved < -0.3), abs=2e-4)
        assert found.interval[0] == pytest.approx(np.quantile(moved, [0.05, 0.95]), abs=5e-3)
        raw = np.quantile(difference, [0.05, 0.95])
        factor = np.sqrt((n + 1) / (n - 1)) * stats.t.ppf(0.95, n - 1) / stats.norm.ppf(0.95)
        stretched = centre + (raw - centre) * factor
        assert found.interval[0] == pytest.approx(stretched, abs=0.12 * np.ptp(stretched))
    z = rng.normal(0.2, 1, 40)
    draws = np.stack([rng.normal(z.mean(), z.std() / np.sqrt(41), 200_000), np.zeros(200_000)])
    found = drawn_posteriors(draws, np.array([0]), np.array([1]), freedom=39)
    assert found.interval[0] == pytest.approx(stats.t.interval(0.95, 39, z.mean(), stats.sem(z)), abs=5e-3)
    one_sided = stats.ttest_1samp(z, 0, alternative="greater").pvalue
    assert found.greater[0] == pytest.approx(1 - one_sided, abs=3e-3)


def test_bayesian_bootstrap_of_shares_agrees_with_the_beta():
    """With right and wrong answers the share is Beta(right, wrong): Rubin's own example."""
    answers = np.repeat([1.0, 0.0], [30, 10])[:, None]
    draws = score_draws(answers, None, 60_000, 2)[0]
    assert np.mean(draws > 0.7) == pytest.approx(special.betaincc(30, 10, 0.7), abs=0.008)


def test_draws_do_not_depend_on_their_number():
    scores = np.random.default_rng(3).normal(size=(12, 4))
    assert np.array_equal(score_draws(scores, None, 300, 5), score_draws(scores, None, 900, 5)[:, :300])
    pooled = pool(SCHOOLS, np.diag(ERRORS**2), prior=10.0)
    assert np.array_equal(pooled_draws(pooled, 300, 5), pooled_draws(pooled, 700, 5)[:, :300])


def test_identical_columns_are_never_better():
    scores = np.random.default_rng(3).normal(size=(12, 1)) @ np.ones((1, 2))
    found = drawn_posteriors(score_draws(scores, None, 500, 1), np.array([0]), np.array([1]), freedom=11)
    assert found.greater[0] == found.less[0] == 0
    assert found.within[0] == 1


def test_every_model_says_what_it_assumes():
    assert MODELS.keys == ("mean", "binary", "partial-pooling", "bayesian-bootstrap", "bayes-factor")
    assert all(model.assumptions and model.references and model.formula for model in MODELS)


def test_kept_figures_of_the_bootstrap_are_those_it_tells():
    told = " ".join(MODELS["bayesian-bootstrap"].assumptions)
    rates = {
        (row.situation, row.size, figure.what): figure.rate
        for row in load_kept("posteriors")
        if row.subject == "bayesian-bootstrap"
        for figure in row.figures
    }
    normal, lognormal = (100 * rates[kind, "n = 50", "0.95 held"] for kind in ("normal", "lognormal"))
    assert f"hold {normal:.0f} % of the time for normal differences, {lognormal:.0f} % for lognormal" in told
    for (_, size, what), rate in rates.items():
        if what == "called wrongly":
            assert rate < 0.02
        if what == "called" and size in ("n = 8", "n = 20"):
            assert rate == 0
    for size in ("n = 8", "n = 20", "n = 50", "n = 200"):
        assert rates["normal", size, "0.95 held"] == pytest.approx(0.95, abs=0.01)


def test_kept_calibration_tried_every_model():
    """Claims on truths from the prior are at least as right as they say."""
    rows = load_kept("posteriors")
    assert {row.subject for row in rows} == set(MODELS.keys)
    claims = [row for row in rows if row.situation in ("from the prior", "from a wide prior")]
    assert len(claims) == 4
    for row in claims:
        (right,) = [figure.rate for figure in row.figures if figure.what == "called better and are"]
        assert right >= 0.95
