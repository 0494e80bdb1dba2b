"""inspect_ai: logs as .eval (a zip of JSON) and as .json, one model a log."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import distinct, path_names
from nlpstat_core.readers.tools.values import (
    finite,
    has,
    is_number,
    is_numeric,
    mapping,
    name,
    number,
    records,
)

# As inspect_ai's own value_to_float: correct, incorrect, partly correct, no answer.
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_STATUS = re.compile(r'"status"\s*:\s*"(?:started|success|cancelled|error)"')
COSTS = ("total_time", "total_tokens")
EXAMPLE = """{"version": 2, "status": "success", "eval": {"task": "sums", "model": "openai/gpt-4o-mini"},
 "samples": [{"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}},
             {"id": 2, "epoch": 1, "scores": {"match": {"value": "I"}}}]}
"""


@dataclass(frozen=True, kw_only=True)
class _Log:
    """A log: what was run, its samples, and where it came from."""

    path: str
    spec: Mapping[str, Any]
    samples: Sequence[Mapping[str, Any]]

    def field(self, key: str) -> str:
        """A field of the description of the run, as text."""
        value = self.spec.get(key)
        return str(value) if value else ""


def _recognises(source: Source) -> str | None:
    """A log as JSON, or any member of an .eval archive."""
    if ".eval/" in source.path:
        return "a log of inspect_ai"
    if has(source, "status", "eval") and _STATUS.search(source.beginning[:2000]):
        return "a log of inspect_ai"
    return None


def _tables(sources: Sequence[Source]) -> Tidy:
    tries = _last_tries(list(_logs(sources)))
    raw = [(log, [_values(sample) for sample in log.samples]) for log in tries]
    words = _in_words([values for _, found in raw for values in found])
    every = [
        (
            log,
            [{key: _grade(one, key) for key, one in values.items() if key not in words} for values in found],
        )
        for log, found in raw
    ]
    scored = [(log, scores) for log, scores in every if any(scores)]
    if not scored:
        if words:
            key, word = next(iter(words.items()))
            raise ScoreFileError(
                f"the scorer {shown(key)} gives {shown(word)}, which is neither a number nor one of C, P, I "
                f"and N."
            )
        raise ScoreFileError("no sample has a score; run the scorers first (inspect score).")
    logs = [log for log, _ in scored]
    rows = Rows({"system": Role.SYSTEM, "sample": Role.UNIT, "epoch": Role.RUN, "task": Role.DATASET})
    for system, (log, found) in zip(_systems(logs), scored, strict=True):
        for sample, scores in zip(log.samples, found, strict=True):
            unit = name(sample.get("id"), "the id of a sample")
            place = (system, unit, str(sample.get("epoch", 1)), log.field("task"))
            rows.add(place, scores | {key: cost for key, cost in _costs(sample).items() if key not in scores})
    notes = [
        Note("log-without-scores", "caution", f"The log {shown(log.path)} has no scores and was left out.")
        for log, scores in every
        if not any(scores)
    ]
    if words:
        some = ", ".join(map(shown, words))
        text = f"Left out because they give words instead of numbers or grades: {some}."
        notes.append(Note("scorers-in-words", "caution", text))
    return rows.tidy(f"logs of inspect_ai ({len(logs):,})", _first_scorer(logs), costs=COSTS, notes=notes)


def _costs(sample: Mapping[str, Any]) -> dict[str, float]:
    """Seconds and tokens of a sample, as far as they are said."""
    usage = sample.get("model_usage")
    models = [one for one in usage.values() if isinstance(one, Mapping)] if isinstance(usage, Mapping) else []
    tokens = [one["total_tokens"] for one in models if is_number(one.get("total_tokens"))]
    found = {"total_time": sample.get("total_time"), "total_tokens": sum(tokens) if tokens else None}
    return finite(found)


def _logs(sources: Sequence[Source]) -> Iterator[_Log]:
    archives: dict[str, dict[str, Source]] = {}
    for source in sources:
        archive, mark, member = source.path.rpartition(".eval/")
        if mark:
            archives.setdefault(archive, {})[member] = source
        else:
            content = mapping(source.json, "the log")
            samples = records(content.get("samples") or [], "'samples'")
            path = source.path.rpartition(".")[0]
            yield _Log(path=path, spec=mapping(content.get("eval"), "'eval'"), samples=samples)
    for path, members in archives.items():
        head = members.get("header.json") or members.get("_journal/start.json")
        if head is None:
            raise ScoreFileError(
                f"{shown(path)}.eval has no header.json; give the log as inspect_ai wrote it."
            )
        spec = mapping(mapping(head.json, "header.json").get("eval"), "'eval' in header.json")
        samples = [mapping(one.json, path) for path, one in members.items() if path.startswith("samples/")]
        if not samples and "summaries.json" in members:
            samples = list(records(members["summaries.json"].json, "summaries.json"))
        yield _Log(path=path, spec=spec, samples=samples)


def _last_tries(logs: list[_Log]) -> list[_Log]:
    """Logs without those that were tried again (inspect eval-retry keeps the id of the task)."""
    last: dict[tuple[str, str], _Log] = {}
    for place, log in enumerate(logs):
        key = (log.field("task_id") or str(place), log.field("model"))
        if key not in last or log.field("created") >= last[key].field("created"):
            last[key] = log
    return [log for log in logs if any(log is kept for kept in last.values())]


def _systems(logs: Sequence[_Log]) -> list[str]:
    """Models; where one has several logs of a task, what tells these apart."""
    models = [name(log.spec.get("model"), "'model' in 'eval'") for log in logs]
    found = list(models)
    for task in dict.fromkeys(log.field("task") for log in logs):
        places = [i for i, log in enumerate(logs) if log.field("task") == task]
        own = [models[i] for i in places]
        if len(set(own)) < len(own):
            here = [logs[i] for i in places]
            names = distinct(own, _what_differs(here))
            for i, system in zip(places, names, strict=True):
                found[i] = system
    return found


def _what_differs(logs: Sequence[_Log]) -> list[str]:
    for key in ("solver", "task_args", "model_generate_config", "created"):
        values = [log.field(key) for log in logs]
        if all(values) and len(set(values)) == len(values):
            return values
    return path_names([log.path for log in logs])


def _first_scorer(logs: Sequence[_Log]) -> str | None:
    scorers = logs[0].spec.get("scorers")
    if isinstance(scorers, list) and scorers and isinstance(scorers[0], dict):
        first = scorers[0].get("name")
        return first.rpartition("/")[2] if isinstance(first, str) else None
    return None


def _in_words(found: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Scorers none of whose values is a number or a grade, such as a category, with one of their words."""
    words: dict[str, str] = {}
    graded: set[str] = set()
    for values in found:
        for key, value in values.items():
            if isinstance(value, str) and not ({value, value.lower()} & set(GRADES) or is_numeric(value)):
                words.setdefault(key, value)
            elif value is not None:
                graded.add(key)
    return {key: word for key, word in words.items() if key not in graded}


def _values(sample: Mapping[str, Any]) -> dict[str, Any]:
    """What each scorer gave; one that returns several gives one metric each."""
    scores = sample.get("scores")
    if scores is None and isinstance(sample.get("score"), dict):
        scores = {"score": sample["score"]}  # logs of the first version had one scorer
    found: dict[str, Any] = {}
    for scorer, score in mapping(scores or {}, "the scores of a sample").items():
        value = mapping(score, f"the score {shown(scorer)} of a sample").get("value")
        several = dict(enumerate(value, 1)) if isinstance(value, list) else value
        if isinstance(several, dict):
            found.update({f"{scorer}/{key}": one for key, one in several.items()})
        else:
            found[scorer] = value
    return found


def _grade(value: Any, scorer: str) -> float | None:
    if isinstance(value, str):
        known = GRADES.get(value, GRADES.get(value.lower()))
        if known is not None:
            return known
        try:
            value = float(value)
        except ValueError:
            raise ScoreFileError(
                f"the scorer {shown(scorer)} gives {shown(value)}, which is neither a number nor one of C, "
                f"P, I and N."
            ) from None
    return number(value if is_number(value) or value is None else str(value), f"a score of {shown(scorer)}")


INSPECT_AI = Tool(
    key="inspect-ai",
    label="inspect_ai: logs, .eval or .json",
    example=EXAMPLE,
    documented="https://inspect.aisi.org.uk/eval-logs.html",
    description="System: model. Item: sample. Run: epoch. Scores: the scorers; C is 1, P 0.5, I and N 0.",
    recognises=_recognises,
    tables=_tables,
)
