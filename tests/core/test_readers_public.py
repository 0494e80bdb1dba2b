"""Shapes of files that people publish, rewritten small: read right, asked, or refused with the reason."""

from __future__ import annotations

import random

import pytest

from nlpstat_core import ScoreMatrix, read_scores
from nlpstat_core.readers import RolesNeeded


def read(text: str, name: str = "scores.csv", **choices: object) -> ScoreMatrix:
    return read_scores((text.encode(), name), **choices)  # type: ignore[arg-type]


def board(header: str, rows: int, *columns: object, seed: int = 1) -> str:
    """A text of so many rows; a column is a function of random numbers and the row, or a constant."""
    rng = random.Random(seed)
    lines = [
        ",".join(str(column(rng, row)) if callable(column) else str(column) for column in columns)
        for row in range(rows)
    ]
    return "\n".join([header, *lines])


def score(rng: random.Random, row: int) -> float:
    return round(rng.random(), 4)


def name(rng: random.Random, row: int) -> str:
    return f"series {row}.csv"


def codes(scores: ScoreMatrix, severity: str) -> set[str]:
    return {note.code for note in scores.notes if note.severity == severity}


def test_properties_of_the_items_beside_detectors_are_no_detectors() -> None:
    text = board(
        "file,IForest,LOF,CNN,AnomalyTransformer,KNN,USAD,ts_len,anomaly_len,num_anomaly,avg_anomaly_len,anomaly_ratio",
        *(40, name, *[score] * 6, lambda rng, row: rng.randrange(5000, 90000)),
        *(lambda rng, row: rng.randrange(100, 900), lambda rng, row: rng.randrange(3, 60)),
        *(lambda rng, row: rng.randrange(10, 90), lambda rng, row: round(rng.random() / 9, 4)),
    )
    scores = read(text)
    assert scores.systems == ("IForest", "LOF", "CNN", "AnomalyTransformer", "KNN", "USAD", "anomaly_ratio")
    doubt = next(note for note in scores.notes if note.severity == "problem")
    assert "'anomaly_ratio'" in doubt.text
    assert "AnomalyTransformer" not in doubt.text


@pytest.mark.parametrize("called", ["#Samples", "# Dimensions", "Outlier Perc", "#", "n_rows", "num_words"])
def test_a_number_of_something_in_another_range_is_no_system(called: str) -> None:
    text = board(
        f"data,{called},HBOS,IForest,KNN", 12, name, lambda rng, row: rng.randrange(9, 5000), *[score] * 3
    )
    assert read(text).systems == ("HBOS", "IForest", "KNN")


@pytest.mark.parametrize("called", ["n_gram", "num_words", "success_ratio"])
def test_such_a_name_alone_drops_no_system(called: str) -> None:
    scores = read(board(f"data,{called},B,C", 12, name, *[score] * 3))
    assert scores.systems == (called, "B", "C")
    assert not codes(scores, "problem") & {"columns-left-out"}


@pytest.mark.parametrize(
    ("header", "columns", "why"),
    [
        ("benchmark_id,cpu_time,wallclock_time,result", (score, score, "sat"), "names of metrics"),
        (
            "episode,r,l",
            (lambda rng, row: -90 - row % 7, lambda rng, row: 90 + row % 7),
            "is the negative of",
        ),
        (
            "task,nrows,nfeatures",
            (lambda rng, row: rng.randrange(9999), score),
            "count something of the items",
        ),
    ],
)
def test_two_measures_of_one_system_are_asked_about(
    header: str, columns: tuple[object, ...], why: str
) -> None:
    with pytest.raises(RolesNeeded, match=why):
        read(board(header, 30, name, *columns))


@pytest.mark.parametrize("metric", ["MASE", "WQL", "sMAPE[0.5]", "mean_wQL/CRPS", "logloss", "top1_err"])
def test_errors_of_forecasts_are_better_when_low(metric: str) -> None:
    long = "\n".join(
        f"d{i},{model},{0.5 + i / 99 + gap}" for i in range(9) for model, gap in (("a", 0), ("b", 0.1))
    )
    scores = read(f"dataset,model,{metric}\n{long}")
    assert scores.lower_is_better
    assert codes(scores, "caution") >= {"direction-guessed"}


def test_tables_of_ranks_are_better_when_low() -> None:
    def ranked(rng: random.Random, row: int) -> str:
        return ",".join(map(str, rng.sample(range(1, 6), 5)))

    scores = read(board("task,A,B,C,D,E", 12, name, ranked))
    assert scores.lower_is_better
    assert "every row ranks the systems, from 1 to 5" in next(note.text for note in scores.notes)
    grades = read(board("task,A,B,C,D,E", 12, name, *[lambda rng, row: rng.randrange(1, 6)] * 5))
    assert not grades.lower_is_better
