"""Column names of counts: which count of which system a column holds."""

import re
from collections.abc import Sequence

from nlpstat_core.readers.roles.names import Kind, normal, says, says_id
from nlpstat_core.scores.counts import CountKind

# Kind → the counts it is made of, by their usual names.
KINDS: dict[CountKind, dict[str, str]] = {
    "f1": {
        "tp": "(?:n_)?tp|true_positives?",
        "fp": "(?:n_)?fp|false_positives?",
        "fn": "(?:n_)?fn|false_negatives?",
    },
    "accuracy": {
        "correct": "(?:n_|num_)?(?:correct|right|passed)",
        "total": "(?:n_|num_)?(?:total|count|items|attempts)|n",
    },
}
_PARTS = {part: re.compile(names) for parts in KINDS.values() for part, names in parts.items()}
_ANY_PART = "|".join(pattern.pattern for pattern in _PARTS.values())
_AT_END = re.compile(rf"[\s_.:/|-](?P<part>{_ANY_PART})$", re.IGNORECASE)
_LONGEST_PART = 30  # only so much of a name is searched
_SHARED = ""  # stands for the system of a column that holds the totals of all


def part_of(name: str) -> str | None:
    """Which count a column name stands for: correct, total, tp, fp, fn, or None.

    >>> part_of("TP"), part_of("n_correct"), part_of("score")
    ('tp', 'correct', None)
    """
    plain = normal(name)
    return next((part for part, pattern in _PARTS.items() if pattern.fullmatch(plain)), None)


def system_and_part(name: str) -> tuple[str, str] | None:
    """The system and the count in the name of a wide table's column; no system for a count of all.

    >>> system_and_part("System A_correct"), system_and_part("b-TP"), system_and_part("total")
    (('System A', 'correct'), ('b', 'tp'), ('', 'total'))
    """
    alone = part_of(name)
    if alone is not None:
        return _SHARED, alone
    found = _AT_END.search(name[-_LONGEST_PART:])
    if found is None:
        return None
    system = name[: len(name) - len(found[0])].strip(" \t_.:/|-")
    return (system, str(part_of(found["part"]))) if system else None


def kinds_of(parts: set[str]) -> list[CountKind]:
    """Scores that counts of these names (tp, fp, fn, correct, total) make, F1 before accuracy.

    >>> kinds_of({"correct", "total", "tp"})
    ['accuracy']
    """
    return [kind for kind, needed in KINDS.items() if set(needed) <= parts]


def fits(metric: str | None, kinds: Sequence[str]) -> bool:
    """Whether a wanted metric is one of the scores that the counts make; none wanted fits always."""
    return metric is None or normal(metric) in kinds


def is_one_system(header: Sequence[str]) -> bool:
    """Whether a table holds the counts of one system, as when every system has a file of its own."""
    parts = {part_of(name) or "" for name in header}
    others = [
        name for name in header[1:] if not (part_of(name) or says_id(name, False) or says(Kind.LABEL, name))
    ]
    return bool(kinds_of(parts)) and not others


def whole_systems(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The columns of every system that has all counts of a score.

    Returns: System → count → column name; a column without a system serves all systems.
    """
    found: dict[str, dict[str, str]] = {}
    for name in names:
        split = system_and_part(name)
        if split is not None:
            found.setdefault(split[0], {})[split[1]] = name
    if len(found) == 1 and is_one_system(names):
        return {"score": found[_SHARED]}
    shared = found.pop(_SHARED, {})
    every = {system: {**shared, **parts} for system, parts in found.items()}
    return {system: parts for system, parts in every.items() if kinds_of(set(parts))}
