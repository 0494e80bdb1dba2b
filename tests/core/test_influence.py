"""What drives a difference: against analyses of the remaining rows, against SciPy, against identities."""

import statistics

import numpy as np
import pytest
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.board.pairs.influence import driving_units, grouping_labels, leave_one_out, slices
from nlpstat_core.methods.diagnosis.normality import normal_scores

SIZES = (3, 5, 4, 7, 2, 6, 5, 3, 4, 6)


def board(missing: bool = False, counted: bool = False) -> ns.ScoreMatrix:
    rng = np.random.default_rng(11)
    doc = [f"d{g}" for g, size in enumerate(SIZES) for _ in range(size)]
    labels = {"doc": doc, "domain": ["news" if int(d[1:]) % 2 else "speech" for d in doc]}
    if counted:
        total = rng.integers(3, 12, (len(doc), 1)) * np.ones((1, 3), dtype=int)
        return ns.accuracy_matrix(
            rng.binomial(total, (0.5, 0.6, 0.8)), total, systems=("A", "B", "C"), labels=labels
        )
    values = np.round(rng.normal((0.0, 0.3, 0.8), size=(len(doc), 3)), 3)
    if missing:
        values[::4, 1] = np.nan
    return ns.ScoreMatrix(values=values, systems=("A", "B", "C"), labels=labels)


def without(scores, label, value):
    return scores.rows(np.array([name != value for name in scores.labels[label]]))


CASES = [
    ({"test": "t"}, {}),
    ({"test": "wilcoxon"}, {"missing": True}),
    ({"test": "permutation-mean"}, {}),
    ({"test": "block-t", "block_column": "doc"}, {}),
    ({"test": "accuracy-exact"}, {"counted": True}),
    ({"test": "bootstrap-mean", "resamples": 400, "alternative": "less", "baseline": "B"}, {}),
]


@pytest.mark.parametrize(("settings", "kind"), CASES)
@pytest.mark.parametrize("label", ["doc", "domain"])
def test_leaving_out_is_the_analysis_of_the_other_rows(settings, kind, label) -> None:
    scores = board(**kind)
    analysis = ns.analyse(scores, ns.AnalysisConfig(**settings, correction="none"))
    row = analysis.pairs.find(0, 1)
    lines = []
    found = leave_one_out(analysis, row, label, progress=lambda done, total: lines.append((done, total)))
    assert lines[-1] == (len(found), len(found))
    for g, value in enumerate(found.name):
        again = ns.analyse(without(scores, label, value), analysis.config)
        pair = again.pairs
        r = pair.find(0, 1)
        assert found.difference[g] == pytest.approx(pair.difference[r], rel=1e-12)
        assert found.p_value[g] == pytest.approx(pair.p_value[r], rel=1e-9)
        if settings["test"] != "bootstrap-mean":  # its own interval is not the Student one shown here
            np.testing.assert_allclose(found.interval[g], pair.interval[r], rtol=1e-9)


@pytest.mark.parametrize("missing", [False, True])
def test_leaving_out_against_scipy(missing) -> None:
    scores = board(missing)
    analysis = ns.analyse(scores, ns.AnalysisConfig(test="t"))
    found = leave_one_out(analysis, 0, "doc")
    for g, value in enumerate(found.name):
        rest = without(scores, "doc", value).values[:, :2]
        rest = rest[~np.isnan(rest).any(axis=1)]
        known = stats.ttest_rel(rest[:, 0], rest[:, 1])
        assert found.p_value[g] == pytest.approx(known.pvalue, rel=1e-9)
        np.testing.assert_allclose(found.interval[g], known.confidence_interval(0.95), rtol=1e-9)


@pytest.mark.parametrize("missing", [False, True])
def test_slices_against_scipy_and_their_weighted_mean(missing) -> None:
    scores = board(missing)
    analysis = ns.analyse(scores, ns.AnalysisConfig(block_column=None))
    for label in ("doc", "domain"):
        found = slices(analysis, 0, label)
        assert np.isnan(found.p_value).all()
        mean = np.average(found.difference, weights=found.n_units)
        assert mean == pytest.approx(analysis.pairs.difference[0], rel=1e-12)
        assert found.n_units.sum() == analysis.pairs.n_units[0]
        for g, value in enumerate(found.name):
            part = scores.values[[name == value for name in scores.labels[label]], :2]
            part = part[~np.isnan(part).any(axis=1)]
            assert found.score_a[g] == pytest.approx(part[:, 0].mean())
            if len(part) > 1:
                known = stats.ttest_rel(part[:, 0], part[:, 1]).confidence_interval(0.95)
                np.testing.assert_allclose(found.interval[g], known, rtol=1e-9)
            else:
                assert np.isnan(found.interval[g]).all()


def test_slices_of_counts_and_of_blocks_are_analyses_of_their_rows() -> None:
    cases = (
        (board(counted=True), {"test": "accuracy-exact"}),
        (board(), {"test": "block-t", "block_column": "doc"}),
    )
    for scores, settings in cases:
        analysis = ns.analyse(scores, ns.AnalysisConfig(**settings, correction="none"))
        found = slices(analysis, 1, "domain")
        for g, value in enumerate(found.name):
            part = scores.rows(np.array([name == value for name in scores.labels["domain"]]))
            pairs = ns.analyse(part, analysis.config).pairs
            assert found.difference[g] == pytest.approx(pairs.difference[1], rel=1e-12)
            np.testing.assert_allclose(found.interval[g], pairs.interval[1], rtol=1e-9)


@pytest.mark.parametrize("kind", [{}, {"missing": True}, {"counted": True}])
def test_units_that_drive_are_analyses_without_them_and_obey_the_jackknife(kind) -> None:
    scores = board(**kind)
    analysis = ns.analyse(scores)
    row = analysis.pairs.find(0, 1)
    found = driving_units(analysis, row)
    for i in (0, 7, len(found.rows) - 1):
        rest = scores.rows(np.delete(np.arange(scores.n_units), found.rows[i]))
        again = ns.analyse(rest).pairs
        assert found.without[i] == pytest.approx(again.difference[again.find(0, 1)], rel=1e-12)
    if scores.counts is None:
        n, whole = found.rows.size, analysis.pairs.difference[row]
        np.testing.assert_allclose((n - 1) * found.without, n * whole - found.difference, atol=1e-12)


def test_one_unit_and_disjoint_systems() -> None:
    values = [[1.0, 2.0, np.nan], [2.0, np.nan, 1.0], [np.nan, np.nan, 3.0]]
    scores = ns.ScoreMatrix(values=values, systems=("A", "B", "C"), labels={"doc": ["x", "x", "y"]})
    analysis = ns.analyse(scores)
    alone = driving_units(analysis, analysis.pairs.find(0, 1))
    assert alone.difference.tolist() == [-1.0]
    assert np.isnan(alone.without).all()
    left = leave_one_out(analysis, analysis.pairs.find(0, 1), "doc")
    assert left.name == ("x",)
    assert np.isnan(left.difference).all()
    assert np.isnan(left.p_value).all()
    nothing = slices(analysis, analysis.pairs.find(1, 2), "doc")
    assert len(nothing) == 0
    assert nothing.interval.shape == (0, 2)


def test_labels_and_cancelling() -> None:
    scores = board()
    assert grouping_labels(scores) == ("doc", "domain")
    assert grouping_labels(scores, np.arange(3)) == ()  # one document
    assert grouping_labels(scores, np.arange(8)) == ("doc", "domain")
    analysis = ns.analyse(scores)
    with pytest.raises(ns.ConfigError, match="doc"):
        slices(analysis, 0, "dok")
    with pytest.raises(ns.Cancelled):
        leave_one_out(analysis, 0, "doc", should_stop=lambda: True)


@pytest.mark.parametrize("n", [2, 7, 10, 11, 40])
def test_normal_scores_are_quantiles_of_the_positions(n) -> None:
    values = np.random.default_rng(n).normal(5, 2, n)
    found = normal_scores(values)
    shift = 3 / 8 if n <= 10 else 1 / 2
    known = [statistics.NormalDist().inv_cdf((i + 1 - shift) / (n + 1 - 2 * shift)) for i in range(n)]
    np.testing.assert_allclose(found.expected, known, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.expected, -found.expected[::-1], atol=1e-12)
    quartile = statistics.NormalDist().inv_cdf(0.75)
    low, high = np.quantile(values, (0.25, 0.75))
    ends = found.intercept + found.slope * np.array([-quartile, quartile])
    np.testing.assert_allclose(ends, [low, high])


def test_normal_scores_of_r() -> None:
    # qqnorm(c(1, 2, 4, 8, 16))$x in R, positions (i − 3/8)/(n + 1/4).
    expected = normal_scores(np.array([1.0, 2.0, 4.0, 8.0, 16.0])).expected
    np.testing.assert_allclose(expected, [-1.17976112, -0.49720057, 0.0, 0.49720057, 1.17976112], atol=1e-7)
    assert np.isnan(normal_scores(np.array([1.0])).slope)
