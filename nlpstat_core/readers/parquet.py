"""Parquet files: a table with typed columns."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.objects import cell_text, table_of
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.source import MIB, Limits
from nlpstat_core.readers.table import Head, Record, Table, Values
from nlpstat_core.readers.tables import read_table
from nlpstat_core.readers.textlines import Skipped, too_many

MARK = b"PAR1"
INDEX = "__index_level_0__"  # how pandas stores an index without a name
BATCH = 50_000  # cells

EXAMPLE = """scores.parquet, written by a data frame
    item   System A   System B
    s1     0.31       0.27
    s2     0.44       0.35
"""


def matches(probe: Probe) -> str | None:
    """The mark at the beginning and at the end of the file.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    return "a Parquet file" if probe.data.startswith(MARK) and probe.data.endswith(MARK) else None


def read(probe: Probe) -> Part:
    """Read the columns that hold one value a row.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        Files over the bounds or broken, or what is wrong with the table.
    """
    return read_table(_table(probe), probe.choices)


def _table(probe: Probe) -> Table:
    import pyarrow as pa

    frame = _frame(probe)
    # pandas stores the index last; in a table it is the first column.
    names = frame.column_names
    order = sorted(range(len(names)), key=lambda place: names[place] != INDEX)
    at_once = max(1, BATCH // max(1, len(order)))

    def body(skipped: Skipped) -> Iterator[Record]:
        number = 0
        for batch in frame.to_batches(at_once):
            columns = [_texts(batch.column(place)) for place in order]
            for row in zip(*columns, strict=True):
                number += 1
                yield number, list(row)

    def column(place: int) -> Sequence[Any] | FloatArray:
        found = frame.column(order[place])
        if pa.types.is_floating(found.type) or pa.types.is_integer(found.type):
            return _numbers(found)
        return list(chain.from_iterable(_texts(chunk) for chunk in found.chunks))

    header = ["" if names[place] == INDEX else names[place] for place in order]
    return table_of(header, body, "row", 0, Values(range(1, frame.num_rows + 1), column))


def _frame(probe: Probe) -> Any:
    """The columns that hold one value a row, as Arrow's table.

    Texts stay numbers into a list of those that differ: a file of a few bytes can say that a long one
    stands in every row.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    limits = probe.choices.limits
    try:
        schema = pq.read_schema(io.BytesIO(probe.data))
        texts = [field.name for field in schema if _is_text(field.type)]
        file = pq.ParquetFile(io.BytesIO(probe.data), read_dictionary=texts)
        names = [field.name for field in schema if not pa.types.is_nested(field.type)]
        _check(file.metadata, names, limits)
        frame = file.read(columns=names, use_threads=False)
        if sum(map(_length, frame.columns)) > limits.max_unpacked_bytes:
            raise ScoreFileError(
                f"the texts are longer than {limits.max_unpacked_bytes / MIB:,.4g} MiB together; "
                "split the file or raise max_unpacked_bytes."
            )
    except (pa.ArrowException, OSError, ValueError) as error:
        raise (error if isinstance(error, ScoreFileError) else _broken()) from None
    return frame


def _check(metadata: Any, names: Sequence[str], limits: Limits) -> None:
    """Refuse what is too large by its own account, before anything is unpacked."""
    rows = metadata.num_rows
    if rows > limits.max_rows:
        raise too_many("rows", rows, limits.max_rows)
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if (
        len(names) > limits.max_columns
        or rows * len(names) > limits.max_cells
        or size > limits.max_unpacked_bytes
    ):
        raise ScoreFileError(
            f"{rows:,} rows × {len(names):,} columns are more than {limits.max_cells:,} cells, or too long; "
            "split the file or raise max_cells and max_unpacked_bytes."
        )


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _length(column: Any) -> int:
    """Bytes of all texts of a column, written out in every row; 0 for numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (pa.types.is_dictionary(column.type) and _is_text(column.type.value_type)):
        return 0
    lengths = (pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks)
    return sum(pc.sum(found).as_py() or 0 for found in lengths)


def _numbers(column: Any) -> FloatArray:
    """A column of numbers; single-precision ones as the shortest number they stand for."""
    import pyarrow as pa

    if pa.types.is_float32(column.type):
        column = column.cast(pa.string())
    return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)


def _texts(column: Any) -> list[str]:
    """Cells of a column as text."""
    import pyarrow as pa

    if pa.types.is_float32(column.type) or pa.types.is_float16(column.type):
        numbers = column.to_numpy(zero_copy_only=False)
        return ["" if value != value else str(value) for value in numbers]
    if pa.types.is_dictionary(column.type):
        distinct = [cell_text(value).strip() for value in column.dictionary.to_pylist()]
        return ["" if place is None else distinct[place] for place in column.indices.to_pylist()]
    return [cell_text(value) for value in column.to_pylist()]


def _broken() -> ScoreFileError:
    return ScoreFileError("the Parquet file is broken or of a kind that can't be read; write it again.")


def head(probe: Probe) -> Head:
    """The first rows, for a preview.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Head

    Raises
    ------
    ScoreFileError
    """
    return _table(probe).head


PARQUET = Reader(
    key="parquet",
    label="Parquet table",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=head,
)
