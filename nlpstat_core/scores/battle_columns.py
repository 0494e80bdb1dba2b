"""Columns of battles known by their names: prompts and raters, and what is measured of both answers."""

import re
from collections.abc import Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreError, shown, some_shown
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


# Columns of the two sides differ in this alone: "length_a", "sum_assistant_b_tokens", "left_tokens".
_SIDE = re.compile(r"(?:^|(?<=[_ .]))(a|left)(?=$|[_ .])", re.IGNORECASE)
_OTHER = {"a": "b", "left": "right", "A": "B", "Left": "Right", "LEFT": "RIGHT"}


def style_columns(battles: Battles) -> dict[str, tuple[str, str]]:
    """What is known of both answers: the name without the side → columns of the left and of the right answer.

    Only columns of numbers, 0 or more, that differ somewhere.
    """
    found = {}
    for name in battles.labels:
        for told in _SIDE.finditer(name):
            other = name[: told.start()] + _OTHER.get(told[0], "b") + name[told.end() :]
            if other in battles.labels:
                base = re.sub(r"[_ .]{2,}", "_", name[: told.start()] + name[told.end() :]).strip("_ .")
                values = _numbers(battles, name), _numbers(battles, other)
                if values[0] is not None and values[1] is not None and (values[0] != values[1]).any():
                    found[base or name] = (name, other)
    return found


def style_differences(battles: Battles, styles: Sequence[str]) -> FloatArray:
    """(left − right)/(left + right) of each style, over its standard deviation, shape (n_battles, n_styles).

    Raises ScoreError: A style that the battles don't have in numbers of both answers.
    """
    known = style_columns(battles)
    columns = []
    for style in styles:
        if style not in known:
            there = some_shown(list(known)) if known else "none"
            raise ScoreError(
                f"Battles have no columns of numbers for {shown(style)} of both answers (say, 'length_a' and "
                f"'length_b' for 'length'); there are: {there}."
            )
        left, right = (_numbers(battles, name) for name in known[style])
        assert left is not None
        assert right is not None
        both = left + right
        share = np.divide(left - right, both, out=np.zeros(both.size), where=both > 0)
        columns.append(share / np.sqrt(np.mean(share**2)))
    return np.column_stack(columns) if columns else np.zeros((battles.n_battles, 0))


def _numbers(battles: Battles, name: str) -> FloatArray | None:
    """A column of numbers, 0 or more; None for another."""
    try:
        values = np.asarray(battles.labels[name], dtype=object).astype(float)
    except (TypeError, ValueError):
        return None
    return values if np.isfinite(values).all() and (values >= 0).all() else None
