"""Files that hold one score a system, or scores of training: known in order to say so."""

import re
from collections.abc import Sequence

from nlpstat_core.errors import Remedy, ScoreFileError, Sentence
from nlpstat_core.readers.open import Source
from nlpstat_core.readers.roles.names import Kind, normal
from nlpstat_core.readers.tools.values import ONE_SCORE, first_lines, has

_NUMBER = r"[-+]?[0-9.]+(?:[eE][-+]?\d+)?%?"
_NAMED = re.compile(rf"(?P<name>[A-Za-z][\w@/ .-]*?)\s*[:=]\s*{_NUMBER}")
MOST_NAMED = 60  # lines of a file of named scores
FEWEST_LISTED = 10  # scores of test items beside the score of all of them
STEPS = "its rows are steps of training, so no item can be compared; give the scores per test item"
# Of verdicts: two systems and who was better, which a page and a command of their own rank.
PAIRWISE = Sentence(
    "verdicts on pairs of answers, not scores of single ones: give a score for every answer, or rank the "
    "systems by preferences",
    Remedy("preferences", form="unsaid"),
)
# What stands in the beginning of a text → what it is, and what to give instead.
_BEGINNINGS = (
    (
        r"\A(?=[^\n]*\b(?:model|system)_[a1]\b)(?=[^\n]*\b(?:model|system)_[b2]\b)"
        r"(?=[^\n]*\b(?:winner|winner_model_a|g1_winner|preference|verdict)\b)",
        PAIRWISE,
    ),
    (r"\A\s*precision\s+recall\s+f1-score\s+support", f"a classification report: {ONE_SCORE}"),
    (r"\Aprocessed \d+ tokens with \d+ phrases", f"the table of conlleval: {ONE_SCORE} (sentences)"),
    (r"={5,}\s+(?:EXECUTION|EXACT MATCHING) ACCURACY", f"a summary of Spider: {ONE_SCORE}"),
    (r"\A\W*Start Time\W+Duration\W+Run ID\b", f"a table of runs of MLflow, one row per run: {ONE_SCORE}"),
    (r'\A"?Name"?,"?State"?,.*\b(?:Runtime|Sweep)\b', f"a table of runs of Weights & Biases: {ONE_SCORE}"),
    (r'\A"?(?:Step|_step|Relative Time.*?|Wall Time)"?,.*__MIN\b', f"a chart of Weights & Biases: {STEPS}"),
    (r'\A"?Wall time"?,"?Step"?,"?Value"?\s*\n', f"scalars of TensorBoard: {STEPS}"),
)
_KNOWN = tuple((re.compile(start), what) for start, what in _BEGINNINGS)


def summary_of(source: Source) -> str | None:
    """Why a file holds no scores of test items, in a sentence; None where it may hold some.

    >>> from nlpstat_core.readers.open import Limits
    >>> summary_of(Source("scores.txt", b"accuracy: 0.71\\nf1: 0.65\\n", Limits()))
    'named scores: one score per system: nothing to test; give the scores per test item.'
    """
    if source.kind in ("json", "jsonl") and has(source, "model_a", "model_b", "winner"):
        return Sentence(PAIRWISE, ".")
    if source.kind == "json":
        return f"named scores: {ONE_SCORE}." if _holds_totals(source) else None
    if source.kind == "jsonl":
        if has(source, "accuracy", "correct_count", "total_count"):
            return "a score file of BFCL, which lists the wrong answers only; give every entry with 1 or 0."
        return None
    if source.kind in ("parquet", "excel"):
        return Sentence(PAIRWISE, ".") if _KNOWN[0][0].search(",".join(_header(source))) else None
    if source.kind != "text":
        return None
    beginning = source.beginning.lstrip("\ufeff")
    text = next((text for start, text in _KNOWN if start.search(beginning)), None)
    if text is None and _names_scores(source):
        text = f"named scores: {ONE_SCORE}"
    return None if text is None else Sentence(text, ".")


def _header(source: Source) -> Sequence[str]:
    """Names of the columns; none where the table can't be read, which is told where it is read."""
    try:
        return source.table.header
    except ScoreFileError:
        return ()


def _holds_totals(source: Source) -> bool:
    """Whether a JSON object has metrics' names for single numbers, and no list of scores beside them."""
    if not source.beginning.lstrip().startswith("{") or len(source.text) > len(source.beginning):
        return False
    try:
        data = source.json
    except ScoreFileError:  # told where it is read
        return False
    lists = [value for value in data.values() if isinstance(value, list)]
    if any(isinstance(value, dict) for value in data.values()) or any(
        len(value) >= FEWEST_LISTED or any(isinstance(one, dict) for one in value) for value in lists
    ):
        return False
    numbers = [name for name, value in data.items() if isinstance(value, (int, float))]
    return any(Kind.KNOWN_METRIC.fullmatch(normal(name)) for name in numbers)


def _names_scores(source: Source) -> bool:
    """Whether every line is a name and a number, and one of the names is that of a metric."""
    lines = first_lines(source, MOST_NAMED)
    if not lines or source.text.count("\n") > MOST_NAMED:
        return False
    found = [_NAMED.fullmatch(line.strip()) for line in lines]
    return all(found) and any(Kind.KNOWN_METRIC.fullmatch(normal(one["name"])) for one in found if one)
