"""Systems with several training runs: type I error over items and runs, beside the item-only test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.runs import UnitRuns
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.samples.crossed import crossed_interval
from nlpstat_core.methods.significance.crossed_t import crossed_t
from nlpstat_core.methods.significance.t import paired_t
from nlpstat_core.scores.runs import Runs
from tests.calibration.rows import CONFIDENCE, LEVELS, Figure, Row, measured, share

REPLICATIONS = 10_000
GROUP, COVERAGE = "runs", "runs-intervals"
SIZES = (100, 1_000)
N_RUNS = (2, 3, 5, 10)
# Standard deviations of a run's effect and of items × systems, in those of a single score.
DESIGNS = {
    "no run effect, items x systems 1": (0.0, 1.0),
    "run effect 0.1": (0.1, 0.0),
    "run effect 0.1, items x systems 1": (0.1, 1.0),
    "run effect 0.5, items x systems 1": (0.5, 1.0),
}
FEWER = 2_000  # replications of the intervals, which invert the test
_TOGETHER = 50


def drawn(
    rng: np.random.Generator, many: int, n: int, n_runs: int, effect: float, interaction: float
) -> PairBatch:
    """Pairs of systems with equal means, each pair on items of its own."""
    tables: list[FloatArray] = []
    for _ in range(many):
        items = rng.normal(0, 1, n)
        for _ in range(2):
            own = items + rng.normal(0, interaction, n) if interaction else items
            table = own[:, None] + rng.normal(0, effect, n_runs) if effect else own[:, None]
            tables.append(table + rng.normal(0, 1, (n, n_runs)))
    names = tuple(map(str, range(n_runs)))
    runs = Runs(values=tuple(tables), names=(names,) * len(tables))
    units = UnitBlock(
        values=runs.means, decimals=10, binary=np.zeros(2 * many, dtype=bool), runs=UnitRuns(runs)
    )
    left = np.arange(0, 2 * many, 2)
    return PairBatch(units, left, left + 1)


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Type I errors of every design."""
    yield from _cells(replications, _rejected, GROUP)


def interval_rows(replications: int = FEWER) -> Iterator[list[Row]]:
    """Coverage of the intervals in every design."""
    yield from _cells(replications, _covered, COVERAGE)


Design = tuple[int, int, float, float]
Simulated = Callable[[Row, Design], list[Row]]


def _cells(replications: int, simulated: Simulated, group: str) -> Iterator[list[Row]]:
    for n, n_runs, situation in product(SIZES, N_RUNS, DESIGNS):
        size = f"n = {n:,}, R = {n_runs}"
        blank = Row.blank(group, f"E: {situation}", size, replications, 0)

        def measure(
            many: int,
            seed: int,
            wanted: frozenset[str] | None,
            design: Design = (n, n_runs, *DESIGNS[situation]),
            blank: Row = blank,
        ) -> Sequence[Row]:
            found = simulated(replace(blank, replications=many, seed=seed), design)
            return [row for row in found if wanted is None or row.subject in wanted]

        yield measured(blank.name, replications, measure)


def _batches(row: Row, design: Design) -> Iterator[PairBatch]:
    rng = np.random.default_rng(row.seed)
    for start in range(0, row.replications, _TOGETHER):
        yield drawn(rng, min(_TOGETHER, row.replications - start), *design)


def _rejected(row: Row, design: Design) -> list[Row]:
    config, upper = AnalysisConfig(), AnalysisConfig(alternative="greater")
    found: dict[str, list[FloatArray]] = {"both": [], "greater": [], "items": []}
    for batch in _batches(row, design):
        found["both"].append(crossed_t(batch, config).p_value)
        found["greater"].append(crossed_t(batch, upper).p_value)
        found["items"].append(paired_t(batch, config).p_value)
    p = {key: np.concatenate(parts) for key, parts in found.items()}

    def figures(key: str, what: str) -> tuple[Figure, ...]:
        return tuple(share(what, level, np.sum(p[key] <= level), row.replications) for level in LEVELS)

    both = (*figures("both", "two-sided"), *figures("greater", "greater"))
    return [row.of("crossed-t", "at-most", both), row.of("t", "at-most", figures("items", "two-sided"))]


def _covered(row: Row, design: Design) -> list[Row]:
    held = dict.fromkeys(CONFIDENCE, 0)
    for batch in _batches(row, design):
        for level in CONFIDENCE:
            ends = crossed_interval(batch, AnalysisConfig(confidence_level=level))
            held[level] += int(np.sum((ends[:, 0] <= 0) & (ends[:, 1] >= 0)))
    figures = tuple(share(f"{100 * level:.0f} %", level, held[level], row.replications) for level in held)
    return [row.of("crossed-t", "at-least", figures)]
