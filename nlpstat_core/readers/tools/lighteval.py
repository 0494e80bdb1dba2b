"""lighteval: details of each sample as Parquet, one file a model and task."""

import re
from collections.abc import Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.tools.record import Role, Rows, Source, Table, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems, folder_systems
from nlpstat_core.readers.tools.values import has, is_numeric, records

# The names of the records changed with version 0.10: metrics and full_prompt, then metric and doc.
METRIC = re.compile(r"metrics?\.(?P<name>.+)")
ASKED = ("doc.query", "full_prompt", "example")
_DATE = r"\d{4}-\d\d-\d\dT[\d.:-]+"
_FILE = re.compile(rf"details_(?P<task>.+?)(?:_{_DATE})?")
EXAMPLE = """{"doc": {"id": "0", "query": "2 + 2?"}, "model_response": {}, "metric": {"extractive_match": 1}}
{"doc": {"id": "1", "query": "3 + 3?"}, "model_response": {}, "metric": {"extractive_match": 0}}
"""


def _recognises(source: Source) -> str | None:
    """Parquet, or JSON lines made of it, with a record of metrics beside the prompt."""
    if source.kind == "jsonl":
        known = (("doc", "model_response", "metric"), ("full_prompt", "metrics", "gold"))
        return "details of lighteval" if any(has(source, *keys) for keys in known) else None
    if source.kind != "parquet":
        return None
    try:
        header = source.table.header
    except ScoreFileError:  # who reads it as a table says what is wrong
        return None
    scored = any(METRIC.fullmatch(name) for name in header)
    return "details of lighteval" if scored and any(name in header for name in ASKED) else None


def _tables(sources: Sequence[Source]) -> Tidy:
    rows = Rows({"system": Role.SYSTEM, "sample": Role.UNIT, "task": Role.DATASET, "prompt": Role.TEXT})
    matches = [_FILE.fullmatch(source.stem) for source in sources]
    tasks = [one["task"] if one else "" for one in matches]
    for system, task, source in zip(_systems(sources), tasks, sources, strict=True):
        table = source.table if source.kind == "parquet" else _flat(source)
        texts = next((table.texts(name) for name in ASKED if name in table.header), [""] * len(table))
        ids = table.texts("doc.id") if "doc.id" in table.header else [""]
        if not all(ids) or len(set(ids)) < len(table):
            ids = [str(row) for row in range(len(table))]
        scores = {
            found["name"]: table.texts(place)
            for place, name in enumerate(table.header)
            if (found := METRIC.fullmatch(name)) and _is_scored(table.texts(place))
        }
        for row, line in enumerate(table.lines):
            cells = {name: float(cells[row]) if cells[row] else None for name, cells in scores.items()}
            rows.add((system, ids[row], task, texts[row]), cells, line)
    return rows.tidy("details of lighteval", where="row")


def _flat(source: Source) -> Table:
    """JSON lines with the values of their records as columns, as they are read from Parquet."""
    flat = []
    for entry in records(source.json, "the file"):
        own: dict[str, Any] = {}
        for key, value in entry.items():
            inner = value if isinstance(value, dict) else {"": value}
            own |= {f"{key}.{name}" if name else key: one for name, one in inner.items()}
        flat.append({key: value for key, value in own.items() if not isinstance(value, (dict, list))})
    names = list(dict.fromkeys(name for own in flat for name in own))
    columns = [[own.get(name) for own in flat] for name in names]
    return Table.of_columns(names, columns, source.json_lines, "line")


def _systems(sources: Sequence[Source]) -> list[str]:
    """The folders of the models; the files where all stand in one folder."""
    folders = [re.sub(rf"(?:^|/){_DATE}$", "", source.folder) for source in sources]
    return folder_systems(folders) if len(set(folders)) > 1 else file_systems(sources)


def _is_scored(cells: Sequence[str]) -> bool:
    there = [cell for cell in cells if cell]
    return bool(there) and all(is_numeric(cell) and "inf" not in cell.lower() for cell in there)


LIGHTEVAL = Tool(
    key="lighteval",
    label="lighteval: details of samples (Parquet or JSON lines)",
    example=EXAMPLE,
    documented="https://huggingface.co/docs/lighteval",
    description="System: the folder of the model. Item: the sample. Data set: the task. Scores: its metrics.",
    recognises=_recognises,
    tables=_tables,
)
