"""Score tables with a column of sentences come back equal from every writer, quoted or not."""

import csv
import io
import random
from collections.abc import Callable

import numpy as np
import openpyxl
import pandas as pd
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpstat_core.readers import read_scores

TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Co", "Cn"])
    | st.sampled_from("\",;\t\n'=+-@#|😀"),
    max_size=25,
).map(lambda text: f"w{text}".strip())
SCORES = st.floats(-1e6, 1e6).map(lambda value: round(value, 5) + 0.0)


@st.composite
def boards(draw: st.DrawFn) -> pd.DataFrame:
    """Units, one column of sentences, two to four systems."""
    n_units, n_systems = draw(st.integers(3, 8)), draw(st.integers(2, 4))
    frame = pd.DataFrame({"item": [f"u{i}" for i in range(n_units)]})
    frame["sentence"] = draw(st.lists(TEXTS, min_size=n_units, max_size=n_units))
    for k in range(n_systems):
        frame[f"S{k}"] = draw(st.lists(SCORES, min_size=n_units, max_size=n_units))
    return frame


def by_csv(frame: pd.DataFrame, **options: object) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file, **options)  # type: ignore[arg-type]
    writer.writerow(frame.columns)
    writer.writerows(frame.itertuples(index=False))
    return file.getvalue().encode()


def by_r(frame: pd.DataFrame, sign: str, doubled: bool) -> bytes:
    """R's write.csv (quotes doubled, a name for the row names) and write.table (backslashes, none)."""

    def quoted(text: object) -> str:
        return '"' + str(text).replace('"', '""' if doubled else '\\"') + '"'

    names = [quoted(name) for name in frame.columns]
    lines = [sign.join(['""', *names] if doubled else names)]
    for number, row in enumerate(frame.itertuples(index=False), 1):
        cells = [quoted(cell) if isinstance(cell, str) else repr(cell) for cell in row]
        lines.append(sign.join([quoted(number), *cells]))
    return ("\n".join(lines) + "\n").encode()


def by_xlsxwriter(frame: pd.DataFrame) -> bytes:
    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True, "strings_to_formulas": False}) as book:
        sheet = book.add_worksheet()
        for i, row in enumerate([frame.columns, *frame.itertuples(index=False)]):
            for j, cell in enumerate(row):
                write = sheet.write_string if isinstance(cell, str) else sheet.write_number
                write(i, j, cell)
    return target.getvalue()


def by_openpyxl(frame: pd.DataFrame) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for i, row in enumerate([list(frame.columns), *frame.itertuples(index=False)], 1):
        for j, cell in enumerate(row, 1):
            place = sheet.cell(i, j)
            place.value = cell
            if isinstance(cell, str):
                place.data_type = "s"  # a text that begins with = is no formula
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def by_parquet(frame: pd.DataFrame) -> bytes:
    target = io.BytesIO()
    frame.to_parquet(target, index=False)
    return target.getvalue()


WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {
    "csv": by_csv,
    "csv, all quoted": lambda frame: by_csv(frame, quoting=csv.QUOTE_ALL),
    "csv, semicolons": lambda frame: by_csv(frame, delimiter=";"),
    "csv, tabs": lambda frame: by_csv(frame, delimiter="\t", lineterminator="\n"),
    "pandas": lambda frame: frame.to_csv(index=False).encode(),
    "pandas with its index": lambda frame: frame.to_csv().encode(),
    "pandas, tabs": lambda frame: frame.to_csv(index=False, sep="\t").encode(),
    "write.csv": lambda frame: by_r(frame, ",", True),
    "write.table": lambda frame: by_r(frame, " ", False),
    "write.table, tabs": lambda frame: by_r(frame, "\t", False),
    "JSON lines": lambda frame: frame.to_json(orient="records", lines=True, double_precision=15).encode(),
    "JSON": lambda frame: frame.to_json(orient="records", double_precision=15).encode(),
    "Parquet": by_parquet,
}


def same(data: bytes, frame: pd.DataFrame, escaped: bool = False) -> None:
    scores = read_scores((data, "x"))
    assert scores.units == tuple(frame["item"])
    assert scores.systems == tuple(frame.columns[2:])
    np.testing.assert_array_equal(scores.values, frame.iloc[:, 2:].to_numpy())
    if len(set(frame["sentence"])) >= 1 and not escaped:
        assert scores.labels["sentence"] == tuple(frame["sentence"])


@pytest.mark.parametrize("writer", WRITERS)
@given(frame=boards())
def test_every_writer(writer: str, frame: pd.DataFrame) -> None:
    if writer.startswith("write.table"):  # R leaves backslashes as they are
        frame["sentence"] = frame["sentence"].str.replace("\\", "/")
    same(WRITERS[writer](frame), frame)


@pytest.mark.parametrize("write", [by_xlsxwriter, by_openpyxl])
@settings(deadline=None, max_examples=12)
@given(frame=boards())
def test_every_writer_of_workbooks(write: Callable[[pd.DataFrame], bytes], frame: pd.DataFrame) -> None:
    same(write(frame), frame)


SAID = """the a of "to" and, in; that 'is' was; he "for it" with as his on be at by I this had not are but
from or have an they which one you were her all "she" there would (their) we him been has when, who will more
“no” if out so what’s up said: its about into them can; only other new some could time. 5% #1 50,000 3.5
- — …"""
WORDS = SAID.split()


@pytest.mark.parametrize("seed", range(53))
def test_sentences_of_any_corpus(seed: int) -> None:
    """Quoted with commas, and plain with tabs, as corpora are published; ten systems or two."""
    rng = random.Random(seed)
    systems = [f"S{k}" for k in range(2 if seed % 2 else 10)]
    rows = []
    for i in range(60):
        text = " ".join(rng.choices(WORDS, k=rng.randint(1, 25)))
        if rng.random() < 0.3:
            text = f'"{text}'
        if rng.random() < 0.3:
            text = f'{text}"'
        rows.append([f"u{i}", f"w {text}" if rng.random() < 0.5 else text])
    frame = pd.DataFrame(rows, columns=["item", "sentence"])
    for system in systems:
        frame[system] = [round(rng.random(), 4) for _ in rows]
    same(by_csv(frame), frame)
    lines = ["\t".join(map(str, row)) for row in [frame.columns, *frame.itertuples(index=False)]]
    same(("\n".join(lines) + "\n").encode(), frame)


HARD = (
    '"Quoted at the start" and on',
    'It ends "so"',
    '"',
    'a "b" c "d" e',
    'She said: ""no"", twice',
    "first; second; third",
    "one, two, three, four",
    "left | right | middle",
    "| a | b |",
    "|---|---|",
    "人工知能は、とても「面白い」。",
    "在那里,他说:“好”。",
    "안녕하세요, 세계!",
    "مرحبا؛ بالعالم",
    r"x & y \\",
    r"\begin{tabular}{ll} 1 & 2 \\ \end{tabular}",
    r"C:\new\table",
    "1,234 of 5,678 (21.7%)",
    "3.14",
    "42",
    "50%",
    "$5",
    "pass",
    "✓",
    "n/a, they said",
    "# not a comment",
    "-",
    "=SUM(A1:A9)",
    "'tis; 'twas",
    "x" * 3000,
    "word " * 900 + "end",
    "true",
    "Average",
    "- a list item",
    "12:30, 2024-01-05",
)


@pytest.mark.parametrize("seed", range(53))
def test_hard_sentences_wherever_their_column_stands(seed: int) -> None:
    """Quoted, with tabs and line ends inside as well; and plain between tabs; a few sentences are numbers."""
    rng = random.Random(seed)
    words = [" ".join(rng.choices(WORDS, k=rng.randint(3, 12))) for _ in range(30)]
    texts = rng.sample(HARD, 24) + [f"then {text}" for text in words]
    rng.shuffle(texts)
    frame = pd.DataFrame({"item": [f"u{i}" for i in range(len(texts))]})
    frame["sentence"] = [text.strip() for text in texts]
    for k in range(2 if seed % 2 else 5):
        frame[f"S{k}"] = [round(rng.random(), 3) for _ in texts]
    place = rng.choice([1, len(frame.columns) - 1])
    order = [name for name in frame.columns if name != "sentence"]
    order.insert(place, "sentence")
    longer = [f"{text}\tand\nmore" if i % 7 == 0 else text for i, text in enumerate(frame["sentence"])]
    spanning = frame.assign(sentence=longer)
    plain = ["\t".join(map(str, row)) for row in [order, *frame[order].itertuples(index=False)]]
    for own, data in (
        (frame, frame[order].to_csv(index=False).encode()),
        (spanning, spanning[order].to_csv(index=False).encode()),
        (spanning, spanning[order].to_csv(index=False, sep=";").encode("utf-8-sig")),
        (spanning, by_csv(spanning[order], quoting=csv.QUOTE_ALL, delimiter="\t")),
        (frame, "\n".join(plain).encode()),
    ):
        same(data, own)
