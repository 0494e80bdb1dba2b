"""Columns of text that may hold grades in words, or numbers with a unit of measurement."""

from collections.abc import Sequence

from nlpstat_core.errors import shown
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.written import MEASURED

MOST_GRADES, LONGEST_GRADE = 5, 20  # words of a column of grades, and their signs


def grades_in_words(columns: Columns, labels: Sequence[int]) -> str:
    """Which column of text may hold grades, and what to do then; empty where none does."""
    for column in labels:
        cells = [cell for cell in columns.texts(column) if cell]
        measured = [found["unit"] for cell in cells if (found := MEASURED.fullmatch(cell))]
        if measured and len(measured) == len(cells):
            name, way = shown(columns.header[column]), f"the unit of measurement, {shown(measured[0])},"
            return f"Column {name} holds {shown(cells[0])}: {way} is in the way; write the numbers alone."
        words = dict.fromkeys(cell for cell in columns.texts(column) if cell)
        short = all(len(word) <= LONGEST_GRADE for word in words)
        if 2 <= len(words) <= MOST_GRADES and short and not says(Kind.LABEL, columns.header[column]):
            some = ", ".join(map(shown, words))
            return f"Column {shown(columns.header[column])} holds {some}: write 1 for right and 0 for wrong."
    return ""
