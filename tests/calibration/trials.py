"""One cell of type I errors: several tests on the same replications, counted at three levels."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.board.pairs.columns import chunk_columns
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.records import Design
from tests.calibration.rows import LEVELS, Row, measured, share

RESAMPLES = 999
REPLICATIONS = 10_000
# Replications drawn at a time, and those that share random resamples where a test has any.
PIECE = 2_000
TOGETHER = 25
BOTH_SIDES: tuple[Alternative, ...] = ("two-sided", "greater", "less")

Draw = Callable[[np.random.Generator, int], PairBatch]
PValues = Callable[[PairBatch, Alternative, int], FloatArray]
# p-values by subject, each with what is promised: "equal" to the level, or "at-most".
Subjects = Mapping[str, tuple[PValues, str]]
_SLACK = 1e-12


def by_key(key: str, **settings: object) -> PValues:
    """p-values of a test of the catalogue."""

    def run(batch: PairBatch, alternative: Alternative, seed: int) -> FloatArray:
        config = AnalysisConfig.from_mapping(
            {"test": key, "alternative": alternative, "seed": seed, "resamples": RESAMPLES, **settings}
        )
        return TESTS[key].run(batch, config).p_value

    return run


def each_pair(batch: PairBatch, alternative: Alternative, seed: int) -> FloatArray:
    """p-values of the test that is chosen from each replication's data."""
    config = AnalysisConfig(
        question="each-pair", alternative=alternative, seed=seed, effects=(), resamples=RESAMPLES
    )
    return chunk_columns(batch, config, False)["p_value"]


def in_groups(run: PValues) -> PValues:
    """Fresh random numbers for every few replications, so that these don't all share theirs."""

    def grouped(batch: PairBatch, alternative: Alternative, seed: int) -> FloatArray:
        found = np.empty(batch.n_pairs)
        for start in range(0, batch.n_pairs, TOGETHER):
            part = np.arange(start, min(start + TOGETHER, batch.n_pairs))
            found[part] = run(batch.take(part), alternative, seed + start)
        return found

    return grouped


def others(design: Design, told: Container[str]) -> Subjects:
    """Every other test of the catalogue for one design: that it keeps its level is promised of all."""
    return {
        test.key: (in_groups(by_key(test.key)) if test.resampled else by_key(test.key), "at-most")
        for test in TESTS
        if test.design == design and not test.binary_only and test.key not in told
    }


def rejections(p_values: FloatArray) -> BoolArray:
    """Which of the levels each p-value reaches, shape (levels, replications)."""
    return p_values[None, :] <= np.array(LEVELS)[:, None] + _SLACK


def trial(
    row: Row, draw: Draw, subjects: Subjects, sides: Iterable[Alternative], piece: int = PIECE
) -> list[Row]:
    """Rows of all tests on `row.replications` replications; `row` names group, situation, size and seed."""
    if not subjects:
        return []
    replications, seed = row.replications, row.seed
    hits = {(subject, side): np.zeros(len(LEVELS)) for subject in subjects for side in sides}
    for start in range(0, replications, piece):
        batch = draw(np.random.default_rng([seed, start]), min(piece, replications - start))
        for subject, side in hits:
            p_values = subjects[subject][0](batch, side, (seed + start) % 2**31)
            hits[subject, side] += rejections(p_values).sum(axis=1)
    return [
        row.of(
            subject,
            bound,
            tuple(
                share(side, level, count, replications)
                for side in sides
                for level, count in zip(LEVELS, hits[subject, side], strict=True)
            ),
        )
        for subject, (_, bound) in subjects.items()
    ]


def tried(
    group: str,
    situation: str,
    size: str,
    draw: Draw,
    subjects: Subjects,
    sides: Iterable[Alternative],
    replications: int,
    piece: int = PIECE,
    name: str = "",
) -> list[Row]:
    """Measured rows of one cell; its name gives the seed."""

    def measure(many: int, seed: int, only: Container[str] | None) -> list[Row]:
        row = Row.blank(group, situation, size, many, seed)
        chosen = {key: run for key, run in subjects.items() if only is None or key in only}
        return trial(row, draw, chosen, tuple(sides), piece)

    return measured(name or f"{group}|{situation}|{size}", replications, measure)
