"""OpenAI evals: the log of a run, with one event for every sample that was judged."""

from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import stored_or_path
from nlpstat_core.readers.tools.values import has, inside, is_number, name, number, records

JUDGED = ("match", "metrics")  # types of events that hold scores
EXAMPLE = """{"spec": {"completion_fns": ["model-a"], "eval_name": "arithmetic.dev.v0", "run_id": "r1"}}
{"run_id": "r1", "event_id": 0, "sample_id": "arithmetic.dev.0", "type": "match", "data": {"correct": true}}
{"run_id": "r1", "event_id": 1, "sample_id": "arithmetic.dev.1", "type": "match", "data": {"correct": false}}
{"final_report": {"accuracy": 0.5}}
"""


def _recognises(source: Source) -> str | None:
    """The specification of a run, or events of samples."""
    if source.kind != "jsonl":
        return None
    is_log = has(source, "spec", "completion_fns") or has(source, "run_id", "event_id", "sample_id")
    return "a log of OpenAI evals" if is_log else None


def _tables(sources: Sequence[Source]) -> Tidy:
    logs = [records(source.json, "the file") for source in sources]
    systems = stored_or_path([_model(log) for log in logs], sources)
    rows = Rows({"system": Role.SYSTEM, "sample": Role.UNIT})
    for system, source, log in zip(systems, sources, logs, strict=True):
        samples: dict[str, tuple[int, dict[str, float | None]]] = {}
        for line, event in zip(source.json_lines, log, strict=True):
            data = event.get("data")
            if event.get("type") not in JUDGED or not isinstance(data, dict):
                continue
            sample = name(event.get("sample_id"), f"line {line}: 'sample_id'")
            scores = samples.setdefault(sample, (line, {}))[1]
            for metric, value in data.items():
                if is_number(value):
                    if metric in scores:
                        raise ScoreFileError(
                            f"line {line}: sample {shown(sample)} was judged on line {samples[sample][0]} "
                            "already; give the log of one run."
                        )
                    scores[metric] = number(value, f"line {line}: {metric!r}")
        if not any(scores for _, scores in samples.values()):
            raise ScoreFileError("no sample was judged with a number; give the log of an eval that grades.")
        for sample, (line, scores) in samples.items():
            rows.add((system, sample), scores, line)
    return rows.tidy("logs of OpenAI evals", "correct", where="line")


def _model(log: Sequence[Mapping[str, Any]]) -> str:
    """The completion function that the log names."""
    for entry in log:
        completions = inside(entry, "spec", "completion_fns")
        if isinstance(completions, list) and completions and isinstance(completions[0], str):
            return completions[0].strip()
    return ""


OPENAI_EVALS = Tool(
    key="openai-evals",
    label="OpenAI evals: the log of a run as .jsonl",
    example=EXAMPLE,
    documented="https://github.com/openai/evals",
    description="System: the completion function. Item: the sample. Scores: the numbers of its events.",
    recognises=_recognises,
    tables=_tables,
)
