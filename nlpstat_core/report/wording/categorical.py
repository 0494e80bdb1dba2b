"""Sentences about counts in categories."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.formatting import format_score, p_equals
from nlpstat_core.methods.categorical import CategoricalTest, cramers_v, fisher_exact, independence
from nlpstat_core.notes import Note, Severity

CATEGORICAL_NOTES: dict[str, tuple[Severity, str]] = {
    "few-expected": (
        "caution",
        "The smallest expected count is {smallest}, below 5, so chi-square is only approximate; Fisher's "
        "exact test doesn't need large counts.",
    ),
    "empty-margin": (
        "problem",
        "A category never occurs, so the test is undefined: leave that category out.",
    ),
}


def categorical_notes(test: CategoricalTest) -> tuple[Note, ...]:
    """The notes of a test of counts as sentences.

    >>> [note.severity for note in categorical_notes(independence([[9, 1], [3, 2]]))]
    ['caution']
    """
    found = []
    for code in test.notes:
        severity, text = CATEGORICAL_NOTES[code]
        found.append(Note(code, severity, text.format(smallest=format_score(test.smallest_expected))))
    return tuple(found)


def association_text(u: FloatArray, v: FloatArray) -> str | None:
    """What tests of a 2 × 2 table say about two samples of 0/1 scores; None where there are others."""
    if not u.size or not v.size or not np.isin(np.concatenate([u, v]), (0.0, 1.0)).all():
        return None
    table = np.array([[side.sum(), side.size - side.sum()] for side in (u, v)])
    found, exact = independence(table), fisher_exact(table)
    fisher = f"Fisher's exact test: {p_equals(exact.p_value)}."
    text = " ".join(note.text for note in categorical_notes(found))
    if np.isnan(found.p_value):
        return f"As a table of right and wrong: {text} {fisher}"
    chi = f"χ² = {format_score(found.statistic)} on 1 degree of freedom, {p_equals(found.p_value)}"
    strength = f"Cramér's V = {format_score(cramers_v(table))}"
    return f"As a table of right and wrong: {chi}; {strength}. {fisher} {text}".rstrip()
