"""Every number of one chunk of pairs: diagnosis, test, interval, effect sizes, by column name."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import CodeArray, FloatArray, IntArray
from nlpstat_core.board.pairs.designs import (
    agreement_notes,
    board_interval,
    design_notes,
    effect_columns,
    equivalence,
    own_scores,
    unpaired_tests,
    with_interval_of_test,
    without_test,
)
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes, undefined_outcomes
from nlpstat_core.engine.columns.pairing import Chunk, chunks
from nlpstat_core.engine.resampling import one_blas_thread
from nlpstat_core.engine.resampling.sharing_out import is_long, shared_out
from nlpstat_core.engine.samples.intervals import difference_interval
from nlpstat_core.methods.diagnosis.advice import RULES, recommended_codes
from nlpstat_core.methods.diagnosis.few_units import NOTE, rests_on_few, skewness_of_means
from nlpstat_core.methods.diagnosis.lists import diagnose
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.records import SignificanceTest
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix

Progress = Callable[[int, int], None]
ChunkColumns = dict[str, NDArray[Any]]


def in_halves(progress: Progress | None, n_pairs: int) -> tuple[Progress | None, Progress | None]:
    """Progress of two stages that count for half of the pairs each: the tests, and a resampling correction.

    Returns callables (done, in all) or None.
    """
    if progress is None:
        return None, None
    half = n_pairs // 2

    def tests(done: int, total: int) -> None:
        progress(half * done // total, n_pairs)

    def correction(done: int, total: int) -> None:
        progress(half + (n_pairs - half) * done // total, n_pairs)

    return tests, correction


def all_columns(
    work: Iterable[Chunk],
    config: AnalysisConfig,
    n_pairs: int,
    *,
    effect_intervals: bool,
    one_sided: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> ChunkColumns:
    """Columns of all pairs, filled chunk by chunk.

    effect_intervals: Whether cheap effect sizes get their intervals.
    one_sided: Whether one-sided p-values that came along with two-sided ones are kept.
    """
    filled: ChunkColumns = {}
    constant: ChunkColumns = {}  # one row each, of columns that said the same of all pairs so far
    done = 0
    of_chunk = partial(_placed, config=config, effect_intervals=effect_intervals)
    long = partial(_are_long, n_pairs=n_pairs)
    with one_blas_thread():
        for positions, columns in shared_out(of_chunk, work, workers, long):
            if not one_sided:
                columns.pop("one_sided", None)
            here = _as_slice(positions)
            for name in list(constant):
                if name not in columns or not _says_only(columns[name], constant[name]):
                    row = constant.pop(name)
                    filled[name] = np.full((n_pairs, *row.shape[1:]), row[0], dtype=row.dtype)
            for name in filled.keys() - columns.keys():
                filled[name][here] = _blank(filled[name])
            for name, values in columns.items():
                if name in constant:
                    continue
                if name not in filled and done == 0 and _says_only(values, values[:1]):
                    constant[name] = values[:1].copy()
                    continue
                if name not in filled:
                    shape = (n_pairs, *values.shape[1:])
                    filled[name] = (
                        np.empty(shape, values.dtype)
                        if done == 0
                        else np.full(shape, _blank(values), values.dtype)
                    )
                filled[name][here] = values
            done += positions.shape[0]
            if progress is not None:
                progress(done, n_pairs)
    spread = {name: np.broadcast_to(row, (n_pairs, *row.shape[1:])) for name, row in constant.items()}
    return filled | spread


def _placed(chunk: Chunk, config: AnalysisConfig, effect_intervals: bool) -> tuple[IntArray, ChunkColumns]:
    return chunk.positions, chunk_columns(chunk.batch, config, effect_intervals)


def _are_long(first: Chunk, n_pairs: int) -> bool:
    """Whether all chunks together are long work; counts take no time."""
    batch = first.batch
    return not batch.counts_suffice and is_long(n_pairs * batch.n_units, batch.units.values.size)


def _as_slice(positions: NDArray[np.int64]) -> slice | NDArray[np.int64]:
    """Ascending positions without a gap as a slice, which is written to four times as fast."""
    if not positions.size or positions[-1] - positions[0] != positions.size - 1:
        return positions
    return slice(int(positions[0]), int(positions[-1]) + 1)


def _says_only(values: NDArray[Any], row: NDArray[Any]) -> bool:
    """Whether this one row is that of every pair, as `np.broadcast_to` made it."""
    return values.strides[0] == 0 and np.array_equal(values[:1], row, equal_nan=row.dtype.kind == "f")


def _blank(values: NDArray[Any]) -> Any:
    """What stands where no chunk has written."""
    if values.dtype == bool:
        return False
    return np.nan if values.dtype.kind == "f" else -1


def work_of(units: ScoreMatrix, config: AnalysisConfig, left: IntArray, right: IntArray) -> Iterator[Chunk]:
    """The pairs of some systems in pieces, with what these settings share within one."""
    return chunks(
        units,
        left,
        right,
        delta=config.delta,
        block_ids=block_ids(units, config),
        together=config.test == RECOMMENDED or TESTS[config.test].design != "unpaired",
        by_wins=by_wins(config),
    )


def by_wins(config: AnalysisConfig) -> bool:
    """Whether all that these settings ask for is the same for 0/1 pairs with equal wins and losses."""
    codes = recommended_codes(np.array([RULES.index("binary")], dtype=np.int8), config.question)
    chosen = [TESTS.keys[code] for code in codes] if config.test == RECOMMENDED else [config.test]
    named = {*config.effects, *config.intervals} & set(EFFECTS.keys)
    return (
        all(TESTS[key].by_wins for key in chosen)
        and all(EFFECTS[key].by_wins for key in named)
        and not ("estimate" in config.intervals and any(TESTS[key].estimate for key in chosen))
    )


def system_scores(units: ScoreMatrix, config: AnalysisConfig, columns: ChunkColumns) -> FloatArray | None:
    """Scores of the systems, shape (n_systems,), where all pairs share the same units; else None."""
    if "scores" in columns:
        return None
    none = np.zeros(0, dtype=np.int64)
    result: FloatArray = next(work_of(units, config, none, none)).batch.units.scores
    return result


def chunk_columns(batch: PairBatch, config: AnalysisConfig, effect_intervals: bool) -> ChunkColumns:
    """All columns of one batch. Returns mapping of column name to array of shape (n_pairs, …).

    "scores" of a and b are among them only where pairs have units of their own.
    """
    if not (batch.counts_suffice and by_wins(config)):
        return _each_pair(batch, config, effect_intervals)
    one_of_each, place = batch.alike
    columns = _each_pair(batch.take(one_of_each), config, effect_intervals)
    for name, few in columns.items():
        alike = np.array_equal(few[:-1], few[1:], equal_nan=few.dtype.kind == "f")
        columns[name] = np.broadcast_to(few[:1], (place.size, *few.shape[1:])) if alike else few[place]
    return columns


def _each_pair(batch: PairBatch, config: AnalysisConfig, effect_intervals: bool) -> ChunkColumns:
    diagnosis = diagnose(batch, config)
    columns: ChunkColumns = {
        "n_units": np.full(batch.n_pairs, batch.n_units),
        "difference": batch.difference,
        "interval": difference_interval(batch, config),
        "skewness": diagnosis.skewness,
        "normality_p": diagnosis.normality_p,
        "rule": diagnosis.rule,
        "recommended": diagnosis.recommended,
        **_indistinct(batch),
    }
    _merge_notes(columns, diagnosis.notes, slice(None))
    codes = _test_codes(batch, config, diagnosis.recommended)
    columns["test_code"] = codes
    _merge_notes(columns, design_notes(batch, codes), slice(None))
    columns["mean_skewness"] = skewness_of_means(batch, codes)
    _merge_notes(columns, {NOTE: rests_on_few(columns["mean_skewness"])}, slice(None))
    unpaired = unpaired_tests(codes)
    if unpaired.any() or not batch.units.of_all:
        columns["scores"] = np.stack([batch.score_a, batch.score_b], axis=1)
    if unpaired.any():
        columns["scores"][unpaired] = own_scores(batch)[unpaired]
        own = batch.units.own.of_board.gap(batch.left, batch.right)
        columns["difference"] = np.where(unpaired, own, columns["difference"])
    if config.equivalence_margin is not None:
        columns["equivalence_p"] = equivalence(batch, config, config.equivalence_margin, codes)
    for code in np.unique(codes):
        here = codes == code
        part = batch.take(here)
        if code < 0:
            put_outcomes(columns, here, undefined_outcomes(part.n_pairs, without_test(part)))
            continue
        method = TESTS[TESTS.keys[code]]
        outcome = board_interval(part, config, with_interval(method, part, config), method.design)
        put_outcomes(columns, here, outcome)
        _put_estimate(columns, here, int(code), part, config)
    _merge_notes(columns, agreement_notes(columns, codes, batch.delta, config), slice(None))
    for key in config.effects:
        wanted = key in config.intervals or (effect_intervals and not EFFECTS[key].costly)
        effect = effect_columns(key, batch, config, wanted, unpaired)
        effect = with_interval_of_test(key, effect, columns["difference"], columns["interval"])
        columns[f"effect:{key}"] = effect.value
        if effect.interval is not None:
            columns[f"effect-interval:{key}"] = effect.interval
        _merge_notes(columns, {f"{key}:{code}": mask for code, mask in effect.notes.items()}, slice(None))
    return columns


def with_interval(method: SignificanceTest, batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """What a test finds, with the interval that belongs to it."""
    outcome = method.run(batch, config)
    return outcome if method.interval is None else method.interval(batch, config, outcome)


def _indistinct(batch: PairBatch) -> ChunkColumns:
    """Pairs without a unit that differs: identical, or different below the decimals of signs and ranks."""
    if batch.units.measured is not None:  # its test knows whether outputs differ
        return {}
    tied = (batch.wins + batch.losses == 0) & (batch.n_units > 0)
    if not tied.any():
        return {"note:identical-scores": tied}
    beyond = np.zeros(batch.n_pairs, dtype=bool)
    for pair in np.flatnonzero(tied):
        a, b = batch.units.by_system[batch.left[pair]], batch.units.by_system[batch.right[pair]]
        # What is left of equal decimals in floating point is no difference: a few units in the last place.
        dust = 4 * np.finfo(float).eps * np.maximum(np.abs(a), np.abs(b) + abs(batch.delta))
        beyond[pair] = bool((np.abs(a - b - batch.delta) > dust).any())
    return {"note:identical-scores": tied & ~beyond, "note:below-decimals": beyond}


def _test_codes(batch: PairBatch, config: AnalysisConfig, recommended: CodeArray) -> CodeArray:
    if config.test == RECOMMENDED:
        return recommended
    return np.full(batch.n_pairs, TESTS.keys.index(config.test), dtype=np.int8)


def put_outcomes(columns: ChunkColumns, here: NDArray[np.bool_], outcome: Outcomes) -> None:
    """What a test found of some pairs, put into the columns of all."""
    n_pairs = here.shape[0]
    named = ("statistic", "p_value", "log10_p", "error", "p_kind", "direction")
    for name in named:
        values = getattr(outcome, name)
        if name not in columns:
            columns[name] = np.full(n_pairs, _blank(values), dtype=values.dtype)
        columns[name][here] = values
    if outcome.one_sided is not None:
        columns.setdefault("one_sided", np.full((n_pairs, 2), np.nan))[here] = outcome.one_sided
    if outcome.interval is not None:
        columns["interval"][here] = outcome.interval
    if outcome.freedom is not None:
        columns.setdefault("df", np.full(n_pairs, np.nan))[here] = outcome.freedom
    _merge_notes(columns, outcome.notes, here)


def _put_estimate(
    columns: ChunkColumns, here: NDArray[np.bool_], code: int, part: PairBatch, config: AnalysisConfig
) -> None:
    estimate = TESTS[TESTS.keys[code]].estimate
    if estimate is None or "estimate" not in config.intervals:
        return
    result = estimate(part, config)
    n_pairs = here.shape[0]
    value = columns.setdefault(f"estimate:{result.of}", np.full(n_pairs, np.nan))
    interval = columns.setdefault(f"estimate-interval:{result.of}", np.full((n_pairs, 2), np.nan))
    value[here] = result.value
    interval[here] = result.interval
    _merge_notes(columns, result.notes, here)


def _merge_notes(columns: ChunkColumns, notes: dict[str, NDArray[np.bool_]], here: Any) -> None:
    for code, mask in notes.items():
        if mask.any():
            column = columns.setdefault(f"note:{code}", np.zeros(columns["n_units"].shape[0], dtype=bool))
            column[here] |= mask
