"""Values of parsed JSON, taken out one at a time: of the right kind, or one sentence about the place."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.open import Source
from nlpstat_core.readers.open.source import BEGINNING

# Why a file of corpus scores is refused.
ONE_SCORE = "one score per system: nothing to test; give the scores per test item"


def has(source: Source, *keys: str) -> bool:
    """Whether the beginning of a JSON file has all of some keys."""
    if source.kind not in ("json", "jsonl"):
        return False
    beginning = source.beginning
    return all(f'"{key}"' in beginning for key in keys)


def first_lines(source: Source, most: int) -> list[str]:
    """The first lines of a text that aren't empty, without one that may be cut off."""
    if source.kind != "text":
        return []
    lines = source.beginning.lstrip("\ufeff").split("\n")
    if len(lines) > 1 and len(source.beginning) >= BEGINNING:
        lines.pop()
    return [line.rstrip("\r") for line in lines[:most] if line.strip()]


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """A JSON object. Raises ScoreFileError for anything else."""
    if not isinstance(value, dict):
        raise ScoreFileError(f"{what} should be a JSON object, not {shown(value)}.")
    return value


def records(value: Any, what: str) -> Sequence[Mapping[str, Any]]:
    """A JSON list of objects. Raises ScoreFileError for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ScoreFileError(f"{what} should be a list of JSON objects, not {shown(value)}.")
    return value


def entries_of(source: Source) -> Sequence[Mapping[str, Any]]:
    """The objects of JSON lines or of a JSON list; a file of one line is one. Raises ScoreFileError."""
    return [source.json] if isinstance(source.json, dict) else records(source.json, "the file")


def inside(value: Any, *keys: str) -> Any:
    """What stands in JSON objects within objects; None where one isn't there.

    >>> inside({"model": {"name": "tern"}}, "model", "name"), inside({"model": "tern"}, "model", "name")
    ('tern', None)
    """
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text_in(value: Any, *keys: str) -> str:
    """The text that stands there; empty for anything else."""
    found = inside(value, *keys)
    return found if isinstance(found, str) else ""


def names(value: Any, what: str) -> list[str]:
    """A JSON list of names; nothing is an empty list. Raises ScoreFileError for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise ScoreFileError(f"{what} should be a list, not {shown(value)}.")
    return [name(item, what) for item in value]


def name(value: Any, what: str) -> str:
    """An id or a name: a text that isn't empty, or a number. Raises ScoreFileError for anything else.

    >>> name(7, "the id"), name(" q 1", "the id")
    ('7', 'q 1')
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or not str(value).strip():
        raise ScoreFileError(f"{what} should be a name or a number, not {shown(value)}.")
    return str(value).strip()


def is_number(value: Any) -> bool:
    """Whether a JSON value can be a score: a number or a truth value."""
    return isinstance(value, (bool, int, float))


def finite(found: Mapping[str, Any]) -> dict[str, float]:
    """Those of some values that are finite numbers, as what an output cost."""
    return {key: float(v) for key, v in found.items() if isinstance(v, (int, float)) and math.isfinite(v)}


def is_numeric(text: str) -> bool:
    """Whether a text can be read as a number, "nan" and "inf" included.

    >>> is_numeric("1e-3"), is_numeric("nan"), is_numeric("1_000"), is_numeric("")
    (True, True, False, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def written_number(text: str, where: str, advice: str = "") -> float:
    """A number in a text, "nan" and "inf" included; raises ScoreFileError with its place for others."""
    if not is_numeric(text):
        raise ScoreFileError(f"{where}: {shown(text)} isn't a number{advice}.")
    return float(text)


def number(value: Any, what: str) -> float | None:
    """A score: a number or a truth value; null and NaN are missing. Raises ScoreFileError for anything else.

    >>> number(True, "'pass'"), number(None, "'pass'"), number(0.25, "'pass'")
    (1.0, None, 0.25)
    """
    if value is None:
        return None
    try:
        score = float(value) if is_number(value) else math.inf
    except OverflowError:
        score = math.inf
    if math.isinf(score):
        raise ScoreFileError(
            f"{what} is {shown(value)}, which is not a finite number; correct it or write null."
        )
    return None if math.isnan(score) else score
