"""Power for two samples that share no units: the average of Collings and Hamilton."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import Alternative
from nlpstat_core.errors import AnalysisError, ConfigError, unknown
from nlpstat_core.power.bands import wilson_band
from nlpstat_core.power.draws import drawn_counts
from nlpstat_core.power.simulation import Progress
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

TwoSampleTest = Callable[[FloatArray, FloatArray, Alternative], FloatArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoSamplePower:
    """Power of a test of two unpaired samples; arrays have shape (n_sizes,).

    Attributes
    ----------
    sizes : int array, shape (n_sizes, 2)
        Units of the two samples.
    power, lower, upper : float arrays
        The weighted average and its band.
    power_x, power_y : float arrays
        With both samples drawn from x, and from y.
    difference : float
        Shift that was assumed.
    test : str
    alpha : float
    """

    sizes: IntArray
    power: FloatArray
    lower: FloatArray
    upper: FloatArray
    power_x: FloatArray
    power_y: FloatArray
    difference: float
    test: str
    alpha: float


def unpaired_power_curve(
    x: ArrayLike,
    y: ArrayLike,
    *,
    shift: float,
    test: str = "welch-t",
    factors: Sequence[float] = (0.25, 0.5, 0.75, 1.0, 1.25),
    iterations: int = 1000,
    seed: int = 0,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> TwoSamplePower:
    """Power of a test of two unpaired samples against a shift.

    x, y (array-like of float, shapes (n,) and (m,)): Scores of the two samples.
    shift: Difference x − y to assume, metric points.
    factors: Sizes as multiples of n and m.
    iterations: Simulated pairs of samples, from x and again from y.
    progress (callable (done, in all) or None).
    Raises AnalysisError: Samples below two units.
    Raises ConfigError: An unknown test.
    Raises Cancelled: `should_stop` said so.

    Both samples are drawn from x and one is shifted; then both from y. Power is
    (n·power_x + m·power_y)/(n + m): neither sample alone says what the common shape is.

    References
    ----------
    Collings and Hamilton (1988), Biometrics 44(3), 847–860.
    """
    samples = [np.asarray(sample, dtype=float) for sample in (x, y)]
    n, m = (sample.shape[0] for sample in samples)
    if min(n, m) < 2 or any(sample.ndim != 1 or not np.isfinite(sample).all() for sample in samples):
        raise AnalysisError("Each sample needs at least two finite scores in one dimension.")
    if test not in two_sample_tests():
        raise ConfigError(unknown("unpaired test", test, two_sample_tests()))
    sizes = np.maximum(2, np.rint(np.outer(factors, [n, m])).astype(np.int64))
    power = np.zeros((2, sizes.shape[0]))
    with stoppable(should_stop):
        for place, (size_x, size_y) in enumerate(sizes.tolist()):
            for which, sample in enumerate(samples):
                stop_if_asked()
                p = _simulated(sample, size_x, size_y, shift, test, iterations, seed + which, alternative)
                power[which, place] = np.mean(p <= alpha)
                if progress is not None:
                    progress(2 * place + which + 1, 2 * sizes.shape[0])
    average = (n * power[0] + m * power[1]) / (n + m)
    lower, upper = wilson_band(average * iterations, iterations)
    return TwoSamplePower(
        sizes=sizes,
        power=average,
        lower=lower,
        upper=upper,
        power_x=power[0],
        power_y=power[1],
        difference=shift,
        test=test,
        alpha=alpha,
    )


def _simulated(
    sample: FloatArray,
    size_x: int,
    size_y: int,
    shift: float,
    test: str,
    iterations: int,
    seed: int,
    alternative: Alternative,
) -> FloatArray:
    """p-values of the test where both samples come from one and the first is shifted."""
    n = sample.shape[0]
    found, run = list[FloatArray](), two_sample_tests()[test]
    for drawn in drawn_counts(n, size_x + size_y, iterations, seed):
        k = drawn.shape[0]
        both = np.repeat(np.tile(sample, k), drawn.ravel()).reshape(k, -1)
        order = np.random.default_rng([seed, size_x, size_y, len(found)])
        mixed = order.permuted(both, axis=1)  # the units stand sorted: deal them out at random
        found.append(run(mixed[:, :size_x].T + shift, mixed[:, size_x:].T, alternative))
    return np.concatenate(found)


def two_sample_tests() -> dict[str, TwoSampleTest]:
    """The tests whose record says how they run on columns of two samples, in menu order."""
    return {record.key: record.p_of_samples for record in TESTS if record.p_of_samples is not None}
