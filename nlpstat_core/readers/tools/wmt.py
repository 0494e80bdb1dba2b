"""WMT metrics tasks: seg.score files, whose columns changed over the years."""

from collections.abc import Sequence

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.tools.record import Role, Source, Table, Tidy, Tool
from nlpstat_core.readers.tools.values import ONE_SCORE, first_lines, is_numeric

# Number of columns → what they are: 2021, 2020, and 2022 to 2024.
SHAPES = {
    7: ("metric", "lang_pair", "testset", "reference", "system", "segment", "score"),
    8: ("metric", "lang_pair", "testset", "reference", "system", "document", "segment", "score"),
    9: ("metric", "lang_pair", "testset", "domain", "document", "reference", "system", "segment", "score"),
}
_SYSTEMS_ONLY = (6, 7)  # columns of a sys.score file: no segment; a domain from 2022 on
_MISSING = ("", "none", "nan", "na", "n/a", "null", "-")
EXAMPLE = """chrF	cs-en	newstest	refA	System A	doc1	1	0.31
chrF	cs-en	newstest	refA	System A	doc1	2	0.44
chrF	cs-en	newstest	refA	System B	doc1	1	0.27
chrF	cs-en	newstest	refA	System B	doc1	2	0.35
"""


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t")]


def _is_head(row: Sequence[str]) -> bool:
    """Whether a line names the columns, as some files of 2024 do."""
    return row[0].upper().replace("_", "-") == "METRIC-NAME"


def _shape(source: Source) -> tuple[str, ...] | None:
    """The columns of a file with segments; none of a file with systems alone; None for other files."""
    rows = [row for row in map(_cells, first_lines(source, 20)) if not _is_head(row)]
    if not rows:
        return None
    names = SHAPES.get(len(rows[0]))
    if names:
        fitting = [len(row) == len(names) and _is_segment(row, names) for row in rows]
        if fitting[0] and sum(fitting) > len(fitting) / 2:  # a broken line is told as one
            return names
    if source.name.endswith(".sys.score") and all(len(row) == 2 and is_numeric(row[1]) for row in rows):
        return ()  # that of mt-metrics-eval
    return () if all(len(row) in _SYSTEMS_ONLY and _is_system(row) for row in rows) else None


def _is_segment(row: Sequence[str], names: Sequence[str]) -> bool:
    at = dict(zip(names, row, strict=True))
    counted = at["segment"].isascii() and at["segment"].isdigit()
    scored = at["score"].lower() in _MISSING or is_numeric(at["score"])
    named = "-" in at["lang_pair"] and not is_numeric(at["metric"]) and not is_numeric(at["system"])
    return counted and scored and named


def _is_system(row: Sequence[str]) -> bool:
    return "-" in row[1] and not any(map(is_numeric, row[:-1])) and is_numeric(row[-1])


def _recognises(source: Source) -> str | None:
    """Seven to nine columns of which the last but one counts segments; files of systems are refused."""
    shape = _shape(source)
    if shape is None:
        return None
    return f"columns of the WMT metrics tasks: {', '.join(shape)}" if shape else "scores of systems of WMT"


def _tables(sources: Sequence[Source]) -> Tidy:
    """A unit is a segment of a document; scores against another reference are another metric."""
    kept = [source for source in sources if _shape(source) != ()]
    if not kept:
        raise ScoreFileError(f"{ONE_SCORE} (the seg.score file).")
    columns: dict[str, list[str]] = {name: [] for name in (*SHAPES[8], "domain")}
    lines: list[int] = []
    for source in kept:
        names = _shape(source) or SHAPES[8]
        for line, text in enumerate(source.text.splitlines(), 1):
            row = _cells(text)
            if not text.strip() or (line == 1 and _is_head(row)):
                continue
            if len(row) != len(names):
                raise ScoreFileError(
                    f"line {line} has {len(row)} columns instead of {len(names)}; put tabs between them."
                )
            at = dict(zip(names, row, strict=True))
            for name, cells in columns.items():
                cells.append(at.get(name, ""))
            lines.append(line)
    references = columns["reference"]
    if len(set(references)) > 1:
        pairs = zip(columns["metric"], references, strict=True)
        columns["metric"] = [f"{metric} ({reference})" for metric, reference in pairs]
    ids = [name for name in ("lang_pair", "testset") if len(set(columns[name])) > 1]
    labels = [*ids, *(name for name in ("domain", "document") if len(set(columns[name])) > 1)]
    ids += ["document", "segment"] if any(columns["document"]) else ["segment"]
    columns["unit"] = [":".join(parts) for parts in zip(*(columns[name] for name in ids), strict=True)]
    roles = {"metric": Role.METRIC, **dict.fromkeys(labels, Role.LABEL)}
    roles |= {"document": Role.BLOCK} if "document" in labels else {}
    roles |= {"system": Role.SYSTEM, "unit": Role.UNIT, "score": Role.SCORE}
    return Tidy(
        table=Table.of_columns(roles, [columns[name] for name in roles], lines=lines, where="line"),
        roles=roles,
        reason="segment scores of the WMT metrics tasks",
        metric=columns["metric"][0],
    )


WMT_SEG = Tool(
    key="wmt-seg",
    label="WMT metrics tasks: seg.score, seven to nine columns",
    example=EXAMPLE,
    documented="https://wmt-metrics-task.github.io",
    description="System: its column. Item: document and segment. Scores: each metric and reference.",
    recognises=_recognises,
    tables=_tables,
)
