"""A matrix written in any format that is read comes back equal; a part of what `make fuzz` runs."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from nlpstat_core.readers import READERS
from nlpstat_core.readers.tools import TOOLS
from tests.fuzz.check import check
from tests.fuzz.formats import FORMATS, Format
from tests.fuzz.matrices import matrices
from tests.fuzz.trips import comes_back
from tests.fuzz.worker import inputs


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.key)
@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(data=st.data())
def test_round_trip(format: Format, data: st.DataObject) -> None:
    comes_back(format, data.draw(matrices(format.hostile, format.gaps)))


def test_every_reader_is_written() -> None:
    tools = {tool.key for tool in TOOLS}  # test_tools_strict.py looks for these in what is written
    assert {reader.key for reader in READERS} - {"lines"} - tools <= {format.reader for format in FORMATS}


@pytest.mark.timeout(200)
def test_damaged_files_and_random_bytes() -> None:
    # The same in every run: a red test is red for everybody. `python -m tests.fuzz --seed` looks elsewhere.
    seen = [
        (index, check(data, name, text, deep))
        for start in (0, 723_764_900)
        for index, _, data, name, text, deep in inputs(1, start, 150)
    ]
    assert [(index, found.message) for index, found in seen if found.outcome == "failed"] == []
