"""BigCode's evaluation harness: which samples of each problem passed; its pass@k alone is refused."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import file_systems
from nlpstat_core.readers.tools.values import ONE_SCORE, has, is_number, mapping, name, number

_CORPUS = re.compile(r'\s*\{\s*"[^"]+"\s*:\s*\{\s*(?:"[^"]+"\s*:\s*[^{}\[\]]*)?"pass@1"\s*:\s*[-\d.]')
EXAMPLE = """{"0": [[0, {"task_id": 0, "passed": true, "result": "passed", "completion_id": 0}]],
 "1": [[0, {"task_id": 1, "passed": false, "result": "failed: ", "completion_id": 0}]]}
"""


def _recognises(source: Source) -> str | None:
    """Problems with lists of completions, or pass@k of whole tasks, which is refused."""
    if source.kind != "json":
        return None
    if has(source, "passed", "completion_id", "task_id") and source.beginning.lstrip().startswith("{"):
        return "logs of BigCode's evaluation harness"
    return "pass@k of BigCode's evaluation harness" if _CORPUS.match(source.beginning) else None


def _tables(sources: Sequence[Source]) -> Tidy:
    kept = [source for source in sources if not _CORPUS.match(source.beginning)]
    if not kept:
        raise ScoreFileError(f"{ONE_SCORE} (the logs of which completions passed).")
    rows = Rows({"system": Role.SYSTEM, "problem": Role.UNIT, "completion": Role.RUN, "task": Role.DATASET})
    for system, source in zip(file_systems(kept), kept, strict=True):
        for task, problems in _tasks(mapping(source.json, "the file")).items():
            for problem, completions in problems.items():
                if not isinstance(completions, list):
                    raise ScoreFileError(f"problem {shown(problem)} should have a list of completions.")
                for place, completion in enumerate(completions):
                    pair = isinstance(completion, list) and len(completion) == 2
                    entry = completion[1] if pair else completion
                    made = mapping(entry, f"a completion of problem {shown(problem)}")
                    run = name(made.get("completion_id", place), f"the completion of {shown(problem)}")
                    passed = made.get("passed")
                    score = number(passed, f"'passed' of {shown(problem)}") if is_number(passed) else None
                    rows.add((system, problem, run, task), {"passed": score})
    return rows.tidy("logs of BigCode's evaluation harness")


def _tasks(content: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Task → problems; a file of one task holds the problems themselves."""
    inside = [value for value in content.values() if isinstance(value, dict)]
    if len(inside) == len(content):
        return {task: mapping(problems, shown(task)) for task, problems in content.items()}
    return {"": content}


BIGCODE = Tool(
    key="bigcode",
    label="BigCode's evaluation harness: logs of completions",
    example=EXAMPLE,
    documented="https://github.com/bigcode-project/bigcode-evaluation-harness",
    description="System: the file. Item: the problem. Run: the completion. Score: passed.",
    recognises=_recognises,
    tables=_tables,
)
