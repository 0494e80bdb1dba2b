"""Comparisons of metrics by how well they agree with people: level for two metrics, families for four.

Metrics are the human score of a cell plus noise of a known size, the same for all metrics, so that none
agrees better than another. Either noise is drawn for every cell, or every metric also favours systems of its
own choice: then two metrics agree equally well with people on systems like these, not on these systems.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpstat_core import ScoreMatrix, meta_evaluate
from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.correlation.perm_both import Exchange
from tests.calibration.rows import LEVELS, Figure, Row, measured, share

SYSTEMS, ITEMS = 10, 40
RESAMPLES = 199
REPLICATIONS = 150
STATISTICS = (
    "system-pearson",
    "system-kendall",
    "segment-pearson",
    "soft-pairwise-accuracy",
    "item-kendall",
    "acc-eq",
)
FAVOURS = 0.5


def judged(rng: np.random.Generator, metrics: int, favours: float) -> dict[str, ScoreMatrix]:
    """People, and metrics that correlate with single human scores by about 0.5."""
    names = [f"s{i}" for i in range(SYSTEMS)]
    human: FloatArray = (
        rng.normal(0, 0.5, SYSTEMS) + rng.normal(0, 1, (ITEMS, 1)) + rng.normal(0, 1, (ITEMS, SYSTEMS))
    )
    boards = {"human": human.round(1)}
    for place in range(metrics):
        own = favours * rng.normal(size=SYSTEMS)
        boards[f"m{place}"] = (human + own + rng.normal(0, 2, (ITEMS, SYSTEMS))).round(1)
    return {name: ScoreMatrix(values=values, systems=names) for name, values in boards.items()}


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Cells and whole systems exchanged, where the null hypothesis of each holds."""
    cells: tuple[tuple[str, float, Exchange, bool], ...] = (
        ("equal metrics", 0.0, "cells", True),
        ("equal metrics", 0.0, "systems", True),
        ("metrics that favour systems", FAVOURS, "cells", False),
        ("metrics that favour systems", FAVOURS, "systems", True),
    )
    for situation, favours, exchange, promised in cells:
        yield cell(situation, favours, exchange, promised, replications)


def cell(situation: str, favours: float, exchange: Exchange, promised: bool, replications: int) -> list[Row]:
    """Two metrics at three levels, and four metrics together at 5 %."""

    def measure(number: int, seed: int, only: object) -> list[Row]:
        p = {name: np.empty(number) for name in STATISTICS}
        family = dict.fromkeys(STATISTICS, 0)
        for board in range(number):
            rng = np.random.default_rng([seed, board])
            boards = judged(rng, 4, favours)
            found = meta_evaluate(boards, "human", exchange=exchange, resamples=RESAMPLES, seed=board)
            for name in STATISTICS:
                p[name][board] = found.p_values[name][0]
                family[name] += bool(np.nanmin(found.p_adjusted[name]) <= 0.05)
        blank = Row.blank(
            "metrics", f"{situation}, {exchange} exchanged", f"{SYSTEMS} × {ITEMS}", number, seed
        )
        rows = []
        for name in STATISTICS:
            counted = [
                share(f"{100 * level:g} %", level, np.count_nonzero(p[name] <= level), number)
                for level in LEVELS
            ]
            together = share("four metrics, max-T", 0.05, family[name], number)
            figures = [*counted, together]
            # Soft accuracy and means over items always exchange whole items, whatever the others do.
            kept = promised and (not favours or name.startswith("system-"))
            rows.append(
                blank.of(
                    name,
                    "at-most",
                    tuple(figures if kept else [Figure(f.what, None, f.rate, f.error) for f in figures]),
                )
            )
        return rows

    return measured(f"metrics|{situation}|{exchange}", replications, measure)
