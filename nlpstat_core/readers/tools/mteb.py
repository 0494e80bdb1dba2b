"""MTEB: the results of a model on one task a file; the tasks are the units."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems, folder_systems
from nlpstat_core.readers.tools.values import has, mapping, name, number, records, text_in

METRIC = "main_score"
EXAMPLE = """{"task_name": "STS12", "mteb_version": "1.12", "scores": {"test": [
   {"main_score": 0.72, "cosine_spearman": 0.72, "hf_subset": "default"}]}}
"""


def _recognises(source: Source) -> str | None:
    """A task with its main score, or the description of the model beside it."""
    if source.kind != "json":
        return None
    if has(source, "mteb_version") and (has(source, "task_name") or has(source, "mteb_dataset_name")):
        return "results of MTEB"
    return "a model's description" if _is_model(source) else None


def _is_model(source: Source) -> bool:
    return source.name == "model_meta.json" and has(source, "revision", "name")


def _tables(sources: Sequence[Source]) -> Tidy:
    """One system for each folder of a model; a unit is a task, a language of it, and a split."""
    rows = Rows({"model": Role.SYSTEM, "task": Role.UNIT})
    kept = [source for source in sources if not _is_model(source)]
    if not kept:
        raise ScoreFileError("only descriptions of models; add the results of the tasks.")
    for source, model in zip(kept, _models(kept), strict=True):
        found = mapping(source.json, "the file")
        task = name(found.get("task_name", found.get("mteb_dataset_name")), "'task_name'")
        if "scores" not in found:
            raise ScoreFileError(
                f"the results of {shown(task)} were written before MTEB 1.11 and don't say which score is "
                "the main one; write them again with a newer version (mteb.load_results reads the old ones)."
            )
        scores = list(_scores(mapping(found["scores"], "'scores'"), task))
        parts = [[where[i] for where, _ in scores] for i in range(2)]
        for where, score in scores:
            more = [where[i] for i in range(2) if len(set(parts[i])) > 1]
            rows.add((model, ":".join([task, *more])), {METRIC: score})
    return rows.tidy("results of MTEB: tasks are the items", METRIC)


def _models(sources: Sequence[Source]) -> list[str]:
    """The folders of the models; the files where there are no folders."""
    folders = [source.folder for source in sources]
    return folder_systems(folders) if any(folders) else file_systems(sources)


def _scores(splits: Mapping[str, Any], task: str) -> Iterator[tuple[tuple[str, str], float | None]]:
    for split, entries in splits.items():
        for entry in records(entries, f"the scores of {shown(task)}"):
            where = (split, text_in(entry, "hf_subset"))
            yield where, number(entry.get(METRIC), f"{METRIC!r} of {shown(task)}")


MTEB = Tool(
    key="mteb",
    label="MTEB: results of tasks, one folder per model",
    example=EXAMPLE,
    documented="https://github.com/embeddings-benchmark/mteb",
    description="System: the folder of the model. Item: the task (and subset). Score: main_score.",
    recognises=_recognises,
    tables=_tables,
)
