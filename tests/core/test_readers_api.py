"""What others build on: the catalogue of formats, replayed readings, previews, speed."""

import json
import time

import numpy as np
import pytest

from nlpstat_core.errors import ConfigError, ScoreFileError
from nlpstat_core.readers import (
    READERS,
    READING_KEYWORDS,
    describe_formats,
    example_text,
    preview,
    read_scores,
    reading_keywords,
)

NOT_TEXT = {"zip", "excel", "parquet"}
WIDE = b"item,doc,A,B\n1,x,0.5,1\n2,x,0.25,0\n3,y,1,1\n"


def test_every_format_is_described_and_its_example_read() -> None:
    text = describe_formats()
    for reader in READERS:
        assert f"{reader.key}: {reader.label}" in text
        example = example_text(reader.key)
        assert all(f"    {line}" in text for line in example.splitlines())
        if reader.key in NOT_TEXT:
            continue
        data = example.encode()
        seen = preview((data, getattr(reader, "named", "example")))
        assert seen.format == reader.key
        if seen.scores is None:  # one system per file, or one item as an example of many
            assert "only one system" in seen.problem or "only 1 item" in seen.problem
        else:
            assert seen.scores.reading["format"] == reader.key
            assert seen.scores.n_systems == 2
    assert preview((example_text().encode(), "example")).scores.n_systems == 3
    with pytest.raises(ConfigError, match=r"Unknown format 'wide'. Did you mean 'wide-csv'"):
        example_text("wide")


def test_keys_are_unique() -> None:
    assert len({reader.key for reader in READERS}) == len(READERS)


def test_a_reading_is_replayed_through_json() -> None:
    text = b"number,doc,kind,A,TER\n1,x,5,0.5,1\n2,x,5,0.25,0\n3,y,6,1,1\n"
    scores = read_scores((text, "a.csv"), metric="TER", label_columns=["doc", "kind"])
    stored = json.loads(json.dumps(dict(scores.reading)))
    again = read_scores((text, "b.csv"), **reading_keywords(stored))
    assert again.fingerprint == scores.fingerprint
    assert (again.reading, again.notes) == (scores.reading, scores.notes)


def test_readings_that_cannot_be() -> None:
    assert reading_keywords({"reason": "because", "metric": "TER"}) == {"metric": "TER"}
    assert reading_keywords({}) == {}
    with pytest.raises(ConfigError, match="Did you mean 'metric'"):
        reading_keywords({"metrik": "TER"})
    with pytest.raises(ConfigError, match="must be a mapping"):
        reading_keywords(["metric"])
    assert set(READING_KEYWORDS) >= {"format", "metric", "id_column", "label_columns", "lower_is_better"}


def test_a_format_can_be_told() -> None:
    scores = read_scores((b"doc,system,A,B\n1,x,0.5,1\n2,x,0.25,0\n", "x"), format="wide-csv")
    assert scores.systems == ("A", "B")
    with pytest.raises(ScoreFileError, match="no column names the systems"):
        read_scores((WIDE, "x"), format="long-csv")


def test_preview_of_a_file_that_is_understood() -> None:
    seen = preview((WIDE, "folder/scores.csv"), rows=2)
    assert (seen.name, seen.format, seen.problem) == ("scores.csv", "wide-csv", "")
    assert seen.header == ("item", "doc", "A", "B")
    assert seen.guess is not None
    assert list(seen.guess.roles.values()) == ["unit", "block", "system", "system"]
    assert seen.rows == (("1", "x", "0.5", "1"), ("2", "x", "0.25", "0"))
    assert seen.scores is not None
    assert seen.scores.fingerprint == read_scores((WIDE, "x")).fingerprint


def test_preview_of_long_data_and_of_columns() -> None:
    long = preview((b"system,item,tokens,score\nA,1,5,1\nA,2,5,0\nB,1,6,1\nB,2,6,1\n", "x"))
    assert long.format == "long-csv"
    assert long.guess is not None
    assert list(long.guess.roles.values()) == ["system", "unit", "cost", "score"]
    columns = preview((b"0.5 1\n0.25 0\n", "x"))
    assert columns.header == ("column 1", "column 2")
    assert columns.guess is not None
    assert list(columns.guess.roles.values()) == ["system", "system"]
    assert columns.rows[0] == ("0.5", "1")


def test_preview_of_a_file_with_a_mistake_still_shows_it() -> None:
    seen = preview((WIDE.replace(b"0.25", b"0.2x"), "x"))
    assert seen.scores is None
    assert "line 3, column 'A': '0.2x'" in seen.problem
    assert seen.header == ("item", "doc", "A", "B")
    assert (seen.format, seen.guess is not None) == ("wide-csv", True)
    assert preview((b"\0\1", "x")).header == ()
    assert "4 lines are more than 3" in preview((b"0.5 1\n" * 4, "x"), max_rows=3).problem
    assert "can't be opened" in preview("/nowhere/at/all").problem
    with pytest.raises(ConfigError, match="Did you mean"):
        preview((WIDE, "x"), metrics="TER")


@pytest.mark.parametrize(("n_units", "n_systems", "seconds"), [(5000, 100, 2.0), (20_000, 50, 4.0)])
def test_speed(n_units: int, n_systems: int, seconds: float) -> None:
    """Some ten times what a quiet machine needs: a fall back to reading cell by cell would show."""
    values = np.random.default_rng(0).integers(0, 10_000, size=(n_units, n_systems)) / 100
    rows = [f"i{i}," + ",".join(map(repr, row)) for i, row in enumerate(values.tolist())]
    data = "\n".join(["item," + ",".join(f"S{i}" for i in range(n_systems)), *rows]).encode()
    start = time.process_time()
    scores = read_scores((data, "x"))
    assert time.process_time() - start < seconds
    np.testing.assert_array_equal(scores.values, values)
