"""What the tests of the tools share: a matrix as a dictionary, and a refusal that is one sentence."""

import json
from typing import Any

import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.scores.matrix import ScoreMatrix

Cells = dict[str, dict[str, float | None]]


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def cells(scores: ScoreMatrix) -> Cells:
    """System → unit → score, None where it is missing."""
    assert scores.units is not None
    return {
        system: {
            unit: None if value != value else value
            for unit, value in zip(scores.units, scores.values[:, place].tolist(), strict=True)
        }
        for place, system in enumerate(scores.systems)
    }


def board(files: list[tuple[bytes, str]], **choices: Any) -> Cells:
    """What is read from one file or from several."""
    return cells(read_scores(files if len(files) > 1 else files[0], **choices))


def refused(files: list[tuple[bytes, str]], sentence: str, **choices: Any) -> None:
    """The files are refused with one short sentence that says this."""
    with pytest.raises(ScoreFileError, match=sentence) as error:
        read_scores(files if len(files) > 1 else files[0], **choices)
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 400
    assert text.endswith(".")
