"""read_like: an earlier file of a board, read as the board itself was."""

from collections.abc import Iterator, Mapping
from typing import Any

from nlpstat_core.errors import ConfigError, ScoreFileError
from nlpstat_core.readers.boards import read_board
from nlpstat_core.readers.open.files import Given
from nlpstat_core.scores.like import SEVERAL, Like, named
from nlpstat_core.scores.matrix import ScoreMatrix


def read_like(
    source: Given, board: Like, told: Mapping[str, Any], instead: Mapping[str, str], bounds: Mapping[str, int]
) -> ScoreMatrix:
    """Read a file as a board was read: its metric, data set and sheet where the file has those of that name.

    told: Keywords the board was read with. A file that they don't fit is read by its content.
    instead: Metric, data set or sheet to read where the file has none of the board's name.
    Returns: In the direction of the board, unless both metrics have names and these differ.

    >>> text = b"system,item,bleu,ter\\nA,1,3,1\\nA,2,4,2\\nB,1,1,5\\nB,2,2,6\\n"
    >>> read_like((text, "scores.csv"), Like(metric="ter", lower_is_better=True), {}, {}, {}).metric
    'ter'
    """
    scores, given = _read(source, told, bounds)
    for keyword, what in SEVERAL:
        names = scores.several.get(what, ())
        wanted = (getattr(board, keyword), instead.get(keyword))
        name = next((name for name in wanted if name in names), None)
        if name is not None and name != named(scores, keyword):
            given = {**given, keyword: name}
            scores = read_board(source, **bounds, **given)
    other = None not in (scores.metric, board.metric) and scores.metric != board.metric
    if not other and scores.lower_is_better != board.lower_is_better:
        scores = read_board(source, **bounds, **given, lower_is_better=board.lower_is_better)
    return scores


def _read(
    source: Given, told: Mapping[str, Any], bounds: Mapping[str, int]
) -> tuple[ScoreMatrix, dict[str, Any]]:
    """The file under the first choices that fit it, and these choices."""
    *before, last = _attempts(told)
    for given in before:
        try:
            return read_board(source, **bounds, **given), given
        except (ScoreFileError, ConfigError):  # its content decides, and what is wrong with that is said
            continue
    return read_board(source, **bounds, **last), last


def _attempts(told: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """As the board was read; the same without the names of what may not be in the file; by its content."""
    whole = {name: value for name, value in told.items() if name != "lower_is_better"}
    columns = {name: value for name, value in whole.items() if name not in dict(SEVERAL)}
    if whole != columns:
        yield whole
    if columns:
        yield columns
    yield {}
