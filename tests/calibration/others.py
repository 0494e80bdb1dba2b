"""Type I error of the tests of all systems together and of the tests of counts in categories; power of t."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.categorical.chi_square import goodness_of_fit, independence
from nlpstat_core.methods.categorical.fisher import fisher_exact
from nlpstat_core.methods.omnibus.every import omnibus_tests
from nlpstat_core.methods.omnibus.nemenyi import average_ranks, critical_difference
from nlpstat_core.power.planning import plan
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.calibration.populations import batch_of
from tests.calibration.rows import LEVELS, Row, measured, share
from tests.calibration.trials import REPLICATIONS, by_key

SYSTEMS = 6
NAMES = tuple(f"s{i}" for i in range(SYSTEMS))
_SLACK = 1e-12
OneSample = Callable[[np.random.Generator], dict[str, float]]


def board(kind: str, rng: np.random.Generator, n: int) -> FloatArray:
    """Scores of six systems that are equally good."""
    values = rng.normal(size=(n, 1)) + rng.normal(size=(n, SYSTEMS))
    if kind == "unequal spreads":
        values[:, 0] = values[:, 0] + 3 * rng.normal(size=n)
    if kind == "ratings":
        return np.clip(np.rint(3 + values), 1, 5)
    if kind == "binary":
        return (values > 0).astype(float)
    if kind == "missing cells":
        gone = rng.random(values.shape) < 0.2
        gone[:2] = False
        values[gone] = np.nan
    return values


def of_board(kind: str, n: int) -> OneSample:
    """p-values of all omnibus tests on one board; Nemenyi's smallest one."""

    def draw(rng: np.random.Generator) -> dict[str, float]:
        scores = ScoreMatrix(values=board(kind, rng, n), systems=NAMES)
        first = omnibus_tests(scores)
        assert first is not None
        found = {test.test: test.p_value for test in (first, *first.also)}
        if kind == "missing cells":
            return {"skillings-mack": found["skillings-mack"]}
        ranks = average_ranks(scores.values)
        return {**found, "nemenyi": smallest_level(float(np.ptp(ranks)), n)}

    return draw


@lru_cache
def limits(n: int) -> tuple[float, ...]:
    """Nemenyi's critical differences at the levels."""
    return tuple(critical_difference(SYSTEMS, n, level) for level in LEVELS)


def smallest_level(spread: float, n: int) -> float:
    """The first of the levels at which the best and the worst average rank differ; 1 for none."""
    return next((level for level, limit in zip(LEVELS, limits(n), strict=True) if spread >= limit), 1.0)


def in_categories(n: int) -> OneSample:
    """p-values of the tests of counts: four equal shares, a 2 × 3 and a 2 × 2 table without association."""

    def draw(rng: np.random.Generator) -> dict[str, float]:
        one = rng.multinomial(n, [0.25] * 4)
        table = rng.multinomial(n, np.outer([0.5, 0.5], [0.5, 0.3, 0.2]).ravel()).reshape(2, 3)
        small = rng.multinomial(n, np.outer([0.5, 0.5], [0.6, 0.4]).ravel()).reshape(2, 2)
        return {
            "goodness-of-fit": goodness_of_fit(one).p_value,
            "independence": independence(table).p_value,
            "independence (continuity)": independence(small, continuity=True).p_value,
            "fisher-exact": fisher_exact(table).p_value,
            "fisher-exact (2 × 2)": fisher_exact(small).p_value,
        }

    return draw


def counted(
    group: str, situation: str, size: str, draw: OneSample, bounds: dict[str, str], replications: int
) -> list[Row]:
    """Rows of tests that are called once a replication."""

    def measure(many: int, seed: int, only: Container[str] | None) -> list[Row]:
        rng = np.random.default_rng(seed)
        p_values: dict[str, list[float]] = {}
        for _ in range(many):
            for key, p_value in draw(rng).items():
                p_values.setdefault(key, []).append(p_value)
        row = Row.blank(group, situation, size, many, seed)
        rows = []
        for key, found in p_values.items():
            defined = np.array(found)[~np.isnan(found)]
            figures = tuple(
                share("two-sided", level, np.count_nonzero(defined <= level + _SLACK), defined.size)
                for level in LEVELS
            )
            rows.append(row.of(key, bounds.get(key, "equal"), figures))
        return [row for row in rows if only is None or row.subject in only]

    return measured(f"{group}|{situation}|{size}", replications, measure)


def omnibus_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Friedman and the tests beside it."""
    bounds = {"nemenyi": "at-most"}
    for n, kinds in (
        (10, ("normal", "ratings", "binary", "unequal spreads", "missing cells")),
        (50, ("normal",)),
    ):
        for kind in kinds:
            situation = f"{'M' if kind == 'unequal spreads' else 'E'}: {kind}"
            size = f"S = {SYSTEMS}, n = {n}"
            yield counted("omnibus", situation, size, of_board(kind, n), bounds, replications)


def categorical_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Chi-square and Fisher."""
    bounds = {
        "fisher-exact": "at-most",
        "fisher-exact (2 × 2)": "at-most",
        "independence (continuity)": "at-most",
    }
    for n in (20, 100):
        yield counted(
            "categorical", "E: independent categories", f"n = {n}", in_categories(n), bounds, replications
        )


def power_rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Rejections under normal differences of known size against the power that planning states."""
    for n, effect in ((10, 1.0), (34, 0.5), (199, 0.2)):

        def measure(
            many: int, seed: int, only: Container[str] | None, n: int = n, effect: float = effect
        ) -> list[Row]:
            z = effect + np.random.default_rng(seed).normal(size=(n, many))
            batch = batch_of(z, np.zeros_like(z), 10)
            row = Row.blank("power", f"d = {effect:g}", f"n = {n}", many, seed)
            rows = []
            for test in ("t", "wilcoxon"):
                figures = []
                for side in ("two-sided", "greater"):
                    p_values = by_key(test)(batch, side, 0)  # type: ignore[arg-type]
                    stated = plan(units=n, effect=effect, alpha=0.05, test=test, alternative=side).power  # type: ignore[arg-type]
                    figures.append(share(side, stated, np.count_nonzero(p_values <= 0.05), many))
                rows.append(row.of(f"power of {test}", "equal", tuple(figures)))
            return rows

        yield measured(f"power|{n}|{effect:g}", replications, measure)
