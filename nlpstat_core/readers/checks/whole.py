"""What looks odd in a score matrix: a list of notes, never an error."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.notes import Note, Severity
from nlpstat_core.readers.checks import oddities
from nlpstat_core.readers.checks.missing import disjoint_notes, missing_notes
from nlpstat_core.readers.checks.oddities import cells_of_one_system
from nlpstat_core.readers.checks.suspects import other_orders, summary_rows
from nlpstat_core.readers.checks.transposed import transposed_tables
from nlpstat_core.readers.roles.documents import compared_documents, document_columns
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.scores.documents import blocks_needed
from nlpstat_core.scores.matrix import ScoreMatrix

NAMED_SYSTEMS = 5
USUAL_LEVEL = 0.05
FEW_UNITS = 10
_THOUSAND = (300.0, 3000.0)  # times that are about a thousand


def check_scores(scores: ScoreMatrix) -> tuple[Note, ...]:
    """Look at a matrix as an organizer would before trusting it.

    Returns: Codes: identical-systems, constant-systems, no-scores, mixed-scales, units-without-scores,
        missing-cells, missing-uneven, disjoint-pairs, summary-row, order-suspect, stand-in-values,
        impossible-values, far-cell, far-row, far-system, cells-of-one-system, only-one-value, repeated-units,
        rows-seem-systems, columns-seem-metrics, datasets-mixed, block-column-proposed.
    """
    return (
        *_identical(scores),
        *_constant(scores),
        *(far := tuple(oddities.far_cells(scores))),
        *(() if far else _scales(scores)),
        *missing_notes(scores),
        *disjoint_notes(scores),
        *(sums := tuple(summary_rows(scores))),
        *(() if sums or far else oddities.far_rows(scores)),
        *other_orders(scores),
        *oddities.impossible_values(scores),
        *oddities.far_systems(scores),
        *(() if far else cells_of_one_system(scores)),
        *oddities.repeated_units(scores),
        *transposed_tables(scores),
        *_datasets(scores),
        *_blocks(scores),
    )


def names(systems: Sequence[str]) -> str:
    """A few names for a sentence.

    >>> names(["A", "B"])
    "'A', 'B'"
    """
    some = ", ".join(shown(name) for name in systems[:NAMED_SYSTEMS])
    more = len(systems) - NAMED_SYSTEMS
    return f"{some} and {more} more" if more > 0 else some


def _identical(scores: ScoreMatrix) -> Iterator[Note]:
    """Systems with the same score (or the same gap) on every unit."""
    alike: dict[bytes, list[int]] = defaultdict(list)
    for column in np.flatnonzero(scores.present.any(axis=0)).tolist():
        alike[scores.values[:, column].tobytes()].append(column)
    copies = [group for group in alike.values() if len(group) > 1]
    if copies:
        groups = "; ".join(names([scores.systems[i] for i in group]) for group in copies[:NAMED_SYSTEMS])
        more = f"; and {len(copies) - NAMED_SYSTEMS} more groups" if len(copies) > NAMED_SYSTEMS else ""
        text = f"Identical scores on every item: {groups}{more}. Are these copies?"
        yield Note("identical-systems", "caution", text)


def _constant(scores: ScoreMatrix) -> Iterator[Note]:
    counts = scores.present.sum(axis=0)
    lowest, highest = np.fmin.reduce(scores.values), np.fmax.reduce(scores.values)
    constant = [scores.systems[i] for i in np.flatnonzero((counts > 1) & (lowest == highest))]
    if constant:
        text = f"The same score on every item: {names(constant)}."
        yield Note("constant-systems", "caution", text)
    gaps = [
        scores.systems[i]
        for i in np.flatnonzero((lowest == highest) & (counts < 0.9 * scores.n_units) & (lowest != 0))
    ]
    if 2 * len(gaps) >= scores.n_systems:
        text = (
            f"Only one value, and empty cells, in {names(gaps)}: if an empty cell means a wrong answer, "
            f"write 0 there."
        )
        yield Note("only-one-value", "problem", text)
    empty = [scores.systems[i] for i in np.flatnonzero(counts == 0)]
    if empty:
        are = "This system is not" if len(empty) == 1 else "These systems are not"
        text = f"No scores: {names(empty)}. {are} compared with any other."
        yield Note("no-scores", "problem", text)


def _scales(scores: ScoreMatrix) -> Iterator[Note]:
    """Systems between 0 and 1 beside systems that reach far above 1."""
    lowest, highest = np.fmin.reduce(scores.values), np.fmax.reduce(scores.values)
    small = (lowest >= 0) & (highest <= 1) & (highest > 0)
    least = 2 if scores.n_units > FEW_UNITS else 10  # few scores lie between 0 and 1 by chance
    large = (lowest >= 0) & (highest > least) & (highest <= 100)
    if not (small.any() and large.any()):
        yield from _thousands(scores)
        return
    shares = [scores.systems[i] for i in np.flatnonzero(small)]
    with_large = names([scores.systems[i] for i in np.flatnonzero(large)])
    text = (
        f"Scores between 0 and 1 for {names(shares)}, up to 100 for {with_large}: are all on the same scale?"
    )
    middle, near = 100 * np.nanmedian(scores.values[:, small]), scores.values[:, large]
    fits = scores.counts is None and np.nanquantile(near, 0.1) <= middle <= np.nanquantile(near, 0.9)
    way = (" If these are shares of 1, ", Remedy("as_percent", tuple(shares)), ".") if fits else ()
    yield Note("mixed-scales", "problem", Sentence(text, *way))


def _thousands(scores: ScoreMatrix) -> Iterator[Note]:
    """Systems about a thousand times the others, as where 45.700 means 45,700 for some."""
    if scores.n_units < FEW_UNITS or (scores.values < 0).any():
        return
    usual = np.array(
        [
            np.median(column[~np.isnan(column)]) if (~np.isnan(column)).any() else 0.0
            for column in scores.values.T
        ]
    )
    there = np.flatnonzero(usual >= 1)  # thousands that a point groups are at least 1
    if there.size < 2:
        return
    low = there[usual[there] < usual[there].max() / _THOUSAND[0]]
    if low.size == 0 or usual[there].max() / usual[low].max() > _THOUSAND[1]:
        return
    high = [scores.systems[i] for i in there if i not in set(low.tolist())]
    text = (
        f"The scores of {names([scores.systems[i] for i in low])} are about a thousandth of those of "
        f"{names(high)}: are all on the same scale? A point may group thousands there."
    )
    yield Note("mixed-scales", "problem", text)


def proposed_block(scores: ScoreMatrix) -> str | None:
    """The label column of documents where whole documents could be compared on this board, or None.

    Returns: None also where all pairs are too many for so few documents: no p-value could survive a
        correction.
    """
    name = document_column(scores)
    if name is None or not all(scores.labels[name]):
        return None
    n_pairs = max(1, scores.n_systems * (scores.n_systems - 1) // 2)
    enough = blocks_needed(USUAL_LEVEL / n_pairs, "two-sided")
    return name if len(set(scores.labels[name])) >= enough else None


def document_column(scores: ScoreMatrix) -> str | None:
    """The label column that groups units into documents (the one compared by default first), or None."""
    named = [name for name in scores.labels if says(Kind.GROUPING, name)]
    for name in (*compared_documents(scores), *document_columns(scores), *named):
        if 2 <= len(set(scores.labels[name])) < scores.n_units:
            return name
    return None


def _datasets(scores: ScoreMatrix) -> Iterator[Note]:
    """Data sets mixed into one board."""
    names = scores.reading.get("datasets", [])
    if len(names) > 1 and "dataset" not in scores.reading:
        text = (
            f"The scores are of {len(names):,} data sets together ({', '.join(map(shown, names[:3]))}"
            f"{' …' if len(names) > 3 else ''}); each can be a separate board (--each dataset)."
        )
        yield Note("datasets-mixed", "info", text)


def _blocks(scores: ScoreMatrix) -> Iterator[Note]:
    name = document_column(scores)
    if name is not None:
        cells = scores.labels[name]
        blocks = len(set(cells) - {""})
        text = (
            f"Column {shown(name)} groups the {scores.n_units:,} items into {blocks:,} documents. Items of "
            "one document aren't independent"
        )
        if compared_documents(scores):
            text += ": the recommended tests compare whole documents by default (block_column)."
        elif not all(cells):
            text += f", but {cells.count(''):,} rows name none, so that documents can't be compared."
        elif proposed_block(scores) is None:
            text += f", but {blocks:,} are too few to compare all pairs of systems by whole documents."
        else:
            text += ": compare whole documents?"
        severity: Severity = "info" if compared_documents(scores) else "caution"
        yield Note("block-column-proposed", severity, text)
