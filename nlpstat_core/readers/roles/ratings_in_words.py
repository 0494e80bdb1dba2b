"""Columns of words where ratings were meant: no metric until they are numbers."""

from collections.abc import Mapping, Sequence

from nlpstat_core.errors import shown
from nlpstat_core.readers.roles.columns_left_out import LONGEST_GRADE, MOST_GRADES
from nlpstat_core.readers.roles.names import Kind, says


def ratings_in_words(labels: Mapping[str, Sequence[str]]) -> str:
    """Which label column may hold ratings, and what to do then; empty where none does.

    >>> ratings_in_words({"human": ("good", "bad", "")})[:39]
    "Column 'human' holds 'bad', 'good': if "
    """
    for name, cells in labels.items():
        words = sorted({cell for cell in cells if cell})
        short = all(len(word) <= LONGEST_GRADE for word in words)
        if 2 <= len(words) <= MOST_GRADES and short and not says(Kind.LABEL, name):
            return (
                f"Column {shown(name)} holds {', '.join(map(shown, words))}: if these are ratings, write "
                "numbers in their place, larger for better."
            )
    return ""
