"""Harbor, the harness of terminal-bench from version 2 on: result.json of every trial of a job."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.values import ONE_SCORE, has, inside, mapping, name, number, text_in

REWARD = "reward"
EXAMPLE = """{"task_name": "play-zork", "trial_name": "play-zork__Xy12", "exception_info": null,
 "agent_info": {"name": "terminus-2", "model_info": {"name": "gpt-5", "provider": "openai"}},
 "verifier_result": {"rewards": {"reward": 1.0}}}
"""


def _recognises(source: Source) -> str | None:
    """A trial with the result of its verifier, or the sums of a job."""
    if source.kind != "json":
        return None
    known = has(source, "verifier_result") or has(source, "agent_info")
    if known and has(source, "task_name", "trial_name"):
        return "a trial of Harbor"
    return "the sums of a job of Harbor" if _is_job(source) else None


def _is_job(source: Source) -> bool:
    return has(source, "n_total_trials", "stats")


def _tables(sources: Sequence[Source]) -> Tidy:
    trials = [source for source in sources if not _is_job(source)]
    if not trials:
        raise ScoreFileError(f"{ONE_SCORE} (the folders of the trials, in the same place).")
    rows = Rows({"system": Role.SYSTEM, "task": Role.UNIT, "trial": Role.RUN, "source": Role.DATASET})
    often: Counter[tuple[str, str]] = Counter()
    unverified = 0
    for source in trials:
        trial = mapping(source.json, "the file")
        task = name(trial.get("task_name"), "'task_name'")
        rewards = _rewards(trial, task)
        unverified += not rewards
        system = _system(trial)
        often[system, task] += 1
        place = (system, task, str(often[system, task]), text_in(trial, "source"))
        rows.add(place, rewards or {REWARD: 0.0})
    text = f"{unverified:,} trials ended without a reward; they count as 0, as in Harbor."
    notes = [Note("trials-without-verdict", "info", text)] if unverified else []
    return rows.tidy("trials of Harbor", REWARD, notes=notes)


def _rewards(trial: Mapping[str, Any], task: str) -> dict[str, float | None]:
    rewards, what = inside(trial, "verifier_result", "rewards"), f"the rewards of task {shown(task)}"
    return {key: number(value, what) for key, value in mapping(rewards or {}, what).items()}


def _system(trial: Mapping[str, Any]) -> str:
    """Agent and model, as the trial tells them."""
    model = (text_in(trial, "agent_info", "model_info", key) for key in ("provider", "name"))
    agent = name(inside(trial, "agent_info", "name"), "the agent's name")
    return f"{agent} {'/'.join(filter(None, model))}".strip()


HARBOR = Tool(
    key="harbor",
    label="Harbor (terminal-bench 2): result.json of trials",
    example=EXAMPLE,
    documented="https://github.com/laude-institute/harbor",
    named="jobs/2025-11-03__10-00-00/play-zork__Xy12/result",
    description="System: agent and model. Item: the task. Run: the trial. Scores: its rewards.",
    recognises=_recognises,
    tables=_tables,
)
