"""Whole analyses from scores to ranks, and intervals of all pairs that should hold together."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

import numpy as np

from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.corrections import Comparisons
from nlpstat_core.methods.corrections.simultaneous import simultaneous_intervals
from tests.calibration.boards import (
    ALPHA,
    EACH_PAIR,
    LEFT,
    REPLICATIONS,
    RIGHT,
    SETTINGS,
    SYSTEMS,
    TRUTHS,
    UNITS,
    Setting,
    config_of,
    matrix,
)
from tests.calibration.rows import CONFIDENCE, Row, measured, share


def whole_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """`analyse` from scores to ranks: a rank interval is wrong where it denies the true rank."""
    for name, test, correction, truth in (
        ("normal", EACH_PAIR, "holm", "two groups"),
        ("normal", "permutation-mean", "max-t", "two groups"),
        ("documents", EACH_PAIR, "holm", "all equal"),
    ):

        def measure(
            many: int,
            seed: int,
            only: Container[str] | None,
            setting: Setting = SETTINGS[name],
            situation: str = f"{name}; {truth}",
            means: FloatArray = np.array(TRUTHS[truth]),  # noqa: B008
            test: str = test,
            correction: str = correction,
        ) -> list[Row]:
            lowest = 1 + np.sum(means[None, :] > means[:, None], axis=1)
            highest = SYSTEMS - np.sum(means[None, :] < means[:, None], axis=1)
            held = 0
            for start in range(many):
                board = matrix(setting.law(np.random.default_rng([seed, start]), means), setting.blocks)
                found = analyse(
                    board, config_of(setting, test, correction, (seed + start) % 2**31)
                ).leaderboard
                assert found.rank_interval is not None
                low, high = found.rank_interval.T
                held += bool(np.all((low <= lowest[found.column]) & (high >= highest[found.column])))
            row = Row.blank("ranks", situation, f"S = {SYSTEMS}, n = {UNITS}", many, seed)
            figures = (share("95 %", 1 - ALPHA, held, many),)
            return [row.of(f"rank intervals ({test}, {correction})", "at-least", figures)]

        yield measured(f"ranks|{name}|{test}|{truth}", replications, measure)


def simultaneous_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """All pairs' intervals together."""
    kinds: Mapping[str, tuple[tuple[str, str], ...]] = {
        "normal": (("t", "max-t"), ("t", "bonferroni"), ("bootstrap-mean", "max-t")),
        "unlike skewed shapes": (("t", "max-t"), ("t", "bonferroni"), ("bootstrap-mean", "max-t")),
        "documents": (("block-t", "max-t"), ("block-t", "bonferroni")),
    }
    for name, variants in kinds.items():

        def measure(
            many: int,
            seed: int,
            only: Container[str] | None,
            name: str = name,
            variants: tuple[tuple[str, str], ...] = variants,
        ) -> list[Row]:
            setting, held = SETTINGS[name], {}
            for start in range(many):
                scores = matrix(
                    setting.law(np.random.default_rng([seed, start]), np.zeros(SYSTEMS)), setting.blocks
                )
                for test, method in variants:
                    for level in CONFIDENCE:
                        config = replace(
                            config_of(setting, test, "none", (seed + start) % 2**31), confidence_level=level
                        )
                        known = Comparisons(units=scores, left=LEFT, right=RIGHT, config=config)
                        ends = simultaneous_intervals(known, method)  # type: ignore[arg-type]
                        key = (test, method, level)
                        held[key] = held.get(key, 0) + bool(np.all((ends[:, 0] <= 0) & (ends[:, 1] >= 0)))
            row = Row.blank("simultaneous", name, f"S = {SYSTEMS}, n = {UNITS}", many, seed)
            return [
                row.of(
                    f"simultaneous ({method}, {test})",
                    "at-least" if method == "bonferroni" else "equal",
                    tuple(share(f"{100 * c:g} %", c, held[test, method, c], many) for c in CONFIDENCE),
                )
                for test, method in variants
            ]

        yield measured(f"simultaneous|{name}", replications, measure)
