"""MT-bench: grades of single answers; verdicts on pairs of answers are refused."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.tools.record import Role, Rows, Source, Tidy, Tool
from nlpstat_core.readers.tools.summaries import PAIRWISE
from nlpstat_core.readers.tools.values import entries_of, has, name, number, text_in

NO_GRADE = -1.0
_TURN = re.compile(r"score_turn_?(\d+)")
_SINGLE = re.compile(r'"score(?:_turn_?\d+)?"\s*:')
EXAMPLE = """{"question_id": 81, "model": "Tern", "judge": ["gpt-4", "single-v1"], "score": 8, "turn": 1}
{"question_id": 81, "model": "Heron", "judge": ["gpt-4", "single-v1"], "score": -1, "turn": 1}
"""


def _recognises(source: Source) -> str | None:
    """Grades by question, turn and model; pairwise verdicts are known in order to be refused."""
    if not has(source, "question_id"):
        return None
    if _is_pairwise(source):
        return "pairwise verdicts of MT-bench"
    if not (has(source, "model") or has(source, "model_id")) or not _SINGLE.search(source.beginning):
        return None
    graded = has(source, "turn", "score") or _TURN.search(source.beginning)
    judged = any(has(source, key) for key in ("judge", "judge_id", "judgment"))
    return "grades of MT-bench" if graded and judged else None


def _is_pairwise(source: Source) -> bool:
    pairs = (("model_1", "model_2", "g1_winner"), ("model_a", "model_b", "winner"))
    return any(has(source, *keys) for keys in pairs)


def _tables(sources: Sequence[Source]) -> Tidy:
    single = [source for source in sources if not _is_pairwise(source)]
    if not single:
        raise ScoreFileError(
            "these are ",
            PAIRWISE,
            "; grades of single answers are those of gen_judgment --mode single.",
        )
    labels = dict.fromkeys(("turn", "category"), Role.LABEL)
    rows = Rows({"model": Role.SYSTEM, "question:turn": Role.UNIT, "judge": Role.RATER, **labels})
    for source in single:
        for line, entry in zip(source.json_lines, entries_of(source), strict=True):
            what = f"line {line}"
            system = name(entry.get("model", entry.get("model_id")), f"{what}: 'model'")
            question = name(entry.get("question_id"), f"{what}: 'question_id'")
            label = text_in(entry, "category")
            for turn, value in _grades(entry, what):
                grade = number(value, f"{what}: the score")
                score = None if grade == NO_GRADE else grade
                rows.add((system, f"{question}:{turn}", _judge(entry), turn, label), {"score": score}, line)
    return rows.tidy("grades of MT-bench", where="line")


def _grades(entry: Mapping[str, Any], what: str) -> Iterator[tuple[str, Any]]:
    if "score" in entry:
        yield name(entry.get("turn", 1), f"{what}: 'turn'"), entry["score"]
        return
    turns = [(match[1], value) for key, value in entry.items() if (match := _TURN.fullmatch(key))]
    if not turns:
        raise ScoreFileError(f"{what} has no score; it has {shown(', '.join(entry))}.")
    yield from turns


def _judge(entry: Mapping[str, Any]) -> str:
    """The judging model; FastChat adds the name of the prompt, which goes with the question."""
    judge = entry.get("judge", entry.get("judge_id"))
    first = judge[0] if isinstance(judge, list) and judge else judge
    return first if isinstance(first, str) else ""


MT_BENCH = Tool(
    key="mt-bench",
    label="MT-bench: grades of single answers",
    example=EXAMPLE,
    documented="https://github.com/lm-sys/FastChat/tree/main/fastchat/llm_judge",
    description="System: the model. Item: question and turn. Rater: the judge. Score: the grade; -1 is none.",
    recognises=_recognises,
    tables=_tables,
)
