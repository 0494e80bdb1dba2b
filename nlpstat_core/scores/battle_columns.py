"""Columns of battles that say what belongs together: prompts and raters, known by their names."""

from collections.abc import Sequence

from nlpstat_core.errors import shown
from nlpstat_core.scores.battles import LIST, Battles, coded

# Columns that name ranked lists or prompts, the surest first; an entry that never repeats says nothing about
# its battles.
PROMPTS = (
    LIST,
    "question_id",
    "prompt_id",
    "instruction_id",
    "question",
    "prompt",
    "instruction",
    "item",
    "segment",
)
RATERS = ("judge", "rater", "annotator", "user", "voter", "worker", "evaluator", "assessor")


def prompts_of(battles: Battles) -> str | None:
    """The column that names prompts: complete, and with prompts that come again."""
    several = complete_columns(battles, PROMPTS).items()
    return next((name for name, many in several if many < battles.n_battles), None)


def prompts_with_gaps(battles: Battles) -> tuple[str, int] | None:
    """The column that would name prompts but for empty cells, and how many these are; None without one."""
    named = {name.casefold(): name for name in battles.labels}
    for name in (named[word] for word in PROMPTS if word in named):
        codes, kinds = coded(battles.labels[name], f"Column {shown(name)}")
        lacking = int((codes < 0).sum())
        if lacking and 1 < len(kinds) < battles.n_battles - lacking:
            return name, lacking
    return None


def complete_columns(battles: Battles, words: Sequence[str]) -> dict[str, int]:
    """Complete columns of some names with several different entries, and how many."""
    named = {name.casefold(): name for name in battles.labels}
    found = {}
    for name in (named[word] for word in words if word in named):
        codes, kinds = coded(battles.labels[name], f"Column {shown(name)}")
        if codes.min() >= 0 and len(kinds) > 1:
            found[name] = len(kinds)
    return found


def stand_alone(battles: Battles) -> bool:
    """Whether the file names the prompts and none comes again, nor does one of several raters."""
    several = complete_columns(battles, (*PROMPTS, *RATERS)).values()
    return bool(complete_columns(battles, PROMPTS)) and set(several) == {battles.n_battles}
