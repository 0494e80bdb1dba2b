"""A short cut for large clean tables: Arrow parses them, and any doubt sends them the slow way.

Arrow's parser rounds numbers exactly, as Python's float does, at a third of the cost. It is used only
where it can be seen to agree with the slow way: no quotes, comments, blank lines, decimal commas or
infinities, every line of the same width, every cell of a column of numbers a number or missing.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.table import WHITESPACE, Head

WORTH_IT = 3_000_000  # characters; below, importing Arrow costs more than it saves
# The usual spellings; a table with others goes the slow way.
MISSING_CELLS = [
    "",
    "NA",
    "N/A",
    "na",
    "n/a",
    "NaN",
    "nan",
    "NAN",
    "None",
    "none",
    "NULL",
    "null",
    "-",
    "#N/A",
]


def fast_columns(text: str, head: Head, limits: Limits, text_columns: set[int]) -> Columns | None:
    """The table by columns, or None when it has to be read the slow way.

    Parameters
    ----------
    text : str
    head : Head
    limits : Limits
    text_columns : set of int

    Returns
    -------
    Columns or None
    """
    n_rows = text.count("\n") + (not text.endswith("\n")) - 1
    clean = '"' not in text and "\n#" not in text and head.named and head.line == 1
    if not clean or head.delimiter == WHITESPACE or head.decimal != ".":
        return None
    if n_rows < 1 or n_rows * len(head.header) > limits.max_cells:
        return None
    table = _parsed(text, head, text_columns)
    if table is None or table.num_rows != n_rows:
        return None
    positions = [column for column in range(len(head.header)) if column not in text_columns]
    numbers = np.empty((n_rows, len(positions)))
    for place, column in enumerate(positions):
        if not _fill(numbers[:, place], table.column(column)):
            return None
    texts = {
        column: [cell.strip() for cell in table.column(column).to_pylist()] for column in sorted(text_columns)
    }
    if _has_empty_row(numbers, texts):
        return None
    return Columns(
        header=head.header,
        lines=range(2, n_rows + 2),
        texts=texts,
        numbers=numbers,
        positions=tuple(positions),
        bad={},
    )


def _parsed(text: str, head: Head, text_columns: set[int]) -> Any:
    """Arrow's table, or None when a line or cell doesn't fit."""
    import pyarrow as pa
    import pyarrow.csv as pcsv

    names = [str(column) for column in range(len(head.header))]
    kinds = {names[i]: pa.string() if i in text_columns else pa.float64() for i in range(len(names))}
    try:
        return pcsv.read_csv(
            io.BytesIO(text.encode("utf-8")),
            read_options=pcsv.ReadOptions(column_names=names, skip_rows=1),
            parse_options=pcsv.ParseOptions(delimiter=head.delimiter, quote_char=False, double_quote=False),
            convert_options=pcsv.ConvertOptions(
                column_types=kinds, null_values=MISSING_CELLS, strings_can_be_null=False
            ),
        )
    except (pa.ArrowException, ValueError):
        return None


def _fill(target: FloatArray, column: Any) -> bool:
    """Copy a column of numbers; False where it holds infinities or a NaN that no spelling stands for."""
    start = 0
    for chunk in column.chunks:
        target[start : start + len(chunk)] = chunk.to_numpy(zero_copy_only=False)
        start += len(chunk)
    return bool(np.isnan(target).sum() == column.null_count and not np.isinf(target).any())


def _has_empty_row(numbers: FloatArray, texts: dict[int, list[str]]) -> bool:
    """Whether a row holds nothing at all; the slow way leaves such rows out."""
    without = np.flatnonzero(np.isnan(numbers).all(axis=1))
    return any(not any(cells[row] for cells in texts.values()) for row in without.tolist())
