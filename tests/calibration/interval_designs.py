"""Coverage of intervals by document, of independent samples, of counts, and of the scores on the board."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.ranking.system_scores import mean_with_interval, score_with_interval
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.samples.intervals import difference_interval
from nlpstat_core.engine.samples.location_shifts import location_shifts
from nlpstat_core.methods.effects import EFFECTS, effect_for
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.calibration.designs import counted, document_sizes, documents, samples
from tests.calibration.intervals import REPLICATIONS, Interval, asked, covering, effect, in_groups, of_test
from tests.calibration.populations import batch_of
from tests.calibration.rows import Row

# What two samples of one law have where it is not 0.
TRUTHS_UNPAIRED = {"common-language": 0.5}


def scores_of_board(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Intervals of the scores of all systems, one per pair (that of a)."""
    units, n = batch.units, batch.left.shape[0]
    if units.counts is None and units.block_ids is None:
        return mean_with_interval(units.values, config.level)[2][:n]
    matrix = ScoreMatrix(
        values=units.values, systems=tuple(map(str, range(units.values.shape[1]))), counts=units.counts
    )
    return score_with_interval(matrix, config.level, units.block_ids)[2][:n]


def design_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Documents, independent samples and counts."""
    levels = asked(100)
    blocks = {
        "block-t": (of_test("block-t"), 0.0, "at-least"),
        "block-permutation": (of_test("block-permutation"), 0.0, "at-least"),
        "block-bootstrap": (in_groups(of_test("block-bootstrap")), 0.0, "at-least"),
    }
    for kind in ("equal documents", "unequal documents", "one giant document"):
        for count in (10, 20, 50):
            draw = documents(document_sizes(kind, count), skewed=False)
            yield covering("designs", kind, f"G = {count}", draw, blocks, levels, replications)
    tests: dict[str, tuple[Interval, float, str]] = {
        "welch-t, permutation-unpaired": (of_test("welch-t"), 0.0, "equal"),
        "student-t": (of_test("student-t"), 0.0, "equal"),
        "bootstrap-unpaired": (in_groups(of_test("bootstrap-unpaired")), 0.0, "equal"),
        "mann-whitney": (lambda batch, config: location_shifts(batch, config).interval, 0.0, "at-least"),
        **{
            f"{method.key} (unpaired)": (
                effect(method),
                TRUTHS_UNPAIRED.get(method.key, 0.0),
                "equal",
            )
            for method in (effect_for(key, unpaired=True) for key in EFFECTS.keys)
            if method is not None and method.key != "hodges-lehmann"  # Mann and Whitney's interval
        },
    }
    for law, n_u, n_v, sd in (
        ("normal", 20, 20, 1.0),
        ("normal", 10, 40, 1.0),
        ("normal", 10, 40, 3.0),
        ("lognormal", 20, 20, 1.0),
        ("likert", 20, 20, 1.0),
    ):
        situation = law if sd == 1 else "normal, the small sample spreads 3 times wider"
        subjects = tests
        if law == "likert":
            subjects = {key: (run, truth, "at-least") for key, (run, truth, _) in tests.items()}
        draw, size = samples(n_u, n_v, law, sd), f"n = {n_u}, {n_v}"
        yield covering("designs", f"unpaired: {situation}", size, draw, subjects, levels, replications)
    for kind in ("accuracy", "f1"):
        for n in (20, 100):
            difference = {f"{kind}-exact": (difference_interval, 0.0, "equal")}
            draw = counted(kind, n, "unequal totals")  # type: ignore[arg-type]
            yield covering("designs", f"counts of {kind}", f"n = {n}", draw, difference, levels, replications)


def score_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Intervals of the scores on the board: means, counts, and both by document."""
    levels = asked(100)
    for name, truth in (("normal", 0.5), ("exponential", 0.5)):
        for n in (20, 100):

            def draw(rng: np.random.Generator, many: int, n: int = n, name: str = name) -> PairBatch:
                shape = (n, many)
                u = 0.5 + rng.normal(size=shape) if name == "normal" else rng.exponential(size=shape) - 0.5
                return batch_of(u, np.zeros(shape), 10)

            one: dict[str, tuple[Interval, float, str]] = {"board-score": (scores_of_board, truth, "equal")}
            yield covering("scores", f"means: {name}", f"n = {n}", draw, one, levels, replications)
    for kind in ("equal documents", "unequal documents"):
        for count in (10, 50):
            sizes = document_sizes(kind, count)

            def by_document(rng: np.random.Generator, many: int, sizes: FloatArray = sizes) -> PairBatch:
                found = documents(sizes, skewed=False)(rng, many)  # type: ignore[arg-type]
                z = found.differences
                return batch_of(z, np.zeros_like(z), 10, block_ids=found.units.block_ids)

            subject = {"board-score": (scores_of_board, 0.0, "equal")}
            yield covering(
                "scores",
                f"means by document: {kind}",
                f"G = {count}",
                by_document,
                subject,
                levels,
                replications,
            )
    for count_kind, truth in (("accuracy", 4 / 6), ("f1", _f1_truth())):
        for n in (20, 100):
            subject = {"board-score": (scores_of_board, truth, "equal")}
            draw_counts = counted(count_kind, n, "equal totals")  # type: ignore[arg-type]
            yield covering(
                "scores", f"counts of {count_kind}", f"n = {n}", draw_counts, subject, levels, replications
            )


def _f1_truth() -> float:
    """Micro-averaged F1 of `counted`: 10 gold items, found with probability 2/3, 1.5 false ones."""
    hits = 10 * 4 / 6
    return hits / (hits + (10 - hits + 1.5) / 2)
