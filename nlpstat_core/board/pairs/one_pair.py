"""Numbers of one pair, computed when asked."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.pairs.designs import with_interval_of_test
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.methods.diagnosis.lists import pair_diagnosis
from nlpstat_core.methods.effects import EFFECTS, effect_for
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.pair import Estimate, PairData
from nlpstat_core.scores.documents import block_ids

# Draws of a bootstrap interval that take about a second; longer ones only when `intervals` names them.
MOST_DRAWS = 100_000_000


def pair_batch(analysis: AnalysisData, row: int) -> PairBatch:
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


def pair_scores(analysis: AnalysisData, row: int) -> tuple[FloatArray, FloatArray]:
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
def pair_data(
    analysis: AnalysisData, row: int, *, effect_keys: Collection[str] = EFFECTS.keys, estimated: bool = True
) -> tuple[PairData, set[str]]:
    """Everything about the pair of one row of the table, with the codes of its notes."""
    pairs, config = analysis.pairs, analysis.config
    batch = pair_batch(analysis, row)
    code = int(pairs.test_code[row])
    test = None if code < 0 else pairs.tests[code]
    interval = (float(pairs.interval[row, 0]), float(pairs.interval[row, 1]))
    difference = float(pairs.difference[row])
    estimate, codes = pair_estimate(test if estimated else None, batch, config, difference, interval)
    unpaired = bool(pairs.unpaired[row])
    effects: dict[str, Estimate] = {}
    for entry in (EFFECTS[key] for key in effect_keys if batch.units.measured is None):
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
    found = PairData(
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
    return found, codes


def pair_estimate(
    test: str | None,
    batch: PairBatch,
    config: AnalysisConfig,
    difference: float,
    interval: tuple[float, float],
) -> tuple[Estimate | None, set[str]]:
    """The quantity a test is about, with the codes of its notes.

    difference, interval: What stands for tests of the mean.
    """
    if test is None or batch.units.measured is not None:
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
