"""Rows and columns that are statistics of the others are no items and no systems; a name drops nothing."""

import json

import numpy as np
import pytest

from nlpstat_core.readers import preview, reading_keywords
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.core.reading import read

RNG = np.random.default_rng(7)
SCORES = RNG.uniform(20, 90, size=(12, 3)).round(2)
SOLVED = RNG.integers(0, 2, size=(40, 3)).astype(float)
UNITS = [f"u{i}" for i in range(40)]


def text(values: np.ndarray, rows: dict[str, np.ndarray], *, first: bool = False) -> str:
    lines = [f"{unit}," + ",".join(f"{x:g}" for x in row) for unit, row in zip(UNITS, values, strict=False)]
    more = [f"{name}," + ",".join(f"{x:.7g}" for x in row) for name, row in rows.items()]
    return "\n".join(["item,A,B,C", *(more + lines if first else lines + more)])


def wide(columns: dict[str, np.ndarray]) -> str:
    cells = np.column_stack(list(columns.values()))
    rows = [f"u{i}," + ",".join(f"{x:.7g}" for x in row) for i, row in enumerate(cells)]
    return "\n".join([",".join(["item", *columns]), *rows])


def codes(scores: ScoreMatrix) -> set[str]:
    return {note.code for note in scores.notes}


def average_ranks(values: np.ndarray) -> np.ndarray:
    order = [sorted(row, reverse=True) for row in values.tolist()]
    return np.array([[ranked.index(x) + 1 for x in row] for row, ranked in zip(values, order, strict=True)])


STATISTICS = {
    "Mean": lambda x: x.mean(axis=0).round(2),
    "Mittelwert": lambda x: x.mean(axis=0).round(1),
    "Moyenne": lambda x: x.mean(axis=0).round(1),
    "Promedio": lambda x: x.mean(axis=0).round(2),
    "平均": lambda x: x.mean(axis=0).round(2),
    "Total": lambda x: x.sum(axis=0),
    "Median": lambda x: np.median(x, axis=0),
    "Std. Dev.": lambda x: x.std(axis=0, ddof=1).round(2),
    "SD": lambda x: x.std(axis=0).round(1),
    "Standardabweichung": lambda x: x.std(axis=0).round(2),
    "Var": lambda x: x.var(axis=0, ddof=1).round(6),
    "SE": lambda x: (x.std(axis=0, ddof=1) / np.sqrt(len(x))).round(2),
    "Min": lambda x: x.min(axis=0),
    "Maximum": lambda x: x.max(axis=0),
    "Range": lambda x: np.ptp(x, axis=0).round(2),
    "Average_Rank": lambda x: average_ranks(x).mean(axis=0).round(3),
    "Wins": lambda x: (average_ranks(x) == 1).sum(axis=0),
    "N": lambda x: np.full(3, len(x)),
    "Count": lambda x: np.full(3, len(x)),
    "stdev": lambda x: x.std(axis=0).round(2),
    "均值": lambda x: x.mean(axis=0).round(2),
    "Somme": lambda x: x.sum(axis=0),
    "Médiane": lambda x: np.median(x, axis=0),
    "STDEV.S": lambda x: x.std(axis=0, ddof=1).round(2),
}


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("name", STATISTICS)
def test_a_row_that_is_the_statistic_it_is_called_is_left_out_and_can_be_kept(name: str, first: bool) -> None:
    content = text(SCORES, {name: STATISTICS[name](SCORES)}, first=first)
    scores = read(content)
    np.testing.assert_array_equal(scores.values, SCORES)
    (note,) = [note for note in scores.notes if note.code == "summary-rows-left-out"]
    assert (note.severity, repr(name) in note.text) == ("caution", True)
    kept = read(content, drop_rows="none")
    assert kept.n_units == 13
    assert "summary-rows-left-out" not in codes(kept)
    for one in (scores, kept):
        again = read(content, **reading_keywords(json.loads(json.dumps(dict(one.reading)))))
        assert (again.fingerprint, again.reading) == (one.fingerprint, one.reading)
    seen = preview((content.encode(), "x.csv")).scores
    assert seen is not None
    assert seen.fingerprint == scores.fingerprint


def test_a_block_of_statistics_is_left_out_as_a_whole() -> None:
    rows = {name: STATISTICS[name](SCORES) for name in ("Mean", "SD", "Min", "N")}
    content = text(SCORES, {"Wins": STATISTICS["Wins"](SCORES), **rows, "p-value": np.array([1, 0.03, 0.2])})
    scores = read(content)
    np.testing.assert_array_equal(scores.values, SCORES)
    assert "'p-value'" in next(note.text for note in scores.notes if note.code == "summary-rows-left-out")
    assert read(content, drop_rows=["none", "SD"]).n_units == 12 + 5


@pytest.mark.parametrize("name", ["Mean", "Std", "Total", "Average_Rank", "p-value", "Wins", "Durchschnitt"])
def test_a_row_with_the_name_alone_stays_and_is_told(name: str) -> None:
    scores = read(text(SCORES, {name: np.array([31.5, 77.25, 50.75])}))
    assert scores.n_units == 13
    assert "summary-row" in codes(scores)


@pytest.mark.parametrize("name", ["sd", "se", "n", "min", "max"])
def test_rows_that_may_be_called_so_for_another_reason_stay(name: str) -> None:
    scores = read(text(SCORES, {name: np.array([31.5, 77.25, 50.75])}))
    assert scores.n_units == 13
    assert not codes(scores) & {"summary-row", "summary-rows-left-out"}
    last = np.array([1.0, 0, 1])
    assert read(text(SOLVED, {name: last})).n_units == 41  # three 0/1 scores tell nothing
    language = np.vstack([SCORES, [[31.5, 77.25, 50.75]]])  # which the mean below counts
    rows = {name: language[-1], "Mean": language.mean(axis=0).round(2)}
    assert read(text(SCORES, rows)).units == (*UNITS[:12], name)


def test_means_of_solved_tasks_and_of_ragged_boards() -> None:
    np.testing.assert_array_equal(read(text(SOLVED, {"Avg.": SOLVED.mean(axis=0).round(3)})).values, SOLVED)
    ragged = SCORES.copy()
    ragged[2, 1] = ragged[5, 0] = np.nan
    content = text(ragged, {"Mean": np.nanmean(ragged, axis=0).round(2)}).replace("nan", "")
    np.testing.assert_array_equal(read(content).values, ragged)


A, B, C = SCORES.T
BESIDE = {
    "A_std": RNG.uniform(0.1, 3, 12).round(2),
    "B (sd)": RNG.uniform(0.1, 3, 12).round(2),
    "C_stderr": RNG.uniform(0.1, 3, 12).round(2),
    "A_rank": average_ranks(SCORES)[:, 0],
    "B_n": np.full(12, 5),
    "Median": np.median(SCORES, axis=1),
    "avg": ((A + B) / 2).round(2),
    "Mittelwert": SCORES.mean(axis=1).round(2),
    "Std": SCORES.std(axis=1, ddof=1).round(2),
    "Max": SCORES.max(axis=1),
    "N": np.full(12, 3),
    "rank": average_ranks(SCORES.mean(axis=1)[None])[0],
    "wins_std": SCORES.std(axis=1).round(3),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_column_that_is_the_statistic_it_is_called_is_no_system(name: str) -> None:
    content = wide({"A": A, "B": B, "C": C, name: BESIDE[name]})
    scores = read(content)
    assert scores.systems == ("A", "B", "C")
    assert repr(name) in next(note.text for note in scores.notes if note.code == "summary-column")
    kept = read(content, roles={"system": ["A", "B", "C", name]})
    assert kept.systems == ("A", "B", "C", name)


def test_spreads_beside_every_system_are_no_systems() -> None:
    columns = {"A": A, "A_std": BESIDE["A_std"], "B": B, "B_std": BESIDE["B (sd)"], "Mean": (A + B) / 2}
    assert read(wide(columns)).systems == ("A", "B")


@pytest.mark.parametrize("name", ["Mean", "Std", "A_std", "A_var", "A_rank", "Average", "Count", "A (sd)"])
def test_a_column_with_the_name_alone_stays_a_system_and_is_told(name: str) -> None:
    scores = read(wide({"A": A, "B": B, "C": C, name: RNG.permutation(A)}))
    assert scores.systems == ("A", "B", "C", name)
    assert repr(name) in next(note.text for note in scores.notes if note.code == "statistics-as-systems")
    assert "summary-column" not in codes(scores)


def test_votes_and_systems_close_to_each_other_stay() -> None:
    vote = (SOLVED.mean(axis=1) > 0.5).astype(float)
    scores = read(wide({**dict(zip("ABC", SOLVED.T, strict=True)), "Mean": vote}))
    assert scores.systems == ("A", "B", "C", "Mean")
    near = 30 + RNG.uniform(0, 0.8, size=(12, 4)).round(2)
    assert read(wide(dict(zip(("A", "B", "C", "mean"), near.T, strict=True)))).n_systems == 4
    letters = read(wide({"M": A, "N": B, "O": C, "P": RNG.permutation(B)}))
    assert (letters.systems, "statistics-as-systems" in codes(letters)) == (("M", "N", "O", "P"), False)
