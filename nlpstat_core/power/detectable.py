"""The smallest difference that the test of a pair finds, by the model that suits its scores."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray, ObjectArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.samples.crossed import crossed_errors, crossed_interval
from nlpstat_core.errors import ConfigError
from nlpstat_core.power.binomial import detectable_surplus
from nlpstat_core.power.effects import MOST_TIED, assumed_model, pair_grid, untied_centre
from nlpstat_core.power.levels import detectable_noncentrality, one_direction
from nlpstat_core.power.means import detectable_means
from nlpstat_core.power.models import EXACT_BINOMIAL, NONCENTRAL_T, SIGNED_RANK, nearest_model, yardstick
from nlpstat_core.power.planning import plan
from nlpstat_core.power.ranks import wilcoxon_detectable, wilcoxon_detectable_swap
from nlpstat_core.power.standardised import documents_compared, standardised
from nlpstat_core.power.swap import mean_under, strength_for_wins
from nlpstat_core.quantities import ACCURACY, F1, MEAN

# Up to so many pairs Wilcoxon's detectable difference is found from each pair's own differences, and up to so
# many pairs and differences in all the tests' of a mean: resamples of a pair take up to 70 ms.
MOST_OWN_SHAPES = 3_000
MOST_RESAMPLED_PAIRS = 400
MOST_RESAMPLED = 20_000_000
# Quantities that a test of the mean, which is nearly normal for many units, may stand for.
OF_SCORES = (MEAN, ACCURACY, F1)
SWAPPED_RANKS, SWAPPED_SIGNS, CLOSED_SWAP, SHAPE = "swap-ranks", "swap-binomial", "swap-closed", "shape-t"


def detectable_differences(
    batch: PairBatch, config: AnalysisConfig, power: float, level: float, n_pairs: int
) -> tuple[FloatArray, ObjectArray]:
    """Smallest detectable differences of pairs that share units and test.

    power: In (level, 1).
    n_pairs: Pairs that are asked about in all: of very many each gets a closed form.
    Returns size: Metric points, without sign, with two sides in the harder direction; infinity where not
        reachable, NaN without spread or where it is withheld.
    Returns model: Means and scores: "swap-means", "swap-binomial" (one size of difference),
        "resampled-shift", "noncentral-t", "few-documents" (`detectable_means`), "swap-closed" (ties on very
        large boards). McNemar: "exact-binomial". Wilcoxon: "swap-ranks", "signed-rank-own", above 3,000 pairs
        "signed-rank-beta". Signs and medians: "swap-binomial", "exact-binomial". "shape-t": the number
        depends on the shape of the true difference, or the test has no form of its own; it is the t test's.

    "swap": a mean, with directions drawn anew (`swap`). Else a shift of all differences that are not tied,
    which for ranks and signs is one of their own centre: Wilcoxon's by the mean and variance of W⁺ it gives
    (`wilcoxon_detectable`), signs' by the share of wins.
    """
    if batch.units.runs is not None:
        size = detectable_over_runs(batch, config, power, level)
        return size, np.full(batch.n_pairs, NONCENTRAL_T.key, dtype=object)
    form, record = nearest_model(config.test), TESTS[config.test]
    if form is NONCENTRAL_T:
        many = n_pairs > MOST_RESAMPLED_PAIRS or n_pairs * batch.n_units > MOST_RESAMPLED
        if record.design == "unpaired":
            return _closed_means(batch, config, power, level)
        if many:
            size, model = _closed_means(batch, config, power, level)
        else:
            size, model = detectable_means(batch, config, power, level)
        if record.quantity not in OF_SCORES:
            model = np.full(batch.n_pairs, SHAPE, dtype=object)
        return size, model
    if record.binary_only:
        return _detectable_tables(batch, config, power, level)
    size, model = np.full(batch.n_pairs, np.nan), np.full(batch.n_pairs, form.key, dtype=object)
    for pair in range(batch.n_pairs):
        z = pair_grid(batch, pair)
        if np.any(z != 0):
            size[pair], model[pair] = _of_ranks(z, config, power, level, n_pairs <= MOST_OWN_SHAPES)
    shape = np.flatnonzero(model == SHAPE)
    if shape.size:
        by_t = replace(config, test=yardstick())
        size[shape] = detectable_differences(batch.take(shape), by_t, power, level, n_pairs)[0]
    return size, model


def _closed_means(
    batch: PairBatch, config: AnalysisConfig, power: float, level: float
) -> tuple[FloatArray, ObjectArray]:
    """Noncentral t: for independent samples, and for boards with too many pairs to resample each."""
    seen = standardised(batch, config)
    side = one_direction(config.alternative)
    shift = detectable_noncentrality(power, seen.df, level, side)
    size = np.where(seen.error > 0, shift * seen.error, np.nan)
    model = np.full(batch.n_pairs, NONCENTRAL_T.key, dtype=object)
    if TESTS[config.test].design == "unpaired":
        return size, model
    # A swap keeps the squares: the larger the difference, the smaller the spread about it.
    n = batch.n_units
    tied = (batch.wins + batch.losses < (1 - MOST_TIED) * n) & (seen.error > 0)
    groups = documents_compared(batch, config) or n
    squares = groups * seen.error**2 * (groups - 1) / groups + (seen.difference - batch.delta) ** 2
    swapped = shift * np.sqrt(squares / (groups + shift**2))
    model[tied] = CLOSED_SWAP
    return np.where(tied, swapped, size), model


def _detectable_tables(
    batch: PairBatch, config: AnalysisConfig, power: float, level: float
) -> tuple[FloatArray, ObjectArray]:
    """McNemar's table with the discordant share it has."""
    decided = batch.wins + batch.losses
    surplus, two_sided = np.full(batch.n_pairs, np.nan), config.alternative == "two-sided"
    for number in np.unique(decided[decided > 0]).tolist():
        surplus[decided == number] = detectable_surplus(batch.n_units, number, power, level, two_sided)
    size: FloatArray = surplus * decided / max(batch.n_units, 1)
    return size, np.full(batch.n_pairs, EXACT_BINOMIAL.key, dtype=object)


def _of_ranks(
    z: FloatArray, config: AnalysisConfig, power: float, level: float, own_shape: bool
) -> tuple[float, str]:
    """The detectable difference of one pair's differences for tests of ranks and signs."""
    two_sided, assumed = config.alternative == "two-sided", assumed_model(z, config.test)
    if _downwards(z, config):
        z = -z[::-1]
    decided = z[z != 0]
    if assumed == "shape":
        return np.nan, SHAPE
    if TESTS[config.test].looks_at == "ranks":
        if assumed == "swap":
            return wilcoxon_detectable_swap(np.abs(z), power, level, two_sided), SWAPPED_RANKS
        if own_shape:
            about = decided - untied_centre(z, config.test)
            return wilcoxon_detectable(about, power, level, two_sided), "signed-rank-own"
        return _of_normal_ranks(z, config, power, level), SIGNED_RANK.key
    surplus = detectable_surplus(z.size, decided.size, power, level, two_sided)
    if assumed == "swap":
        if np.isinf(surplus):
            return np.inf, SWAPPED_SIGNS
        return mean_under(np.abs(z), strength_for_wins(np.abs(z), surplus)), SWAPPED_SIGNS
    if np.isinf(surplus):
        return np.inf, EXACT_BINOMIAL.key
    middle, low = np.quantile(decided, [0.5, 0.5 - surplus / 2])
    return float(middle - low), EXACT_BINOMIAL.key


def _downwards(z: FloatArray, config: AnalysisConfig) -> bool:
    """Whether the true difference is taken to be below δ: as observed, or as the alternative says."""
    if config.alternative != "two-sided":
        return config.alternative == "less"
    mean = float(z.mean())
    return mean < 0 or (mean == 0 and untied_centre(z, config.test) < 0)


def _of_normal_ranks(z: FloatArray, config: AnalysisConfig, power: float, level: float) -> float:
    """The same for normal differences with this spread."""
    side = one_direction(config.alternative)
    return _normal_effect(z.size, power, level, side) * float(z.std(ddof=1))


@lru_cache
def _normal_effect(units: int, power: float, level: float, side: Alternative) -> float:
    ranks = next(record.key for record in TESTS if record.planned and record.looks_at == "ranks")
    try:
        return plan(units=units, power=power, alpha=level, test=ranks, alternative=side).effect
    except ConfigError:  # so few units find no effect at all
        return np.inf


def _shifts(freedom: FloatArray, power: float, level: float, config: AnalysisConfig) -> FloatArray:
    """Noncentrality that is detected, by degrees of freedom (three digits of them); NaN below one."""
    side = one_direction(config.alternative)
    shifts = np.full(freedom.shape, np.nan)
    known = np.isfinite(freedom) & (freedom >= 1)
    rounded = np.array([float(f"{df:.3g}") for df in freedom[known]])
    distinct, place = np.unique(rounded, return_inverse=True)
    found = np.array([detectable_noncentrality(power, df, level, side) for df in distinct.tolist()])
    shifts[known] = found[place.ravel()] if distinct.size else np.nan
    return shifts


def detectable_over_runs(batch: PairBatch, config: AnalysisConfig, power: float, level: float) -> FloatArray:
    """Smallest difference that the test over items and runs detects with as many items and runs.

    Returns: Metric points; NaN where the error is unknown or 0.
    """
    found = crossed_errors(batch)
    size = _shifts(found.freedom, power, level, config) * found.error
    return np.where(found.error > 0, size, np.nan)


def needed_over_runs(
    batch: PairBatch, config: AnalysisConfig, power: float, level: float
) -> tuple[FloatArray, FloatArray]:
    """Size of the effect with its near and far end, and the items each needs with as many runs as now.

    Returns sizes (float array, shape (3, n_pairs)): Differences in standard deviations of a single item's
        difference, error·√n, without sign.
    Returns needed (float array, shape (3, n_pairs)): Infinite where no number of items is enough, because the
        runs alone vary too much.

    The error's square is items/n′ + runs, of which more items shrink the first part; degrees of freedom are
    taken as they are.
    """
    found, n = crossed_errors(batch), max(batch.n_units, 1)
    spreads = found.spreads
    sides = (batch.left, batch.right)
    runs = sum(spreads.component[side] / np.maximum(spreads.n_runs[side], 1) for side in sides)
    items = np.maximum(found.error**2 - runs, 0.0) * n
    low, high = crossed_interval(batch, AnalysisConfig(confidence_level=config.level)).T
    up = batch.difference >= 0
    near, far = np.where(up, low, -high), np.where(up, high, -low)
    ends = np.stack([np.abs(batch.difference), near, far])
    shift = _shifts(found.freedom, power, level, config)
    wrong = np.sign(batch.difference) == {"two-sided": 2, "greater": -1, "less": 1}[config.alternative]
    with np.errstate(divide="ignore", invalid="ignore"):
        room = (ends / shift) ** 2 - runs
        needed = np.where((room > 0) & (ends > 0) & ~wrong, np.maximum(2, np.ceil(items / room)), np.inf)
        sizes = ends / (found.error * np.sqrt(n))
    unknown = ~(found.error > 0)
    return np.where(unknown, np.nan, sizes), np.where(unknown, np.nan, needed)
