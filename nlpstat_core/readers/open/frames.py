"""Data frames and mappings of columns as tables."""

from typing import Any

from nlpstat_core.errors import ScoreError, ScoreFileError
from nlpstat_core.readers.open.limits import Limits, check_size
from nlpstat_core.readers.open.table import Table
from nlpstat_core.scores.frames import columns_of

FRAME = "frame"
NAME = "data frame"  # what it is called in messages


def table_of_frame(frame: Any, limits: Limits) -> Table:
    """The cells of a frame; raises ScoreFileError for what is no table or beyond the bounds."""
    try:
        columns = columns_of(frame)
    except ScoreError as error:
        text = str(error)
        raise ScoreFileError(text[0].lower() + text[1:]) from None
    rows = len(next(iter(columns.values()), ()))
    check_size(rows, len(columns), limits, NAME)
    if not rows:
        raise ScoreFileError("the data frame has no rows; give one with scores.")
    names = [name.strip() for name in columns]
    return Table.of_columns(names, columns.values(), range(1, rows + 1), "row")
