"""Files made to cost as much as they can, a tenth as large as they may be: costs grow in proportion."""

from __future__ import annotations

import gzip
import io
import json
import resource
import sys
import time
import zipfile
from collections.abc import Callable

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import Limits, read_scores

MOST = Limits().max_bytes // 10
UNPACKED = Limits().max_unpacked_bytes // 10
SHEET = "xl/worksheets/sheet1.xml"


def repeated(piece: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    """A file of one piece again and again, as large as a file may be."""
    return before + piece * ((MOST - len(before) - len(after)) // len(piece)) + after


def workbook(sheet: bytes) -> bytes:
    """A workbook with this sheet."""
    head = b'<?xml version="1.0"?>'
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        book = b'<workbook><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>'
        archive.writestr("xl/workbook.xml", head + book.replace(b"<workbook>", b'<workbook xmlns:r="r">'))
        relation = b'<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>'
        archive.writestr("xl/_rels/workbook.xml.rels", head + relation)
        archive.writestr(SHEET, b"<worksheet><sheetData>" + sheet + b"</sheetData></worksheet>")
    return target.getvalue()


def strings(count: int) -> bytes:
    """JSON with many names of their own."""
    return json.dumps({"A": {f"{i:x}": 1 for i in range(count)}, "B": {"0": 1}}).encode()


CELL = b"<c><v>1</v></c>"
BULK: dict[str, Callable[[], bytes]] = {
    "one long line": lambda: repeated(b"x"),
    "only line ends": lambda: repeated(b"\n", after=b"x"),
    "one number": lambda: repeated(b"7", b"item,A,B\n1,2,3\n2,", b",1\n"),
    "one column of digits": lambda: repeated(b"1\n"),
    "two columns of digits": lambda: repeated(b"1 2\n"),
    "wide table of digits": lambda: repeated(
        b"1" + b",1" * 999 + b"\n", b"item," + b",".join(b"s%d" % i for i in range(999)) + b"\n"
    ),
    "table of texts that all differ": lambda: (
        b"item,A,B\n" + b"".join(b"u%07d,1,0\n" % i for i in range(340_000))
    ),
    "rows of quotes": lambda: repeated(b'"1","2","3"\n', b"item,A,B\n"),
    "a quote never closed": lambda: repeated(b"1,2,3\n", b'item,A,B\n"'),
    "columns without end": lambda: repeated(b"a,"),
    "comment lines": lambda: repeated(b"#\n", after=b"item,A,B\n1,2,3\n2,3,4\n"),
    "words in score columns": lambda: repeated(b"1,x,y\n", b"item,A,B\n"),
    "long table": lambda: (
        b"system,item,score\n" + b"".join(b"s%d,u%d,1\n" % (i % 50, i // 50) for i in range(400_000))
    ),
    "long table, every row another system": lambda: (
        b"system,item,score\n" + b"".join(b"s%d,u%d,1\n" % (i, i) for i in range(240_000))
    ),
    "JSON of brackets": lambda: repeated(b"["),
    "JSON of empty objects": lambda: repeated(b"{},", b"[", b"{}]"),
    "JSON of numbers": lambda: repeated(b"1,", b'{"A":[', b'1],"B":[1]}'),
    "JSON of names": lambda: strings(350_000),
    "JSON of one huge number": lambda: repeated(b"9", b'[{"a":', b"}]"),
    "JSON lines of empty records": lambda: repeated(b"{}\n"),
    "JSON lines": lambda: b"".join(
        b'{"model":"m%d","example_id":"e%d","pass1":1}\n' % (i % 9, i // 9) for i in range(100_000)
    ),
    "workbook of cells": lambda: workbook(b"<row>" + CELL * (UNPACKED // len(CELL)) + b"</row>"),
    "workbook of short rows": lambda: workbook((b"<row>" + CELL * 2 + b"</row>") * (UNPACKED // 41)),
    "workbook of one text": lambda: workbook(
        b'<row><c t="inlineStr"><is><t>' + b"x" * UNPACKED + b"</t></is></c></row>"
    ),
    "gzip of zeros": lambda: gzip.compress(b"0" * 10**9, compresslevel=1),
    "gzip of a table": lambda: gzip.compress(b"item,A,B\n" + b"1,2,3\n" * (UNPACKED // 6), compresslevel=1),
    "trec_eval lines": lambda: repeated(b"map\t1\t0.5\n"),
    "eight columns": lambda: b"".join(
        b"m\tx\ty\tr\ts%d\td\t%d\t1\n" % (i % 20, i // 20) for i in range(200_000)
    ),
}


def main() -> int:
    """Argument: name of an input. Prints its size, what came of it, seconds and peak memory in MiB."""
    data = BULK[sys.argv[1]]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    try:
        scores = read_scores((data, "x"))
        told = f"{scores.n_units:,} × {scores.n_systems:,}"
    except ScoreFileError as error:
        told = str(error)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([sys.argv[1], len(data), told, round(seconds, 2), round(before), round(peak)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
