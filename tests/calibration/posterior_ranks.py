"""Simulation-based calibration: where the truth stands among draws of its posterior, in tenths.

Truths come from the prior; then every tenth of the posterior holds a tenth of them. The reference prior of
means and the flat prior of a board's level are improper: they are taken as far wider than the data can tell.
The Bayesian bootstrap has no prior that truths could come from: its rows promise nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.bayes.bayesian_bootstrap import score_draws
from nlpstat_core.methods.bayes.binary import binary_posteriors
from nlpstat_core.methods.bayes.independent_binary import independent_posteriors
from nlpstat_core.methods.bayes.means import mean_posteriors
from nlpstat_core.methods.bayes.partial_pooling import pool, pooled_draws
from tests.calibration.posteriors import REPLICATIONS, SYSTEMS, from_prior
from tests.calibration.rows import Figure, Row, measured, share

TENTHS = 10
DRAWS = 199  # ranks 0 to 199: twenty in every tenth
# Places of truths in their posteriors, from 0 to 1.
Places = Callable[[int, int], FloatArray]


def tenths(places: FloatArray, *, promised: bool) -> tuple[Figure, ...]:
    """Shares of truths in each tenth of their posteriors."""
    which = np.minimum((places * TENTHS).astype(int), TENTHS - 1)
    counts = np.bincount(which, minlength=TENTHS)
    found = [share("tenths", 1 / TENTHS, count, places.size) for count in counts]
    return tuple(found if promised else [Figure(f.what, None, f.rate, f.error) for f in found])


def of_means(n: int) -> Places:
    """Normal differences of n units around means from a wide prior."""

    def places(many: int, seed: int) -> FloatArray:
        rng = np.random.default_rng(seed)
        truth = rng.uniform(-50, 50, many)
        z = truth[:, None] + rng.normal(0, 1, (many, n))
        error = z.std(axis=1, ddof=1) / math.sqrt(n)
        return mean_posteriors(z.mean(axis=1) - truth, error, n - 1).less

    return places


def of_shares(n: int) -> Places:
    """Won, lost and tied units whose shares come from the uniform prior."""

    def places(many: int, seed: int) -> FloatArray:
        rng = np.random.default_rng(seed)
        shares = rng.dirichlet([1, 1, 1], many)
        counts = np.array([rng.multinomial(n, share) for share in shares])
        truth, total = shares[:, 0] - shares[:, 1], np.array([n])
        found = []
        for (b, c, _), limit in zip(counts, truth, strict=True):
            one = binary_posteriors(np.array([b]), np.array([c]), total, margin=abs(float(limit)))
            found.append(float(1 - one.greater[0] if limit >= 0 else one.less[0]))
        return np.array(found)

    return places


def of_independent_shares(n: int) -> Places:
    """Right answers of two systems on items of their own, with shares from the uniform prior."""

    def places(many: int, seed: int) -> FloatArray:
        rng = np.random.default_rng(seed)
        shares = rng.random((2, many))
        right = rng.binomial(n, shares).astype(float)
        found, total = [], np.array([float(n)])
        for a, b, limit in zip(*right, shares[0] - shares[1], strict=True):
            margin = abs(float(limit))
            one = independent_posteriors(np.array([a]), total, np.array([b]), total, margin=margin)
            found.append(float(1 - one.greater[0] if limit >= 0 else one.less[0]))
        return np.array(found)

    return places


def of_boards(pair: bool) -> Places:
    """A system's score, or the difference of a pair, on boards from the prior of partial pooling."""
    covariance = 0.5 + 0.5 * np.eye(SYSTEMS)

    def places(many: int, seed: int) -> FloatArray:
        rng = np.random.default_rng(seed)
        found = []
        for board in range(many):
            truth = from_prior(rng) + rng.uniform(-50, 50)
            scores = rng.multivariate_normal(truth, covariance)
            draws = pooled_draws(pool(scores, covariance, prior=1.0), DRAWS, seed + board)
            if pair:
                found.append(np.count_nonzero(draws[0] - draws[1] < truth[0] - truth[1]))
            else:
                found.append(np.count_nonzero(draws[0] < truth[0]))
        return np.array(found) / (DRAWS + 1)

    return places


def of_bootstrap(n: int, skewed: bool) -> Places:
    """Mean differences of n units."""

    def places(many: int, seed: int) -> FloatArray:
        rng = np.random.default_rng(seed)
        z = rng.lognormal(0, 1, (n, many)) - math.exp(0.5) if skewed else rng.normal(0, 1, (n, many))
        below: FloatArray = (score_draws(z, None, DRAWS, seed) < 0).sum(axis=1) / (DRAWS + 1)
        return below

    return places


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Every model, with few units and with many."""
    cells: tuple[tuple[str, str, str, Places, bool, int], ...] = (
        ("mean", "from a wide prior", "n = 5", of_means(5), True, 1),
        ("mean", "from a wide prior", "n = 100", of_means(100), True, 1),
        ("binary", "from the prior", "n = 30", of_shares(30), True, 2),
        ("binary", "from the prior", "n = 400", of_shares(400), True, 2),
        ("binary", "independent samples, from the prior", "n = 50", of_independent_shares(50), True, 2),
        ("partial-pooling", "a score, from the prior", f"{SYSTEMS} systems", of_boards(False), True, 2),
        ("partial-pooling", "a pair, from the prior", f"{SYSTEMS} systems", of_boards(True), True, 2),
        ("bayesian-bootstrap", "normal", "n = 50", of_bootstrap(50, False), False, 1),
        ("bayesian-bootstrap", "lognormal", "n = 50", of_bootstrap(50, True), False, 1),
    )
    for subject, situation, size, places, promised, fewer in cells:
        yield cell(subject, situation, size, places, promised, replications // fewer)


def cell(subject: str, situation: str, size: str, places: Places, promised: bool, many: int) -> list[Row]:
    """One model in one situation."""

    def measure(number: int, seed: int, only: object) -> list[Row]:
        blank = Row.blank("posterior-ranks", situation, size, number, seed)
        return [blank.of(subject, "equal", tenths(places(number, seed), promised=promised))]

    return measured(f"posterior-ranks|{subject}|{situation}|{size}", many, measure)
