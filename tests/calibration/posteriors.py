"""Simulation-based calibration: truths drawn from the prior lie in credible intervals as often as these say.

Beside it, of the pairs that a posterior calls better the share that is, also on boards not from the prior.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.bayes.bayesian_bootstrap import FEWEST_DRAWN, drawn_posteriors, score_draws
from nlpstat_core.methods.bayes.binary import binary_posteriors
from nlpstat_core.methods.bayes.columns import Posteriors
from nlpstat_core.methods.bayes.jzs import SCALE, log_bayes_factors
from nlpstat_core.methods.bayes.means import mean_posteriors
from nlpstat_core.methods.bayes.partial_pooling import pool, pooled_posteriors
from nlpstat_core.methods.diagnosis.few_units import rests_on_few, skewness_of_sums
from tests.calibration.rows import CONFIDENCE, Figure, Row, measured, share, standard_error

REPLICATIONS = 4_000
# Boards that are not from the prior are there for their claims only.
FEWER = 8
THRESHOLD = 0.95
SYSTEMS = 6
# Posteriors at a level, with the true difference of each replication's first pair and whether it is better.
Run = Callable[[float], tuple[Posteriors, FloatArray]]


def figures(run: Run, many: int, *, promised: bool) -> tuple[Figure, ...]:
    """Shares of intervals that hold the truth, and of claims that are right."""
    found = []
    for level in CONFIDENCE:
        posteriors, truth = run(level)
        inside = (posteriors.interval[:, 0] <= truth) & (truth <= posteriors.interval[:, 1])
        held = share(f"{100 * level:g} %", level, np.count_nonzero(inside), many)
        found.append(held if promised else Figure(f"{level:g} held", None, held.rate, held.error))
    posteriors, truth = run(THRESHOLD)
    called = np.concatenate([truth[posteriors.greater >= THRESHOLD], -truth[posteriors.less >= THRESHOLD]])
    return (*found, of_claims("called better and are", called > 0))


def of_claims(what: str, right: FloatArray) -> Figure:
    """The share of claims that are right; 1 where there is none."""
    rate = float(np.mean(right)) if right.size else 1.0
    return Figure(what, None, rate, standard_error(rate, max(right.size, 1)))


def calls(run: Run, many: int) -> tuple[Figure, ...]:
    """The share of pairs that get a verdict, and a wrong one."""
    posteriors, truth = run(THRESHOLD)
    better, worse = posteriors.greater >= THRESHOLD, posteriors.less >= THRESHOLD
    found = []
    for what, which in (
        ("called", better | worse),
        ("called wrongly", (better & (truth < 0)) | (worse & (truth > 0))),
    ):
        rate = float(np.mean(which))
        found.append(Figure(what, None, rate, standard_error(rate, many)))
    return tuple(found)


def mean_run(many: int, seed: int, n: int, draw: Callable[[np.random.Generator, int], FloatArray]) -> Run:
    """Differences of n units with means drawn from `draw`; the reference prior knows neither."""
    rng = np.random.default_rng(seed)
    truth = draw(rng, many)
    z = truth[:, None] + rng.normal(0, 1, (many, n))
    error = z.std(axis=1, ddof=1) / math.sqrt(n)

    def run(level: float) -> tuple[Posteriors, FloatArray]:
        return mean_posteriors(z.mean(axis=1), error, n - 1, level=level), truth

    return run


def binary_run(many: int, seed: int, n: int) -> Run:
    """Shares of won, lost and tied units from the uniform prior."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet([1, 1, 1], many)
    counts = np.array([rng.multinomial(n, share) for share in shares])
    truth = shares[:, 0] - shares[:, 1]
    total = np.full(many, n)

    def run(level: float) -> tuple[Posteriors, FloatArray]:
        return binary_posteriors(counts[:, 0], counts[:, 1], total, level=level), truth

    return run


def board_run(many: int, seed: int, scores: Callable[[np.random.Generator], FloatArray]) -> Run:
    """The first pair of boards whose scores have correlated errors of standard deviation 1."""
    rng = np.random.default_rng(seed)
    covariance = 0.5 + 0.5 * np.eye(SYSTEMS)
    errors = rng.multivariate_normal(np.zeros(SYSTEMS), covariance, many)
    truths = np.array([scores(rng) for _ in range(many)])
    pooled = [pool(truth + error, covariance, prior=1.0) for truth, error in zip(truths, errors, strict=True)]
    first, second = np.array([0]), np.array([1])

    def run(level: float) -> tuple[Posteriors, FloatArray]:
        each = [pooled_posteriors(found, first, second, level=level) for found in pooled]
        joined = {
            name: np.concatenate([getattr(one, name) for one in each])
            for name in ("greater", "within", "less", "centre", "interval")
        }
        return Posteriors(**joined), truths[:, 0] - truths[:, 1]

    return run


def from_prior(rng: np.random.Generator) -> FloatArray:
    """Scores of a board as the model of partial pooling has them."""
    return rng.normal(0, abs(rng.standard_cauchy()), SYSTEMS)


def clusters(rng: np.random.Generator) -> FloatArray:
    """Half of the systems 2 better than the others, in random order."""
    return rng.permutation(np.repeat([0.0, 2.0], SYSTEMS // 2))


def nearly_equal(rng: np.random.Generator) -> FloatArray:
    """Systems that differ by a tenth of the error of a score."""
    return rng.normal(0, 0.1, SYSTEMS)


def bootstrap_run(many: int, seed: int, n: int, skewed: bool) -> Run:
    """Differences of n units around 0.2."""
    rng = np.random.default_rng(seed)
    z = rng.lognormal(0, 1, (n, many)) - math.exp(0.5) if skewed else rng.normal(0, 1, (n, many))
    z += 0.2
    draws = score_draws(z, None, 1_000, seed)
    draws = np.concatenate([draws, np.zeros((1, 1_000))])
    left, right = np.arange(many), np.full(many, many)

    # What gets a verdict is called; a rate of claims counts these.
    trusted = (n >= FEWEST_DRAWN) & ~rests_on_few(skewness_of_sums((z - z.mean(axis=0)).T))

    def run(level: float) -> tuple[Posteriors, FloatArray]:
        found = drawn_posteriors(draws, left, right, freedom=n - 1, level=level)
        if level == THRESHOLD:
            found.greater[~trusted] = found.less[~trusted] = 0.0
        return found, np.full(many, 0.2)

    return run


def factor_figures(many: int, seed: int, n: int) -> tuple[Figure, ...]:
    """With even odds beforehand: how many differ among those whose posterior odds say 0.5, 0.8 and 0.95."""
    rng = np.random.default_rng(seed)
    differs = rng.random(many) < 0.5
    effect = np.where(differs, SCALE * rng.standard_cauchy(many), 0.0)
    z = effect[:, None] + rng.normal(0, 1, (many, n))
    t = z.mean(axis=1) / z.std(axis=1, ddof=1) * math.sqrt(n)
    probability = 1 / (1 + np.exp(-log_bayes_factors(t, n, n - 1)))
    return tuple(
        of_claims(
            f"differ of P in {low:g} to {min(high, 1.0):g}",
            differs[(probability >= low) & (probability < high)],
        )
        for low, high in ((0.0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01))
    )


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Every model on truths from its prior, and some on others; replications are pairs or boards."""

    def wide(rng: np.random.Generator, many: int) -> FloatArray:
        return rng.uniform(-50, 50, many)

    def narrow(rng: np.random.Generator, many: int) -> FloatArray:
        return rng.normal(0, 0.1, many)

    cells: list[tuple[str, str, str, Callable[[int, int], Run], bool]] = [
        ("mean", "from a wide prior", "n = 20", lambda many, seed: mean_run(many, seed, 20, wide), True),
        ("mean", "nearly equal", "n = 20", lambda many, seed: mean_run(many, seed, 20, narrow), True),
        ("binary", "from the prior", "n = 40", lambda many, seed: binary_run(many, seed, 40), True),
        ("binary", "from the prior", "n = 400", lambda many, seed: binary_run(many, seed, 400), True),
    ]
    for situation, scores, promised in (
        ("from the prior", from_prior, True),
        ("two clusters", clusters, False),
        ("nearly equal", nearly_equal, False),
    ):
        cells.append(
            (
                "partial-pooling",
                situation,
                f"{SYSTEMS} systems",
                lambda many, seed, scores=scores: board_run(many, seed, scores),
                promised,
            )
        )
    for situation, skewed in (("normal", False), ("lognormal", True)):
        for n in (8, 20, 50, 200):
            cells.append(
                (
                    "bayesian-bootstrap",
                    situation,
                    f"n = {n}",
                    lambda many, seed, n=n, skewed=skewed: bootstrap_run(many, seed, n, skewed),
                    False,
                )
            )
    for subject, situation, size, made, promised in cells:
        pooled_only = subject == "partial-pooling" and not promised
        many = replications // FEWER if pooled_only else replications
        yield cell(subject, situation, size, made, promised, many)

    def factors(many: int, seed: int, only: frozenset[str] | None) -> list[Row]:
        if only is not None and "bayes-factor" not in only:
            return []
        blank = Row.blank("posteriors", "even odds, Cauchy effects", "n = 30", many, seed)
        return [blank.of("bayes-factor", "equal", factor_figures(many, seed, 30))]

    yield measured("posteriors|bayes-factor", 5 * replications, factors)


def cell(
    subject: str, situation: str, size: str, made: Callable[[int, int], Run], promised: bool, many: int
) -> list[Row]:
    """One model in one situation."""

    def measure(number: int, seed: int, only: frozenset[str] | None) -> list[Row]:
        if only is not None and subject not in only:
            return []
        blank = Row.blank("posteriors", situation, size, number, seed)
        found = figures(made(number, seed), number, promised=promised)
        if subject == "bayesian-bootstrap":
            found += calls(made(number, seed), number)
        return [blank.of(subject, "equal", found)]

    return measured(f"posteriors|{subject}|{situation}|{size}", many, measure)
