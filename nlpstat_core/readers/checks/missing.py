"""Missing scores: how many, whose, and whether they are missing at random."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.scores.matrix import ScoreMatrix

NAMED_SYSTEMS = 5
MANY_APART = 0.1  # share of the pairs from which on a board without shared units is no footnote
UNEVEN = 0.02  # share of the units by which systems differ in their missing scores


@dataclass(frozen=True)
class SharedUnits:
    """A pair of systems and how many units both have scores for."""

    system_a: str
    system_b: str
    n_units: int


def shared_units(scores: ScoreMatrix) -> IntArray:
    """How many units each pair of systems shares (n_systems, n_systems), on the diagonal those of each.

    >>> from nlpstat_core.scores.matrix import ScoreMatrix
    >>> shared_units(ScoreMatrix(values=[[1, 2], [np.nan, 3]], systems=("A", "B"))).tolist()
    [[1, 1], [1, 2]]
    """
    there = scores.present.astype(np.float32)
    shared: IntArray = np.rint(there.T @ there).astype(np.int64)
    return shared


def fewest_shared(scores: ScoreMatrix, most: int) -> list[SharedUnits]:
    """The pairs of systems with scores that share the fewest units, fewest first, at most so many."""
    left, right = np.triu_indices(scores.n_systems, k=1)
    shared = shared_units(scores)[left, right]
    scored = np.asarray(scores.present.any(axis=0))
    both = scored[left] & scored[right]
    left, right, shared = left[both], right[both], shared[both]
    order = np.argsort(shared, kind="stable")[:most]
    names = scores.systems
    return [SharedUnits(names[left[i]], names[right[i]], int(shared[i])) for i in order.tolist()]


def missing_notes(scores: ScoreMatrix) -> Iterator[Note]:
    """Count missing scores by system and pair; warn where systems lack different units."""
    if not scores.has_missing:
        return
    missing = scores.n_units - scores.present.sum(axis=0)
    without = int((~scores.present.any(axis=1)).sum())
    if without:
        some = "item has" if without == 1 else "items have"
        yield Note("units-without-scores", "caution", f"{without:,} {some} no score from any system.")
    scored = np.asarray(scores.present.any(axis=0))  # a system without any score is told of elsewhere
    gaps = np.where(scored, missing - without, 0)
    if not gaps.any():
        return
    worst = np.argsort(-gaps, kind="stable")[:NAMED_SYSTEMS]
    sentence = ", ".join(f"{shown(scores.systems[i])} {gaps[i]:,}" for i in worst if gaps[i])
    total, systems = int(gaps.sum()), int((gaps > 0).sum())
    verb = "score is" if total == 1 else "scores are"
    text = f"{total:,} {verb} missing in {systems:,} of {scores.n_systems:,} systems ({sentence}"
    text += ", …)." if systems > NAMED_SYSTEMS else ")."
    yield Note("missing-cells", "caution", text)
    if gaps[scored].max() - gaps[scored].min() > UNEVEN * scores.n_units:
        yield _uneven(scores, gaps[scored])


def _uneven(scores: ScoreMatrix, gaps: IntArray) -> Note:
    """Say that pairs are compared on different units, and how few the worst pair has."""
    pair = fewest_shared(scores, 1)[0]
    text = (
        f"Systems lack different numbers of scores ({gaps.min():,} to {gaps.max():,}), so pairs are compared "
        f"on different items; {shown(pair.system_a)} and {shown(pair.system_b)} share the fewest, "
        f"{pair.n_units:,}. Where the missing items are the hard ones, means mislead: also look at the "
        f"complete items alone."
    )
    return Note("missing-uneven", "caution", text)


def disjoint_notes(scores: ScoreMatrix) -> Iterator[Note]:
    """Say which pairs of systems with scores share no unit."""
    if not scores.has_missing:
        return
    scored = np.asarray(scores.present.any(axis=0))
    apart = np.argwhere(np.triu((shared_units(scores) == 0) & scored & scored[:, None], k=1))
    if len(apart):
        first = ", ".join(shown(scores.systems[i]) for i in apart[0])
        verb = "pair shares" if len(apart) == 1 else "pairs share"
        text = (
            f"{len(apart):,} {verb} no item (first: {first}): no paired test is possible, but they can "
            "be compared as independent samples."
        )
        pairs = scores.n_systems * (scores.n_systems - 1) // 2
        many = len(apart) > MANY_APART * pairs
        yield Note("disjoint-pairs", "problem" if many else "caution", text)
