"""Boards made of a user's own scores on which nothing differs, and a quick t test of all their pairs."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.ranking.additive import additive_fit, same_units
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.distributions.tails import log_p_from_tails, t_log_sf
from nlpstat_core.engine.resampling.streams import bit_generator
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.runs import Runs

BoardMaker = Callable[[int, int], ScoreMatrix]
# An offset is rounded to the scores' decimals where that moves a mean by less than this part of its error.
_UNSEEN = 0.01


def permuted_boards(units: ScoreMatrix, block_column: str | None, groups: Sequence[IntArray]) -> BoardMaker:
    """Boards on which the systems of a group have exchanged their scores, unit by unit.

    block_column: Label column that names the documents: the systems then exchange whole documents.
    groups: Systems that may exchange scores; others keep theirs.

    Every permutation of the systems of a group is as likely, so that they are exchangeable. Only systems that
    have the same units (of the document) exchange: missing cells stay where they are. Counts move whole.
    """
    block = _blocks(units, block_column)
    wholes = [np.flatnonzero(block == number) for number in range(int(block.max(initial=-1)) + 1)]
    simple = block_column is None or not units.has_missing

    def make(seed: int, number: int) -> ScoreMatrix:
        rng = Generator(bit_generator(seed, "audit-permuted", number))
        source = np.tile(np.arange(units.n_systems), (units.n_units, 1))
        for group in groups:
            if simple:
                keys = rng.random((len(wholes), group.size))[block]
                _exchange(source, group, keys, ~units.present[:, group])
                continue
            for rows in wholes:
                _exchange_document(source, group, rows, units.present, rng)
        return _taken(units, source)

    return make


def _exchange(source: IntArray, group: IntArray, keys: FloatArray, missing: object) -> None:
    """Let present systems of a group change places, each unit by the order of its keys."""
    absent = np.asarray(missing, dtype=bool)
    origin = np.argsort(np.where(absent, np.inf, keys), axis=1, kind="stable")
    place = np.argsort(absent, axis=1, kind="stable")
    moved = np.empty_like(origin)
    np.put_along_axis(moved, place, origin, axis=1)
    moved = np.where(absent, np.arange(group.size), moved)
    source[:, group] = group[moved]


def _exchange_document(
    source: IntArray, group: IntArray, rows: IntArray, present: object, rng: Generator
) -> None:
    """Let systems that have the same units of a document exchange it."""
    there = np.asarray(present, dtype=bool)[np.ix_(rows, group)]
    _, alike = np.unique(there, axis=1, return_inverse=True)
    for kind in range(int(alike.max(initial=-1)) + 1):
        members = group[alike.ravel() == kind]
        source[np.ix_(rows, members)] = rng.permutation(members)


def _taken(units: ScoreMatrix, source: IntArray) -> ScoreMatrix:
    def of(table: FloatArray) -> FloatArray:
        return np.take_along_axis(table, source, axis=1)

    counts = units.counts
    moved = (
        None if counts is None else Counts(kind=counts.kind, hits=of(counts.hits), misses=of(counts.misses))
    )
    values = of(units.values) if moved is None else moved.unit_scores()
    return _board(units, values, units.labels, moved)


def resampled_boards(
    units: ScoreMatrix, block_column: str | None, groups: Sequence[IntArray], *, own_units: bool = False
) -> BoardMaker:
    """Boards of resampled units on which the systems of a group have the same mean.

    block_column: Whole documents are then drawn; each drawn copy is a document of its own.
    groups: Systems that are centred at their common mean; others keep their scores.
    own_units: Centre over each system's own units also where systems have different ones; otherwise by the
        additive fit of unit and system.

    Where scores have training runs, these are drawn with replacement, too, after their means have been moved
    apart by √(R/(R − 1)): drawn from R runs they would vary less than new runs do.
    Skewness, correlations and documents stay as they are. Offsets are rounded to the scores' decimals where
    that can't be seen, so that the tests take the same routes as on the board itself.
    """
    if own_units or same_units(units):
        with np.errstate(invalid="ignore"):
            means = np.array(
                [
                    column[there].mean() if there.any() else 0.0
                    for column, there in zip(units.values.T, units.present.T, strict=True)
                ]
            )
    else:
        means = np.nan_to_num(additive_fit(units).score)
    offset = np.zeros(units.n_systems)
    for group in groups:
        offset[group] = means[group] - means[group].mean()
    moved = _unseen_rounding(units, offset)
    values = units.values - moved
    if units.decimals < MOST_DECIMALS:
        rounded = np.round(values, int(units.decimals))
        values = rounded if np.allclose(rounded, values, rtol=0, atol=1e-12, equal_nan=True) else values
    block = _blocks(units, block_column)
    wholes = [np.flatnonzero(block == number) for number in range(int(block.max(initial=-1)) + 1)]
    runs = None if units.runs is None else apart(units.runs, moved)

    def make(seed: int, number: int) -> ScoreMatrix:
        rng = Generator(bit_generator(seed, "audit-resampled", number))
        drawn = rng.integers(0, len(wholes), len(wholes))
        labels = {}
        if block_column is not None:
            rows = [wholes[which] for which in drawn]
            labels = {block_column: tuple(str(copy) for copy, part in enumerate(rows) for _ in part)}
            drawn = np.concatenate(rows)
        if runs is None:
            return _board(units, values[drawn], labels, None)
        chosen = [table[:, rng.integers(0, table.shape[1], table.shape[1])] for table in runs.values]
        taken = replace(runs, values=tuple(table[drawn] for table in chosen))
        return replace(_board(units, taken.means, labels, None), runs=taken)

    return make


def apart(runs: Runs, offset: FloatArray) -> Runs:
    """Runs of centred systems, their means moved apart as far as new runs lie from each other.

    offset (float array, shape (n_systems,)): Taken off every run of the system.
    """
    tables = []
    for table, off in zip(runs.values, offset, strict=True):
        r, there = table.shape[1], ~np.isnan(table)
        mean = np.where(there, table, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        further = (np.sqrt(r / (r - 1)) - 1) * (mean - mean.mean()) if r > 1 else 0.0
        tables.append(table - off + further)
    return replace(runs, values=tuple(tables))


def halved_runs(units: ScoreMatrix, least: int) -> tuple[BoardMaker, int, float]:
    """Boards of twins: half of a system's runs, and as many others of the same system.

    least: Runs that a half needs; 2 where the test counts runs.
    Returns make (callable (seed, number of the board) → ScoreMatrix): Columns 2k and 2k + 1 are twins; with
        runs where `least` is 2.
    Returns twins: Systems with enough runs.
    Returns ways: Boards that there are.

    Of an odd number of runs one is left out, another on every board.
    """
    runs = units.runs
    assert runs is not None
    chosen = [column for column, number in enumerate(runs.numbers) if number // 2 >= least]
    halves = [int(runs.numbers[column]) // 2 for column in chosen]
    ways = math.prod(
        math.comb(int(runs.numbers[column]), half) * math.comb(int(runs.numbers[column]) - half, half) / 2
        for column, half in zip(chosen, halves, strict=True)
    )
    systems = tuple(
        f"{place} {side}: {units.systems[column]}" for place, column in enumerate(chosen) for side in "ab"
    )

    def make(seed: int, number: int) -> ScoreMatrix:
        rng = Generator(bit_generator(seed, "audit-runs", number))
        tables = []
        for column, half in zip(chosen, halves, strict=True):
            order = rng.permutation(int(runs.numbers[column]))
            tables += [runs.values[column][:, order[:half]], runs.values[column][:, order[half : 2 * half]]]
        names = tuple(tuple(map(str, range(table.shape[1]))) for table in tables)
        taken = replace(runs, values=tuple(tables), names=names)
        return ScoreMatrix(
            values=taken.means,
            systems=systems,
            units=units.units,
            labels=units.labels,
            lower_is_better=units.lower_is_better,
            runs=taken if least > 1 else None,
        )

    return make, len(chosen), ways


def _unseen_rounding(units: ScoreMatrix, offset: FloatArray) -> FloatArray:
    """The offsets in the scores' decimals, or as they are where the difference might be seen."""
    if units.decimals >= MOST_DECIMALS or units.n_units < 2:
        return offset
    own = units.values - np.nanmean(np.where(units.present, units.values, np.nan))
    with np.errstate(invalid="ignore"):
        spread = np.nanstd(own - np.nan_to_num(own).mean(axis=1, keepdims=True))
    step = 10.0 ** -int(units.decimals)
    if step / 2 > _UNSEEN * spread / np.sqrt(units.n_units):
        return offset
    return np.round(offset, int(units.decimals))


def _blocks(units: ScoreMatrix, block_column: str | None) -> IntArray:
    """Number of the document of every unit; every unit its own without documents."""
    if block_column is None:
        return np.arange(units.n_units)
    _, numbers = np.unique(np.array(units.labels[block_column], dtype=str), return_inverse=True)
    return numbers.astype(np.int64)


def _board(units: ScoreMatrix, values: FloatArray, labels: object, counts: Counts | None) -> ScoreMatrix:
    return ScoreMatrix(
        values=values,
        systems=units.systems,
        labels=labels,  # type: ignore[arg-type]
        lower_is_better=units.lower_is_better,
        counts=counts,
    )


# Below this part of what was subtracted, a sum of squares is rounding.
_ROUNDING = 1e-11


def goes_quickly(units: ScoreMatrix, config: AnalysisConfig) -> bool:
    """Whether a procedure is the paired t test on complete boards with a correction of p-values alone."""
    correction = CORRECTIONS[config.correction]
    return (
        config.test == "t"
        and config.block_column is None
        and config.equivalence_margin is None
        and not units.has_missing
        and units.counts is None
        and units.runs is None
        and not correction.resamples
        and correction.key != "shaffer"
    )


def quick_t(
    values: FloatArray, left: IntArray, right: IntArray, config: AnalysisConfig
) -> tuple[FloatArray, FloatArray]:
    """P-values of the paired t test of every pair.

    Returns float arrays, shape (n_pairs,): 1 where two systems have the same scores, NaN where they differ by
        a constant.

    Σ(u − v)² = Σu² + Σv² − 2Σuv, from one product after the units' own means are taken off, which no
    difference sees. Cost O(n·S²).
    """
    n = values.shape[0]
    rest = values - values.mean(axis=1, keepdims=True)
    centre = rest.mean(axis=0)
    rest = rest - centre
    gram = rest.T @ rest
    own = np.diag(gram)
    difference = centre[left] - centre[right]
    whole = own[left] + own[right]
    squares = whole - 2 * gram[left, right]
    level = np.abs(values).max(initial=0.0)
    flat = squares <= _ROUNDING * whole
    difference = np.where(np.abs(difference) <= 1e-14 * level, 0.0, difference)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / np.sqrt(np.where(flat, np.nan, squares) / (n - 1) / n)
    t = np.where(flat & (difference == 0), 0.0, t)
    log_p = log_p_from_tails(t, lambda x: t_log_sf(x, n - 1), config.alternative)
    p_value = np.where(flat & (difference == 0), 1.0, np.exp(log_p))
    return p_value, difference
