"""Which pairs are compared, in which batches: pairs that share the same units, or as many, go together."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.arrays import BoolArray, IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.own_scores import OwnScores
from nlpstat_core.engine.columns.runs import UnitRuns
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.scores.matrix import ScoreMatrix

# Fixed sizes, never taken from memory or workers: results can't depend on the machine.
MOST_CELLS = 4_000_000
MOST_PAIRS = 65_536
# Of 0/1 scores, where pairs with equal counts are computed once.
MOST_COUNTED = 524_288
# Pieces of pairs on the same units, where one is not enough, come in multiples of this and are equally large:
# two or four threads end together.
_TOGETHER = 4
# Fewer pairs than this on the same units are worth no batch of their own.
_FEW_PAIRS = 16


@dataclass(frozen=True, eq=False)
class Chunk:
    """One piece of work: some pairs of one batch and where their results go.

    positions (int array, shape (n_pairs,)): Rows of the pair table.
    """

    positions: IntArray
    batch: PairBatch


def pair_indices(n_systems: int, baseline: int | None = None) -> tuple[IntArray, IntArray]:
    """Columns of a and b of every pair, a before b in column order; with a baseline, b is the baseline.

    baseline: Column of the baseline.
    Returns int arrays, shape (n_pairs,): n_pairs is S(S − 1)/2, or S − 1 against a baseline. Columns of
        all pairs have four bytes where twice the product of two still fits.
    """
    if baseline is None:
        left, right = np.triu_indices(n_systems, k=1)
        kind = np.int32 if 2 * n_systems**2 <= np.iinfo(np.int32).max else np.int64
        return left.astype(kind), right.astype(kind)
    others = np.delete(np.arange(n_systems), baseline)
    return others, np.full(n_systems - 1, baseline)


def pairs_before(system: IntArray | int, n_systems: int) -> Any:
    """How many of all pairs, as `pair_indices` has them, stand before the first one of a system."""
    return system * (2 * n_systems - system - 1) // 2


def pairs_between(start: int, end: int, n_systems: int) -> tuple[IntArray, IntArray]:
    """Columns of all pairs from one row of their table to another, as `pair_indices` has them."""
    before = pairs_before(np.arange(n_systems, dtype=np.int64), n_systems)
    row = np.arange(start, end, dtype=np.int64)
    left = np.searchsorted(before, row, side="right") - 1
    return left, row - before[left] + left + 1


def chunks(
    scores: ScoreMatrix,
    left: IntArray,
    right: IntArray,
    *,
    delta: float = 0.0,
    block_ids: IntArray | None = None,
    together: bool = False,
    by_wins: bool = False,
) -> Iterator[Chunk]:
    """The work of an analysis in pieces of fixed size, each with units that all its pairs share.

    The units of a piece stand in canonical order, so that permuted rows change no digit of any result and
    the k-th unit of a pair always meets the same random numbers.

    delta: Hypothesised difference, metric points.
    block_ids (int array, shape (n_units,), or None).
    together: Whether pairs that share as many units as each other, but other ones, may go together
        (`UnitBlock.by_pair`): scores missing at random make every pair a piece of its own otherwise. Not for
        tests of independent samples; counts, measures, blocks and runs keep pieces of their own in any case.
    by_wins: Whether pairs of 0/1 columns with the same wins and losses are computed once: many go together.
    Yields: A pair's numbers have the same digits in whatever piece it stands.
    """
    binary = binary_columns(scores)
    order = scores.canonical_order
    in_order = bool(np.all(order[1:] > order[:-1]))
    whole = _all_scores(scores, order) if scores.has_missing else None
    unlike = (scores.counts, scores.runs, scores.measured)
    plain = block_ids is None and all(behind is None for behind in unlike)
    counted = by_wins and plain and delta == 0 and bool(binary.all())
    groups = _groups(scores, left, right)
    if together and scores.has_missing and plain:
        scattered = _scattered(scores, left, right)
        rest = np.flatnonzero(scattered == 0)
        yield from _pieces_by_number(scores, left, right, scattered, delta, binary)
        of_rest = _groups(scores, left[rest], right[rest]) if rest.size else ()
        groups = ((shared, rest[among]) for shared, among in of_rest)
    for shared, positions in groups:
        rows = order[shared[order]]
        as_given = in_order and rows.shape[0] == scores.n_units
        ids = None if block_ids is None else block_ids[rows]
        measured = None if scores.measured is None else MeasuredUnits(scores.measured.rows(rows), ids)
        if measured is not None:  # of the shared units alone
            values = np.ascontiguousarray(measured.by_unit[1].T)
        else:
            values = scores.values if as_given else scores.values[rows]
        units = UnitBlock(
            values=values,
            decimals=scores.decimals,
            binary=binary,
            rows=rows,
            block_ids=ids,
            counts=None if scores.counts is None else scores.counts.rows(rows),
            all_scores=whole,
            runs=None if scores.runs is None else UnitRuns(scores.runs, None if as_given else rows),
            measured=measured,
        )
        most = MOST_COUNTED if counted else max(1, min(MOST_PAIRS, MOST_CELLS // max(1, units.n_units)))
        for part in np.array_split(positions, _pieces(positions.shape[0], most)):
            yield Chunk(part, PairBatch(units, left[part], right[part], delta))


def _pieces(n_pairs: int, most: int) -> int:
    """How many pieces of at most so many pairs; at least 1."""
    pieces = -(-n_pairs // most)
    return max(1, pieces) if pieces <= 1 else min(n_pairs, -(-pieces // _TOGETHER) * _TOGETHER)


def _scattered(scores: ScoreMatrix, left: IntArray, right: IntArray) -> IntArray:
    """Number of shared units of every pair whose units few other pairs share; 0 for the other pairs."""
    patterns, pattern_of = np.unique(scores.present, axis=1, return_inverse=True)
    pattern_of = pattern_of.ravel()
    there = patterns.astype(np.float32)
    shared = (there.T @ there).astype(np.int64)
    a, b = pattern_of[left], pattern_of[right]
    _, which, size = np.unique(
        np.minimum(a, b) * patterns.shape[1] + np.maximum(a, b), return_inverse=True, return_counts=True
    )
    few = size[which.ravel()] < _FEW_PAIRS
    numbers: IntArray = np.where(few & (np.count_nonzero(few) > 1), shared[a, b], 0)
    return numbers


def _pieces_by_number(
    scores: ScoreMatrix, left: IntArray, right: IntArray, numbers: IntArray, delta: float, binary: BoolArray
) -> Iterator[Chunk]:
    """Pairs with equal numbers of shared units, two columns for each; those with number 0 are left out."""
    order = scores.canonical_order
    by_system = np.ascontiguousarray(scores.values[order].T)
    present = np.ascontiguousarray(scores.present[order].T)
    by_number = np.argsort(numbers, kind="stable")
    found, starts = np.unique(numbers[by_number], return_index=True)
    for number, positions in zip(found.tolist(), np.split(by_number, starts[1:]), strict=True):
        if not number:
            continue
        size = max(1, min(MOST_PAIRS, MOST_CELLS // (2 * scores.n_units)))
        for start in range(0, positions.shape[0], size):
            part = positions[start : start + size]
            a, b = left[part], right[part]
            shared = present[a] & present[b]
            values = np.empty((number, 2 * part.shape[0]))
            values[:, 0::2] = by_system[a][shared].reshape(-1, number).T
            values[:, 1::2] = by_system[b][shared].reshape(-1, number).T
            columns = np.arange(0, 2 * part.shape[0], 2)
            units = UnitBlock(
                values=values,
                decimals=scores.decimals,
                binary=np.stack([binary[a], binary[b]], axis=1).ravel(),
                by_pair=True,
            )
            yield Chunk(part, PairBatch(units, columns, columns + 1, delta))


def _all_scores(scores: ScoreMatrix, order: IntArray) -> OwnScores:
    return OwnScores(scores.values[order], None if scores.counts is None else scores.counts.rows(order))


def binary_columns(scores: ScoreMatrix) -> BoolArray:
    """Systems whose every score is 0 or 1, shape (n_systems,); pseudo-values of a measure are no scores."""
    if scores.measured is not None:
        return np.zeros(scores.n_systems, dtype=bool)
    values = scores.values
    result: BoolArray = np.all((values == 0) | (values == 1) | ~scores.present, axis=0)
    return result


def _groups(scores: ScoreMatrix, left: IntArray, right: IntArray) -> Iterator[tuple[BoolArray, IntArray]]:
    """Rows shared by a group of pairs, and the positions of these pairs."""
    if not scores.has_missing:
        yield np.ones(scores.n_units, dtype=bool), np.arange(left.shape[0])
        return
    patterns, pattern_of = np.unique(scores.present, axis=1, return_inverse=True)
    pattern_of = pattern_of.ravel()
    n_patterns = patterns.shape[1]
    key = pattern_of[left] * n_patterns + pattern_of[right]
    by_rows: dict[bytes, list[IntArray]] = defaultdict(list)
    order = np.argsort(key, kind="stable")
    distinct, starts = np.unique(key[order], return_index=True)
    for code, positions in zip(distinct, np.split(order, starts[1:]), strict=True):
        shared = patterns[:, code // n_patterns] & patterns[:, code % n_patterns]
        by_rows[np.packbits(shared).tobytes()].append(positions)
    for packed, parts in by_rows.items():
        rows = np.unpackbits(np.frombuffer(packed, np.uint8), count=scores.n_units).astype(bool)
        yield rows, np.sort(np.concatenate(parts))
