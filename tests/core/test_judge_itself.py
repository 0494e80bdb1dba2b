"""How a judge errs: verdicts, Rogan–Gladen, calibration and leanings from their definitions."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import nlpstat_core as ns
from nlpstat_core.methods.judged.rogan_gladen import rogan_gladen
from nlpstat_core.report.exports.tables.judge import calibration_table, leanings_table, zero_one_table
from nlpstat_core.report.wording.judge import itself_sentences, judge_statements


def board(values, labels=None, **more):
    systems = tuple(f"s{i}" for i in range(values.shape[1]))
    units = tuple(f"q{i}" for i in range(len(values)))
    return ns.ScoreMatrix(values=values, systems=systems, units=units, labels=labels or {}, **more)


def verdicts(rng, n=200, k=3, n_labels=60):
    truth = (rng.random((n, k)) < [0.7, 0.5, 0.4][:k]).astype(float)
    judge = np.where(rng.random((n, k)) < 0.15, 1 - truth, truth)
    people = truth.copy()
    people[rng.permutation(n)[n_labels:]] = np.nan
    return people, judge


def lang_reiczigel(judged, n, hits, positives, rejections, negatives, level):
    """One system, step by step from the paper."""
    z = stats.norm.ppf((1 + level) / 2)
    p = (n * judged + z * z / 2) / (n + z * z)
    se, sp = (hits + 1) / (positives + 2), (rejections + 1) / (negatives + 2)
    rate = (p + sp - 1) / (se + sp - 1)
    variance = (
        p * (1 - p) / (n + z * z)
        + rate**2 * se * (1 - se) / (positives + 2)
        + (1 - rate) ** 2 * sp * (1 - sp) / (negatives + 2)
    ) / (se + sp - 1) ** 2
    shift = (
        2 * z * z * (rate * se * (1 - se) / (positives + 2) - (1 - rate) * sp * (1 - sp) / (negatives + 2))
    )
    margin = z * math.sqrt(variance)
    return max(0, rate + shift - margin), min(1, rate + shift + margin)


@pytest.mark.parametrize("lower", [False, True])
def test_verdicts_from_the_definition(lower):
    people, judge = verdicts(np.random.default_rng(0))
    given = {"human": board(people, lower_is_better=lower), "auto": board(judge, lower_is_better=lower)}
    found = ns.judge(given).itself.zero_one
    assert found is not None
    for system in range(3):
        there = ~np.isnan(people[:, system])
        y, f = people[there, system], judge[there, system]
        both, missed = int(((y == 1) & (f == 1)).sum()), int(((y == 1) & (f == 0)).sum())
        invented, neither = int(((y == 0) & (f == 1)).sum()), int(((y == 0) & (f == 0)).sum())
        assert (found.both[system], found.missed[system]) == (both, missed)
        assert (found.invented[system], found.neither[system]) == (invented, neither)
        assert found.sensitivity[system] == both / (both + missed)
        wilson = proportion_confint(neither, neither + invented, 0.05, "wilson")
        assert found.specificity_interval[system] == pytest.approx(wilson, rel=1e-12)
        p = judge[~there, system].mean()
        se, sp = both / (both + missed), neither / (neither + invented)
        assert found.rate[system] == pytest.approx((p + sp - 1) / (se + sp - 1), rel=1e-12)
        expected = lang_reiczigel(p, (~there).sum(), both, both + missed, neither, neither + invented, 0.95)
        assert found.rate_interval[system] == pytest.approx(expected, rel=1e-12)


def test_a_judge_that_runs_the_other_way_has_its_verdicts_turned():
    people, judge = verdicts(np.random.default_rng(1))
    same = ns.judge({"human": board(people), "auto": board(judge)}).itself.zero_one
    turned = ns.judge(
        {"human": board(people), "auto": board(1 - judge, lower_is_better=True)}
    ).itself.zero_one
    assert same is not None
    assert turned is not None
    assert turned.both.tolist() == same.both.tolist()
    assert turned.invented.tolist() == same.invented.tolist()
    assert turned.rate == pytest.approx(same.rate, rel=1e-12)


@pytest.mark.parametrize(("rate", "right", "n"), [(0.6, 0.85, 40), (0.6, 0.97, 40), (0.3, 0.8, 100)])
def test_the_interval_covers(rate, right, n):
    """2,000 boards; an accurate judge covers more than it says."""
    rng, k = np.random.default_rng(2), 2000

    def drawn(rows):
        y = rng.random((rows, k)) < rate
        return y, y ^ (rng.random((rows, k)) > right)

    (y, f), (_, others) = drawn(n), drawn(900)
    counts = ((y & f).sum(0), y.sum(0), (~y & ~f).sum(0), (~y).sum(0))
    for level in (0.9, 0.95, 0.99):
        estimate, ends = rogan_gladen(others.mean(0), np.full(k, 900), *counts, level)
        inside = (ends[:, 0] <= rate) & (rate <= ends[:, 1])
        assert inside.mean() >= level - 0.015
    assert np.nanmean(estimate) == pytest.approx(rate, abs=0.02)


def test_what_cannot_be_told_is_undefined():
    ones = np.array([5, 0, 5, 5])
    zeros = np.array([5, 5, 0, 5])
    hits, rejections = np.array([2, 0, 4, 4]), np.array([2, 4, 0, 4])
    judged, n = np.array([0.5, 0.5, 0.5, np.nan]), np.array([50, 50, 50, 0])
    estimate, ends = rogan_gladen(judged, n, hits, ones, rejections, zeros, 0.95)
    assert np.isnan(estimate).all()  # no better than chance, no positives, no negatives, nothing judged
    assert np.isnan(ends).all()
    people, judge = verdicts(np.random.default_rng(3))
    labels = {"doc": tuple(f"d{i // 5}" for i in range(200))}
    by_documents = ns.judge({"human": board(people, labels), "auto": board(judge)}, documents="doc").itself
    assert by_documents.zero_one is not None
    assert np.isnan(by_documents.zero_one.rate).all()
    plain = ns.judge({"human": board(people * 2), "auto": board(judge)}).itself
    assert plain.zero_one is None
    assert plain.calibration is None


def test_calibration_counts_every_label_once():
    rng = np.random.default_rng(4)
    chance = rng.random((300, 2))
    people = (rng.random(chance.shape) < chance).astype(float)
    people[200:] = np.nan
    found = ns.judge({"human": board(people), "auto": board(chance)}).itself
    assert found.zero_one is None
    bins = found.calibration
    assert bins is not None
    there = ~np.isnan(people)
    assert bins.labels.sum() == 400
    assert (bins.labels * bins.share).sum() == pytest.approx(people[there].sum())
    assert (bins.labels * bins.judged).sum() == pytest.approx(chance[there].sum())
    assert bins.labels.min() >= 35
    assert (np.diff(bins.judged) > 0).all()
    assert np.mean((bins.interval[:, 0] <= bins.judged) & (bins.judged <= bins.interval[:, 1])) >= 0.8
    ends = proportion_confint(round(bins.share[0] * bins.labels[0]), bins.labels[0], 0.05, "wilson")
    assert bins.interval[0] == pytest.approx(ends, rel=1e-9)


@pytest.mark.parametrize("documents", [None, "doc"])
def test_leanings_are_a_regression_with_clustered_errors(documents):
    rng = np.random.default_rng(5)
    people = rng.normal(size=(120, 3))
    length = rng.normal(size=people.shape) * 10 + [50, 60, 70]
    judge = people + rng.normal(size=people.shape) / 2 + 0.05 * length
    people[70:] = np.nan
    labels = {
        "doc": tuple(f"d{i // 4}" for i in range(120)),
        "position": tuple(str(i % 7) for i in range(120)),
    }
    given = {"human": board(people, labels), "auto": board(judge), "out_length": board(length)}
    found = ns.judge(given, judge="auto", documents=documents, alpha=0.1)
    lean = {one.name: one for one in found.itself.leanings}
    assert set(lean) == {"out_length", "position"}
    rows, systems = np.nonzero(~np.isnan(people))
    y, f, x = people[rows, systems], judge[rows, systems], length[rows, systems]
    design = np.column_stack([x, *(systems == one for one in range(3))]).astype(float)
    groups = rows if documents is None else rows // 4
    fit = sm.OLS(f * (y.std() / f.std()) - y, design).fit()
    n = np.unique(groups).size
    meat = sum(
        np.outer(score, score)
        for group in np.unique(groups)
        for score in [(design[groups == group] * fit.resid[groups == group, None]).sum(axis=0)]
    )
    bread = np.linalg.inv(design.T @ design)
    error = math.sqrt((bread @ meat @ bread)[0, 0] * n / (n - 1))
    one, deviation = lean["out_length"], lean["out_length"].deviation
    assert one.slope == pytest.approx(fit.params[0] * deviation, rel=1e-9)
    margin = stats.t.ppf(0.95, n - 1) * error * deviation
    assert (one.lower, one.upper) == pytest.approx((one.slope - margin, one.slope + margin), rel=1e-9)
    assert one.p_value == pytest.approx(2 * stats.t.sf(one.slope / deviation / error, n - 1), rel=1e-6)
    assert lean["position"].p_adjusted > 0.05
    said = " ".join(itself_sentences(found))
    assert "'out_length' is larger by" in said
    assert "isn't found to favour 'position'" in said


def test_it_stands_in_tables_reports_and_json():
    people, judge = verdicts(np.random.default_rng(6))
    rng = np.random.default_rng(7)
    given = {"human": board(people), "auto": board(judge), "length": board(rng.normal(size=judge.shape))}
    found = ns.judge(given, judge="auto")
    for table in (zero_one_table(found), calibration_table(found), leanings_table(found)):
        assert table is not None
        assert table.rows
    text = " ".join(one.text for one in judge_statements(found))
    assert "Over all systems the judge gives 0 to" in text
    assert any("rogan1978" in one.references for one in judge_statements(found))
    data = found.to_dict()
    assert [row["system"] for row in data["zero_one"]] == ["s0", "s1", "s2"]
    assert len(data["leanings"]) == 1
    assert sum(row["labels"] for row in data["calibration"]) == 180
