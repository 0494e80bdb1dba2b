"""Every format that is read, with its key and an example: for the command line, the page and the guide."""

from dataclasses import dataclass

from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.readers.open.table import FRAME
from nlpstat_core.readers.roles.choices import READING_KEYWORDS
from nlpstat_core.readers.tools import TOOLS, Tool

FILES = "files"  # the format of several files given together
MISSING_WORDS = "an empty cell, NA, NaN, None, null, n/a, a dash or #DIV/0!"
RULES = (
    "A column is the item id when its name says so (item, id, segment, topic …), when it comes first and",
    "is text, or when it comes first and holds whole numbers without repeats. Other columns of text, and",
    "columns called doc, domain, subject and the like, are labels; the rest are systems.",
    "Files of one system each are given together, as a folder or a zip archive; their item ids join them.",
    "You can say what each column is: --roles unit=utt_id,system=model,score=wer.",
)


@dataclass(frozen=True)
class Format:
    """A kind of file that no single tool writes, with a few lines of one for help pages."""

    key: str
    label: str
    example: str


_SHEET = """
    item   System A   System B
    s1     0.31       0.27
    s2     0.44       0.35
"""
EXCEL = Format("excel", "Excel workbook (.xlsx), one sheet", "scores.xlsx, first sheet" + _SHEET)
PARQUET = Format("parquet", "Parquet table", "scores.parquet, written by a data frame" + _SHEET)
ZIP = Format(
    "zip",
    "Zip archive: one file, or one file per system, in folders of any depth",
    "scores.zip\n    SystemA.txt   one score per line, or item id and score\n    SystemB.txt   the same "
    "items",
)
JSONL = Format(
    "jsonl",
    "JSON lines, one record per line (eval-arena)",
    """{"model": "System A", "example_id": "s1", "pass1": 0.31}
{"model": "System A", "example_id": "s2", "pass1": 0.44}
{"model": "System B", "example_id": "s1", "pass1": 0.27}
{"model": "System B", "example_id": "s2", "pass1": 0.35}
""",
)
JSON = Format(
    "json",
    "JSON: records, or systems with their scores",
    '{"System A": {"s1": 0.31, "s2": 0.44}, "System B": {"s1": 0.27, "s2": 0.35}}\n',
)
_TEXTS = (  # as they are looked for
    (
        "system-score",
        "System and score, items in order (seg.score)",
        "SystemA\t0.31\nSystemA\t0.44\nSystemB\t0.27\nSystemB\t0.35\n",
    ),
    (
        "columns",
        "Columns of numbers without header (NLPStatTest)",
        "0.262025 0.596949\n0.412615 0.884498\n0.400959 0.393599\n",
    ),
    (
        "counts",
        "Table of counts: correct and total, or tp, fp and fn, in long columns or one set per system",
        "system,item,correct,total\nSystem A,s1,3,5\nSystem A,s2,5,5\nSystem B,s1,2,5\nSystem B,s2,4,5\n",
    ),
    (
        "long-csv",
        "Table, one row per system and item",
        "system,item,score\nSystem A,s1,0.31\nSystem A,s2,0.44\nSystem B,s1,0.27\nSystem B,s2,0.35\n",
    ),
    (
        "wide-csv",
        "Table, one column per system (CSV, TSV, semicolons)",
        "item,domain,System A,System B\ns1,news,0.31,0.27\ns2,chat,0.44,0.35\ns3,chat,0.12,\n",
    ),
    ("lines", "One score per line, one file per system", "0.31\n0.44\n0.27\n"),
)

CONTAINERS = {format.key: format for format in (EXCEL, PARQUET, JSONL, JSON)}
TEXTS = {key: Format(key, label, example) for key, label, example in _TEXTS}
READERS: tuple[Format | Tool, ...] = (EXCEL, PARQUET, ZIP, *TOOLS, JSONL, JSON, *TEXTS.values())


def check_format(key: str | None) -> None:
    """Refuse a format that doesn't exist, with the nearest that does."""
    keys = [reader.key for reader in READERS]
    if key is not None and key not in (*keys, FILES, FRAME):
        raise ConfigError(unknown("format", key, keys))


def describe_formats() -> str:
    """Every input format with its key and an example: several lines, without a line end at the end."""
    lines = ["The format is recognised from the content; --format KEY overrides this.", ""]
    for reader in READERS:
        lines.append(f"{reader.key}: {reader.label}")
        lines += [f"    {line}" for line in reader.example.splitlines()]
        lines.append("")
    lines.append(f"A missing score is {MISSING_WORDS}; it stays missing and is never counted as 0.")
    lines += RULES
    lines.append(f"Other choices about reading: {', '.join(READING_KEYWORDS)}.")
    return "\n".join(lines)


# Two systems that these items don't tell apart, and one that both of them beat.
_SCORES = """\
item,domain,Alder,Birch,Cedar
s01,news,52.1,53.2,43.5
s02,news,49.4,50.3,48.0
s03,news,46.3,52.3,47.1
s04,news,84.5,79.7,74.7
s05,news,91.5,88.7,83.1
s06,news,65.8,63.0,59.6
s07,news,69.6,70.0,62.5
s08,news,47.0,38.5,38.5
s09,chat,48.0,44.3,43.3
s10,chat,100.3,102.5,90.5
s11,chat,63.4,59.7,56.9
s12,chat,61.8,66.3,57.1
s13,chat,83.0,86.2,79.4
s14,chat,72.6,77.2,68.8
s15,chat,80.3,77.6,70.0
s16,chat,74.3,77.4,65.9
s17,books,72.1,70.3,65.6
s18,books,64.1,61.7,59.4
s19,books,76.0,73.1,69.0
s20,books,75.2,72.4,70.1
s21,books,82.6,80.3,85.2
s22,books,70.3,69.0,57.5
s23,books,97.2,90.6,88.2
s24,books,62.5,64.2,61.5"""


def example_text(format: str | None = None) -> str:
    """A few lines of a file in one format; when not given, a table of three systems of which one is worse.

    No line end stands at the end.

    >>> print(example_text("columns"))
    0.262025 0.596949
    0.412615 0.884498
    0.400959 0.393599
    """
    if format is None:
        return _SCORES
    examples = {reader.key: reader.example for reader in READERS}
    if format not in examples:
        raise ConfigError(unknown("format", format, examples))
    return examples[format].rstrip("\n")
