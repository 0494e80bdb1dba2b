"""A matrix written in any format that is read comes back equal, and so does its reading."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpstat_core.readers import READERS, read_scores, reading_keywords
from tests.fuzz.formats import FORMATS, Format
from tests.fuzz.matrices import matrices


def check(format: Format, scores: object) -> None:
    written = format.write(scores)  # type: ignore[arg-type]
    read = read_scores(written.source, **written.choices)
    assert read.reading["format"] == format.reader
    np.testing.assert_array_equal(read.values, written.values)
    assert written.systems is None or read.systems == written.systems
    assert read.units == written.units
    keywords = reading_keywords(json.loads(json.dumps(dict(read.reading))))
    again = read_scores(written.source, **keywords)
    assert again.fingerprint == read.fingerprint
    assert reading_keywords(again.reading) == reading_keywords(read.reading)


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.key)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_round_trip(format: Format, data: st.DataObject) -> None:
    check(format, data.draw(matrices(format.hostile, format.gaps)))


def test_every_reader_is_written() -> None:
    assert {reader.key for reader in READERS} - {"lines", "lm-eval"} <= {format.reader for format in FORMATS}
