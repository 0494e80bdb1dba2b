"""Notes on systems that don't have the same units: pairs that share none, the order of the board."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.board.ranking.additive import same_units
from nlpstat_core.formatting import count_of, is_or_are, listed_names
from nlpstat_core.notes import Note
from nlpstat_core.results.columns import Leaderboard, PairTable
from nlpstat_core.scores.matrix import ScoreMatrix

# From this share of a board's pairs on the board is several boards in one file.
MANY_DISJOINT = 0.1
# A column with more values (documents, sources) is no way to split a board.
MOST_PARTS = 100


def without_scores(units: ScoreMatrix) -> tuple[str, ...]:
    """Names of the systems that have no score at all: they are part of no comparison."""
    scored = np.asarray(units.present.any(axis=0))
    return tuple(units.systems[column] for column in np.flatnonzero(~scored))


def scored_pairs(units: ScoreMatrix, pairs: PairTable) -> BoolArray:
    """Whether both systems of each pair have scores, shape (n_pairs,)."""
    scored = np.asarray(units.present.any(axis=0))
    both: BoolArray = scored[pairs.left] & scored[pairs.right]
    return both


def not_tested(units: ScoreMatrix, pairs: PairTable) -> str:
    """Pairs without a p-value, and systems without scores: the end of a sentence from its semicolon on."""
    text, empty = "", without_scores(units)
    count = int(np.count_nonzero(np.isnan(pairs.p_value) & scored_pairs(units, pairs)))
    if count:
        text += f"; {count:,} had no test of a difference"
    if empty:
        has = "has" if len(empty) == 1 else "have"
        text += f"; {listed_names(empty)} {has} no scores"
    return text


def untested_disjoint(units: ScoreMatrix, pairs: PairTable) -> BoolArray:
    """Pairs of systems with scores that share no unit and have no p-value."""
    result: BoolArray = (pairs.n_units == 0) & np.isnan(pairs.p_value) & scored_pairs(units, pairs)
    return result


def disjoint_notes(units: ScoreMatrix, pairs: PairTable) -> Iterator[Note]:
    """How many pairs share no unit (a problem above a tenth of the board), and what to do about it."""
    count = int(np.count_nonzero(untested_disjoint(units, pairs)))
    if not count:
        return
    label = separating_label(units)
    one = count == 1
    split = (
        "or split the file into boards whose systems share items"
        if label is None
        else f"or split the board by {label} (--each dataset --dataset-column {label}): the systems of every "
        "part share items"
    )
    text = (
        f"{count:,} of {count_of(len(pairs), 'pair')} {'shares' if one else 'share'} no item: "
        f"{'it has' if one else 'they have'} no test, because a difference between the items would look "
        "like one between the systems. Choose "
        f"Welch's t test by name to compare {'it' if one else 'them'} as independent samples, {split}."
    )
    many = count > MANY_DISJOINT * len(pairs)
    yield Note("no-shared-units", "problem" if many else "caution", text)


def separating_label(units: ScoreMatrix) -> str | None:
    """The label column by which a board falls into boards whose systems all share units.

    Returns: Of several such columns the one with the fewest values, at most 100 (a language pair before its
        documents); every part has two systems or more.
    """
    found = {}
    for name, column in units.labels.items():
        values, codes = np.unique(np.array(column, dtype=str), return_inverse=True)
        if not 1 < values.size <= MOST_PARTS:
            continue
        if all(_all_share(units.present[codes == code]) for code in range(values.size)):
            found[name] = values.size
    return min(found, key=lambda name: found[name], default=None)


def _all_share(present: BoolArray) -> bool:
    """Whether there are two systems with units here, and every two of them share one."""
    there = present[:, present.any(axis=0)].astype(np.float32)
    return there.shape[1] > 1 and bool(np.all(there.T @ there > 0))


def order_notes(units: ScoreMatrix, board: Leaderboard, pairs: PairTable) -> Iterator[Note]:
    """Which scores order a board whose systems have different units, and what contradicts that order."""
    if not same_units(units):
        few, many = int(pairs.n_units.min()), int(pairs.n_units.max())
        counted = f"{few:,} to {many:,}" if few < many else f"{few:,}"
        uses = f"pairs use the items both systems have ({counted})"
        if pairs.unpaired.any():
            uses = "pairs compared as independent samples use all items of either system"
        text = f"Scores are missing: {uses}, and {order_text(board)}."
        yield Note("pairwise-units", "caution", text)
    if board.group is not None:
        sizes = np.unique(board.group, return_counts=True)[1]
        sentence = ", ".join(f"{size:,}" for size in sizes[:8]) + (" …" if len(sizes) > 8 else "")
        text = (
            f"No item connects the {len(sizes):,} groups into which the systems fall ({sentence} systems): "
            "nothing says which group is better. Each has its own ranks."
        )
        yield Note("unconnected-systems", "problem", text)
    against = pairs.notes.get("direction-contradicts-board")
    if against is not None and against.any():
        count = int(against.sum())
        text = (
            f"{count_of(count, 'pair')} {is_or_are(count)} decided on the shared items against "
            "the order of the board, where the systems have different items; "
            f"{'it counts' if count == 1 else 'they count'} as not separated."
        )
        yield Note("direction-contradicts-board", "problem", text)


def order_text(board: Leaderboard) -> str:
    """What orders a board with missing scores, inside a sentence."""
    if board.own_score is None:
        return "the order of the board uses each system's own items"
    return (
        "the board is ordered by a least-squares fit of an effect of the item plus an effect of the system, "
        "what each system would score on all items; the scores on its own items are shown next to it"
    )
