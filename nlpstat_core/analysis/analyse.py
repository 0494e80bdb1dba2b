"""analyse(scores, config): the whole procedure, readable as one page."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.analysis.given import as_matrix
from nlpstat_core.analysis.pair import PairResult
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.arrays import IntArray
from nlpstat_core.board.pairs.columns import ChunkColumns, Progress, all_columns, in_halves, work_of
from nlpstat_core.board.pairs.decision import decided
from nlpstat_core.board.pairs.near_decisions import redrawn
from nlpstat_core.board.preparation import baseline_column, prepared_units, refuse_undirected
from nlpstat_core.board.ranking.leaderboard import rank_systems
from nlpstat_core.board.settled import settled
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.pairing import pair_indices
from nlpstat_core.engine.resampling.sharing_out import check_workers
from nlpstat_core.engine.resampling.threads import using_threads
from nlpstat_core.errors import AnalysisError
from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.methods.corrections import CORRECTIONS, family_size
from nlpstat_core.methods.omnibus.every import omnibus_tests
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.report.wording import analysis_notes, runs_notes
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.frames import by_item
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.submissions import Submissions
from nlpstat_core.stopping import ShouldStop, stoppable

# Above this many pairs effect sizes get intervals only when `intervals` names them.
MOST_PAIRS_WITH_INTERVALS = 50_000
# The least that a pair takes while columns are filled and decided, measured; each effect size comes on top.
BYTES_OF_A_PAIR = 150
BYTES_OF_AN_EFFECT = 12


def analyse(
    scores: ScoreMatrix | Submissions | Any,
    config: AnalysisConfig | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Analysis:
    """Compare all pairs of systems: diagnosis, test, effect sizes, correction, leaderboard.

    Parameters
    ----------
    scores : ScoreMatrix, Submissions or data frame
        Rows × systems; of submissions what the official measure is made of. A data frame (pandas,
        polars, Arrow), a list of records, a mapping of columns or {"system": {"item": score}} is
        read as `read_scores` reads a file.
    config : AnalysisConfig or None
        Settings; None means the defaults.
    workers : int
        Threads; processes for long work where `should_stop` is None. The numbers don't depend on it.
    progress : callable (pairs done, pairs in all) or None
        A correction that resamples counts for half of the pairs.
    should_stop : callable or None
        Asked several times a second; when it says yes the work ends with `Cancelled`.

    Returns
    -------
    Analysis

    Raises
    ------
    ConfigError
        A baseline or block column that the scores don't have; a one-sided alternative for all pairs of
        several systems (`preparation.refuse_undirected`).
    AnalysisError
        Scores that these settings can't compare; outputs that the measure can't use; more pairs than
        fit into memory.
    TypeError
        Scores of none of these kinds.
    Cancelled
        `should_stop` said so.

    Notes
    -----
    The order is fixed: test → effect → interval → adjust → decide; a test never sees alpha.

    Examples
    --------
    >>> values = [[3, 1, 2], [4, 3, 3], [5, 3, 5], [6, 5, 6], [9, 5, 7]]
    >>> scores = ScoreMatrix(values=values, systems=["A", "B", "C"])
    >>> analysis = analyse(scores, AnalysisConfig(test="t", correction="holm"))
    >>> analysis.leaderboard.system, analysis.family_size
    (('A', 'C', 'B'), 3)
    >>> analysis.pairs.p_adjusted.round(3).tolist()
    [0.065, 0.099, 0.065]
    """
    scores = as_matrix(scores)
    config = checked_config(config)
    refuse_undirected(scores, config)
    return analyse_side(scores, config, workers=workers, progress=progress, should_stop=should_stop)


def analyse_side(
    scores: ScoreMatrix,
    config: AnalysisConfig,
    *,
    one_sided: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Analysis:
    """`analyse` for those who test both one-sided alternatives themselves, so that no pair's order counts."""
    check_workers(workers)
    config = settled(scores, config)
    counted = scores.runs is not None and config.runs == "training"
    units = prepared_units(scores, as_run(config, runs=counted))
    with stoppable(should_stop), using_threads(workers):
        pairs = decided_pairs(units, config, one_sided=one_sided, workers=workers, progress=progress)
        board, pairs = rank_systems(
            units,
            pairs,
            level=config.level,
            all_pairs=config.baseline is None,
            block_ids=block_ids(units, config),
        )
        omnibus = omnibus_tests(units)
    return Analysis(
        config=config,
        scores=scores,
        units=units,
        leaderboard=board,
        pairs=pairs,
        omnibus=omnibus,
        family_size=family_size(pairs.p_value),
        notes=(
            # Without the reader's guess at documents: the analysis knows what comparing them costs.
            *(note for note in scores.notes if note.code != "block-column-proposed"),
            *analysis_notes(units, config, board, pairs, omnibus),
            *runs_notes(scores, units, config, pairs),
        ),
    )


def decided_pairs(
    units: ScoreMatrix,
    config: AnalysisConfig,
    *,
    chosen: tuple[IntArray, IntArray] | None = None,
    one_sided: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> PairTable:
    """All pairs of evaluation units: diagnosed, tested, corrected, decided; without a leaderboard.

    units: As `preparation.prepared_units` makes them.
    chosen: Columns of the systems of every pair; None takes all pairs, or those with the baseline.
    one_sided: Whether the table keeps one-sided p-values that come along with two-sided ones.
    Raises AnalysisError: A test that can be used for no pair.
    """
    run = as_run(config, runs=units.runs is not None)
    baseline = baseline_column(units, config)
    if chosen is None and baseline is None:
        _refuse_too_many_pairs(units.n_systems, config)
    left, right = chosen or pair_indices(units.n_systems, baseline)
    of_tests, of_correction = progress, None
    if CORRECTIONS[config.correction].resamples:
        of_tests, of_correction = in_halves(progress, left.shape[0])
    columns = all_columns(
        work_of(units, config, left, right),
        run,
        left.shape[0],
        effect_intervals=left.shape[0] <= MOST_PAIRS_WITH_INTERVALS,
        one_sided=one_sided,
        workers=workers,
        progress=of_tests,
    )
    refuse_inapplicable(columns, run)
    if units.measured is not None:
        columns = redrawn(units, left, right, columns, run)
    return decided(units, left, right, columns, run, of_correction)


def compare(
    u: ArrayLike | Mapping[str, float], v: ArrayLike | Mapping[str, float], **settings: Any
) -> PairResult:
    """Compare two systems given as two arrays of scores on the same items.

    Parameters
    ----------
    u, v : array-like of float, shape (n_units,), or mapping of item id to score
        Scores of systems "A" and "B", metric points; NaN where missing. Mappings, and series of pandas with
        an index, are joined by their items.
    **settings
        Fields of AnalysisConfig, for example ``test="wilcoxon"``.

    Returns
    -------
    PairResult
        With one unit the test is undefined and a note says so.

    Raises
    ------
    AnalysisError
        Arrays that are not one-dimensional, differ in length, or can't fit into memory.
    ConfigError
        Settings that can't be used.

    Examples
    --------
    >>> compare([3, 4, 5, 6, 9], [1, 3, 3, 5, 5], test="t").difference
    2.0
    """
    given = [np.asarray(scores) for scores in _joined(u, v)]
    many = max(column.size for column in given)
    refuse_beyond_memory(2 * many * 2 * 8, f"Two arrays of {many:,} scores", "take fewer items")
    columns = [np.asarray(scores, dtype=np.float64) for scores in given]
    if any(column.ndim != 1 for column in columns) or columns[0].shape != columns[1].shape:
        shapes = " and ".join(str(column.shape) for column in columns)
        raise AnalysisError(f"compare needs two one-dimensional arrays of equal length, not {shapes}.")
    scores = ScoreMatrix(values=np.stack(columns, axis=1), systems=("A", "B"))
    return analyse(scores, AnalysisConfig.from_mapping(settings)).pair("A", "B")


def _joined(u: Any, v: Any) -> tuple[Any, Any]:
    """Two arrays as they are, or by the items that mappings and series name."""
    if all(by_item(scores, counted=False) is None for scores in (u, v)):
        return u, v
    first, second = by_item(u), by_item(v)
    if first is None or second is None:
        raise AnalysisError("Only one of the two names its items; give both by item, or both as lists.")
    items = dict.fromkeys([*first, *second])
    return [first.get(item, np.nan) for item in items], [second.get(item, np.nan) for item in items]


def checked_config(config: AnalysisConfig | None) -> AnalysisConfig:
    """The settings, the defaults where none are given. Raises TypeError."""
    if not isinstance(config, AnalysisConfig | None):
        raise TypeError(
            f'config must be an AnalysisConfig, not {type(config).__name__}: AnalysisConfig(test="t"), or '
            "AnalysisConfig.from_mapping(mapping)."
        )
    return config or AnalysisConfig()


def _refuse_too_many_pairs(n_systems: int, config: AnalysisConfig) -> None:
    """All pairs stand in memory as columns."""
    n_pairs = n_systems * (n_systems - 1) // 2
    refuse_beyond_memory(
        n_pairs * (BYTES_OF_A_PAIR + BYTES_OF_AN_EFFECT * len(config.effects)),
        f"The {n_pairs:,} pairs of {n_systems:,} systems",
        "choose fewer systems, a baseline that the others are compared with, or pairs in files "
        "(analyse_blocks, --pairs-out)",
    )


def refuse_inapplicable(columns: ChunkColumns, config: AnalysisConfig) -> None:
    """A fixed test that can be used for no pair is one error, not a table of blanks."""
    inapplicable = columns.get("note:not-binary")
    if config.test in TESTS and inapplicable is not None and inapplicable.all():
        label = TESTS[config.test].label
        raise AnalysisError(f"{label} needs scores of 0 and 1; no pair of these systems has them.")
    alone = columns.get("note:one-run")
    if config.test in TESTS and alone is not None and alone.all():
        raise AnalysisError(
            f"{TESTS[config.test].label} needs two runs or more of both systems, and in every pair one has a "
            "single run: nothing says how much another run would differ. Choose pooled_runs=true to take the "
            "other systems' variance, or runs=samples where results need to hold for these runs only."
        )
