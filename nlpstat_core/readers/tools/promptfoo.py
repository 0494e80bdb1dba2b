"""promptfoo: the results that `promptfoo eval --output` writes as JSON, JSON lines or CSV."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.systems import distinct
from nlpstat_core.readers.tools.values import finite, has, inside, is_numeric, mapping, name, number, records

ERROR = 2  # failureReason: the answer never came, so nothing was graded
LONGEST_PROMPT = 60
COSTS = ("cost", "latencyMs", "total_tokens")
# The columns that stand behind each answer; before they were added the answer began with the verdict.
STATUS, SCORE = "Status", "Score"
_HEAD = re.compile(r'"?Status"?,"?Score"?,"?Named Scores"?(?:,|\n)')
_VERDICT = re.compile(r"\[(?P<verdict>PASS|FAIL|ERROR)\](?:\s*\((?P<score>-?[0-9.]+)\))?(?:\s|$)")
_BEGUN = re.compile(r'(?:^|[,"\n])\[(?:PASS|FAIL|ERROR)\][ "\n,(]')
_LABEL = re.compile(r"\[(?P<provider>[^\]]+)\] (?P<prompt>.*)", re.DOTALL)
EXAMPLE = """{"evalId": "eval-1", "results": {"version": 3, "results": [
  {"provider": {"id": "openai:gpt-4o"}, "prompt": {"raw": "Say it", "label": "Say it"}, "promptIdx": 0,
   "testIdx": 0, "vars": {"question": "2+2"}, "success": true, "score": 1, "namedScores": {}}]}}
"""


def _recognises(source: Source) -> str | None:
    """Results with provider, prompt and score, below the keys that promptfoo writes."""
    if source.kind == "text":
        beginning = source.beginning
        begins = _HEAD.search(beginning) or _BEGUN.search(beginning)
        return "a table of promptfoo" if begins else None
    if source.kind == "jsonl":
        return "results of promptfoo" if has(source, "promptIdx", "success", "score") else None
    known = any(
        has(source, "results", key) for key in ("evalId", "promptIdx", "gradingResult", "namedScores")
    )
    return "results of promptfoo" if known else None


def _tables(sources: Sequence[Source]) -> Tidy:
    if any(source.kind == "text" for source in sources):
        return _of_tables([source for source in sources if source.kind == "text"])
    entries = [entry for source in sources for entry in _results(source)]
    asked = _prompts(entries)
    prompts = list(dict.fromkeys(asked))
    short = _short_prompts(prompts)
    units: dict[str, str] = {}
    often: Counter[tuple[str, str]] = Counter()
    failed = 0
    rows = Rows({"provider": Role.SYSTEM, "test": Role.UNIT, "repeat": Role.RUN, "vars": Role.TEXT})
    for entry, prompt in zip(entries, asked, strict=True):
        provider = _provider(entry.get("provider"))
        system = provider if len(prompts) == 1 else f"{provider} | {short[prompt]}"
        test = _test(entry)
        unit = units.setdefault(test, str(entry.get("testIdx", len(units))))
        often[system, test] += 1
        lost = entry.get("failureReason") == ERROR
        failed += lost
        scores: dict[str, float | None] = {
            key: None if lost else number(entry.get(key), f"{shown(key)} of test {shown(unit)}")
            for key in ("score", "success")
        }
        for metric, value in mapping(entry.get("namedScores") or {}, "'namedScores'").items():
            scores[metric] = None if lost else number(value, f"{shown(metric)} of test {shown(unit)}")
        costs = {} if lost else _costs(entry)
        place = (system, unit, str(often[system, test]), _text(entry))
        rows.add(place, scores | {key: costs.get(key) for key in COSTS if key not in scores})
    return rows.tidy("results of promptfoo", "score", costs=COSTS, notes=_about_errors(failed))


def _costs(entry: Mapping[str, Any]) -> dict[str, float]:
    """What an answer cost, as far as it is said."""
    usage = entry.get("tokenUsage") or inside(entry, "response", "tokenUsage")
    found = {"cost": entry.get("cost"), "latencyMs": entry.get("latencyMs")}
    return finite({**found, "total_tokens": inside(usage, "total")})


def _of_tables(sources: Sequence[Source]) -> Tidy:
    """Tables with a column of answers for each provider and prompt; a unit is what the row asks."""
    rows = Rows({"provider": Role.SYSTEM, "test": Role.UNIT, "repeat": Role.RUN})
    failed = 0
    for source in sources:
        table = source.table
        texts = [table.texts(i) for i in range(len(table.header))]
        answers = [i for i in range(len(texts)) if _holds_answers(table.header, texts, i)]
        if not answers:
            raise ScoreFileError("no column of answers with PASS or FAIL; export the results again.")
        asked = [i for i in range(answers[0]) if table.header[i] != "Description"]
        systems = distinct(_short([table.header[i] for i in answers]), [""] * len(answers))
        often: Counter[tuple[str, str]] = Counter()
        for place, line in enumerate(table.lines):
            asked_texts = [texts[i][place] for i in asked]
            unit = f"test {place + 1}"
            if any(asked_texts):
                several = len(asked_texts) > 1
                unit = json.dumps(asked_texts, ensure_ascii=False) if several else asked_texts[0]
            for system, column in zip(systems, answers, strict=True):
                often[system, unit] += 1
                scores, lost = _graded(table.header, texts, column, place, line)
                failed += lost
                rows.add((system, unit, str(often[system, unit])), scores, line)
    return rows.tidy("a table of promptfoo", "score", where="line", notes=_about_errors(failed))


def _about_errors(failed: int) -> list[Note]:
    text = f"{failed:,} answers that ended in an error count as missing scores, not as failures."
    return [Note("errors-are-missing", "caution", text)] if failed else []


def _holds_answers(header: Sequence[str], texts: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column holds answers: the verdict stands behind it, or most cells begin with one."""
    if header[column + 1 : column + 3] == (STATUS, SCORE):
        return True
    there = [cell for cell in texts[column][:200] if cell]
    return bool(there) and 2 * sum(bool(_VERDICT.match(cell)) for cell in there) >= len(there)


def _graded(
    header: Sequence[str], texts: Sequence[Sequence[str]], column: int, place: int, line: int
) -> tuple[dict[str, float | None], bool]:
    """Score and success of one answer, and whether it ended in an error."""
    if header[column + 1 : column + 2] == (STATUS,):
        verdict, score = texts[column + 1][place], texts[column + 2][place]
    else:
        cell = texts[column][place]
        match = _VERDICT.match(cell)
        if cell and match is None:
            raise ScoreFileError(
                f"line {line}: {shown(cell)} begins without [PASS] or [FAIL]; export it again."
            )
        verdict, score = (match["verdict"], match["score"] or "") if match else ("", "")
    if verdict not in ("PASS", "FAIL"):
        return {"score": None, "success": None}, verdict == "ERROR"
    passed = float(verdict == "PASS")
    if score and not is_numeric(score):
        raise ScoreFileError(
            f"line {line}: the score {shown(score)} is not a number; export the results again."
        )
    return {"score": float(score) if score else passed, "success": passed}, False


def _short(labels: Sequence[str]) -> list[str]:
    """The providers, with the prompt where there are several or no provider is named."""
    matches = [_LABEL.fullmatch(label) for label in labels]
    prompts = list(
        dict.fromkeys(one["prompt"] if one else label for one, label in zip(matches, labels, strict=True))
    )
    if all(matches) and len(prompts) == 1:
        return [one["provider"] for one in matches if one]
    short = _short_prompts(prompts)
    return [
        f"{one['provider']} | {short[one['prompt']]}" if one else short[label]
        for one, label in zip(matches, labels, strict=True)
    ]


def _short_prompts(prompts: Sequence[str]) -> dict[str, str]:
    """Prompts as names; long ones are numbered."""
    return {
        prompt: prompt if len(prompt) <= LONGEST_PROMPT and "\n" not in prompt else f"prompt {place}"
        for place, prompt in enumerate(prompts, 1)
    }


def _results(source: Source) -> Sequence[Mapping[str, Any]]:
    if source.kind == "jsonl":
        return records(source.json, "the file")
    content = mapping(source.json, "the file").get("results")
    return records(content.get("results") if isinstance(content, dict) else content, "'results'")


def _provider(provider: Any) -> str:
    """The provider's label, else its id; older versions write the id alone."""
    if isinstance(provider, dict):
        return name(provider.get("label") or provider.get("id"), "the provider's id")
    return name(provider, "'provider'")


def _prompts(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The prompt of each entry; where each came with its variables put in, its place among the provider's."""
    texts, tests = [_prompt(entry) for entry in entries], [_test(entry) for entry in entries]
    if len(set(tests)) == 1 or len(set(zip(texts, tests, strict=True))) > len(set(texts)):
        return texts
    places: dict[str, list[str]] = {}
    for entry in entries:
        own = places.setdefault(_provider(entry.get("provider")), [])
        if (place := str(entry.get("promptIdx", ""))) not in own:
            own.append(place)
    return [
        f"prompt {places[_provider(entry.get('provider'))].index(str(entry.get('promptIdx', ''))) + 1}"
        for entry in entries
    ]


def _prompt(entry: Mapping[str, Any]) -> str:
    """The prompt before the test's variables were put in: its label (once its display) is that template."""
    prompt = entry.get("prompt")
    if isinstance(prompt, dict):
        prompt = prompt.get("label") or prompt.get("display") or prompt.get("raw")
    return prompt if isinstance(prompt, str) else ""


def _test(entry: Mapping[str, Any]) -> str:
    """What a test is, however often it is repeated: its variables and what it asserts."""
    asserts = inside(entry, "testCase", "assert")
    variables = entry.get("vars") or inside(entry, "testCase", "vars") or {}
    place = None if variables else entry.get("testIdx")
    return json.dumps([variables, asserts, place], sort_keys=True, default=str)


def _text(entry: Mapping[str, Any]) -> str:
    variables = entry.get("vars")
    if not isinstance(variables, dict):
        return ""
    values = [value for value in variables.values() if isinstance(value, str)]
    return values[0] if len(variables) == 1 and values else json.dumps(variables, ensure_ascii=False)


PROMPTFOO = Tool(
    key="promptfoo",
    label="promptfoo: eval --output as .json, .jsonl or .csv",
    example=EXAMPLE,
    documented="https://www.promptfoo.dev/docs/configuration/outputs",
    description="System: provider, and prompt where there are several. Item: the test. Run: the repeat.",
    recognises=_recognises,
    tables=_tables,
)
