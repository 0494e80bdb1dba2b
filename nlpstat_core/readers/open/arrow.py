"""Parquet files: a table with typed columns."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, shown
from nlpstat_core.installed import has_arrow, install_command
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import MIB, Limits, beyond, check_size
from nlpstat_core.readers.open.table import Table, cell_text

MARK = b"PAR1"
_INDEX = "__index_level_0__"  # how pandas stores an index without a name


def is_parquet(data: bytes) -> bool:
    """Whether content has the mark of Parquet at its beginning and at its end."""
    return data.startswith(MARK) and data.endswith(MARK)


def read_parquet(data: bytes, limits: Limits) -> Table:
    """The columns that hold one value a row; the values of a record are columns called "record.value".

    Texts stay numbers into a list of those that differ: a file of a few bytes can say that a long one
    stands in every row. Raises ScoreFileError for files over the bounds or broken, or without Arrow.
    """
    if not has_arrow():
        raise ScoreFileError(
            f"Parquet files need pyarrow, which isn't installed; install it with: "
            f"{install_command('parquet')}"
        )
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(io.BytesIO(data))
        texts = [name for name, kind in _leaves(schema) if _is_text(kind)]
        file = pq.ParquetFile(io.BytesIO(data), read_dictionary=texts)
        names = [name for name, kind in _leaves(schema) if not _is_no_cell(kind)]
        _check(file.metadata, names, limits)
        frame = file.read(columns=names, use_threads=False).flatten()
        if sum(map(_length, frame.columns)) > limits.max_unpacked_bytes:
            many = f"the texts are longer than {limits.max_unpacked_bytes / MIB:,.4g} MiB together"
            raise beyond(many, Remedy("max_unpacked_bytes"))
        found = frame.column_names
        # pandas stores the index last; in a table it is the first column.
        order = sorted(range(len(found)), key=lambda place: found[place] != _INDEX)
        columns = [_column(frame.column(place)) for place in order]  # texts that are no UTF-8 fail here
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, ScoreFileError):
            raise error from None
        text = "the Parquet file is broken or of a kind that can't be read; write it again."
        raise ScoreFileError(text) from None
    header = ["" if found[place] == _INDEX else found[place].strip() for place in order]
    left = [field.name for field in schema if _is_binary(field.type)]
    notes: tuple[Note, ...] = ()
    if left:
        text = f"Left out because they hold binary data: {', '.join(map(shown, left[:5]))}."
        notes = (Note("columns-left-out", "info", text),)
    return Table.of_columns(header, columns, range(1, frame.num_rows + 1), "row", notes=notes)


def _leaves(schema: Any) -> list[tuple[str, Any]]:
    """Name and type of each column, and of each value of a record."""
    import pyarrow as pa

    found: list[tuple[str, Any]] = []
    for field in schema:
        if pa.types.is_struct(field.type):
            found += [(f"{field.name}.{inner.name}", inner.type) for inner in field.type]
        else:
            found.append((field.name, field.type))
    return found


def _check(metadata: Any, names: Sequence[str], limits: Limits) -> None:
    """Refuse what is too large by its own account, before anything is unpacked."""
    rows = metadata.num_rows
    check_size(rows, len(names), limits)
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if size > limits.max_unpacked_bytes:
        many = f"{rows:,} rows × {len(names):,} columns are {size / MIB:,.4g} MiB unpacked, more than "
        way = f"{limits.max_unpacked_bytes / MIB:,.4g} MiB; leave out columns of text, split the file or "
        raise BoundsExceeded(many + way, Remedy("max_unpacked_bytes"), ".")


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_binary(kind: Any) -> bool:
    """Types whose values may be as long as they claim in every row, and that hold no scores or names."""
    import pyarrow as pa

    kinds = ("binary", "large_binary", "fixed_size_binary", "binary_view", "string_view")
    return any(getattr(pa.types, f"is_{name}")(kind) for name in kinds)


def _is_no_cell(kind: Any) -> bool:
    import pyarrow as pa

    return _is_binary(kind) or bool(pa.types.is_nested(kind))


def _length(column: Any) -> int:
    """Bytes of all texts of a column, written out in every row; 0 for numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (pa.types.is_dictionary(column.type) and _is_text(column.type.value_type)):
        return 0
    lengths = (pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks)
    return sum(pc.sum(found).as_py() or 0 for found in lengths)


def _column(column: Any) -> list[str] | FloatArray:
    """Numbers as an array (single precision as the shortest number it stands for), the rest as text."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_float32(kind) or pa.types.is_float16(kind):
        column = column.cast(pa.float32()).cast(pa.string()).cast(pa.float64())
    if pa.types.is_floating(kind) or (pa.types.is_integer(kind) and kind.bit_width <= 32):
        return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    if pa.types.is_dictionary(kind):
        found: list[str] = []
        for chunk in column.chunks:
            distinct = [cell_text(value) for value in chunk.dictionary.to_pylist()]
            found += ["" if place is None else distinct[place] for place in chunk.indices.to_pylist()]
        return found
    return [cell_text(value) for value in column.to_pylist()]
