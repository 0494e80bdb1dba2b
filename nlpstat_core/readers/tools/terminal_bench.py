"""terminal-bench: results.json of a run, or of single trials."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import system_folders, without_shared_end
from nlpstat_core.readers.tools.values import has, mapping, name, number, records

RESOLVED = "is_resolved"
EXAMPLE = """{"results": [
  {"task_id": "play-zork", "trial_name": "z.1-of-2", "is_resolved": false, "failure_mode": "unset"},
  {"task_id": "play-zork", "trial_name": "z.2-of-2", "is_resolved": true, "failure_mode": "unset"}],
 "n_resolved": 1, "n_unresolved": 1, "accuracy": 0.5}
"""


def _recognises(source: Source) -> str | None:
    """Trials with their task and whether they are resolved."""
    if source.kind != "json":
        return None
    if has(source, "agent_name", "run_id", "output_path"):
        return "the description of a run of terminal-bench"
    return "results of terminal-bench" if has(source, "task_id", RESOLVED) else None


def _tables(sources: Sequence[Source]) -> Tidy:
    results = [source for source in sources if has(source, RESOLVED)]
    whole = [source for source in results if has(source, "results")]
    kept = whole or results  # the trials stand in the results of their run as well
    rows = Rows({"system": Role.SYSTEM, "task": Role.UNIT, "trial": Role.RUN})
    trials: Counter[tuple[str, str]] = Counter()
    unfinished = 0
    for system, source in zip(_systems(kept, bool(whole), sources), kept, strict=True):
        for trial in _trials(source):
            task = name(trial.get("task_id"), "'task_id'")
            resolved = number(trial.get(RESOLVED), f"'is_resolved' of task {task!r}")
            unfinished += resolved is None
            trials[system, task] += 1
            rows.add((system, task, str(trials[system, task])), {RESOLVED: resolved or 0.0})
    text = f"{unfinished:,} trials ended without a verdict; they count as not resolved, as in terminal-bench."
    notes = [Note("trials-without-verdict", "info", text)] if unfinished else []
    return rows.tidy("results of terminal-bench", notes=notes)


def _trials(source: Source) -> Iterator[Mapping[str, Any]]:
    content = mapping(source.json, "the file")
    yield from records(content["results"], "'results'") if "results" in content else (content,)


def _systems(kept: Sequence[Source], whole: bool, sources: Sequence[Source]) -> list[str]:
    """Agent and model where every run says them, else the names of files or of the folders of runs."""
    known: dict[str, str] = {}
    for source in sources:
        if source not in kept and not has(source, RESOLVED):
            run = mapping(source.json, "the file")
            parts = [run.get("agent_name"), run.get("model_name")]
            known[source.folder] = " ".join(part for part in parts if isinstance(part, str) and part)
    folders = [source.folder if whole else _above(source.folder, 2) for source in kept]
    stored = [known.get(folder, "") for folder in folders]
    if all(stored):
        return stored
    stems = [source.stem for source in kept]
    return without_shared_end(stems) if len(set(stems)) == len(stems) else system_folders(folders)


def _above(folder: str, levels: int) -> str:
    """The folder of a run, above those of task and trial."""
    parts = folder.split("/")
    return "/".join(parts[: max(len(parts) - levels, 1)])


TERMINAL_BENCH = Tool(
    key="terminal-bench",
    label="terminal-bench: results.json",
    example=EXAMPLE,
    documented="https://github.com/laude-institute/terminal-bench",
    description="System: agent and model, or the file. Item: the task. Run: the trial. Score: resolved.",
    recognises=_recognises,
    tables=_tables,
)
