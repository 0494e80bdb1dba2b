"""A short cut for large clean texts: Arrow parses them, and any doubt sends them the slow way.

Arrow's parser rounds numbers exactly, as Python's float does, at a tenth of the cost. It is used only
where it can be seen to agree with the slow way: no quotes, comments, blank lines or infinities, every
line of the same width, every cell of a column of numbers a number or missing.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.table import WHITESPACE, Head

WORTH_IT = 3_000_000  # characters; below, importing Arrow costs more than it saves
WORTH_IT_LOADED = 4_000  # where Arrow is there already, as in the app
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
_RARE_BLANKS = ("\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f")
_RARE_BLANK = re.compile(r"[^\S \t\r\n]")  # white space of other scripts too


def is_worth_it(text: str) -> bool:
    """Whether a text is large enough for the short cut.

    Parameters
    ----------
    text : str

    Returns
    -------
    bool
    """
    return len(text) > (WORTH_IT_LOADED if "pyarrow.csv" in sys.modules else WORTH_IT)


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
    n_rows = text.count("\n") + (not text.endswith("\n")) - head.named
    comments = text.startswith("#") or "\n#" in text
    if '"' in text or comments or text.count("\r") != text.count("\r\n") or head.line != 1:
        return None
    if n_rows < 1 or n_rows * len(head.header) > limits.max_cells:
        return None
    if head.delimiter == WHITESPACE:
        if _has_rare_blanks(text):
            return None
        text = single_blanks(text)
    table = _parsed(text, head, text_columns)
    if table is None or table.num_rows != n_rows:
        return None
    positions = [column for column in range(len(head.header)) if column not in text_columns]
    numbers = np.empty((n_rows, len(positions)), order="F")  # filled column by column
    for place, column in enumerate(positions):
        if not _fill(numbers[:, place], table.column(column)):
            return None
    texts = {column: _texts(table.column(column)) for column in sorted(text_columns)}
    if head.delimiter != WHITESPACE and has_empty_row(numbers, texts):
        return None
    first = 1 + head.named
    return Columns(
        header=head.header,
        lines=range(first, n_rows + first),
        texts=texts,
        numbers=numbers,
        positions=tuple(positions),
        bad={},
        decimal=head.decimal,
    )


def _has_rare_blanks(text: str) -> bool:
    """Whether white space other than blanks, tabs and line ends stands in a text: it would separate cells."""
    if text.isascii():
        return any(sign in text for sign in _RARE_BLANKS)
    return _RARE_BLANK.search(text) is not None


def single_blanks(text: str) -> str:
    """The same cells with one blank between them, and none at the ends of lines.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> single_blanks(" 1  2\\t3 \\n4 5 6")
    '1 2 3\\n4 5 6'
    """
    text = text.replace("\t", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.replace("\n ", "\n").replace(" \n", "\n").replace(" \r", "\r").strip(" ")


def _parsed(text: str, head: Head, text_columns: set[int]) -> Any:
    """Arrow's table, or None when a line or cell doesn't fit."""
    import pyarrow as pa
    import pyarrow.csv as pcsv

    names = [str(column) for column in range(len(head.header))]
    kinds = {names[i]: pa.string() if i in text_columns else pa.float64() for i in range(len(names))}
    try:
        return pcsv.read_csv(
            io.BytesIO(text.encode("utf-8")),
            read_options=pcsv.ReadOptions(
                column_names=names, skip_rows=int(head.named), block_size=max(2**20, 2_000 * len(names))
            ),
            parse_options=pcsv.ParseOptions(delimiter=head.delimiter, quote_char=False, double_quote=False),
            convert_options=pcsv.ConvertOptions(
                column_types=kinds,
                null_values=MISSING_CELLS,
                strings_can_be_null=False,
                decimal_point=head.decimal,
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


def _texts(column: Any) -> list[str]:
    """Cells of a column of text; those that repeat are one and the same text in memory."""
    coded = column.combine_chunks().dictionary_encode()
    distinct = [cell.strip() for cell in coded.dictionary.to_pylist()]
    return list(map(distinct.__getitem__, coded.indices.to_pylist()))


def has_empty_row(numbers: FloatArray, texts: Mapping[int, Sequence[str]]) -> bool:
    """Whether a row may hold nothing at all; the slow way leaves such rows out.

    Parameters
    ----------
    numbers : float array, shape (n_rows, number of columns of numbers)
    texts : mapping of int to sequence of str
        Columns of text by position.

    Returns
    -------
    bool
    """
    without = np.flatnonzero(np.isnan(numbers).all(axis=1))
    return any(not any(cells[row] for cells in texts.values()) for row in without.tolist())
