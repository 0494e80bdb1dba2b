"""Simulated test sets at every size, the share of them in which the test rejects, and its band."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.engine.resampling import one_blas_thread
from nlpstat_core.engine.resampling.sharing_out import Told, is_long, shared_out
from nlpstat_core.errors import AnalysisError, ConfigError, shown
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power.effects import sample_of, with_difference
from nlpstat_core.power.flips import decides_without_running, flip_decisions
from nlpstat_core.power.results import CurveMethod, DifferenceModel, Points
from nlpstat_core.power.sampling import bootstrap_batches, normal_batches, normal_shape, sums_of_documents
from nlpstat_core.power.standardised import standardised
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

MOST_UNITS = 1_000_000
MOST_POINTS = 1_000
MOST_ITERATIONS = 1_000_000
Progress = Callable[[int, int], None]
Makes = Callable[[int, int, int], Iterator[PairBatch]]


@dataclass(frozen=True, kw_only=True)
class Simulated:
    """What makes the test sets of a curve.

    makes (callable (size, iterations, seed) → iterator of PairBatch).
    documents (callable (units) → documents, or None): Where units come in documents: how many of those.
    """

    makes: Makes
    documents: Callable[[IntArray], IntArray] | None
    model: DifferenceModel
    config: AnalysisConfig


def default_sizes(n_units: int, points: int) -> IntArray:
    """Evenly spaced sizes up to a quarter more than there are, the observed number among them.

    Returns int array, shape (points,) or shorter where units are few.

    >>> default_sizes(2001, 10).tolist()
    [250, 500, 750, 1000, 1251, 1501, 1751, 2001, 2251, 2501]
    """
    steps = np.arange(1, points + 1) / max(1, round(0.8 * points))
    return np.unique(np.maximum(2, np.rint(steps * n_units).astype(np.int64)))


def checked_sizes(sizes: Sequence[int] | None, points: int, iterations: int, n_units: int) -> IntArray:
    """The sizes to simulate. Raises ConfigError: Numbers that aren't whole or out of range."""
    for name, value, most in (("points", points, MOST_POINTS), ("iterations", iterations, MOST_ITERATIONS)):
        if isinstance(value, bool) or not 1 <= value <= most or value != int(value):
            raise ConfigError(f"{name} must be a whole number from 1 to {most:,}, not {shown(value)}.")
    if sizes is None:
        return default_sizes(n_units, points)
    chosen = np.asarray(sizes)
    whole = chosen.ndim == 1 and chosen.size > 0 and chosen.dtype.kind in "iuf"
    if not whole or not np.all((chosen == np.rint(chosen)) & (chosen >= 2) & (chosen <= MOST_UNITS)):
        raise ConfigError(f"sizes must be whole numbers from 2 to {MOST_UNITS:,}, not {shown(sizes)}.")
    return chosen.astype(np.int64)


def simulator(
    batch: PairBatch, config: AnalysisConfig, method: str, target: float, as_observed: bool
) -> Simulated:
    """What makes the test sets of a pair of systems.

    as_observed: Whether the units are to be left as they are.
    Raises AnalysisError: Scores that can't have this difference, or aren't normal.
    """
    sample = sample_of(batch, config)
    blocks = sample.blocks
    per_unit = None if blocks is None else blocks.n_blocks / batch.n_units

    def documents(units: IntArray) -> IntArray:
        whole: IntArray = np.maximum(2, np.rint(units * (per_unit or 1.0)).astype(np.int64))
        return whole

    model: DifferenceModel = "as-observed"
    if method == "bootstrap":
        if not as_observed:
            sample, assumed = with_difference(sample, batch, config, target)
            model = "swap" if assumed == "swap" else "shift"
        of_units = test_of_units(config.test)
        if of_units is not None and blocks is not None and sample.counts is None:
            # Its sums over documents are all that this test looks at, as that of units looks at units.
            sample, config = sums_of_documents(sample, blocks), replace(config, test=of_units)
        used = sample
        makes: Makes = lambda size, iterations, seed: bootstrap_batches(used, size, iterations, seed)
    elif sample.counts is not None or TESTS[config.test].binary_only:
        raise AnalysisError("Counts and 0/1 scores are not normal; simulate by the bootstrap instead.")
    else:
        error = float(standardised(batch, config).error[0])
        shape, model = normal_shape(sample, target, error), "normal"
        makes = lambda size, iterations, seed: normal_batches(shape, size, iterations, seed)
    return Simulated(makes=makes, documents=None if blocks is None else documents, model=model, config=config)


def test_of_units(test: str) -> str | None:
    """The test of single units that does to units what a sign-flip test of documents does to their sums."""
    record = TESTS[test]
    if not (record.sign_flips and record.design == "blocks"):
        return None
    return next((other.key for other in TESTS if other.by_documents == test and other.sign_flips), None)


def counted(
    made: Simulated,
    method: CurveMethod,
    sizes: IntArray,
    level: float,
    iterations: int,
    workers: int,
    progress: Progress | None,
    should_stop: ShouldStop | None,
) -> Points:
    """Rejections and undefined tests at every size; `level`: p at most this is a rejection."""
    drawn = sizes if made.documents is None else made.documents(sizes)
    rejected, undefined = np.zeros((2, sizes.shape[0]), dtype=np.int64)
    places = np.argsort(-drawn, kind="stable")  # the longest first, so that workers end together
    told = Told(progress)
    total = iterations * sizes.shape[0]
    of_size = partial(_of_size, made=made, level=level, iterations=iterations, total=total, told=told)
    pieces = ((int(drawn[place]), index) for index, place in enumerate(places))
    long = is_long(iterations * int(sizes.sum()), 0)
    with one_blas_thread(), stoppable(should_stop):
        for index, found in enumerate(shared_out(of_size, pieces, workers, lambda first: long)):
            rejected[places[index]], undefined[places[index]] = found
            if progress is not None:
                progress((index + 1) * iterations, total)
    lower, upper = wilson_band(rejected, iterations)
    return Points(
        power=rejected / iterations,
        lower=lower,
        upper=upper,
        undefined=undefined / iterations,
        documents=None if made.documents is None else drawn,
        method=method,
        model=made.model,
    )


def _of_size(
    piece: tuple[int, int], made: Simulated, level: float, iterations: int, total: int, told: Told
) -> tuple[int, int]:
    """Rejections and undefined tests at one size (units or documents), which comes after so many others."""
    size, before = piece
    record = TESTS[made.config.test]
    by_flips = record.sign_flips and record.design == "paired"
    rejected = undefined = done = 0
    for batch in made.makes(size, iterations, made.config.seed):
        stop_if_asked()
        if by_flips and decides_without_running(batch):
            rejected += int(np.count_nonzero(flip_decisions(batch, made.config, level)))
        else:
            p_value = record.run(batch, made.config).p_value
            rejected += int(np.count_nonzero(p_value <= level))
            undefined += int(np.count_nonzero(np.isnan(p_value)))
        done += batch.n_pairs
        told.tell(before * iterations + done, total)
    return rejected, undefined


def wilson_band(successes: ArrayLike, trials: int, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval of a share.

    Returns float arrays, shape (k,): Inside [0, 1]; 0 and 1 themselves where nothing or everything succeeded.

    (s + q²/2 ± q·√(s(n − s)/n + q²/4)) / (n + q²).

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953.

    >>> lower, upper = wilson_band([0, 50], 100)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([0.0, 0.404], [0.037, 0.596])
    """
    counted = np.asarray(successes, dtype=float)
    q = normal_quantile((1 + level) / 2)
    middle = counted + q**2 / 2
    margin = q * np.sqrt(counted * (trials - counted) / trials + q**2 / 4)
    lower, upper = (middle - margin) / (trials + q**2), (middle + margin) / (trials + q**2)
    return np.where(counted == 0, 0.0, lower), np.where(counted == trials, 1.0, upper)
