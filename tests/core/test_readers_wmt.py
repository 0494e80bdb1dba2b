"""Segment scores of the WMT metrics tasks, in both shapes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import preview, read_scores
from nlpstat_core.scores.matrix import ScoreMatrix

DATA = Path(__file__).parents[3] / "shared" / "data"
NAMES = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters='"#'), min_size=1, max_size=8
).filter(lambda name: not name.isnumeric() and name.lower() not in {"na", "nan", "none", "null", "-", "inf"})


def read(text: str, **choices: object) -> ScoreMatrix:
    return read_scores((text.encode(), "x.seg.score"), **choices)  # type: ignore[arg-type]


def line(metric: str, system: str, segment: int, score: object, **changed: str) -> str:
    fields = {"pair": "cs-en", "set": "newstest", "reference": "refA", "document": "d1"} | changed
    return "\t".join(
        [metric, *list(fields.values())[:3], system, fields["document"], str(segment), str(score)]
    )


def table(*metrics: str, **changed: str) -> str:
    rows = [
        line(m, s, u, i + u, **changed) for i, m in enumerate(metrics) for s in ("A", "B") for u in (1, 2)
    ]
    return "\n".join(rows) + "\n"


@pytest.mark.skipif(not DATA.exists(), reason="the collection of real score files isn't here")
def test_ter_of_2020() -> None:
    """The published file holds three reference sets; the wide copy of the first says what must come out."""
    scores = read_scores(DATA / "formats" / "wmt20_TER_zh-en.seg.score")
    assert (scores.values.shape, scores.metric) == ((2000, 17), "TER (newstest2020)")
    assert (scores.values[0, 0], scores.lower_is_better) == (-0.2857, False)
    assert scores.units is not None
    assert scores.units[0] == "xinhua-zh-01.6565:1"
    wide = read_scores(DATA / "wmt20_toen_ter.csv")
    rows = [wide.units.index(f"zh-en:{unit}") for unit in scores.units]  # type: ignore[union-attr]
    for column, system in enumerate(scores.systems):
        expected = wide.values[rows, wide.index(system.rpartition(".")[0])]
        np.testing.assert_allclose(scores.values[:, column], expected, atol=6e-5)
    assert scores.notes[0].code == "metric-chosen"
    assert "'TER (newstestB2020)'" in scores.notes[0].text
    other = read_scores(DATA / "formats" / "wmt20_TER_zh-en.seg.score", metric="TER (newstestB2020)")
    assert other.fingerprint != scores.fingerprint


def test_eight_columns() -> None:
    scores = read(table("chrF"))
    assert (scores.systems, scores.units) == (("A", "B"), ("d1:1", "d1:2"))
    assert (scores.metric, scores.reading["format"]) == ("chrF", "wmt-seg")
    np.testing.assert_array_equal(scores.values, [[1, 1], [2, 2]])
    guess = preview((table("chrF").encode(), "x")).guess
    assert guess is not None
    assert list(guess.roles.values())[-1] == "score"


def test_several_metrics_and_references() -> None:
    text = table("chrF", "TER") + table("TER", reference="refB")
    assert read(text).metric == "chrF (refA)"
    assert read(text, metric="TER").metric == "TER (refA)"
    assert read(text, metric="TER (refB)").lower_is_better
    with pytest.raises(ScoreFileError, match="no metric 'BLEU'"):
        read(text, metric="BLEU")


def test_what_varies_is_part_of_the_unit() -> None:
    scores = read(table("chrF") + table("chrF", pair="de-en"))
    assert scores.units == ("cs-en:d1:1", "cs-en:d1:2", "de-en:d1:1", "de-en:d1:2")
    assert dict(scores.labels) == {"lang_pair": ("cs-en", "cs-en", "de-en", "de-en")}
    assert dict(read(table("chrF") + table("chrF", document="d2")).labels) == {
        "document": ("d1", "d1", "d2", "d2")
    }


def test_the_same_segment_twice() -> None:
    with pytest.raises(ScoreFileError, match="line 5: system 'A' has item 'd1:1' on line 1 already"):
        read(table("chrF") + line("chrF", "A", 1, 0.5))


def test_missing_and_broken_scores() -> None:
    assert np.isnan(read(table("chrF") + line("chrF", "A", 3, "None")).values[2, 0])
    many = "".join(line("chrF", system, segment, 0.5) + "\n" for system in "AB" for segment in range(30))
    with pytest.raises(ScoreFileError, match=r"line 61, column 'score': '0.x' isn't a number"):
        read(many + line("chrF", "A", 99, "0.x"))


def test_system_and_score() -> None:
    scores = read("A\t0.5\nA\tNone\nB\t0.25\nB\t1\n")
    assert (scores.systems, scores.units) == (("A", "B"), None)
    np.testing.assert_array_equal(scores.values, [[0.5, 0.25], [np.nan, 1]])
    assert scores.reading["format"] == "system-score"
    np.testing.assert_array_equal(read("B 1\nA 5\nB 2\nA 6\n").values, [[1, 5], [2, 6]])


def test_systems_with_other_numbers_of_scores() -> None:
    with pytest.raises(ScoreFileError, match="system 'A' has 2 scores and 'B' 1; items go by order"):
        read("A\t0.5\nA\t1\nB\t0.25\n")


@given(
    systems=st.lists(NAMES, min_size=2, max_size=4, unique=True),
    values=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=6),
    shape=st.sampled_from(["eight", "two"]),
)
def test_round_trip(systems: list[str], values: list[float], shape: str) -> None:
    rows = [(system, i + 1, value + 0.0) for system in systems for i, value in enumerate(values)]
    if shape == "eight":
        text = "\n".join(line("chrF", system, segment, repr(value)) for system, segment, value in rows)
    else:
        text = "\n".join(f"{system}\t{value!r}" for system, _, value in rows)
    scores = read(text, format="wmt-seg" if shape == "eight" else "system-score")
    assert scores.systems == tuple(systems)
    np.testing.assert_array_equal(scores.values, np.tile(np.array(values)[:, None], len(systems)))
