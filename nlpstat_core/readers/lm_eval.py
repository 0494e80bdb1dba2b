"""Samples of lm-evaluation-harness: one model and task a file, one record per document."""

from __future__ import annotations

from typing import Any

import numpy as np

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.choices import told
from nlpstat_core.readers.jsonl import json_lines
from nlpstat_core.readers.jsonl import matches as is_jsonl
from nlpstat_core.readers.metrics import choose_metric
from nlpstat_core.readers.objects import cell_text
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.pivot import LongData, pivot
from nlpstat_core.readers.record import Probe, Reader

MARKS = ("resps", "filtered_resps", "doc_hash")
NO_METRICS = {"doc_id", "target"}

EXAMPLE = """{"doc_id": 0, "doc": {"text": "…"}, "target": "1", "resps": [["1"]], "acc": 1.0}
{"doc_id": 1, "doc": {"text": "…"}, "target": "2", "resps": [["1"]], "acc": 0.0}
"""


def matches(probe: Probe) -> str | None:
    """Records with the harness's own names.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    if not is_jsonl(probe):
        return None
    first = probe.text.lstrip().split("\n", 1)[0]
    named = '"doc_id"' in first and any(f'"{mark}"' in first for mark in MARKS)
    return "records of lm-evaluation-harness" if named else None


def read(probe: Probe) -> Part:
    """Read the samples of one model; its name is the file's.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part
        One system.

    Raises
    ------
    ScoreFileError
        No metric, the same document twice.
    """
    records = json_lines(probe.text, probe.choices.limits.max_rows)
    for line, record in records:
        if not isinstance(record.get("doc_id"), (int, str)):
            raise ScoreFileError(
                f"line {line} has no doc_id; give the harness's samples as they were written."
            )
    filters = list(dict.fromkeys(str(record.get("filter", "")) for _, record in records))
    names = [
        metric if len(filters) == 1 else f"{metric} ({chosen})"
        for chosen in filters
        for metric in _metrics(records)
    ]
    if not names:
        raise ScoreFileError("no numbers in the records; run the harness with --log_samples and a metric.")
    place, notes = choose_metric(names, probe.choices.metric)
    chosen, metric = (
        filters[place // len(_metrics(records))],
        _metrics(records)[place % len(_metrics(records))],
    )
    kept = [(line, record) for line, record in records if str(record.get("filter", "")) == chosen]
    pivoted = pivot(
        LongData(
            systems=[probe.stem] * len(kept),
            units=[cell_text(record["doc_id"]) for _, record in kept],
            scores=np.array([_score(record.get(metric), line, metric) for line, record in kept]),
            lines=[line for line, _ in kept],
        ),
        probe.choices.limits.max_cells,
    )
    return Part(
        values=pivoted.values,
        systems=pivoted.systems,
        units=pivoted.units,
        metric=names[place],
        notes=notes,
        reading=told(metrics=names),
    )


def _metrics(records: list[tuple[int, dict[str, Any]]]) -> list[str]:
    """Names that hold numbers in the first record."""
    return [
        name
        for name, value in records[0][1].items()
        if isinstance(value, (int, float)) and name not in NO_METRICS
    ]


def _score(value: object, line: int, metric: str) -> float:
    if value is None:
        return float("nan")
    if not isinstance(value, (int, float)) or not np.isfinite(value):
        raise ScoreFileError(
            f"line {line}: {shown(metric)} is {shown(value)}, no finite number; correct it or write null."
        )
    return float(value)


LM_EVAL = Reader(
    key="lm-eval",
    label="Samples of lm-evaluation-harness, one file per model",
    example=EXAMPLE,
    matches=matches,
    read=read,
)
