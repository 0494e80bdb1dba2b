"""Any matrix written in a text format is read back equal, whatever its names hold."""

import csv
import io
import json
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.readers import RolesNeeded, read_scores, reading_keywords
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.scores.matrix import ScoreMatrix

# Names as files may hold them; white space around names means nothing, so it is not part of them.
LETTERS = st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\",;\t|'=+-@#<&\n")
NAMES = (
    st.text(LETTERS, min_size=1, max_size=12)
    .map(str.strip)
    .filter(bool)
    .filter(lambda name: not says(Kind.NEVER, name))  # "turn" and the like name no system
)
HOSTILE = st.sampled_from(
    ['a"b', '"', "a,b;c\td", "=1+1", "#1", "NA", "nan", "-", "１２", "é\u0301", "x\ny", "'", "𝔸"]
)
SCORES = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: value + 0.0) | st.just(
    float("nan")
)


@st.composite
def matrices(draw: st.DrawFn) -> ScoreMatrix:
    n_units, n_systems = draw(st.integers(2, 8)), draw(st.integers(2, 5))
    systems = draw(st.lists(NAMES | HOSTILE, min_size=n_systems, max_size=n_systems, unique=True))
    units = draw(st.lists(NAMES | HOSTILE, min_size=n_units, max_size=n_units, unique=True))
    cells = st.lists(SCORES, min_size=n_systems, max_size=n_systems)
    values = np.array(draw(st.lists(cells, min_size=n_units, max_size=n_units)))
    values[:2] = np.where(np.isnan(values[:2]), 0.5, values[:2])  # two units with scores
    return ScoreMatrix(values=values, systems=tuple(systems), units=tuple(units))


def written(rows: Iterable[Sequence[str]], delimiter: str, end: str, encoding: str = "utf-8") -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator=end).writerows(rows)
    return file.getvalue().encode(encoding)


def cell(value: float, decimal: str = ".") -> str:
    return "" if np.isnan(value) else repr(float(value)).replace(".", decimal)


def same(read: ScoreMatrix, scores: ScoreMatrix) -> None:
    assert read.systems == scores.systems
    assert read.units == scores.units
    np.testing.assert_array_equal(read.values, scores.values)
    keywords = reading_keywords(json.loads(json.dumps(dict(read.reading))))
    assert keywords["lower_is_better"] == read.lower_is_better


@given(
    scores=matrices(),
    delimiter=st.sampled_from(",;\t"),
    end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    decimal=st.sampled_from(".,"),
)
def test_wide(scores: ScoreMatrix, delimiter: str, end: str, encoding: str, decimal: str) -> None:
    decimal = "." if delimiter == "," else decimal
    rows = [["item", *scores.systems]]
    for unit, values in zip(scores.units or (), scores.values, strict=True):
        rows.append([unit, *(cell(value, decimal) for value in values)])
    # The choices keep names such as "doc" from being what they say.
    choices = {"format": "wide-csv", "id_column": "item", "label_columns": []}
    if "item" not in scores.systems:
        data = written(rows, delimiter, end, encoding)
        same(read_scores((data, "x"), delimiter=delimiter, **choices), scores)


@given(scores=matrices(), delimiter=st.sampled_from(",;\t"), random=st.randoms())
def test_long(scores: ScoreMatrix, delimiter: str, random: object) -> None:
    rows = [
        [unit, system, cell(value)]
        for system, column in zip(scores.systems, scores.values.T, strict=True)
        for unit, value in zip(scores.units or (), column, strict=True)
    ]
    data = written([["item", "system", "score"], *rows], delimiter, "\n")
    same(read_scores((data, "x"), delimiter=delimiter, format="long-csv"), scores)


@given(scores=matrices(), gap=st.sampled_from([" ", "\t", "    "]))
def test_columns_without_header(scores: ScoreMatrix, gap: str) -> None:
    lines = [gap.join(cell(value) or "NA" for value in values) for values in scores.values]
    read = read_scores(("\n".join(lines).encode(), "x"), format="columns", id_column=False)
    np.testing.assert_array_equal(read.values, scores.values)
    assert read.systems == tuple(f"system {i + 1}" for i in range(scores.n_systems))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@given(scores=matrices())
def test_wide_without_help_keeps_every_score_or_says_why(delimiter: str, scores: ScoreMatrix) -> None:
    """Detection may need help with hostile names, but it never loses or invents a score in silence."""
    renamed = ScoreMatrix(
        values=scores.values, systems=tuple(f"S{i}" for i in range(scores.n_systems)), units=scores.units
    )
    rows = [["item", *renamed.systems]]
    for unit, values in zip(renamed.units or (), renamed.values, strict=True):
        rows.append([unit, *map(cell, values)])
    try:
        found = read_scores((written(rows, delimiter, "\n"), "x"))
    except RolesNeeded as question:
        if "don't look like scores of one metric" not in str(question):  # two systems far apart
            raise
        return
    same(found, renamed)
