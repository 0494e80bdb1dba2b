"""Wide tables: ids, labels and systems are found, and what is ambiguous is refused."""

import numpy as np
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.scores import ScoreMatrix


def read(text: str | bytes, name: str = "scores.csv", **choices: object) -> ScoreMatrix:
    data = text if isinstance(text, bytes) else text.encode()
    return read_scores((data, name), **choices)  # type: ignore[arg-type]


def complaint(text: str | bytes, **choices: object) -> str:
    with pytest.raises(ScoreFileError) as raised:
        read(text, **choices)
    message = str(raised.value)
    assert "\n" not in message
    return message


def test_plain_table() -> None:
    scores = read("item,A,B\ns1,0.5,0.25\ns2,1,\n")
    assert scores.systems == ("A", "B")
    assert scores.units == ("s1", "s2")
    np.testing.assert_array_equal(scores.values, [[0.5, 0.25], [1, np.nan]])
    assert scores.source == "scores.csv"
    assert scores.reading == {
        "format": "wide-csv",
        "reason": "a comma between columns, one column per system",
        "delimiter": ",",
        "id_column": "item",
        "label_columns": [],
        "metric": None,
        "lower_is_better": False,
    }


def test_stray_letter_names_line_column_and_value() -> None:
    message = complaint("item,A,B\ns1,0.5,0.25\ns2,1,0.3x\ns3,1,0\n")
    assert message == (
        "'scores.csv': line 3, column 'B': '0.3x' is no number; "
        "correct it, leave the cell empty or make the column a label."
    )
