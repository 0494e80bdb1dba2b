"""Everything about one pair, computed when asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.pairs.designs import with_interval_of_test
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.engine.resampling.threads import one_blas_thread
from nlpstat_core.formatting import p_equals
from nlpstat_core.methods.diagnosis.lists import Diagnosis, pair_diagnosis
from nlpstat_core.methods.effects import EFFECTS, effect_for
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.notes import Note
from nlpstat_core.scores.documents import block_ids

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

# Draws of a bootstrap interval that take about a second; longer ones only when `intervals` names them.
MOST_DRAWS = 100_000_000


@dataclass(frozen=True)
class Estimate:
    """A quantity with its interval.

    Attributes
    ----------
    of : str
        What it is: an effect size's key, or "mean", "pseudo-median", "median" for a test's estimate.
    value : float
        NaN where undefined.
    interval : tuple of two floats
        NaN where undefined, infinite at the open end of a one-sided interval.
    largest : float
        Largest absolute value that such data could reach, where that is below 1 by its definition; else NaN.
    achieved : float
        Level that an interval between order statistics really has for data without ties; else NaN.
    """

    of: str
    value: float
    interval: tuple[float, float]
    largest: float = np.nan
    achieved: float = np.nan


@dataclass(frozen=True)
class OtherTest:
    """Another test's result for the same pair: exploration, not a second verdict.

    Attributes
    ----------
    test, hypothesis, p_kind : str
    statistic, p_value, log10_p : float
    estimate : Estimate or None
    """

    test: str
    hypothesis: str
    statistic: float
    p_value: float
    log10_p: float
    p_kind: str
    estimate: Estimate | None


@dataclass(frozen=True, kw_only=True, repr=False)
class PairResult:
    """One pair with all effect sizes, all intervals and its diagnosis; names are those of the JSON.

    Attributes
    ----------
    system_a, system_b : str
        a stands before b in the file's column order.
    n_units : int
        Units both systems have.
    n_a, n_b : int
        Units of each system that the comparison used: the shared ones, or all of them where the two are
        compared as independent samples.
    score_a, score_b, difference : float
        Means over the units that were compared and a − b, metric points.
    interval : tuple of two floats
        Unadjusted interval of the difference.
    test, hypothesis, p_kind : str or None
    statistic, p_value, log10_p, error, p_adjusted : float
    p_equivalence, p_equivalence_adjusted : float or None
        The larger of the two one-sided p-values about the margin, alone and adjusted; None without a margin.
    interval_simultaneous : tuple of two floats, or None
        Interval of the difference that holds together with those of all other pairs; None where the settings
        don't name it.
    df : float or None
        Degrees of freedom where every pair has its own (test over items and runs).
    significant : bool
    better : str or None
    verdict : str
    estimate : Estimate or None
        The quantity the test is about.
    effects : mapping of str to Estimate
        Every effect size of the catalogue that the pair's design allows, and those of the configuration.
    diagnosis : Diagnosis
    notes : tuple of Note
    alpha : float or None
        Level that p_adjusted is compared with.

    Examples
    --------
    >>> from nlpstat_core import compare
    >>> pair = compare([3, 4, 5, 6, 9], [1, 3, 3, 5, 5], test="t")
    >>> pair.difference, pair.verdict, round(pair.effects["cohen-d"].value, 3)
    (2.0, 'better', 1.633)
    """

    system_a: str
    system_b: str
    n_units: int
    n_a: int
    n_b: int
    score_a: float
    score_b: float
    difference: float
    interval: tuple[float, float]
    test: str | None
    statistic: float
    p_value: float
    log10_p: float
    p_kind: str | None
    error: float
    hypothesis: str | None
    p_adjusted: float
    significant: bool
    better: str | None
    verdict: str
    estimate: Estimate | None
    effects: Mapping[str, Estimate]
    diagnosis: Diagnosis
    notes: tuple[Note, ...]
    p_equivalence: float | None = None
    p_equivalence_adjusted: float | None = None
    df: float | None = None
    interval_simultaneous: tuple[float, float] | None = None
    alpha: float | None = None

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<PairResult: {self.system_a} − {self.system_b} = {self.difference:.4g} "
            f"[{low:.4g}, {high:.4g}], {self.test or 'no test'}, "
            f"{p_equals(self.p_value, alpha=self.alpha)}, "
            f"{p_equals(self.p_adjusted, 'adjusted p', alpha=self.alpha)}, "
            f"{self.verdict}; {self.n_units:,} units>"
        )

    def _repr_html_(self) -> str:
        from nlpstat_core.report.exports.documents.notebook import pair_html

        return pair_html(self)

    def _repr_markdown_(self) -> str:
        from nlpstat_core.report.exports.documents.notebook import pair_md

        return pair_md(self)

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain data, in the shape of one entry of analysis.json."""
        from nlpstat_core.report.exports.data.plain import pair_to_dict

        return pair_to_dict(self)


def pair_batch(analysis: Analysis, row: int) -> PairBatch:
    """The batch that holds only the pair of one row of the table."""
    chosen = np.array([row])
    pairs = analysis.pairs
    work = chunks(
        analysis.units,
        pairs.left[chosen],
        pairs.right[chosen],
        delta=analysis.config.delta,
        block_ids=block_ids(analysis.units, analysis.config),
    )
    return next(iter(work)).batch


def pair_scores(analysis: Analysis, row: int) -> tuple[FloatArray, FloatArray]:
    """Scores of a and b on the units that were compared, in the order of the score matrix.

    Returns float arrays, shapes (n_a,) and (n_b,): On their shared units; independent samples are given
        whole.
    """
    left, right = analysis.pairs.left[row], analysis.pairs.right[row]
    if analysis.pairs.unpaired[row]:
        both = (analysis.units.values[:, side] for side in (left, right))
        u, v = (column[~np.isnan(column)] for column in both)
        return u, v
    shared = analysis.units.present[:, left] & analysis.units.present[:, right]
    return analysis.units.values[shared, left], analysis.units.values[shared, right]


@one_blas_thread()
def pair_result(
    analysis: Analysis, row: int, *, effect_keys: Collection[str] = EFFECTS.keys, estimated: bool = True
) -> PairResult:
    """Everything about the pair of one row of the table.

    effect_keys: Effect sizes to compute.
    estimated: Whether the test's own estimate is computed; its interval may take a second.
    """
    from nlpstat_core.report.wording import pair_notes

    pairs, config = analysis.pairs, analysis.config
    batch = pair_batch(analysis, row)
    code = int(pairs.test_code[row])
    test = None if code < 0 else pairs.tests[code]
    interval = (float(pairs.interval[row, 0]), float(pairs.interval[row, 1]))
    difference = float(pairs.difference[row])
    estimate, codes = pair_estimate(test if estimated else None, batch, config, difference, interval)
    unpaired = bool(pairs.unpaired[row])
    effects: dict[str, Estimate] = {}
    for entry in (EFFECTS[key] for key in effect_keys):
        method = effect_for(entry.key, unpaired=unpaired)
        if method is None:
            if entry.key in config.effects:
                effects[entry.key] = Estimate(entry.key, np.nan, (np.nan, np.nan))
            continue
        put_off = (
            method.resampled
            and batch.units.blocks is None  # by document they are no bootstrap
            and method.key not in config.intervals
            and batch.n_units * config.resamples > MOST_DRAWS
        )
        if put_off:
            codes.add(f"{method.key}:interval-on-request")
        result = method.run(batch, config, not put_off)
        result = with_interval_of_test(
            method.key, result, pairs.difference[row : row + 1], pairs.interval[row : row + 1]
        )
        effects[method.key] = _one(method.key, result.value, result.interval, result.largest)
        codes |= {f"{method.key}:{note}" for note, mask in result.notes.items() if mask[0]}
    codes |= {note for note, mask in pairs.notes.items() if mask[row]}
    return PairResult(
        system_a=pairs.systems[pairs.left[row]],
        system_b=pairs.systems[pairs.right[row]],
        n_units=int(pairs.n_units[row]),
        n_a=int(pairs.n_a[row]),
        n_b=int(pairs.n_b[row]),
        score_a=float(pairs.score_a[row]),
        score_b=float(pairs.score_b[row]),
        difference=difference,
        interval=interval,
        test=test,
        statistic=float(pairs.statistic[row]),
        p_value=float(pairs.p_value[row]),
        log10_p=float(pairs.log10_p[row]),
        p_kind=pairs.p_kind[row],
        error=float(pairs.error[row]),
        hypothesis=None if test is None else TESTS[test].hypothesis,
        p_adjusted=float(pairs.p_adjusted[row]),
        significant=bool(pairs.significant[row]),
        better=pairs.better[row],
        verdict=pairs.verdict[row],
        estimate=estimate,
        effects=effects,
        diagnosis=pair_diagnosis(batch, config, unpaired=unpaired),
        notes=pair_notes(analysis, row, codes),
        p_equivalence=None if pairs.p_equivalence is None else float(pairs.p_equivalence[row]),
        p_equivalence_adjusted=(
            None if pairs.p_equivalence_adjusted is None else float(pairs.p_equivalence_adjusted[row])
        ),
        interval_simultaneous=(
            None
            if pairs.interval_simultaneous is None
            else (float(pairs.interval_simultaneous[row, 0]), float(pairs.interval_simultaneous[row, 1]))
        ),
        df=None if pairs.df is None else float(pairs.df[row]),
        alpha=config.alpha,
    )


def pair_estimate(
    test: str | None,
    batch: PairBatch,
    config: AnalysisConfig,
    difference: float,
    interval: tuple[float, float],
) -> tuple[Estimate | None, set[str]]:
    """The quantity a test is about, with the codes of its notes.

    batch: One pair.
    difference, interval: What stands for tests of the mean.
    """
    if test is None:
        return None, set()
    run = TESTS[test].estimate
    if run is None:
        return Estimate("mean", difference, interval), set()
    result = run(batch, config)
    codes = {note for note, mask in result.notes.items() if mask[0]}
    achieved = np.nan if result.achieved is None else float(result.achieved[0])
    return replace(_one(result.of, result.value, result.interval), achieved=achieved), codes


def _one(
    of: str, value: FloatArray, interval: FloatArray | None, largest: FloatArray | None = None
) -> Estimate:
    low, high = (np.nan, np.nan) if interval is None else interval[0]
    bound = np.nan if largest is None else float(largest[0])
    return Estimate(of, float(value[0]), (float(low), float(high)), bound)
