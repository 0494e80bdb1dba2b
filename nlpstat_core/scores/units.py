"""Evaluation units: several adjacent rows of a score matrix as one unit."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import UnitMetric, UnitRemainder
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.notes import Note
from nlpstat_core.scores.matrix import ScoreMatrix, first_repeat


def evaluation_units(
    scores: ScoreMatrix,
    *,
    size: int,
    metric: UnitMetric = "mean",
    remainder: UnitRemainder = "spread",
    shuffle_seed: int | None = None,
) -> ScoreMatrix:
    """Join adjacent rows into evaluation units, as NLPStatTest does.

    metric: How the scores of a unit's rows become one score.
    remainder: What happens to the n mod size rows that fill no unit: spread over the first units, which then
        have a row more (2,001 rows by 15 give 133 units of 15 or 16), or dropped from the end.
    shuffle_seed: Shuffle the rows with `random.Random(shuffle_seed)` before they are joined.
    Returns: A unit has no score for a system that lacks one for any of its rows. A label is the rows' common
        value, else their values joined with " + ". Counts are added up.
    Raises ConfigError: A size below 1, an unknown metric or remainder.
    Raises AnalysisError: Fewer than two units would remain, or the median of counts is asked for.

    >>> rows = ScoreMatrix(values=[[0, 1], [1, 1], [0, 0], [1, 0], [1, 1]], systems=("A", "B"))
    >>> evaluation_units(rows, size=2).values.tolist()
    [[0.3333333333333333, 0.6666666666666666], [1.0, 0.5]]
    """
    for kind, value, valid in (("metric", metric, UnitMetric), ("remainder", remainder, UnitRemainder)):
        if value not in get_args(valid):
            raise ConfigError(unknown(f"unit_{kind}", value, get_args(valid)))
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
        raise ConfigError(f"unit_size must be a whole number, at least 1, not {shown(size)}.")
    order = row_order(scores.n_units, shuffle_seed)
    if size == 1:
        return scores if shuffle_seed is None else scores.rows(order)
    groups = grouped(order, int(size), remainder)
    if len(groups) < 2:
        raise AnalysisError(
            f"Two items of {size:,} rows need {2 * size:,} rows and there are {scores.n_units:,}; "
            f"unit_size can be at most {scores.n_units // 2:,}."
        )
    if scores.counts is not None and metric != "mean":
        raise AnalysisError("Counts of several rows are added up; choose unit_metric=mean for them.")
    counts = None if scores.counts is None else scores.counts.joined(groups)
    return replace(
        scores,
        values=_joined_values(scores.values, groups, metric) if counts is None else counts.unit_scores(),
        counts=counts,
        runs=None if scores.runs is None else scores.runs.joined(groups, median=metric == "median"),
        ratings=None,
        costs={name: _joined_values(cost, groups, "mean") for name, cost in scores.costs.items()},
        units=_unit_names(scores, groups, shuffle_seed),
        labels={
            name: tuple(" + ".join(dict.fromkeys(column[i] for i in group)) for group in groups)
            for name, column in scores.labels.items()
        },
        notes=(*scores.notes, _note(scores, groups, metric)),
    )


def row_order(n_rows: int, shuffle_seed: int | None) -> IntArray:
    """Row numbers in file order, or shuffled exactly as NLPStatTest shuffles them."""
    rows = list(range(n_rows))
    if shuffle_seed is not None:
        random.Random(shuffle_seed).shuffle(rows)
    return np.array(rows, dtype=np.int64)


def grouped(order: IntArray, size: int, remainder: UnitRemainder) -> list[IntArray]:
    """Rows of each unit.

    order: Row numbers in the order they are joined.
    Returns: floor(n / size) groups of adjacent rows; empty when there are fewer than `size` rows.

    >>> [group.tolist() for group in grouped(np.arange(5), 2, "spread")]
    [[0, 1, 2], [3, 4]]
    >>> [group.tolist() for group in grouped(np.arange(5), 2, "drop")]
    [[0, 1], [2, 3]]
    """
    n_groups = len(order) // size
    if n_groups == 0:
        return []
    used = order if remainder == "spread" else order[: n_groups * size]
    return np.array_split(used, n_groups)


def _joined_values(values: FloatArray, groups: Sequence[IntArray], metric: UnitMetric) -> FloatArray:
    """One score per group and system; groups of equal length are joined together."""
    joined = np.empty((len(groups), values.shape[1]))
    lengths = np.array([len(group) for group in groups])
    for length in np.unique(lengths):
        same = np.flatnonzero(lengths == length)
        block = values[np.array([groups[i] for i in same.tolist()])]
        missing = np.isnan(block).any(axis=1)
        block = np.where(np.isnan(block), 0.0, block)
        with np.errstate(over="ignore"):  # the matrix refuses infinite scores by name
            result = block.mean(axis=1) if metric == "mean" else np.median(block, axis=1)
        joined[same] = np.where(missing, np.nan, result)
    return joined


def _unit_names(scores: ScoreMatrix, groups: Sequence[IntArray], shuffle_seed: int | None) -> tuple[str, ...]:
    """First to last row of each unit, by id where there are ids; shuffled units are numbered."""
    if shuffle_seed is not None:
        return tuple(f"item {i + 1}" for i in range(len(groups)))
    if scores.units is not None:
        ids = scores.units
        named = tuple(f"{ids[group[0]]}–{ids[group[-1]]}" for group in groups)
        if first_repeat(named) is None:
            return named
    return tuple(f"{group[0] + 1}–{group[-1] + 1}" for group in groups)


def _note(scores: ScoreMatrix, groups: Sequence[IntArray], metric: UnitMetric) -> Note:
    fewest, most = len(groups[-1]), len(groups[0])
    rows = f"{fewest:,}" if fewest == most else f"{fewest:,} or {most:,}"
    text = f"{len(groups):,} items, each the {metric} of {rows} rows."
    dropped = scores.n_units - sum(map(len, groups))
    if dropped:
        text += " The last row was dropped." if dropped == 1 else f" The last {dropped:,} rows were dropped."
    if scores.ratings is not None:
        text += f" Who rated what ({shown(scores.ratings.column)}) is not kept for joined rows."
    return Note("evaluation-units", "info", text)
