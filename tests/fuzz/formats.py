"""A matrix written in every format that is read, with what has to come back."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

from nlpstat_core.scores.matrix import ScoreMatrix
from tests.fuzz.toolformats import TOOL_FORMATS
from tests.fuzz.written import Format, Writer, Written, cell, delimited, long_rows, nothing, units_of


def id_name(scores: ScoreMatrix) -> str:
    """A name for the id column that no system has."""
    return next(
        name for name in ("item", "unit", "id", "segment", "topic", "row") if name not in scores.systems
    )


def wide_rows(scores: ScoreMatrix, decimal: str = ".") -> list[list[str]]:
    rows = [[id_name(scores), *scores.systems]]
    for unit, values in zip(units_of(scores), scores.values, strict=True):
        rows.append([unit, *(cell(value, decimal) for value in values)])
    return rows


def same(scores: ScoreMatrix, data: bytes, name: str, **choices: Any) -> Written:
    """One file that holds everything."""
    return Written([(data, name)], scores.values, scores.systems, scores.units, choices)


def wide(delimiter: str, decimal: str = ".", encoding: str = "utf-8") -> Writer:
    def write(scores: ScoreMatrix) -> Written:
        data = delimited(wide_rows(scores, decimal), delimiter).decode().encode(encoding)
        choices = {
            "format": "wide-csv",
            "id_column": id_name(scores),
            "label_columns": [],
            "delimiter": delimiter,
        }
        return same(scores, data, "x.csv", **choices)

    return write


def wide_plain(scores: ScoreMatrix) -> Written:
    lines = [",".join(row) for row in wide_rows(scores)]
    return same(scores, "\r\n".join(lines).encode("utf-8-sig"), "x.csv")


def wide_documents(scores: ScoreMatrix) -> Written:
    """Segments that start again in every document."""
    half = (scores.n_units + 1) // 2
    ids = [(f"d{i // half}", str(i % half + 1)) for i in range(scores.n_units)]
    rows = [["doc", "segment", *scores.systems]]
    rows += [[*at, *map(cell, values)] for at, values in zip(ids, scores.values, strict=True)]
    units = tuple(":".join(at) for at in ids)
    choices = {"id_column": ["doc", "segment"]} if scores.n_units < 4 else {}
    return Written([(delimited(rows, ","), "x.csv")], scores.values, scores.systems, units, choices)


def wide_rows_of_systems(scores: ScoreMatrix) -> Written:
    """One row per system."""
    rows = [list(cells) for cells in zip(*wide_rows(scores), strict=True)]
    rows[0][0] = "model"
    return same(scores, delimited(rows, ","), "x.csv", format="wide-csv", systems_as_rows=True)


def long(scores: ScoreMatrix) -> Written:
    rows = [["system", "item", "score"], *([a, b, repr(value)] for a, b, value in long_rows(scores))]
    return same(scores, delimited(rows, ","), "x.csv", format="long-csv")


def long_metrics(scores: ScoreMatrix) -> Written:
    """Another metric beside the wanted one, rows in another order."""
    rows = [[b, a, "bleu", repr(value)] for a, b, value in long_rows(scores)]
    rows += [[b, a, "ter", "0.5"] for a, b, _ in long_rows(scores)]
    data = delimited([["item", "system", "metric", "score"], *rows], "\t")
    return same(scores, data, "x.tsv", metric="bleu")


def columns(scores: ScoreMatrix) -> Written:
    lines = ["  ".join(cell(value, missing="NA") for value in values) for values in scores.values]
    choices = {"format": "columns", "id_column": False}
    return Written([("\n".join(lines).encode(), "x.txt")], scores.values, None, None, choices)


def lines(scores: ScoreMatrix) -> Written:
    """One file per system, one score a line."""
    files = [
        ("\n".join(cell(value, missing="NA") for value in column).encode(), f"{system}.txt")
        for system, column in zip(scores.systems, scores.values.T, strict=True)
    ]
    return Written(files, scores.values, scores.systems, None)


def id_and_score(scores: ScoreMatrix) -> Written:
    """One file per system, unit id and score; the later files in another order and without gaps."""
    files = []
    for place, (system, column) in enumerate(zip(scores.systems, scores.values.T, strict=True)):
        pairs = [
            (unit, value) for unit, value in zip(units_of(scores), column, strict=True) if value == value
        ]
        rows = [f"{unit}\t{float(value)!r}" for unit, value in (pairs[::-1] if place else pairs)]
        files.append(("\n".join(["item\tscore", *rows]).encode(), f"{system}.tsv"))
    return Written(files, scores.values, scores.systems, scores.units)


def excel(scores: ScoreMatrix) -> Written:
    """Workbooks hold fifteen digits; numbers near the ends of a float are beyond them."""
    import xlsxwriter

    values = np.array([[float(f"{value:.15g}") for value in row] for row in scores.values])
    values = np.where(np.abs(values) > 1e300, 1.0, np.where(np.abs(values) < 1e-300, 0.0, values))
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"in_memory": True})
    book.add_worksheet("notes").write_string(0, 0, "not here")
    sheet = book.add_worksheet("scores")
    for i, name in enumerate(("", *scores.systems)):
        sheet.write_string(2, 1 + i, name)
    for row, unit in enumerate(units_of(scores)):
        sheet.write_string(3 + row, 1, unit)
        for i, value in enumerate(values[row].tolist()):
            if not np.isnan(value):
                sheet.write_number(3 + row, 2 + i, value)
    book.close()
    choices = {"sheet": "scores", "label_columns": [], "id_column": None}
    return Written([(target.getvalue(), "x.xlsx")], values, scores.systems, scores.units, choices)


def parquet(scores: ScoreMatrix) -> Written:
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = id_name(scores)
    arrays = [pa.array(units_of(scores)), *map(pa.array, scores.values.T.copy())]
    target = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, names=[name, *scores.systems]), target)
    return same(scores, target.getvalue(), "x.parquet", id_column=name, label_columns=[])


def json_records(scores: ScoreMatrix) -> Written:
    name = id_name(scores)
    records = [
        {name: unit, **dict(zip(scores.systems, map(nothing, values), strict=True))}
        for unit, values in zip(units_of(scores), scores.values, strict=True)
    ]
    return same(scores, json.dumps(records).encode(), "x.json", id_column=name, label_columns=[])


def json_nested(scores: ScoreMatrix) -> Written:
    board: dict[str, dict[str, float]] = {system: {} for system in scores.systems}
    for system, unit, value in long_rows(scores):
        board[system][unit] = value
    return same(scores, json.dumps(board, ensure_ascii=False).encode(), "x.json", label_columns=[])


def jsonl(scores: ScoreMatrix) -> Written:
    records = [
        {"model": a, "example_id": b, "pass1": value, "metadata": {}} for a, b, value in long_rows(scores)
    ]
    choices = {} if scores.systems[0][0].isalpha() else {"system_column": "model"}
    return same(scores, "\n".join(map(json.dumps, records)).encode(), "x.jsonl", **choices)


def lm_eval(scores: ScoreMatrix) -> Written:
    files = []
    for system, column in zip(scores.systems, scores.values.T, strict=True):
        records = [
            {"doc_id": i, "doc": {"text": "…"}, "target": "x", "resps": [["y"]], "acc": nothing(value)}
            for i, value in enumerate(column)
        ]
        files.append(("\n".join(map(json.dumps, records)).encode(), f"{system}.jsonl"))
    units = tuple(map(str, range(scores.n_units)))
    return Written(files, scores.values, scores.systems, units)


def wmt_seg(scores: ScoreMatrix) -> Written:
    place = {unit: i for i, unit in enumerate(units_of(scores))}
    rows = [
        f"chrF\tcs-en\tnewstest\trefA\t{a}\tdoc{place[b] % 2}\t{place[b] + 1}\t{value!r}"
        for a, b, value in long_rows(scores)
    ]
    units = tuple(f"doc{i % 2}:{i + 1}" for i in range(scores.n_units))
    return Written([("\n".join(rows).encode(), "x.seg.score")], scores.values, scores.systems, units)


def system_score(scores: ScoreMatrix) -> Written:
    rows = [
        f"{system}\t{cell(value, missing='None')}"
        for system, column in zip(scores.systems, scores.values.T, strict=True)
        for value in column
    ]
    data = "\n".join(rows).encode()
    choices = {"format": "system-score"}
    return Written([(data, "x.seg.score")], scores.values, scores.systems, None, choices)


def trec_eval(scores: ScoreMatrix) -> Written:
    lines = []
    for system, column in zip(scores.systems, scores.values.T, strict=True):
        lines += [
            f"map   \t{unit}\t{value!r}"
            for unit, value in zip(units_of(scores), map(float, column), strict=True)
            if value == value
        ]
        lines += [f"runid \tall\t{system}", "map   \tall\t0.5"]
    return Written([("\n".join(lines).encode(), "x.eval")], scores.values, scores.systems, scores.units)


def counts(scores: ScoreMatrix) -> Written:
    """Correct and total in long data; the scores are the shares."""
    correct = np.where(np.isnan(scores.values), np.nan, np.abs(scores.values) % 7 // 1)
    rows = [
        [system, unit, f"{correct[j, i]:.0f}", "7"]
        for i, system in enumerate(scores.systems)
        for j, unit in enumerate(units_of(scores))
        if not np.isnan(correct[j, i])
    ]
    data = delimited([["system", "item", "correct", "total"], *rows], ",")
    return Written([(data, "x.csv")], correct / 7, scores.systems, scores.units)


def counts_f1(scores: ScoreMatrix) -> Written:
    """tp, fp and fn, one set of columns per system."""
    tp = np.where(np.isnan(scores.values), np.nan, np.abs(scores.values) % 5 // 1)
    header = ["item", *(f"{system}_{part}" for system in scores.systems for part in ("tp", "fp", "fn"))]
    rows = [
        [
            unit,
            *(text for value in row for text in ([f"{value:.0f}", "1", "2"] if value == value else [""] * 3)),
        ]
        for unit, row in zip(units_of(scores), tp, strict=True)
    ]
    f1 = 2 * tp / (2 * tp + 3)
    return Written([(delimited([header, *rows], ","), "x.csv")], f1, scores.systems, scores.units)


def zipped(
    format: Callable[[ScoreMatrix], Written], packed: bool = False
) -> Callable[[ScoreMatrix], Written]:
    """What another format writes, in an archive."""

    def write(scores: ScoreMatrix) -> Written:
        written = format(scores)
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for data, name in written.files:
                if packed:
                    archive.writestr(f"scores/{name}.gz", gzip.compress(data, mtime=0))
                else:
                    archive.writestr(f"scores/{name}", data)
        choices = {key: value for key, value in written.choices.items() if key != "format"}
        return Written(
            [(target.getvalue(), "x.zip")], written.values, written.systems, written.units, choices
        )

    return write


def gzipped(scores: ScoreMatrix) -> Written:
    written = wide(",")(scores)
    (data, name), *_ = written.files
    files = [(gzip.compress(data, mtime=0), f"{name}.gz")]
    return Written(files, written.values, written.systems, written.units, written.choices)


FORMATS = (
    Format("wide csv", "wide-csv", wide(","), hostile=True),
    Format("wide tsv", "wide-csv", wide("\t"), hostile=True),
    Format("wide semicolons, decimal comma", "wide-csv", wide(";", ","), hostile=True),
    Format("wide UTF-16", "wide-csv", wide(",", encoding="utf-16"), hostile=True),
    Format("wide without help", "wide-csv", wide_plain),
    Format("wide, document and segment", "wide-csv", wide_documents),
    Format("wide, systems as rows", "wide-csv", wide_rows_of_systems, hostile=True),
    Format("long", "long-csv", long, hostile=True),
    Format("long, two metrics", "long-csv", long_metrics),
    Format("columns without header", "columns", columns, hostile=True),
    Format("one score a line", "files", lines),
    Format("id and score", "files", id_and_score),
    Format("Excel", "excel", excel, hostile=True),
    Format("Parquet", "parquet", parquet, hostile=True),
    Format("JSON records", "json", json_records, hostile=True),
    Format("JSON nested", "json", json_nested, hostile=True),
    Format("JSONL, eval-arena", "jsonl", jsonl, hostile=True),
    Format("JSONL, lm-evaluation-harness", "files", lm_eval),
    Format("WMT, eight columns", "wmt-seg", wmt_seg),
    Format("WMT, system and score", "system-score", system_score),
    Format("trec_eval -q", "trec-eval", trec_eval),
    Format("correct and total", "counts", counts),
    Format("tp, fp, fn", "counts", counts_f1),
    Format("gzip", "wide-csv", gzipped, hostile=True),
    Format("zip of one file per system", "zip", zipped(lines)),
    Format("zip of JSONL", "zip", zipped(jsonl)),
    Format("zip of .gz files", "zip", zipped(id_and_score, packed=True)),
    Format("zip of a workbook", "zip", zipped(excel), hostile=True),
    *TOOL_FORMATS,
)
