"""Evaluation units: NLPStatTest's numbers, nothing lost, missing scores stay missing."""

import statistics
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpstat_core.errors import AnalysisError, ConfigError
from nlpstat_core.readers import read_scores
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.units import evaluation_units, row_order

SAMPLE = Path(__file__).parents[3] / "shared" / "data" / "nlpstattest_samples" / "data-file.txt"


def matrix(n_rows: int, **fields: object) -> ScoreMatrix:
    values = np.random.default_rng(0).normal(size=(n_rows, 3))
    return ScoreMatrix(values=values, systems=("A", "B", "C"), **fields)  # type: ignore[arg-type]


# NLPStatTest's own sample file; values of the tool itself, six decimals.
@pytest.mark.skipif(not SAMPLE.exists(), reason="the sample file of NLPStatTest isn't here")
@pytest.mark.parametrize(
    ("size", "seed", "n_units", "mean", "sd", "t"),
    [
        (10, None, 200, 0.004166, 0.045758, 1.28764),
        (10, 13, 200, 0.004145, 0.035839, 1.63558),
        (15, None, 133, 0.004198, 0.040571, 1.19334),
    ],
)
def test_numbers_of_nlpstattest(
    size: int, seed: int | None, n_units: int, mean: float, sd: float, t: float
) -> None:
    units = evaluation_units(read_scores(SAMPLE), size=size, shuffle_seed=seed)
    difference = units.values[:, 0] - units.values[:, 1]
    assert units.n_units == n_units
    assert difference.mean() == pytest.approx(mean, abs=5e-7)
    assert difference.std(ddof=1) == pytest.approx(sd, abs=5e-7)
    assert stats.ttest_1samp(difference, 0).statistic == pytest.approx(t, abs=5e-6)


@given(
    n_rows=st.integers(4, 60),
    size=st.integers(1, 30),
    seed=st.none() | st.integers(0, 5),
    metric=st.sampled_from(["mean", "median"]),
    remainder=st.sampled_from(["spread", "drop"]),
)
def test_every_unit_is_its_rows(
    n_rows: int, size: int, seed: int | None, metric: str, remainder: str
) -> None:
    scores = matrix(n_rows)
    if n_rows // size < 2:
        with pytest.raises(AnalysisError, match=f"at most {n_rows // 2}"):
            evaluation_units(scores, size=size)
        return
    units = evaluation_units(
        scores,
        size=size,
        metric=metric,
        remainder=remainder,
        shuffle_seed=seed,  # type: ignore[arg-type]
    )
    order = row_order(n_rows, seed)
    n_units = n_rows // size
    assert units.n_units == n_units
    kept = order if remainder == "spread" else order[: n_units * size]
    join = statistics.mean if metric == "mean" else statistics.median
    for unit, rows in enumerate(np.array_split(kept, n_units)):
        expected = [join(scores.values[rows, system].tolist()) for system in range(3)]
        np.testing.assert_allclose(units.values[unit], expected, rtol=1e-12)
    assert units.units is None or len(set(units.units)) == n_units


def test_a_missing_row_makes_the_unit_missing_for_that_system_only() -> None:
    values = np.ones((6, 2))
    values[4, 1] = np.nan
    units = evaluation_units(ScoreMatrix(values=values, systems=("A", "B")), size=3, metric="median")
    np.testing.assert_array_equal(units.values, [[1, 1], [1, np.nan]])


def test_labels_are_common_or_joined() -> None:
    scores = matrix(4, labels={"doc": ("a", "a", "b", "c"), "domain": ("news",) * 4})
    units = evaluation_units(scores, size=2)
    assert units.labels == {"doc": ("a", "b + c"), "domain": ("news", "news")}


def test_names_of_units() -> None:
    ids = tuple("pqrst")
    assert evaluation_units(matrix(5), size=2).units == ("1–3", "4–5")
    assert evaluation_units(matrix(5, units=ids), size=2).units == ("p–r", "s–t")
    assert evaluation_units(matrix(5, units=ids), size=2, shuffle_seed=0).units == ("item 1", "item 2")
    awkward = ("a", "b–c", "a–b", "c")
    assert evaluation_units(matrix(4, units=awkward), size=2).units == ("1–2", "3–4")


def test_units_of_one_row() -> None:
    scores = matrix(5, units=tuple("pqrst"))
    assert evaluation_units(scores, size=1) is scores
    shuffled = evaluation_units(scores, size=1, shuffle_seed=3)
    order = row_order(5, 3)
    assert shuffled.units == tuple("pqrst"[i] for i in order)
    np.testing.assert_array_equal(shuffled.values, scores.values[order])


def test_the_note_says_what_was_joined() -> None:
    assert evaluation_units(matrix(5), size=2).notes[-1].text == ("2 items, each the mean of 2 or 3 rows.")
    assert evaluation_units(matrix(5), size=2, remainder="drop").notes[-1].text == (
        "2 items, each the mean of 2 rows. The last row was dropped."
    )


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"size": 0}, "at least 1"),
        ({"size": 2.5}, "whole number"),
        ({"size": True}, "whole number"),
        ({"size": 2, "metric": "mode"}, "mean, median"),
        ({"size": 2, "remainder": "keep"}, "spread, drop"),
    ],
)
def test_choices_that_cannot_be(choice: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        evaluation_units(matrix(6), **choice)  # type: ignore[arg-type]


def test_too_large_units_say_so() -> None:
    with pytest.raises(AnalysisError) as raised:
        evaluation_units(matrix(6), size=7)
    assert (
        str(raised.value) == "Two items of 7 rows need 14 rows and there are 6; unit_size can be at most 3."
    )
