"""An earlier file read as the board was: names that are there are followed, what doesn't fit is left out."""

from __future__ import annotations

import pytest

import nlpstat_core as ns
from nlpstat_core.readers.boards import read_board
from nlpstat_core.readers.like import read_like
from nlpstat_core.scores.like import Like, like

LONG = b"dataset,item,system,bleu,ter\n" + b"".join(
    f"{name},{name}{i},{system},{i + k}.5,{40 - i - k}\n".encode()
    for name in ("news", "talks")
    for i in range(6)
    for k, system in enumerate("AB")
)
WIDE = b"item,A,B\n1,3,4\n2,4,6\n3,5,5\n"


def test_names_of_the_board_are_followed() -> None:
    board = read_board((LONG, "now.csv"), metric="ter", dataset="talks")
    found = read_like((LONG, "before.csv"), like(board), {}, {}, {})
    assert found.fingerprint == board.fingerprint
    assert (found.metric, found.reading["dataset"], found.lower_is_better) == ("ter", "talks", True)


def test_names_the_file_lacks_are_left_out_and_another_may_be_chosen() -> None:
    board = Like(metric="comet", dataset="wiki")
    told = {"metric": "comet", "dataset": "wiki"}
    found = read_like((LONG, "before.csv"), board, told, {}, {})
    assert (found.metric, found.reading.get("dataset")) == ("bleu", None)
    found = read_like((LONG, "before.csv"), board, told, {"metric": "ter", "dataset": "news"}, {})
    assert (found.metric, found.reading["dataset"], found.lower_is_better) == ("ter", "news", True)
    # What was chosen in the board's place gives way to the board's own.
    found = read_like((LONG, "before.csv"), Like(metric="bleu"), {}, {"metric": "ter"}, {})
    assert found.metric == "bleu"


@pytest.mark.parametrize("lower", [True, False])
def test_the_direction_is_the_boards_unless_metrics_differ(lower: bool) -> None:
    assert read_like((WIDE, "ter.csv"), Like(lower_is_better=lower), {}, {}, {}).lower_is_better is lower
    board = Like(metric="ter", lower_is_better=lower)
    assert read_like((LONG, "before.csv"), board, {}, {}, {}).lower_is_better is lower
    other = Like(metric="comet", lower_is_better=lower)
    assert read_like((LONG, "before.csv"), other, {"lower_is_better": lower}, {}, {}).metric == "bleu"
    assert read_like((LONG, "before.csv"), other, {"lower_is_better": lower}, {}, {}).lower_is_better is False


def test_how_the_board_was_read_is_tried_first() -> None:
    # Its first column is of scores here, which the content alone can't say.
    told = {"id_column": False}
    board = read_board((WIDE, "now.csv"), **told)
    assert board.systems == ("item", "A", "B")
    assert read_like((WIDE, "before.csv"), like(board), told, {}, {}).systems == board.systems
    told = {"id_column": "segment", "metric": "x"}
    assert read_like((WIDE, "before.csv"), like(board), told, {}, {}).systems == ("A", "B")


def test_what_cannot_be_read_says_what_is_wrong_with_its_content() -> None:
    with pytest.raises(ns.ScoreFileError, match="'x'"):
        read_like((WIDE + b"4,x,1\n", "before.csv"), Like(), {"id_column": "segment"}, {}, {})
    with pytest.raises(ns.ScoreFileError, match="max_rows"):
        read_like((WIDE, "before.csv"), Like(), {"metric": "x"}, {}, {"max_rows": 1})
