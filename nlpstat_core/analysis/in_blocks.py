"""analyse_blocks(scores, config, folder): boards whose pairs don't fit into memory."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlpstat_core.analysis.analyse import MOST_PAIRS_WITH_INTERVALS, refuse_inapplicable
from nlpstat_core.analysis.block_bounds import PAIRS_OF_A_BLOCK, bytes_of_blocks, prepared_blocks
from nlpstat_core.analysis.given import as_matrix
from nlpstat_core.arrays import IntArray
from nlpstat_core.board.blocks.pair_files import PairFiles
from nlpstat_core.board.blocks.standing import Standing
from nlpstat_core.board.blocks.thresholds import N_BINS, bins_of, largest_significant
from nlpstat_core.board.pairs.columns import ChunkColumns, Progress, all_columns, system_scores, work_of
from nlpstat_core.board.preparation import refuse_undirected
from nlpstat_core.board.ranking.claims import top_group
from nlpstat_core.board.ranking.system_scores import board_scores
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.pairing import pairs_before, pairs_between
from nlpstat_core.engine.resampling.sharing_out import check_workers
from nlpstat_core.engine.resampling.threads import using_threads
from nlpstat_core.errors import AnalysisError
from nlpstat_core.formatting import count_of, some_names
from nlpstat_core.memory import refuse_beyond_disk
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.results.columns import VERDICTS, Leaderboard
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BlockAnalysis:
    """An analysis whose pairs stand in files: `pairs-000000.parquet` and so on, in the order of the pairs.

    config: As it was run.
    leaderboard: With rank intervals and clusters, without letters.
    family_size: Pairs with a p-value.
    largest_significant: The p-value up to which pairs are significant; −1 where none is.
    separated: Pairs decided in favour of one system.
    systems: In the order of the scores' columns.

    >>> import tempfile
    >>> scores = ScoreMatrix(values=[[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]], systems=["A", "B"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = analyse_blocks(scores, folder)
    ...     found.n_pairs, found.pair("B", "A")["difference"]
    (1, 2.0)
    """

    config: AnalysisConfig
    leaderboard: Leaderboard
    n_pairs: int
    family_size: int
    largest_significant: float
    separated: int
    folder: Path
    systems: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"<BlockAnalysis: {len(self.systems):,} systems, {self.separated:,} of "
            f"{count_of(self.n_pairs, 'pair')} separated. Top group: {some_names(self.top_group)}>"
        )

    @property
    def rank_intervals(self) -> IntArray:
        """Lowest and highest rank of every place of the board, shape (n_systems, 2)."""
        found = self.leaderboard.rank_interval
        return np.zeros((0, 2), dtype=np.int64) if found is None else found

    @property
    def top_group(self) -> tuple[str, ...]:
        """Systems with a score that no other is separated from and better."""
        return top_group(self.leaderboard)

    def pair(self, a: str, b: str) -> dict[str, Any]:
        """One pair's row by column name, looked up in its file, in the order of the scores' columns.

        Raises AnalysisError: No such pair.
        """
        if a == b or not {a, b} <= set(self.systems):
            raise AnalysisError(f"There is no pair of {a!r} and {b!r} here: name two systems of the board.")
        first, second = sorted((self.systems.index(a), self.systems.index(b)))
        row = pairs_before(first, len(self.systems)) + second - first - 1
        return PairFiles(self.folder, self.systems).row(*divmod(row, PAIRS_OF_A_BLOCK))


def analyse_blocks(
    scores: ScoreMatrix | Any,
    folder: str | Path,
    config: AnalysisConfig | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> BlockAnalysis:
    """Compare all pairs of systems block by block, with the pairs in Parquet files of a folder.

    For boards whose pairs don't fit into memory: 50,000 systems have 1.25 billion. Every number and decision
    is that of `analyse`; effect sizes get intervals where the settings name them.

    Parameters
    ----------
    scores : ScoreMatrix or data frame
        Rows × systems.
    folder : str or Path
        A new or an empty one.
    config : AnalysisConfig or None
        Settings; corrections none, bonferroni, holm and benjamini-hochberg.
    workers : int
        Threads; processes for long work where `should_stop` is None. The numbers don't depend on it.
    progress : callable (pairs done, pairs in all) or None
    should_stop : callable or None
        Asked several times a second; when it says yes the work ends with `Cancelled`, and the files are
        taken back.

    Returns
    -------
    BlockAnalysis
        Leaderboard with rank intervals and clusters, top group, pairs on demand.

    Raises
    ------
    ConfigError
        A correction or setting that needs all pairs at once.
    AnalysisError
        Scores that these settings can't compare; a folder that isn't empty; too little room on the disk.
    Cancelled
        `should_stop` said so.

    Notes
    -----
    Pairs are computed once, and a histogram of their p-values over 2^22 bins is kept. Where the decision of
    Holm's or Benjamini and Hochberg's procedure changes, the p-values of these bins are read again and put in
    order: so the p-value up to which pairs are significant is exact, ties included. Then every block gets its
    decisions. Memory: the scores, a block of 500,000 pairs, and some 34 MB of bins.

    Examples
    --------
    >>> import tempfile
    >>> scores = ScoreMatrix(values=[[3, 1, 2], [4, 3, 3], [5, 3, 5], [6, 5, 6], [9, 5, 7]], systems="ABC")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = analyse_blocks(scores, folder, AnalysisConfig(test="t", alpha=0.07))
    ...     found.top_group, found.separated, found.pair("A", "B")["better"]
    (('A', 'C'), 2, 'A')
    """
    scores, config = as_matrix(scores), config or AnalysisConfig()
    refuse_undirected(scores, config)
    check_workers(workers)
    config, run, units = prepared_blocks(scores, config)
    n_pairs = units.n_systems * (units.n_systems - 1) // 2
    folder = Path(folder)
    refuse_beyond_disk(
        bytes_of_blocks(n_pairs, config),
        folder,
        f"{count_of(n_pairs, 'pair')} of {count_of(units.n_systems, 'system')}",
    )
    files = PairFiles.new(folder, units.systems)
    try:
        with stoppable(should_stop), using_threads(workers):
            return _in_files(units, config, run, files, n_pairs, workers, progress)
    except BaseException:
        files.remove()
        raise


def _in_files(
    units: ScoreMatrix,
    config: AnalysisConfig,
    run: AnalysisConfig,
    files: PairFiles,
    n_pairs: int,
    workers: int,
    progress: Progress | None,
) -> BlockAnalysis:
    counts, unpaired = np.zeros(N_BINS, dtype=np.int64), False
    inapplicable: ChunkColumns = {}
    starts = range(0, n_pairs, PAIRS_OF_A_BLOCK)
    blocks = len(starts)
    for block, start in enumerate(starts):
        left, right = pairs_between(start, min(start + PAIRS_OF_A_BLOCK, n_pairs), units.n_systems)
        columns = _columns(units, run, left, right, n_pairs, workers)
        p = columns["p_value"]
        counts += np.bincount(bins_of(p[~np.isnan(p)]), minlength=N_BINS)
        used = np.unique(columns["test_code"])
        unpaired |= any(TESTS[TESTS.keys[code]].design == "unpaired" for code in used if code >= 0)
        for name in ("note:not-binary", "note:one-run"):
            everywhere = inapplicable.get(name, np.ones(1, dtype=bool))
            inapplicable[name] = everywhere & columns.get(name, np.zeros(1, dtype=bool)).all()
        own = system_scores(units, run, columns)
        scores = columns["scores"].T if own is None else own[np.stack([left, right])]
        files.write(block, left, right, columns | {"score_a": scores[0], "score_b": scores[1]})
        if progress is not None:
            progress(start + left.size, n_pairs)
    refuse_inapplicable(inapplicable, run)
    last = largest_significant(
        config.correction, config.alpha, counts, lambda bins: files.p_values_in(blocks, bins)
    )
    found = board_scores(units, config.level, block_ids(units, config), own_units=unpaired)
    standing, family = Standing(units, found, config.delta), int(counts.sum())
    for block in range(blocks):
        stop_if_asked()
        _decide(block, files, standing, last, config.correction, family)
    return BlockAnalysis(
        config=config,
        leaderboard=standing.leaderboard(),
        n_pairs=n_pairs,
        family_size=family,
        largest_significant=last,
        separated=standing.separated,
        folder=files.folder,
        systems=units.systems,
    )


def _decide(
    block: int, files: PairFiles, standing: Standing, last: float, correction: str, family: int
) -> None:
    """One block's decisions, counted and written."""
    own = files.read(block, ["left", "right", "p_value", "direction", "difference"])
    p = own["p_value"]
    significant = p <= last
    code = standing.add(own["left"], own["right"], significant, own["direction"], own["difference"])
    better = np.where(code > 0, own["left"], np.where(code < 0, own["right"], -1))
    decisions: dict[str, Any] = {}
    if correction == "none":
        decisions["p_adjusted"] = p
    if correction == "bonferroni":
        decisions["p_adjusted"] = np.minimum(p * float(family), 1.0)
    decisions["significant"] = significant
    decisions["better"] = better, standing.scores.systems
    decisions["verdict"] = np.where(code > 0, 1, np.where(code < 0, 2, 0)), VERDICTS
    files.decide(block, decisions)


def _columns(
    units: ScoreMatrix, run: AnalysisConfig, left: IntArray, right: IntArray, n_pairs: int, workers: int
) -> ChunkColumns:
    work = work_of(units, run, left, right)
    return all_columns(
        work, run, left.size, effect_intervals=n_pairs <= MOST_PAIRS_WITH_INTERVALS, workers=workers
    )
