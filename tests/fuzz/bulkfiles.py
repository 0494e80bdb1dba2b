"""Files made to cost as much as they can, each as large as the default bounds allow."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterable

from nlpstat_core.readers import Limits

BOUNDS = Limits()
MOST, UNPACKED, ROWS = BOUNDS.max_bytes, BOUNDS.max_unpacked_bytes - 10_000, BOUNDS.max_rows - 2
SHEET = "xl/worksheets/sheet1.xml"
HEAD = b'<?xml version="1.0"?>'
MAIN = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
KIND = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATED = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
TYPES = b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"></Types>'
CELL = b"<c><v>1</v></c>"
TABLE = b"item,A,B\n"


def repeated(piece: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    """A file of one piece again and again, as large as a file may be."""
    return before + piece * ((MOST - len(before) - len(after)) // len(piece)) + after


def rows(piece: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    """A file of numbered rows, as many as a table may have."""
    return before + b"".join(piece % i for i in range(ROWS)) + after


def zipped(files: Iterable[tuple[str, bytes]], level: int = 1) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return target.getvalue()


def workbook(sheet: bytes, count: int = 1, strings: bytes = b"") -> bytes:
    """A workbook with this sheet, once or several times."""
    names = b"".join(b'<sheet name="s%d" sheetId="%d" r:id="r%d"/>' % (i, i, i) for i in range(1, count + 1))
    links = b"".join(
        b'<Relationship Id="r%d" Type="' % i + KIND + b'/worksheet" Target="worksheets/sheet%d.xml"/>' % i
        for i in range(1, count + 1)
    )
    book = b'<workbook xmlns="' + MAIN + b'" xmlns:r="' + KIND + b'"><sheets>'
    book += names + b"</sheets></workbook>"
    filled = b'<worksheet xmlns="' + MAIN + b'"><sheetData>' + sheet + b"</sheetData></worksheet>"
    office = b'<Relationship Id="r1" Type="' + KIND + b'/officeDocument" Target="xl/workbook.xml"/>'
    return zipped(
        [
            ("[Content_Types].xml", HEAD + TYPES),
            ("_rels/.rels", HEAD + RELATED + office + b"</Relationships>"),
            ("xl/workbook.xml", HEAD + book),
            ("xl/_rels/workbook.xml.rels", HEAD + RELATED + links + b"</Relationships>"),
            *([("xl/sharedStrings.xml", b"<sst>" + strings + b"</sst>")] if strings else []),
            *((f"xl/worksheets/sheet{i}.xml", filled) for i in range(1, count + 1)),
        ]
    )


def sheet_of_numbers() -> bytes:
    """Hundred columns with a header, as Excel writes them."""
    letters = [chr(65 + i // 26 - 1) * (i >= 26) + chr(65 + i % 26) for i in range(100)]
    names = "".join(f'<c r="{at}1" t="inlineStr"><is><t>s{i}</t></is></c>' for i, at in enumerate(letters))
    found, size, row = [f'<row r="1">{names}</row>'], 0, 1
    while size < UNPACKED - 50_000:
        row += 1
        cells = (f'<c r="{at}{row}"><v>0.{row * 7919 * i % 10**6:06}</v></c>' for i, at in enumerate(letters))
        found.append(f'<row r="{row}">{"".join(cells)}</row>')
        size += len(found[-1])
    return workbook("".join(found).encode())


def parquet(columns: dict[str, object], size: int) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = io.BytesIO()
    arrays = [pa.array([value] * size) for value in columns.values()]
    pq.write_table(pa.Table.from_arrays(arrays, names=list(columns)), target)
    return target.getvalue()


def nested(depth: int) -> bytes:
    """An archive in an archive in an archive."""
    data = zipped([("scores.csv", TABLE + b"1,2,3\n2,3,4\n")])
    for level in range(depth):
        data = zipped([(f"{level}.zip", data)])
    return data


def damaged_workbooks() -> bytes:
    """Workbooks in an archive, each cut off at another place."""
    whole = workbook(b"<row>" + CELL * 50 + b"</row>")
    return zipped((f"s{i}.xlsx", whole[: 100 + i]) for i in range(min(4_999, len(whole) - 100)))


def lists() -> bytes:
    """JSON of two systems with many names of units."""
    half = BOUNDS.max_rows // 2
    return json.dumps({"A": {f"{i:x}": 1 for i in range(2 * half)}, "B": {"0": 1}}).encode()


TEXTS: dict[str, Callable[[], bytes]] = {
    "one long line": lambda: repeated(b"x"),
    "only line ends": lambda: repeated(b"\n", after=b"x"),
    "few lines among line ends": lambda: (b"1 2" + b"\n" * (ROWS // 40)) * 40,
    "one number": lambda: repeated(b"7", b"item,A,B\n1,2,3\n2,", b",1\n"),
    "one column of digits": lambda: repeated(b"1\n"),
    "one column of digits, fewer lines": lambda: b"1\n" * ROWS,
    "two columns of digits": lambda: repeated(b"1 2\n"),
    "two columns of digits, fewer lines": lambda: b"1 2\n" * ROWS,
    "two columns, some missing": lambda: b"1 NA\n\n2 3\n" * (ROWS // 3),
    "wide table of digits": lambda: repeated(
        b"1" + b",1" * 999 + b"\n", b"item," + b",".join(b"s%d" % i for i in range(999)) + b"\n"
    ),
    "as many columns as may be": lambda: repeated(
        b"1" + b",0.5" * 19_998 + b"\n", b"u," + b",".join(b"s%d" % i for i in range(19_998)) + b"\n"
    ),
    "columns without end": lambda: repeated(b"a,"),
    "texts that all differ": lambda: rows(b"u%07d,1,0\n", TABLE),
    "the same with a comment": lambda: rows(b"u%07d,1,0\n", TABLE, b"#"),
    "decimal commas": lambda: rows(b"u%07d;0,5;0,25\n", b"item;A;B\n"),
    "Latin-1": lambda: rows(b"\xfc%07d,1,0\n", TABLE),
    "UTF-16": lambda: rows(b"u%07d,1,0\n", TABLE).decode().encode("utf-16"),
    "one sign that takes four bytes": lambda: "item,A,😀\n".encode() + repeated(b"u,1,0.5\n")[: MOST // 4],
    "old line ends": lambda: rows(b"u%07d,1,0\r", b"item,A,B\r"),
    "rows of quotes": lambda: repeated(b'"1","2","3"\n', TABLE),
    "rows of quotes, fewer lines": lambda: rows(b'"u%d","2","3"\n', TABLE),
    "a quote never closed": lambda: repeated(b"1,2,3\n", b'item,A,B\n"'),
    "comment lines": lambda: repeated(b"#\n", after=b"item,A,B\n1,2,3\n2,3,4\n"),
    "words in score columns": lambda: rows(b"%d,x,y\n", TABLE),
    "long table": lambda: (
        b"system,item,score\n" + b"".join(b"s%d,u%d,0.5\n" % (i % 50, i // 50) for i in range(ROWS))
    ),
    "long table, every row another system": lambda: (
        b"system,item,score\n" + b"".join(b"s%d,u%d,1\n" % (i, i) for i in range(ROWS))
    ),
    "trec_eval": lambda: rows(b"map\t%d\t0.5\n"),
    "eight columns": lambda: b"".join(
        b"m\tx\ty\tr\ts%d\td\t%d\t1\n" % (i % 20, i // 20) for i in range(ROWS)
    ),
}

OBJECTS: dict[str, Callable[[], bytes]] = {
    "JSON of brackets": lambda: repeated(b"["),
    "JSON as deep as brackets may be": lambda: b"[" * (ROWS // 2) + b"]" * (ROWS // 2),
    "JSON of empty objects": lambda: repeated(b"{},", b"[", b"{}]"),
    "JSON of empty objects, fewer": lambda: b"[" + b"{}," * (ROWS - 1) + b"{}]",
    "JSON of numbers": lambda: repeated(b"1,", b'{"A":[', b'1],"B":[1]}'),
    "JSON of names": lists,
    "JSON of one huge number": lambda: repeated(b"9", b'[{"a":', b"}]"),
    "JSON records": lambda: (
        b"[" + b",".join(b'{"item":"u%d","A":0.5,"B":0.25}' % i for i in range(1_300_000)) + b"]"
    ),
    "JSON of code": lambda: (
        b"[" + b",".join(b'{"i":%d,"c":"f(x)[0][1][2]{}{}","A":1,"B":0}' % i for i in range(1_000_000)) + b"]"
    ),
    "JSON lines of empty records": lambda: repeated(b"{}\n"),
    "JSON lines": lambda: b"".join(
        b'{"model":"m%d","example_id":"e%d","pass1":1}\n' % (i % 9, i // 9) for i in range(1_100_000)
    ),
    "lm-evaluation-harness": lambda: b"".join(
        b'{"doc_id":%d,"doc":{"q":"a [list]"},"target":"1","resps":[["1"]],"acc":1.0}\n' % i
        for i in range(600_000)
    ),
    "Parquet, one value in every cell": lambda: parquet({f"s{i}": 0.5 for i in range(1_999)}, 15_000),
    "Parquet, one long text in every row": lambda: parquet(
        {"item": "x" * 200_000, "A": 1.0, "B": 2.0}, 9_000
    ),
    "Parquet, too many rows": lambda: parquet({"A": 1.0, "B": 2.0}, ROWS + 10),
}

PACKED: dict[str, Callable[[], bytes]] = {
    "workbook of one row": lambda: workbook(b"<row>" + CELL * (UNPACKED // len(CELL) - 9) + b"</row>"),
    "workbook of short rows": lambda: workbook((b"<row>" + CELL * 2 + b"</row>") * (UNPACKED // 41 - 9)),
    "workbook of a hundred columns": sheet_of_numbers,
    "workbook of one text": lambda: workbook(
        b'<row><c t="inlineStr"><is><t>' + b"x" * (UNPACKED - 999) + b"</t></is></c></row>"
    ),
    "workbook of texts": lambda: workbook(
        b'<row><c t="s"><v>0</v></c></row>' * 9, strings=b"<si><t>x</t></si>" * (UNPACKED // 17 - 99)
    ),
    "workbook of cells far apart": lambda: workbook(
        b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (i, i) for i in range(1, 1_048_576))
    ),
    "workbook of many sheets": lambda: workbook(b"<row>" + CELL * 3 + b"</row>", 4_900),
    "damaged workbooks in a zip": damaged_workbooks,
    "zip of zips": lambda: nested(50),
    "zip of many systems": lambda: zipped(
        (f"s{i}.txt", b"".join(b"0.%d\n" % (i * j % 997) for j in range(1, 1_000))) for i in range(4_999)
    ),
    "zip of many broken files": lambda: zipped(
        (f"s{i}.csv", b"item,A,B\n1,x,2\n2,3,4\n" * 500) for i in range(4_999)
    ),
    "zip of many boards": lambda: zipped((f"s{i}.csv", TABLE + b"1,1,2\n2,3,4\n") for i in range(4_999)),
    "zip of more files": lambda: zipped((f"s{i}.txt", b"1\n2\n") for i in range(20_000)),
    "zip of zeros": lambda: zipped([("a.csv", b"0" * (BOUNDS.max_unpacked_bytes + 1))]),
    "zip of .gz of zeros": lambda: zipped([("a.csv.gz", gzip.compress(b"0" * 10**9, compresslevel=1))]),
    "gzip of zeros": lambda: gzip.compress(b"0" * 10**9, compresslevel=1),
    "gzip in gzip": lambda: gzip.compress(gzip.compress(b"0" * 10**8)),
    "gzip of a table": lambda: gzip.compress(
        rows(b"u%d,0.1234567,0.7654321,0.5,0.25\n", b"item,A,B,C,D\n"), 1
    ),
}

BULK = {**TEXTS, **OBJECTS, **PACKED}
