"""Simultaneous intervals as a user asks for them: numbers, files, sentences."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.analysis.in_order import in_order
from nlpstat_core.analysis.several_boards.joint import corrected_together
from nlpstat_core.cli import main
from nlpstat_core.report.wording.methods import methods

ASKED = ns.AnalysisConfig(test="t", intervals=("simultaneous",), effects=(), block_column=None)
M = 6


def matrix(n_units: int = 40, **fields: object) -> ns.ScoreMatrix:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(n_units, 1)) + rng.gamma(2.0, size=(n_units, 4)) + 0.2 * np.arange(4)
    return ns.ScoreMatrix(values=values, systems=("A", "B", "C", "D"), **fields)  # type: ignore[arg-type]


def ends(analysis: ns.Analysis) -> np.ndarray:
    found = analysis.pairs.interval_simultaneous
    assert found is not None
    return found


def differences(analysis: ns.Analysis) -> list[np.ndarray]:
    pairs, values = analysis.pairs, analysis.units.values
    both = [values[:, a] - values[:, b] for a, b in zip(pairs.left, pairs.right, strict=True)]
    return [column[~np.isnan(column)] for column in both]


def at_family_level(result: object) -> list[float]:
    return list(result.confidence_interval(1 - 0.05 / M))  # type: ignore[attr-defined]


@pytest.mark.parametrize("test", ["t", "wilcoxon", "bootstrap-mean", "permutation-mean"])
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "none", "benjamini-hochberg"])
def test_bonferroni_is_scipys_t_interval_at_the_family_s_level(test: str, correction: str) -> None:
    """Each pair on the units that it shares."""
    values = matrix().values.copy()
    values[:5, 1] = np.nan
    scores = replace(matrix(), values=values)
    analysis = ns.analyse(scores, replace(ASKED, test=test, correction=correction, resamples=200))
    expected = [at_family_level(stats.ttest_1samp(z, 0.0)) for z in differences(analysis)]
    np.testing.assert_allclose(ends(analysis), expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("test", "pooled"), [("welch-t", False), ("student-t", True), ("mann-whitney", False)]
)
def test_independent_samples_have_their_own_interval(test: str, pooled: bool) -> None:
    values = matrix().values.copy()
    values[30:, 0] = np.nan
    analysis = ns.analyse(replace(matrix(), values=values), replace(ASKED, test=test))
    columns = [column[~np.isnan(column)] for column in values.T]
    expected = [
        at_family_level(stats.ttest_ind(columns[a], columns[b], equal_var=pooled))
        for a, b in zip(analysis.pairs.left, analysis.pairs.right, strict=True)
    ]
    np.testing.assert_allclose(ends(analysis), expected, rtol=1e-9)


def test_pairs_without_a_p_value_are_not_in_the_family() -> None:
    values = matrix().values.copy()
    values[:20, 0] = values[20:, 1] = np.nan
    analysis = ns.analyse(replace(matrix(), values=values), ASKED)
    assert analysis.family_size == M - 1
    assert np.isnan(ends(analysis)[analysis.pairs.find(0, 1)]).all()
    z = values[:, 2] - values[:, 3]
    expected = stats.ttest_1samp(z, 0.0).confidence_interval(1 - 0.05 / (M - 1))
    np.testing.assert_allclose(ends(analysis)[analysis.pairs.find(2, 3)], expected, rtol=1e-9)


@pytest.mark.parametrize("delta", [0.0, 0.3])
def test_max_t_against_a_slow_oracle(delta: float) -> None:
    """|Σ εe|/√Σe² of every pair under one random sign per unit, the quantile of its maximum, by loops."""
    analysis = ns.analyse(matrix(), replace(ASKED, correction="max-t", resamples=20_000, delta=delta))
    rng, n = np.random.default_rng(99), 40
    centred = [z - z.mean() for z in differences(analysis)]
    maxima = []
    for _ in range(20_000):
        signs = rng.choice([-1.0, 1.0], size=n)
        maxima.append(max(abs(signs @ e) / np.sqrt(e @ e) for e in centred))
    q = np.quantile(maxima, 0.95)
    factor = q * np.sqrt((n - 1) / (n - q**2))
    margin = np.array([factor * z.std(ddof=1) / np.sqrt(n) for z in differences(analysis)])
    middle = np.array([z.mean() for z in differences(analysis)])
    np.testing.assert_allclose(ends(analysis).mean(axis=1), middle, rtol=1e-9)
    np.testing.assert_allclose((ends(analysis)[:, 1] - ends(analysis)[:, 0]) / 2, margin, rtol=0.02)


@pytest.mark.parametrize("kind", ["scores", "shares", "documents"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_the_interval_of_a_single_comparison_is_its_own(kind: str, alternative: str) -> None:
    values = matrix().values[:, :2]
    labels = {}
    config = replace(ASKED, test="recommended", alternative=alternative)
    if kind == "shares":
        values = (values > np.median(values)).astype(float)
    if kind == "documents":
        labels = {"document": tuple(f"d{i // 2}" for i in range(40))}
        config = replace(config, block_column="document")
    scores = ns.ScoreMatrix(values=values, systems=("A", "B"), labels=labels)
    for variant in ("exact", "asymptotic"):
        analysis = ns.analyse(scores, replace(config, mcnemar=variant))
        np.testing.assert_array_equal(ends(analysis), analysis.pairs.interval)
    assert not [one for one in methods(analysis) if "Simultaneous intervals" in one.text]


def test_wider_than_alone_narrower_by_max_t_and_never_flipped() -> None:
    """With a baseline the family has three comparisons; one-sided intervals are open on one side."""
    analysis = ns.analyse(matrix(), ASKED)
    alone, together = analysis.pairs.interval, ends(analysis)
    assert np.all(together[:, 0] < alone[:, 0])
    assert np.all(together[:, 1] > alone[:, 1])
    resampled = ends(ns.analyse(matrix(), replace(ASKED, correction="max-t", resamples=5000)))
    assert np.all(np.diff(resampled) < np.diff(together))
    against = ns.analyse(matrix(), replace(ASKED, baseline="B", alternative="less"))
    assert np.isneginf(ends(against)[:, 0]).all()
    z = matrix().values[:, 0] - matrix().values[:, 1]
    expected = stats.ttest_1samp(z, 0.0, alternative="less").confidence_interval(1 - 0.05 / 3).high
    assert ends(against)[0, 1] == pytest.approx(expected)
    swapped = in_order(analysis, "C", "A").pair("C", "A")
    row = analysis.pairs.find(0, 2)
    assert swapped.interval_simultaneous == pytest.approx((-together[row, 1], -together[row, 0]))


def test_nothing_is_said_or_written_where_it_was_not_asked_for() -> None:
    analysis = ns.analyse(matrix(), replace(ASKED, intervals=()))
    assert analysis.pairs.interval_simultaneous is None
    assert "simultaneous" not in json.dumps(analysis.to_dict())
    assert "simultaneous" not in " ".join(analysis.pairs_frame().columns)


def test_identical_systems_have_none_under_max_t() -> None:
    values = matrix().values.copy()
    values[:, 3] = values[:, 2]
    analysis = ns.analyse(replace(matrix(), values=values), replace(ASKED, correction="max-t", resamples=500))
    data = analysis.to_dict()["pairs"]
    assert data[-1]["interval_simultaneous"] is None
    assert "simultaneous-undefined" in {note["code"] for note in data[-1]["notes"]}
    assert all(pair["interval_simultaneous"] is not None for pair in data[:-1])


def test_shares_stay_within_their_bounds_under_max_t() -> None:
    values = np.zeros((12, 3))
    values[:10, 0] = values[10:, 1] = 1.0
    values[:6, 2] = 1.0
    scores = ns.ScoreMatrix(values=values, systems=("A", "B", "C"))
    config = replace(ASKED, test="recommended", correction="max-t", resamples=999, alpha=0.001)
    assert np.all(np.abs(ends(ns.analyse(scores, config))) <= 1)


def test_one_family_over_several_boards() -> None:
    """Twice as many comparisons: each interval at 1 − 0.05/12; max-T resamples both boards together."""
    other = replace(matrix(), values=matrix().values[:, ::-1] ** 2)
    boards = [ns.analyse(scores, ASKED) for scores in (matrix(), other)]
    joint = corrected_together(boards, ASKED)
    for board in joint:
        z = differences(board)[0]
        expected = stats.ttest_1samp(z, 0.0).confidence_interval(1 - 0.05 / 12)
        np.testing.assert_allclose(ends(board)[0], expected, rtol=1e-9)
    config = replace(ASKED, correction="max-t", resamples=2000)
    resampled = corrected_together([ns.analyse(scores, config) for scores in (matrix(), other)], config)
    for wide, narrow in zip(joint, resampled, strict=True):
        assert np.all(np.diff(ends(narrow)) < np.diff(ends(wide)))
        assert np.all(np.diff(ends(narrow)) > np.diff(narrow.pairs.interval))


def test_command_line_files_and_sentences(tmp_path, capsys) -> None:
    table = matrix()
    path = tmp_path / "scores.csv"
    lines = [",".join(table.systems), *(",".join(f"{x:.6f}" for x in row) for row in table.values)]
    path.write_text("\n".join(lines))
    out = tmp_path / "out"
    assert main(["analyse", str(path), "--test", "t", "--intervals", "simultaneous", "--out", str(out)]) == 0
    capsys.readouterr()
    data = json.loads((out / "analysis.json").read_text())
    assert data["config"]["intervals"] == ["simultaneous"]
    low, high = data["pairs"][0]["interval_simultaneous"]
    assert low < data["pairs"][0]["interval"][0] < data["pairs"][0]["interval"][1] < high
    header = (out / "pairs.csv").read_text().splitlines()[0].split(",")
    at = header.index("interval_high")
    assert header[at + 1 : at + 3] == ["interval_simultaneous_low", "interval_simultaneous_high"]
    for name in ("report.html", "report.md", "report.tex"):
        text = (out / name).read_text()
        assert "6 mean differences" in text
        assert "in 0.833" in text
        assert "simultaneous" in text
    assert "simultaneous-intervals" in {note["code"] for note in data["notes"]}
    again = ns.analyse(
        ns.read_scores(path),
        ns.AnalysisConfig.from_mapping(
            {key: value for key, value in data["config"].items() if key != "reading"}
        ),
    )
    assert again.pair("A", "B").to_dict()["interval_simultaneous"] == [low, high]


def test_a_misspelt_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(ns.ConfigError, match="Did you mean 'simultaneous'"):
        ns.AnalysisConfig(intervals=("simultanous",))
