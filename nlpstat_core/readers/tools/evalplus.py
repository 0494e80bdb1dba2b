"""EvalPlus: eval_results.json, one model a file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems
from nlpstat_core.readers.tools.values import has, mapping, records

PASSED = ("pass", "success")  # the second up to version 0.2.0
BASE, PLUS = "pass (base)", "pass (plus)"  # the plus score asks for the base tests, too
EXAMPLE = """{"date": "2024-05-01 12:00", "hash": "1f2e", "eval": {
  "HumanEval/0": [{"task_id": "HumanEval/0", "base_status": "pass", "plus_status": "pass"}],
  "HumanEval/1": [{"task_id": "HumanEval/1", "base_status": "pass", "plus_status": "fail"}]}}
"""


def _recognises(source: Source) -> str | None:
    """Results by task with the status of base and plus tests."""
    known = has(source, "base_status") or has(source, "hash", "date")
    return "results of EvalPlus" if source.kind == "json" and has(source, "eval") and known else None


def _tables(sources: Sequence[Source]) -> Tidy:
    rows = Rows({"system": Role.SYSTEM, "task": Role.UNIT, "sample": Role.RUN, "dataset": Role.DATASET})
    plus = False
    boards: dict[str, list[tuple[Source, Mapping[str, Any]]]] = {}
    for source in sources:
        results = mapping(mapping(source.json, "the file").get("eval"), "'eval'")
        dataset = next(iter(results), "").rpartition("/")[0]
        boards.setdefault(dataset, []).append((source, results))
    for dataset, files in boards.items():  # humaneval/tern_… and mbpp/tern_… are one system
        systems = file_systems([source for source, _ in files], r"[._]?eval_results")
        for system, (_, results) in zip(systems, files, strict=True):
            for task, samples in results.items():
                for i, (base, more) in enumerate(_samples(task, samples)):
                    scores: dict[str, float | None] = {BASE: float(base)}
                    if more is not None:
                        scores[PLUS], plus = float(base and more), True
                    rows.add((system, task, str(i), dataset), scores)
    return rows.tidy("results of EvalPlus", PLUS if plus else BASE)


def _samples(task: str, results: Any) -> Iterator[tuple[bool, bool | None]]:
    """Whether each sample passed the base tests and the added ones; older files list the two apart."""
    if isinstance(results, dict):
        base, plus = ([_status(task, one) for one in results.get(key) or []] for key in ("base", "plus"))
        for i, passed in enumerate(base):
            yield passed, plus[i] if i < len(plus) else None
        return
    for one in records(results, f"the results of {shown(task)}"):
        plus_status = one.get("plus_status")
        base_passed = _status(task, [one.get("base_status")])
        yield base_passed, None if plus_status is None else _status(task, [plus_status])


def _status(task: str, given: Any) -> bool:
    status = given[0] if isinstance(given, list) and given else given
    if not isinstance(status, str):
        raise ScoreFileError(
            f"the status of task {shown(task)} should be 'pass', 'fail' or 'timeout', not {shown(status)}."
        )
    return status in PASSED


EVALPLUS = Tool(
    key="evalplus",
    label="EvalPlus: eval_results.json",
    example=EXAMPLE,
    documented="https://github.com/evalplus/evalplus",
    description=(
        "System: the file or its folder. Item: the task. Run: the sample. Data set: that of its tasks. "
        "Score: passed, 1 or 0."
    ),
    recognises=_recognises,
    tables=_tables,
)
