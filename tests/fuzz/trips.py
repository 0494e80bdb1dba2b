"""Matrices of any kind written in every format and read back equal."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from nlpstat_core.readers import read_scores, reading_keywords
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.fuzz.formats import FORMATS, Format
from tests.fuzz.matrices import matrices


def comes_back(format: Format, scores: ScoreMatrix) -> None:
    """Write a matrix, read it, and read it again as the reading says.

    Parameters
    ----------
    format : Format
    scores : ScoreMatrix
    """
    written = format.write(scores)
    read = read_scores(written.source, **written.choices)
    assert format.reader in (read.reading["format"], read.reading.get("tool"))
    np.testing.assert_array_equal(read.values, written.values)
    assert written.systems is None or read.systems == written.systems
    assert read.units == written.units
    keywords = reading_keywords(json.loads(json.dumps(dict(read.reading))))
    again = read_scores(written.source, **keywords)
    assert again.fingerprint == read.fingerprint
    assert reading_keywords(again.reading) == reading_keywords(read.reading)


def many(format: Format, number: int, examples: int) -> int:
    """Let many matrices make the trip; how many did.

    Parameters
    ----------
    format : Format
    number : int
        Seed.
    examples : int
    """
    done = 0

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def trips(data: Any) -> None:
        nonlocal done
        comes_back(format, data.draw(matrices(format.hostile, format.gaps)))
        done += 1

    trips()
    return done


def main() -> int:
    """Arguments: seed, matrices of each format. Prints how many made the trip."""
    number, examples = map(int, sys.argv[1:3])
    print(json.dumps({format.key: many(format, number, examples) for format in FORMATS}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
