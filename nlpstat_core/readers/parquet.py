"""Parquet files: a table with typed columns."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.objects import cell_text, table_of
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import Head, Record, Table
from nlpstat_core.readers.tables import read_table
from nlpstat_core.readers.textlines import Skipped

MARK = b"PAR1"
INDEX = "__index_level_0__"  # how pandas stores an index without a name
BATCH = 10_000

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
    import pyarrow.parquet as pq

    limits = probe.choices.limits
    try:
        file = pq.ParquetFile(io.BytesIO(probe.data))
        schema = file.schema_arrow
        names = [field.name for field in schema if not pa.types.is_nested(field.type)]
        rows = file.metadata.num_rows
        groups = range(file.metadata.num_row_groups)
        size = sum(file.metadata.row_group(i).total_byte_size for i in groups)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _broken(error) from None
    if (
        len(names) > limits.max_columns
        or rows * len(names) > limits.max_cells
        or size > limits.max_unpacked_bytes
    ):
        raise ScoreFileError(
            f"{rows:,} rows × {len(names):,} columns are more than {limits.max_cells:,} cells, or too long; "
            "split the file or raise max_cells and max_unpacked_bytes."
        )
    ordered = _index_first(names)

    def body(skipped: Skipped) -> Iterator[Record]:
        number = 0
        try:
            for batch in file.iter_batches(BATCH, columns=names, use_threads=False):
                columns = [_texts(batch.column(batch.schema.get_field_index(name))) for name in ordered]
                for row in zip(*columns, strict=True):
                    number += 1
                    yield number, list(row)
        except (pa.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
            raise _broken(error) from None

    return table_of(["" if name == INDEX else name for name in ordered], body, "row", 0)


def _index_first(names: list[str]) -> list[str]:
    """pandas stores the index last; in a table it is the first column."""
    return sorted(names, key=lambda name: name != INDEX)


def _texts(column: Any) -> list[str]:
    """Cells of a column; single-precision numbers as the shortest number they stand for."""
    import pyarrow as pa

    if pa.types.is_float32(column.type) or pa.types.is_float16(column.type):
        numbers = column.to_numpy(zero_copy_only=False)
        return ["" if value != value else str(value) for value in numbers]
    return [cell_text(value) for value in column.to_pylist()]


def _broken(error: BaseException) -> ScoreFileError:
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
