"""Confusion matrices: gold labels by the labels that a system gave."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.scores.submissions import Submissions

MOST_LABELS = 30  # rows that can still be read
OTHER = "other"


@dataclass(frozen=True, eq=False, kw_only=True)
class Confusion:
    """Items by gold label and output.

    gold: Labels of the rows, the most frequent first.
    given: Labels of the columns: gold's, then "other" where outputs have labels that aren't shown.
    counts (int array, shape (n_gold, n_given)).
    """

    gold: tuple[str, ...]
    given: tuple[str, ...]
    counts: IntArray


def confusions(board: Submissions, systems: tuple[str, ...]) -> list[Confusion]:
    """The matrix of each of some systems, all with the same rows and columns; items without output left out.

    Of more than 30 gold labels the most frequent are shown, the rest together as "other".
    """
    frequent = [label for label, _ in sorted(Counter(board.gold).items(), key=lambda one: (-one[1], one[0]))]
    shown = frequent[:MOST_LABELS]
    place = {label: row for row, label in enumerate(shown)}
    rest = len(shown)
    tables = []
    for system in systems:
        counts = np.zeros((rest + 1, rest + 1), dtype=np.int64)
        for right, output in zip(board.gold, board.outputs[system], strict=True):
            if output is not None:
                counts[place.get(right, rest), place.get(output, rest)] += 1
        tables.append(counts)
    rows = rest + (len(frequent) > rest)
    columns = rest + any(counts[:, rest].any() for counts in tables)
    gold = (*shown, OTHER)[:rows]
    given = (*shown, OTHER)[:columns]
    return [Confusion(gold=gold, given=given, counts=counts[:rows, :columns]) for counts in tables]
