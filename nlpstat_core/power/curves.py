"""Power against the number of units: the very test of the analysis on simulated test sets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.preparation import baseline_column, prepared_units
from nlpstat_core.board.settled import settled
from nlpstat_core.config import RECOMMENDED, Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.resampling.sharing_out import check_workers
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.power.crossed import crossed_points
from nlpstat_core.power.effects import model_of, own_centre
from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.models import yardstick
from nlpstat_core.power.results import CurveMethod, PowerCurve, curve_notes
from nlpstat_core.power.sampling import average_simulator, two_sides
from nlpstat_core.power.simulation import Progress, Simulated, checked_sizes, counted, simulator
from nlpstat_core.power.standardised import compared, test_of_pulls
from nlpstat_core.scores.matrix import ScoreMatrix, check_matrix
from nlpstat_core.stopping import ShouldStop


def power_curve(
    scores: ScoreMatrix,
    a: str,
    b: str,
    *,
    test: str = "t",
    sizes: Sequence[int] | None = None,
    points: int = 10,
    iterations: int = 1000,
    seed: int = 0,
    method: CurveMethod = "bootstrap",
    shift: float | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    correction: str = "none",
    n_runs: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
    **settings: Any,
) -> PowerCurve:
    """Power of a test to tell two systems apart, by the number of items.

    Parameters
    ----------
    scores : ScoreMatrix
    a, b : str
        Two systems; differences are a − b.
    test : str
        Key of any test of the catalogue, or "recommended" for the pair's own.
    sizes : sequence of int or None
        Numbers of units, each at least 2, below or above what the pair has; None takes `points` of them, up
        to a quarter more than it has.
    points : int
        How many sizes when they aren't given.
    iterations : int
        Simulated test sets per size.
    seed : int
    method : {"bootstrap", "normal"}
        Resample the pair's units (whole documents where `block_column` names them), or draw normal
        differences with the pair's spread.
    shift : float or None
        True difference a − b to assume, metric points; None takes the observed one.
    alpha : float
        Level of the family.
    alternative : {"two-sided", "greater", "less"}
    correction : str
        Key of a correction: the comparison is then decided at its strictest step (`comparison_alpha`).
    n_runs : int or None
        Where the systems have training runs: how many each has; None takes those it has. Items, runs and
        residuals are then normal with the pair's own variances, whatever `method` says.
    workers : int
        Sizes that are computed at once: by threads, by processes where they take long, or by joblib's active
        backend, such as a Dask cluster. Results don't depend on it.
    progress : callable (test sets done, test sets in all) or None
    should_stop : callable or None
        Asked after every batch of test sets.
    **settings
        Further fields of AnalysisConfig: block_column, unit_size, delta, resamples …

    Returns
    -------
    PowerCurve

    Raises
    ------
    ScoreError, ConfigError, AnalysisError
        Names, settings or differences that can't be used with these scores.
    Cancelled
        `should_stop` said so.

    Notes
    -----
    Every size: z_i − θ̂ + δ is resampled (θ̂ the centre the test is about), the test's own function is run on
    all resamples as the columns of a batch, and p ≤ α is counted. Points have random numbers of their own, so
    they are independent. Unpaired tests: Collings and Hamilton's average, both samples from either system's
    scores. Cost: iterations × size draws and as many runs of the test.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 25; Collings and Hamilton (1988).

    Examples
    --------
    >>> scores = ScoreMatrix(values=[[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]], systems=("A", "B"))
    >>> power_curve(scores, "A", "B", sizes=[2, 50], iterations=200).power.round(1).tolist()[1]
    1.0
    """
    check_matrix(scores, "power_curve")
    choices = {"test": test, "correction": correction, "alpha": alpha, "alternative": alternative}
    config = settled(scores, AnalysisConfig.from_mapping({**settings, **choices, "seed": seed}))
    units = prepared_units(scores, config)
    m = units.n_systems
    family = m * (m - 1) // 2 if baseline_column(units, config) is None else m - 1
    return pair_curve(
        units,
        (a, b),
        config,
        family,
        sizes=sizes,
        points=points,
        iterations=iterations,
        method=method,
        shift=shift,
        n_runs=n_runs,
        workers=workers,
        progress=progress,
        should_stop=should_stop,
    )


def pair_curve(
    units: ScoreMatrix,
    pair: tuple[str, str],
    config: AnalysisConfig,
    comparisons: int,
    *,
    sizes: Sequence[int] | None = None,
    points: int = 10,
    iterations: int = 1000,
    method: CurveMethod = "bootstrap",
    shift: float | None = None,
    n_runs: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> PowerCurve:
    """The curve of a pair of an analysis: its evaluation units, its configuration, its family."""
    subject = _subject(units, pair, config, as_observed=shift is None, method=method)
    asked_test, config = config.test, subject.config
    check_workers(workers)
    chosen = checked_sizes(sizes, points, iterations, subject.n_units)
    if method not in get_args(CurveMethod):
        raise ConfigError(unknown("method", method, get_args(CurveMethod)))
    if shift is not None and not np.isfinite(shift):
        raise ConfigError(f"shift must be a finite difference, not {shown(shift)}.")
    centre = subject.centre
    level = comparison_alpha(config.alpha, config.correction, comparisons)
    target = centre if shift is None else float(shift)
    if subject.batch is not None and subject.batch.units.runs is not None:
        asked = iterations, progress, should_stop
        found = crossed_points(subject.batch, config, level, chosen, target, n_runs, *asked)
    elif n_runs is not None:
        raise ConfigError(
            "n_runs is for systems with training runs; these scores have none, or they count as samples."
        )
    else:
        made = _simulated(subject, method, target, shift is None)
        found = counted(made, method, chosen, level, iterations, workers, progress, should_stop)
    notes = curve_notes(
        config,
        level,
        found.model,
        at_observed=shift is None,
        by_shape=subject.by_shape,
        undefined=found.undefined,
        exchanged=subject.exchanged,
    )
    return PowerCurve(
        **{**vars(found), "notes": (*notes, *found.notes)},
        sizes=chosen,
        system_a=pair[0],
        system_b=pair[1],
        test=asked_test if subject.exchanged else config.test,
        difference=target,
        observed=centre,
        at_observed=shift is None,
        alpha=config.alpha,
        comparison_alpha=level,
        correction=config.correction,
        comparisons=comparisons if config.correction != "none" else 1,
        alternative=config.alternative,
        iterations=iterations,
        seed=config.seed,
        n_units=subject.n_units,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Subject:
    """What a curve is about: units that two systems share, or the scores each has by itself."""

    config: AnalysisConfig
    n_units: int
    centre: float
    batch: PairBatch | None = None
    sides: tuple[FloatArray, FloatArray] | None = None
    by_shape: bool = False

    @property
    def exchanged(self) -> bool:
        """Whether the systems are compared by a measure that is no mean."""
        return self.batch is not None and self.batch.units.exchanged


def _subject(
    units: ScoreMatrix, pair: tuple[str, str], config: AnalysisConfig, *, as_observed: bool, method: str
) -> _Subject:
    if config.test in TESTS and TESTS[config.test].design == "unpaired":
        if pair[0] == pair[1]:
            raise AnalysisError("A power curve needs two different systems.")
        x, y = two_sides(units, pair)
        return _Subject(config=config, n_units=x.size, centre=float(x.mean() - y.mean()), sides=(x, y))
    batch = _batch_of(units, pair, config)
    config, by_shape = _with_test(batch, config), False
    resampled = method == "bootstrap" and not as_observed and batch.units.runs is None
    if resampled and model_of(batch, config.test) == "shape":
        config, by_shape = replace(config, test=yardstick()), True
    centre = own_centre(batch, config)
    return _Subject(config=config, n_units=batch.n_units, centre=centre, batch=batch, by_shape=by_shape)


def _simulated(subject: _Subject, method: CurveMethod, target: float, as_observed: bool) -> Simulated:
    """What turns units into documents, where there are any, and what makes the test sets."""
    if subject.batch is not None:
        return simulator(subject.batch, subject.config, method, target, as_observed)
    if subject.sides is None or method == "normal":
        raise AnalysisError("Unpaired tests draw from the systems' own scores: choose the bootstrap.")
    makes = average_simulator(*subject.sides, subject.config, target)
    return Simulated(makes=makes, documents=None, model="shift", config=subject.config)


def _batch_of(units: ScoreMatrix, pair: tuple[str, str], config: AnalysisConfig) -> PairBatch:
    left, right = (np.array([units.index(name)]) for name in pair)
    if left[0] == right[0]:
        raise AnalysisError("A power curve needs two different systems.")
    batch = next(iter(compared(units, left, right, config))).batch
    if batch.n_units < 2:
        names = f"{shown(pair[0])} and {shown(pair[1])}"
        raise AnalysisError(f"{names} share {batch.n_units} items; a power curve needs at least two.")
    return batch


def _with_test(batch: PairBatch, config: AnalysisConfig) -> AnalysisConfig:
    """The configuration with the test that this pair gets."""
    if config.test == RECOMMENDED:
        from nlpstat_core.methods.diagnosis.lists import diagnose

        code = int(diagnose(batch, config).recommended[0])
        if code < 0:
            raise AnalysisError("No test can be recommended for this pair; choose one.")
        config = replace(config, test=TESTS.keys[code])
    config = replace(config, test=test_of_pulls(config.test, batch))
    config = as_run(config, runs=batch.units.runs is not None)
    record = TESTS[config.test]
    if record.binary_only and not (batch.units.binary[batch.left[0]] & batch.units.binary[batch.right[0]]):
        raise AnalysisError(f"{record.label} needs scores of 0 and 1; this pair has others.")
    return config
