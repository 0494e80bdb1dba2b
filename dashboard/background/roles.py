"""Roles of columns between the words of the reader and those of the menus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.formatting import count_of

if TYPE_CHECKING:
    from dashboard.background.looks import Look
    from nlpstat_core.scores.matrix import ScoreMatrix

# The words of the menus for the reader's roles, in their order.
WORDS = {
    "system": "system",
    "unit": "test item",
    "score": "score",
    "metric": "name of the metric",
    "run": "run or seed",
    "rater": "rater",
    "dataset": "data set",
    "block": "document",
    "label": "label",
    "text": "text",
    "cost": "cost or time",
    "count": "count",
    "ignored": "left out",
}
ROLES = {word: role for role, word in WORDS.items()}
IGNORED = WORDS["ignored"]
# Keywords of `read_scores` that say in another way what roles say.
SHORT_FOR_ROLES = (
    "id_column",
    "label_columns",
    "system_column",
    "systems_as_rows",
    "dataset_column",
    "roles",
)
# Formats of delimited text, which roles tell apart.
TEXTS = ("system-score", "columns", "counts", "long-csv", "wide-csv", "lines")
# Formats whose columns have no names: there is nothing to choose by name.
NAMELESS = ("columns", "lines", "system-score")
NO_COLUMN = "none"
MOST_SHOWN, MOST_VALUES, HEAD_ROWS = 30, 3, 4


def can_choose(seen: Look) -> bool:
    """Whether the file has columns with names and roles."""
    return seen.roles is not None and len(seen.header) > 1 and seen.format not in NAMELESS


def guessed_words(seen: Look) -> list[str]:
    """The guess in the words of the menus, one a column."""
    roles = seen.roles or {}
    return [WORDS[roles.get(name, "ignored")] for name in seen.header]


def column_rows(seen: Look, words: Sequence[str]) -> dict[str, list[str]]:
    """One row a column of the file: its name, role, first values, and why it was read so.

    words: Roles in the words of the menus.
    Returns: Columns of the table that is edited.
    """
    values = [list(dict.fromkeys(row[i] for row in seen.rows)) for i in range(len(seen.header))]
    return {
        "Column": [name or "(no name)" for name in seen.header],
        "Role": list(words),
        "First values": [" · ".join(cell[:40] for cell in cells[:MOST_VALUES]) for cells in values],
        "Why it was guessed": [seen.reasons.get(name, "") for name in seen.header],
    }


def head_rows(seen: Look, words: Sequence[str]) -> dict[str, list[str]]:
    """The first rows, each column under its name and role.

    Returns: Columns left out come last, and of many only the first.
    """
    order = sorted(range(len(words)), key=lambda i: words[i] == IGNORED)[:MOST_SHOWN]
    return {f"{words[i]}: {seen.header[i]}": [row[i] for row in seen.rows[:HEAD_ROWS]] for i in order}


def choices_for(seen: Look, words: Sequence[str], choices: Mapping[str, object]) -> dict[str, object]:
    """The keywords of `read_scores` that roles amount to; all that isn't about columns is kept.

    words: The role of every column in the words of the menus.
    """
    kept = {key: value for key, value in choices.items() if key not in SHORT_FOR_ROLES}
    if kept.get("format") in TEXTS:
        del kept["format"]
    roles: dict[str, list[str]] = {}
    for name, word in zip(seen.header, words, strict=True):
        if name:
            roles.setdefault(ROLES[word], []).append(name)
    if rows_are_systems(seen):
        named = roles.get("system", [])
        kept |= {"systems_as_rows": True} | ({"system_column": named[0]} if named else {})
        ignored = roles.get("ignored")
        return kept | ({"roles": {"ignored": ignored}} if ignored else {})
    scores = roles.get("score", [])
    if kept.get("metric") in seen.header and kept["metric"] not in scores:
        del kept["metric"]
    if "unit" not in roles:
        roles["unit"] = [NO_COLUMN]
    return kept | {"roles": roles}


def rows_are_systems(seen: Look) -> bool:
    """Whether every row was read as one system."""
    return seen.scores is not None and bool(seen.scores.reading.get("systems_as_rows"))


def metrics_among(seen: Look, words: Sequence[str]) -> list[str]:
    """The columns of scores where a table has one row per system and test item, and so several metrics."""
    scores = [name for name, word in zip(seen.header, words, strict=True) if ROLES[word] == "score"]
    return scores if len(scores) > 1 else []


def default_metric(metrics: Sequence[str], wanted: str | None, called_score: Sequence[str]) -> str:
    """The metric that is read: the one wanted, else one that is called score, else the first.

    metrics: Not empty.
    called_score: Columns whose names say that they are the score.
    """
    if wanted is not None and wanted in metrics:
        return wanted
    return next((name for name in metrics if name in called_score), metrics[0])


def becomes(scores: ScoreMatrix) -> str:
    """What a matrix is: its size, what is missing, and which runs were averaged.

    Returns: Markdown, without a full stop.
    """
    missing = int(np.count_nonzero(~scores.present))
    facts = [
        f"**{count_of(scores.n_systems, 'system')} × {count_of(scores.n_units, 'item')}**",
        f"{missing:,} of {scores.values.size:,} scores missing" if missing else "no score missing",
    ]
    facts += [
        note.text.removesuffix(".").replace("Scores are", "scores are")
        for note in scores.notes
        if note.code == "averaged-runs"
    ]
    return " · ".join(facts)
