"""Data frames and mappings of columns as tables."""

from typing import Any

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreError, ScoreFileError
from nlpstat_core.readers.open.limits import Limits, too_many
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
    if rows > limits.max_rows:
        raise too_many("rows", rows, limits.max_rows)
    if len(columns) > limits.max_columns:
        many = f"{len(columns):,} columns are more than {limits.max_columns:,}"
        raise BoundsExceeded(f"{many}; take fewer or ", Remedy("max_columns"), ".")
    if rows * len(columns) > limits.max_cells:
        many = f"{rows:,} rows × {len(columns):,} columns are more than {limits.max_cells:,} cells"
        raise BoundsExceeded(f"{many}; take fewer or ", Remedy("max_cells"), ".")
    if not rows:
        raise ScoreFileError("the frame has no rows; give it scores.")
    names = [name.strip() for name in columns]
    return Table.of_columns(names, columns.values(), range(1, rows + 1), "row")
