"""The prediction-powered mean: the definition written as loops, plain t at its limits, scales, refusals."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.methods.judged.corrected import corrected_means

NAN = math.nan


def slow(human, judge, level=0.95):
    """Section by section of the definition, every leave-one-out number computed anew."""
    human, judge = np.asarray(human, float), np.asarray(judge, float)
    labelled = np.flatnonzero(~np.isnan(human))
    others = np.flatnonzero(np.isnan(human))
    n, unlabelled = labelled.size, others.size
    y = human[labelled]
    quantile = stats.t.ppf((1 + level) / 2, n - 1)
    if unlabelled == 0:
        error = stats.sem(y)
        return y.mean(), y.mean() - quantile * error, y.mean() + quantile * error
    weights = []
    for item in labelled:
        rest = labelled[labelled != item]
        covariance = np.cov(human[rest], judge[rest], ddof=1)[0, 1]
        variance = np.delete(judge, item).var(ddof=1)
        weights.append(max(0.0, covariance / ((1 + n / unlabelled) * variance)) if variance > 1e-20 else 0.0)
    r = [y[k] - weights[k] * (judge[labelled[k]] - judge[others].mean()) for k in range(n)]
    estimate, trust = np.mean(r), np.mean(weights)
    distinct = np.unique(y)
    gaps = [b - a for a, b in itertools.pairwise(distinct) if b - a > 1e-9 * np.ptp(y)]
    gap = min(gaps, default=0.0)
    spread = y.std(ddof=1)
    w = min(1.0, trust * judge.std(ddof=1) / spread) if spread > 0 else 0.0
    variance = trust**2 * judge.var(ddof=1) / unlabelled
    variance += (np.sum((r - estimate) ** 2) + 2 * (w * gap) ** 2) / ((n - 1) * n)
    error = math.sqrt(variance)
    return estimate, estimate - quantile * error, estimate + quantile * error


def drawn(seed, n=12, m=60, kind="normal"):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=m) if kind == "normal" else rng.integers(1, 6, m).astype(float)
    judge = truth + rng.normal(size=m)
    human = np.full(m, NAN)
    chosen = rng.choice(m, n, replace=False)
    human[chosen] = truth[chosen]
    return human, judge


score = st.integers(-6, 6).map(lambda k: k / 2)


@st.composite
def boards(draw):
    """Ratings of five or more items, three or more labelled; also judges that say one thing."""
    judge = draw(st.lists(score, min_size=5, max_size=14))
    human = draw(st.lists(score, min_size=len(judge), max_size=len(judge)))
    n = draw(st.integers(3, len(judge)))
    order = draw(st.permutations(range(len(judge))))
    return [value if order[i] < n else NAN for i, value in enumerate(human)], judge


@given(boards(), st.sampled_from([0.8, 0.95, 0.99]))
def test_it_is_the_definition(board, level):
    assert ns.corrected_mean(*board, level) == pytest.approx(slow(*board, level), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", ["normal", "ratings"])
@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_definition_on_usual_boards(seed, kind):
    human, judge = drawn(seed, kind=kind)
    assert ns.corrected_mean(human, judge) == pytest.approx(slow(human, judge), rel=1e-10)


@given(boards(), st.floats(0.01, 100), st.floats(-50, 50), st.floats(0.01, 100), st.floats(-50, 50))
def test_scales_of_people_and_judge(board, by, shift, judge_by, judge_shift):
    """People's scale is that of the result; the judge's changes nothing."""
    human, judge = np.array(board[0]), np.array(board[1])
    expected = np.array(ns.corrected_mean(human, judge)) * by + shift
    size = 1 + abs(shift) + by * np.nanmax(np.abs(human)) * 1e3
    found = ns.corrected_mean(human * by + shift, judge * judge_by + judge_shift)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9 * size)
    low, middle, high = (ns.corrected_mean(-human, judge * -1)[i] for i in (1, 0, 2))
    assert (-high, -middle, -low) == pytest.approx(
        [ns.corrected_mean(human, judge)[i] for i in (1, 0, 2)], rel=1e-9, abs=1e-9
    )


@given(boards(), st.randoms(use_true_random=False))
def test_the_order_of_items_changes_nothing(board, order):
    rows = list(zip(*board, strict=True))
    order.shuffle(rows)
    assert ns.corrected_mean(*zip(*rows, strict=True)) == pytest.approx(
        ns.corrected_mean(*board), rel=1e-9, abs=1e-9
    )


@given(boards(), st.sampled_from(["constant", "opposed"]))
def test_a_judge_that_is_no_help_leaves_the_people_alone(board, kind):
    human = np.array(board[0])
    y = human[~np.isnan(human)]
    judge = np.full(human.size, 2.5)
    if kind == "opposed":  # every leave-one-out covariance is −1 times a variance
        judge = np.where(np.isnan(human), 0.0, -human)
    margin = stats.t.ppf(0.975, y.size - 1) * y.std(ddof=1) / math.sqrt(y.size)
    expected = (y.mean(), y.mean() - margin, y.mean() + margin)
    assert ns.corrected_mean(human, judge) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_labels_everywhere_are_students_interval():
    human, judge = drawn(3, n=60)
    low, high = stats.ttest_1samp(human, 0).confidence_interval(0.95)
    assert ns.corrected_mean(human, judge) == pytest.approx((human.mean(), low, high), rel=1e-12)


def test_a_perfect_judge_makes_few_labels_worth_many():
    """With the truth for judge the error nears that of all items; the trust in it is itself estimated."""
    rng = np.random.default_rng(5)
    truth = rng.normal(size=(2_000, 1))
    labelled = np.arange(2_000) < 100
    found = corrected_means(truth[labelled], truth, labelled)
    assert 0.95 * truth.var() / 2_000 < found.error[0] ** 2 < 0.1 * truth.var() / 100


def test_columns_are_independent_of_each_other():
    boards = [drawn(seed) for seed in range(4)]
    labelled = np.zeros(60, dtype=bool)
    labelled[::5] = True
    judge = np.column_stack([judge for _, judge in boards])
    human = np.round(judge[labelled] * 2) / 2
    together = corrected_means(human, judge, labelled)
    for column in range(4):
        people = np.full(60, NAN)
        people[labelled] = human[:, column]
        estimate, low, _ = ns.corrected_mean(people, judge[:, column])
        assert together.estimate[column] == pytest.approx(estimate, rel=1e-12)
        error = (estimate - low) / stats.t.ppf(0.975, 11)
        assert together.error[column] == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_scores_of_any_size(size):
    human, judge = drawn(1)
    expected = ns.corrected_mean(human, judge)
    assert np.array(ns.corrected_mean(human * size, judge / size)) / size == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("human", "judge", "message"),
    [
        ([1, 2, NAN, NAN], [1, 2, 3, 4], "at least 3 items .* there are 2"),
        ([NAN] * 4, [1, 2, 3, 4], "there are 0"),
        ([1, 2, 3, NAN], [1, 2, 3, NAN], "no score for item 4"),
        ([1, 2, 3], [1, 2, 3, 4], "human has 3 entries and judge 4"),
        ([1, 2, 3, math.inf], [1, 2, 3, 4], "infinite"),
        ([[1, 2, 3]], [1, 2, 3], "human must be one row"),
        (["a", "b", "c"], [1, 2, 3], "human must be one row of numbers"),
    ],
)
def test_what_is_refused(human, judge, message):
    with pytest.raises(ns.AnalysisError, match=message):
        ns.corrected_mean(human, judge)


@pytest.mark.parametrize("level", [0, 1, 95, NAN, True, "0.9"])
def test_levels_that_are_none(level):
    with pytest.raises(ns.ConfigError, match="level must be"):
        ns.corrected_mean([1, 2, 3, NAN], [1, 2, 3, 4], level)
