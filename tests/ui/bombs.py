"""Files of a few kilobytes that unpack to much, made by scripts.

`python -m tests.ui.bombs` prints what reading them costs.

Each is read as an upload is: by a reading process of the app, within its bounds.
"""

from __future__ import annotations

import gzip
import io
import os
import struct
import zipfile
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter

MIB = 1 << 20


def packed(method: int, size: int, said: int | None) -> bytes:
    """A zip of one long file, whose headers may say that it is short."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("A.txt", b"1\n" * (size // 2))
    data = target.getvalue()
    return data if said is None else data.replace(struct.pack("<L", size), struct.pack("<L", said))


def parquet(kind: pa.DataType, rows: int = 3000, long: int = MIB) -> bytes:
    """One long value in every row, kept once: a dictionary of one entry."""
    once = pa.array(
        [b"x" * long if pa.types.is_fixed_size_binary(kind) or kind == pa.binary() else "x" * long]
    )
    values = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), once.cast(kind))
    table = pa.table({"item": values, "A": np.arange(rows) / 7, "B": np.zeros(rows)})
    target = io.BytesIO()
    pq.write_table(table, target, compression="zstd", store_schema=False)
    return target.getvalue()


def words_only(rows: int = 3000, long: int = MIB) -> bytes:
    """Binary values under the schema of their frame, and no scores: refused, and looked at once more."""
    once = pa.array([b"x" * long])
    values = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), once)
    target = io.BytesIO()
    table = pa.table({"item": values, "A": ["low"] * rows, "B": ["high"] * rows})
    pq.write_table(table, target, compression="zstd", store_schema=True)
    return target.getvalue()


def string_views() -> bytes:
    """The same as views, which the schema in the file asks for."""
    data = parquet(pa.string())
    table = pa.table({"item": pa.array(["x"], pa.string_view()), "A": [0.0], "B": [0.0]})
    schema = table.schema
    target = io.BytesIO()
    rows = pq.read_table(io.BytesIO(data), read_dictionary=["item"])
    encoded = pq.ParquetWriter(target, rows.schema, compression="zstd", store_schema=False)
    encoded.write_table(rows)
    encoded.add_key_value_metadata({"ARROW:schema": b64encode(schema.serialize().to_pybytes()).decode()})
    encoded.close()
    return target.getvalue()


def many_texts(rows: int = 1_500_000) -> bytes:
    """Ids that all differ."""
    ids = pa.array(np.char.mod("unit-%d", np.arange(rows)))
    target = io.BytesIO()
    table = pa.table({"item": ids, "A": np.arange(rows) % 7, "B": np.arange(rows) % 5})
    pq.write_table(table, target, compression="zstd")
    return target.getvalue()


def workbook(rows: int = 200_000) -> bytes:
    """A sheet of equal rows, which pack to a thousandth."""
    parts = workbook_parts()
    row = "<row><c><v>1</v></c><c><v>1</v></c><c><v>0</v></c></row>"
    parts[SHEET] = parts[SHEET].replace("</sheetData>", f"{row * rows}</sheetData>")
    return zipped(parts)


def merged_cells(many: int = 1000) -> bytes:
    """Merged cells as wide as a sheet can be, and no scores."""
    parts = workbook_parts()
    cells = "".join(f'<mergeCell ref="A{3 * i + 3}:XFD{3 * i + 4}"/>' for i in range(many))
    row = '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>x</t></is></c></row>'
    merged = f'</sheetData><mergeCells count="{many}">{cells}</mergeCells>'
    parts[SHEET] = parts[SHEET].replace("</sheetData>", row + merged)
    return zipped(parts)


def deep_strings(deep: int = 20_000) -> bytes:
    """Shared texts within texts within texts."""
    parts = workbook_parts()
    kind = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    text = f"{'<r>' * deep}<t>item</t>{'</r>' * deep}"
    parts["xl/sharedStrings.xml"] = (
        f'<?xml version="1.0"?><sst xmlns="{kind}"><si>{text}</si><si><t>A</t></si><si><t>B</t></si></sst>'
    )
    return zipped(parts)


def many_sheets(many: int = 300) -> bytes:
    """Sheets without a score, each of which may be the one that was meant."""
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"in_memory": True})
    for place in range(many):
        sheet = book.add_worksheet(f"s{place}")
        sheet.write_row(0, 0, ["about", "x"])
        sheet.write_row(1, 0, ["a", "b"])
    book.close()
    return target.getvalue()


def workbook_parts() -> dict[str, str]:
    """The files in a workbook with a header and no rows."""
    empty = io.BytesIO()
    book = xlsxwriter.Workbook(empty, {"in_memory": True})
    book.add_worksheet().write_row(0, 0, ["item", "A", "B"])
    book.close()
    with zipfile.ZipFile(empty) as source:
        return {name: source.read(name).decode() for name in source.namelist()}


def zipped(parts: dict[str, str]) -> bytes:
    """A workbook of these files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return target.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
# Refused for what they hold, and then looked at once more.
REFUSED: dict[str, Callable[[], bytes]] = {
    "words.parquet": words_only,
    "merged.xlsx": merged_cells,
    "deep.xlsx": deep_strings,
    "sheets.xlsx": many_sheets,
}
BOMBS: dict[str, Callable[[], bytes]] = {
    "bz2.zip": lambda: packed(zipfile.ZIP_BZIP2, 20 * MIB, 1000),
    "lzma.zip": lambda: packed(zipfile.ZIP_LZMA, 20 * MIB, 1000),
    "lies.zip": lambda: packed(zipfile.ZIP_DEFLATED, 200 * MIB, 1000),
    "honest.zip": lambda: packed(zipfile.ZIP_DEFLATED, 200 * MIB, None),
    "binary.parquet": lambda: parquet(pa.binary()),
    "fixed.parquet": lambda: parquet(pa.binary(MIB), 300),
    "text.parquet": lambda: parquet(pa.string()),
    "views.parquet": string_views,
    "many.parquet": many_texts,
    "rows.xlsx": workbook,
    "empty.csv.gz": lambda: gzip.compress(b"") * 150_000,
}


def read_apart(name: str, data: bytes) -> tuple[str, float, float, float]:
    """What reading a file in a fresh process says, and what it takes.

    Parameters
    ----------
    name : str
    data : bytes

    Returns
    -------
    said : str
        What the user is told.
    seconds, peak, grown : float
        Of processors, with those of its children; MiB of the process at most, and beyond what it takes by
        itself. NaN where the process was replaced, as it kept too much.
    """
    from dashboard.background.readings import read
    from dashboard.background.workers import Task, Worker
    from dashboard.session.uploads import bounds

    worker = Worker(prepares="reading")
    try:
        process = worker.start()
        worker.do(Task(read, ((b"item,A,B\nu1,1,0\nu2,0,1\n", "a.csv"), {})), _nobody, _never)
        status = Path(f"/proc/{process.pid}/status")
        before, begun = _high(status.read_text()), _worked(process.pid)
        try:
            said = repr(worker.do(Task(read, ((data, name), bounds())), _nobody, _never).scores.values.shape)
        except Exception as error:  # the sentence that the page shows
            said = f"{type(error).__name__}: {error}"
        there = process.poll() is None  # else it was replaced, since it kept too much
        spent = _worked(process.pid) - begun if there else float("nan")
        peak = _high(status.read_text()) if there else float("nan")
    finally:
        worker.close()
    return said, spent, peak, peak - before


def _worked(process: int) -> float:
    """Seconds of processors."""
    parts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, parts[11:15])) / os.sysconf("SC_CLK_TCK")


def _high(status: str) -> float:
    return float(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def _nobody(done: int, total: int) -> None:
    """Nobody looks at the progress."""


def _never() -> bool:
    return False


def main() -> None:
    """Print a row for each."""
    for name, make in BOMBS.items():
        data = make()
        said, seconds, peak, grown = read_apart(name, data)
        print(
            f"| {name} | {len(data):,} B | {seconds:.1f} s | {peak:.0f} MiB (+{grown:.0f}) | {said[:150]} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
