"""What looks odd in a score matrix: a list of notes, never an error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.names import DOCUMENT_NAME, says
from nlpstat_core.readers.suspects import other_orders, summary_rows
from nlpstat_core.scores import ScoreMatrix

NAMED_SYSTEMS = 5


def audit(scores: ScoreMatrix) -> tuple[Note, ...]:
    """Look at a matrix as an organizer would before trusting it.

    Parameters
    ----------
    scores : ScoreMatrix

    Returns
    -------
    tuple of Note
        Codes: identical-systems, constant-systems, no-scores, mixed-scales, missing-cells,
        units-without-scores, disjoint-pairs, summary-row, order-suspect, block-column-proposed.
    """
    return (
        *_identical(scores),
        *_constant(scores),
        *_scales(scores),
        *_missing(scores),
        *_disjoint(scores),
        *summary_rows(scores),
        *other_orders(scores),
        *_blocks(scores),
    )


def names(systems: Sequence[str]) -> str:
    """A few names for a sentence.

    Parameters
    ----------
    systems : sequence of str

    Returns
    -------
    str

    Examples
    --------
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
        text = f"Identical scores on every unit: {groups}{more}. Are these copies?"
        yield Note("identical-systems", "caution", text)


def _constant(scores: ScoreMatrix) -> Iterator[Note]:
    counts = scores.present.sum(axis=0)
    lowest = np.where(scores.present, scores.values, np.inf).min(axis=0)
    highest = np.where(scores.present, scores.values, -np.inf).max(axis=0)
    constant = [scores.systems[i] for i in np.flatnonzero((counts > 1) & (lowest == highest))]
    if constant:
        text = f"The same score on every unit: {names(constant)}."
        yield Note("constant-systems", "caution", text)
    empty = [scores.systems[i] for i in np.flatnonzero(counts == 0)]
    if empty:
        text = f"No score at all: {names(empty)}."
        yield Note("no-scores", "problem", text)


def _scales(scores: ScoreMatrix) -> Iterator[Note]:
    """Systems between 0 and 1 beside systems that reach far above 1."""
    lowest = np.where(scores.present, scores.values, np.inf).min(axis=0)
    highest = np.where(scores.present, scores.values, -np.inf).max(axis=0)
    small = (lowest >= 0) & (highest <= 1) & (highest > 0)
    large = (lowest >= 0) & (highest > 2) & (highest <= 100)
    if not (small.any() and large.any()):
        return
    with_small = names([scores.systems[i] for i in np.flatnonzero(small)])
    with_large = names([scores.systems[i] for i in np.flatnonzero(large)])
    text = f"Scores between 0 and 1 for {with_small}, up to 100 for {with_large}: are all on the same scale?"
    yield Note("mixed-scales", "problem", text)


def _missing(scores: ScoreMatrix) -> Iterator[Note]:
    if not scores.has_missing:
        return
    missing = scores.n_units - scores.present.sum(axis=0)
    without = int((~scores.present.any(axis=1)).sum())
    if without:
        some = "unit has" if without == 1 else "units have"
        yield Note("units-without-scores", "caution", f"{without:,} {some} no score from any system.")
    gaps = missing - without
    if not gaps.any():
        return
    worst = np.argsort(-gaps, kind="stable")[:NAMED_SYSTEMS]
    told = ", ".join(f"{shown(scores.systems[i])} {gaps[i]:,}" for i in worst if gaps[i])
    total, systems = int(gaps.sum()), int((gaps > 0).sum())
    verb = "score is" if total == 1 else "scores are"
    text = f"{total:,} {verb} missing in {systems:,} of {scores.n_systems:,} systems ({told}"
    text += ", …)." if systems > NAMED_SYSTEMS else ")."
    yield Note("missing-cells", "caution", text)


def _disjoint(scores: ScoreMatrix) -> Iterator[Note]:
    """Pairs of systems that share no unit."""
    if not scores.has_missing:
        return
    there = scores.present.astype(np.float32)
    shared = there.T @ there
    apart = np.argwhere(np.triu(shared == 0, k=1))
    if len(apart):
        first = names([scores.systems[i] for i in apart[0]])
        verb = "pair shares" if len(apart) == 1 else "pairs share"
        text = f"{len(apart):,} {verb} no unit: no paired test is possible (first: {first})."
        yield Note("disjoint-pairs", "problem", text)


def _blocks(scores: ScoreMatrix) -> Iterator[Note]:
    """A label column that groups units into documents."""
    for name, column in scores.labels.items():
        blocks = len(set(column))
        if says(DOCUMENT_NAME, name) and 2 <= blocks < scores.n_units:
            text = (
                f"Column {shown(name)} groups the {scores.n_units:,} units into {blocks:,}; "
                f"units of one document are alike, so consider naming {shown(name)} as the block column."
            )
            yield Note("block-column-proposed", "caution", text)
            return
