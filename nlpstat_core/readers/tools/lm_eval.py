"""lm-evaluation-harness: samples of one model and task a file, with the results beside them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import distinct, file_systems, path_names
from nlpstat_core.readers.tools.values import (
    ONE_SCORE,
    entries_of,
    has,
    is_number,
    mapping,
    name,
    number,
    text_in,
)

MARKS = ("resps", "filtered_resps", "doc_hash")
NO_METRICS = {"doc_id", "target"}
_SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+))?")
_RESULTS = re.compile(r'\s*\{\s*"results"\s*:\s*\{')
EXAMPLE = """{"doc_id": 0, "doc": {"text": "…"}, "target": "1", "resps": [["1"]], "acc": 1.0}
{"doc_id": 1, "doc": {"text": "…"}, "target": "2", "resps": [["1"]], "acc": 0.0}
"""


def _recognises(source: Source) -> str | None:
    """Records with the harness's own names, or the results of its tasks."""
    if has(source, "doc_id") and any(has(source, mark) for mark in MARKS):
        return "samples of lm-evaluation-harness"
    return "results of lm-evaluation-harness" if _is_results(source) else None


def _is_results(source: Source) -> bool:
    if source.kind != "json" or not _RESULTS.match(source.beginning):
        return False
    return "_stderr" in source.beginning or has(source, "alias") or has(source, "configs")


def _tables(sources: Sequence[Source]) -> Tidy:
    samples = [source for source in sources if not _is_results(source)]
    if not samples:
        raise ScoreFileError(f"{ONE_SCORE} (run the harness with --log_samples).")
    rows = Rows({"system": Role.SYSTEM, "doc_id": Role.UNIT, "task": Role.DATASET})
    tasks = _tasks(samples)
    if not any(tasks):
        _check_documents(samples)
    silent: list[str] = []
    for system, task, source in zip(_systems(samples, sources, tasks), tasks, samples, strict=True):
        for own, lines, entries in _by_task(source, task):
            if _metrics(entries):
                _read(lines, entries, rows, system, own)
            else:
                silent.append(own or source.name)
    if silent and not rows.places:
        raise ScoreFileError(
            "no numbers in the records (metrics of whole corpora have none for a document); run the harness "
            "with --log_samples and a metric of single documents."
        )
    return rows.tidy("samples of lm-evaluation-harness", where="line", notes=_notes(silent))


def _check_documents(samples: Sequence[Source]) -> None:
    """Refuse files that have other documents under the same ids: they are of different tasks."""
    first: dict[str, str] = {}
    for source in samples:
        hashed = [entry for entry in entries_of(source) if entry.get("doc_hash")]
        own = {str(entry.get("doc_id")): str(entry["doc_hash"]) for entry in hashed}
        shared = own.keys() & first.keys()
        if 2 * sum(own[unit] != first[unit] for unit in shared) > len(shared):
            both = f"{shown(samples[0].name)} and {shown(source.name)}"
            raise ScoreFileError(
                f"{both} hold other documents under the same doc_id, so they belong to different "
                "tasks; give one task at a time, or name the files as the harness does "
                "(samples_TASK_DATE.jsonl)."
            )
        first = first or own


def _notes(silent: Sequence[str]) -> list[Note]:
    some = some_shown(list(dict.fromkeys(silent)))
    text = f"Left out because no metric there has a number for each document: {some}."
    return [Note("tasks-without-scores", "caution", text)] if silent else []


def _by_task(source: Source, task: str) -> Iterator[tuple[str, list[int], list[Mapping[str, Any]]]]:
    """The records of each task: where tasks were put into one file, they name themselves or start again."""
    entries, lines = entries_of(source), source.json_lines
    tasks = [
        next((entry[key] for key in ("task", "task_name") if isinstance(entry.get(key), str)), "")
        for entry in entries
    ]
    if not all(tasks) or len(set(tasks)) == 1:
        tasks = _parts(entries)
    for one in dict.fromkeys(tasks) or [""]:
        places = [i for i, own in enumerate(tasks) if own == one]
        yield one or task, [lines[i] for i in places], [entries[i] for i in places]


def _parts(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which task each record is of, where ids start again for other documents; empty where none does."""
    keys = [(str(entry.get("doc_id")), str(entry.get("filter", ""))) for entry in entries]
    documents = [str(entry.get("doc_hash", "")) for entry in entries]
    full = [(*key, document) for key, document in zip(keys, documents, strict=True)]
    if len(set(keys)) == len(keys) or len(set(full)) < len(full):
        return [""] * len(entries)
    often: Counter[tuple[str, str]] = Counter()
    parts = []
    for key in keys:
        often[key] += 1
        parts.append(f"task {often[key]}")
    return parts


def _read(
    lines: Sequence[int], entries: Sequence[Mapping[str, Any]], rows: Rows, system: str, task: str
) -> None:
    filters = list(dict.fromkeys(str(entry.get("filter", "")) for entry in entries))
    metrics = _metrics(entries)
    documents: dict[str, tuple[int, dict[str, float | None]]] = {}
    for line, entry in zip(lines, entries, strict=True):
        if isinstance(entry.get("doc_id"), bool) or not isinstance(entry.get("doc_id"), (int, str)):
            raise ScoreFileError(
                f"line {line} has no doc_id; give the harness's samples as they were written."
            )
        unit = name(entry["doc_id"], f"line {line}: 'doc_id'")
        chosen = str(entry.get("filter", ""))
        scores = {
            metric if len(filters) == 1 else f"{metric} ({chosen})": number(
                entry.get(metric), f"line {line}: '{metric}'"
            )
            for metric in metrics
        }
        place, board = documents.setdefault(unit, (line, {}))
        twice = board.keys() & scores.keys()
        if twice:
            raise ScoreFileError(
                f"line {line}: system {shown(system)} has item {shown(unit)} on line {place} already; "
                "give every document once."
            )
        board.update(scores)
    names = [metric if len(filters) == 1 else f"{metric} ({one})" for one in filters for metric in metrics]
    for unit, (line, board) in documents.items():
        rows.add((system, unit, task), {metric: board.get(metric) for metric in names}, line)


def _metrics(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The metrics that the harness names, else the names that hold numbers, in any of the records.

    Metrics of whole corpora (bleu, word_perplexity) have lists for each document, and are none here.
    """
    told = [entry["metrics"] for entry in entries if isinstance(entry.get("metrics"), list)]
    names = (name for listed in told for name in listed) if told else (key for one in entries for key in one)
    known = [name for name in dict.fromkeys(names) if isinstance(name, str) and name not in NO_METRICS]
    first = {name: next((one[name] for one in entries if one.get(name) is not None), None) for name in known}
    return [name for name in known if is_number(first[name])]


def _tasks(samples: Sequence[Source]) -> list[str]:
    """The tasks in the files' names; empty where the names may be the models'."""
    matches = [_SAMPLES.fullmatch(source.stem) for source in samples]
    tasks = [one["task"] for one in matches if one]
    if len(tasks) == len(samples):
        folders = {source.folder for source in samples}
        if all(one["date"] for one in matches if one) or (len(folders) > 1 and len(set(tasks)) < len(tasks)):
            return tasks
    return [""] * len(samples)


def _systems(samples: Sequence[Source], sources: Sequence[Source], tasks: Sequence[str]) -> list[str]:
    """The models that the results beside the samples name, else the folders, else the files."""
    known: dict[str, str] = {}
    for source in sources:
        results = mapping(source.json, "the results") if _is_results(source) else {}
        if model := text_in(results, "model_name").strip():
            known[source.folder] = model
    folders = list(dict.fromkeys(source.folder for source in samples))
    named = [known.get(folder, "") for folder in folders]
    if not all(named):
        if not all(tasks):
            folders_tell = len(set(folders)) == len(samples) > 1
            if folders_tell and all(source.stem.startswith("samples_") for source in samples):
                return path_names(folders)
            return file_systems(samples)
        named = path_names(folders)
    own = dict(zip(folders, distinct(named, path_names(folders)), strict=True))
    at = [(own[source.folder], task) for source, task in zip(samples, tasks, strict=True)]
    return [
        f"{system} ({_date(source)})" if at.count((system, task)) > 1 else system or source.stem
        for (system, task), source in zip(at, samples, strict=True)
    ]


def _date(source: Source) -> str:
    match = _SAMPLES.fullmatch(source.stem)
    return (match["date"] if match else None) or source.stem


LM_EVAL = Tool(
    key="lm-eval",
    label="lm-evaluation-harness: samples_*.jsonl",
    example=EXAMPLE,
    documented="https://github.com/EleutherAI/lm-evaluation-harness",
    description="System: the model (folder). Item: doc_id. Data set: the task. Scores: its metrics.",
    recognises=_recognises,
    tables=_tables,
)
