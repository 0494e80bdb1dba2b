"""Files that unpack to far more than they are cost the reading process little time and memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from ui.bombs import BOMBS, read_apart

MOST_MIB, MOST_SECONDS = 300, 20  # beyond what the process takes by itself; of processors

# What the user is told; a table that can be read within the bounds is read.
SAID = {
    "bz2.zip": "unusual compression",
    "lies.zip": "it is broken",
    "honest.zip": "larger than 100 MiB",
    "binary.parquet": "(3000, 2)",
    "fixed.parquet": "",
    "text.parquet": "",
    "views.parquet": "",
    "rows.xlsx": "",
    "empty.csv.gz": "more than 10,000 parts",
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks into /proc")
@pytest.mark.parametrize("name", SAID)
def test_a_bomb_takes_little_of_the_reading_process(name: str) -> None:
    data = BOMBS[name]()
    said, seconds, _, grown = read_apart(name, data)
    assert SAID[name] in said
    assert said.startswith(("ScoreFileError: ", "BoundsExceeded: ", "("))
    assert seconds < MOST_SECONDS
    assert grown < MOST_MIB
