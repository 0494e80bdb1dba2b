"""Coverage of every interval at 80, 95 and 99 %."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.pairs.columns import with_interval
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.samples.intervals import difference_interval
from nlpstat_core.engine.samples.locations import medians, pseudo_medians
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.bootstrap_mean import bootstrap_mean
from nlpstat_core.methods.significance.bootstrap_median import bootstrap_median_estimate
from nlpstat_core.records import EffectSize
from tests.calibration.known import KNOWN, UNKNOWN
from tests.calibration.other_intervals import bootstrap_mean_interval, normal_interval, wilcoxon_r_bootstrap
from tests.calibration.populations import batch_of
from tests.calibration.rows import CONFIDENCE, Row, measured, share
from tests.calibration.trials import TOGETHER, Draw

RESAMPLES = 999
REPLICATIONS = 2_000

Interval = Callable[[PairBatch, AnalysisConfig], FloatArray]
# Subject: the interval, the true value it is about, what is promised.
Subjects = Mapping[str, tuple[Interval, str, str]]


def in_groups(run: Interval) -> Interval:
    """Fresh random numbers for every few replications."""

    def grouped(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
        found = np.empty((batch.n_pairs, 2))
        for start in range(0, batch.n_pairs, TOGETHER):
            part = np.arange(start, min(start + TOGETHER, batch.n_pairs))
            found[part] = run(batch.take(part), replace(config, seed=config.seed + start))
        return found

    return grouped


def effect(method: EffectSize) -> Interval:
    def run(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
        found = method.run(batch, config, True).interval
        assert found is not None
        return found

    return in_groups(run) if method.resampled else run


def of_test(key: str) -> Interval:
    def run(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
        found = with_interval(TESTS[key], batch, config).interval
        assert found is not None
        return found

    return run


def bootstrapped(method: str) -> Interval:
    return in_groups(lambda batch, config: bootstrap_mean_interval(batch, config, method))  # type: ignore[arg-type]


def equal_tails(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    found = bootstrap_mean(batch, config, tails="equal").interval
    assert found is not None
    return found


def d_normal(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    return normal_interval(batch.mean / batch.sd, batch.n_units, config.level, config.alternative)


EXACT = ("median-difference", "hodges-lehmann", "odds-ratio", "cohen-g")
TRUTHS = {
    "mean-difference": "mean",
    "median-difference": "median",
    "hodges-lehmann": "pseudo-median",
    "hedges-g": "cohen-d",
}
PAIRED: Subjects = {
    "t": (difference_interval, "mean", "equal"),
    "bootstrap-mean": (in_groups(of_test("bootstrap-mean")), "mean", "equal"),
    "bootstrap-mean (equal tails)": (in_groups(equal_tails), "mean", "equal"),
    "bootstrap-mean (percentile)": (bootstrapped("percentile"), "mean", "equal"),
    "bootstrap-mean (basic)": (bootstrapped("basic"), "mean", "equal"),
    "bootstrap-mean (BCa)": (bootstrapped("bca"), "mean", "equal"),
    "wilcoxon": (lambda batch, config: pseudo_medians(batch, config).interval, "pseudo-median", "at-least"),
    "sign, permutation-median": (lambda batch, config: medians(batch, config).interval, "median", "at-least"),
    "bootstrap-median": (
        lambda batch, config: bootstrap_median_estimate(batch, config).interval,
        "median",
        "at-least",
    ),
    "bootstrap-median (basic)": (
        lambda batch, config: bootstrap_median_estimate(batch, config, method="basic").interval,
        "median",
        "at-least",
    ),
    **{
        method.key: (
            effect(method),
            TRUTHS.get(method.key, method.key),
            "at-least" if method.key in EXACT else "equal",
        )
        for method in EFFECTS
        if method.design != "unpaired"
    },
    "cohen-d (normal)": (d_normal, "cohen-d", "equal"),
    "wilcoxon-r (bootstrap)": (in_groups(wilcoxon_r_bootstrap), "wilcoxon-r", "equal"),
}
# Bootstraps of ranks take long.
COSTLY = ("rank-biserial", "wilcoxon-r (bootstrap)")
COSTLY_ON = (("normal", 20), ("exponential", 20), ("normal", 100))
INVERSION: Subjects = {
    "permutation-mean": (
        lambda batch, config: of_test("permutation-mean")(batch, replace(config, intervals=("estimate",))),
        "mean",
        "equal",
    )
}


def asked(n: int) -> tuple[tuple[str, float, Alternative], ...]:
    """Levels, and at one size a one-sided interval."""
    both: tuple[tuple[str, float, Alternative], ...] = tuple(
        (f"{100 * level:g} %", level, "two-sided") for level in CONFIDENCE
    )
    return (*both, ("95 % one-sided", 0.95, "greater")) if n <= 20 else both


def covered(interval: FloatArray, truth: FloatArray | float) -> tuple[int, int]:
    """How many defined intervals hold the truth, and how many are defined."""
    there = ~np.isnan(interval).any(axis=1)
    slack = 1e-9 * (1 + np.abs(truth))
    holds = (interval[:, 0] <= truth + slack) & (interval[:, 1] >= truth - slack)
    return int(np.count_nonzero(holds & there)), int(np.count_nonzero(there))


def covering(
    group: str,
    situation: str,
    size: str,
    draw: Draw,
    subjects: Mapping[str, tuple[Interval, float, str]],
    levels: tuple[tuple[str, float, Alternative], ...],
    replications: int,
    piece: int = 1_000,
) -> list[Row]:
    """Measured rows of one cell; `subjects` carry the true value itself."""

    def measure(many: int, seed: int, only: Container[str] | None) -> list[Row]:
        chosen = {key: text for key, text in subjects.items() if only is None or key in only}
        if not chosen:
            return []
        counts = {(key, what): np.zeros(2) for key in chosen for what, _, _ in levels}
        for start in range(0, many, piece):
            batch = draw(np.random.default_rng([seed, start]), min(piece, many - start))
            for key, (interval, truth, _) in chosen.items():
                for what, level, alternative in levels:
                    config = AnalysisConfig(
                        confidence_level=level,
                        alternative=alternative,
                        resamples=RESAMPLES,
                        seed=(seed + start) % 2**31,
                    )
                    counts[key, what] += covered(interval(batch, config), truth)
        row = Row.blank(group, situation, size, many, seed)
        return [
            row.of(
                key,
                bound,
                tuple(
                    share(what, level, counts[key, what][0], int(counts[key, what][1]))
                    for what, level, _ in levels
                ),
            )
            for key, (_, _, bound) in chosen.items()
        ]

    return measured(f"{group}|{situation}|{size}", replications, measure)


def paired_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Paired differences, estimates and effect sizes."""
    for n in (20, 100):
        for name, population in KNOWN.items():

            def draw(rng: np.random.Generator, many: int, n: int = n, name: str = name) -> PairBatch:
                return batch_of(*KNOWN[name].draw(rng, (n, many)), KNOWN[name].decimals)

            subjects = {
                key: (interval, population.value(truth, n), bound if population.decimals else "at-least")
                for key, (interval, truth, bound) in PAIRED.items()
                if truth not in UNKNOWN.get(name, ()) and not (key in COSTLY and (name, n) not in COSTLY_ON)
            }
            yield covering("intervals", name, f"n = {n}", draw, subjects, asked(n), replications)


def inversion_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """The interval that inverts the permutation test, which is costly: each route of it once."""
    for name, n in (("normal", 12), ("exponential", 12), ("likert, no difference", 50)):
        population = KNOWN[name]

        def draw(rng: np.random.Generator, many: int, n: int = n, name: str = name) -> PairBatch:
            return batch_of(*KNOWN[name].draw(rng, (n, many)), KNOWN[name].decimals)

        subjects = {
            key: (interval, population.value(truth, n), bound if population.decimals else "at-least")
            for key, (interval, truth, bound) in INVERSION.items()
        }
        levels = asked(n) if n == 12 else asked(n)[1:2]
        yield covering("inversion", name, f"n = {n}", draw, subjects, levels, replications)
