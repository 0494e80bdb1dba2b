"""analyse_boards: one analysis for each metric or data set, and what they say together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from nlpstat_core.analysis.analyse import analyse_side, checked_config
from nlpstat_core.analysis.given import as_boards
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.analysis.several_boards.agreement import agreement, counted_from
from nlpstat_core.analysis.several_boards.joint import corrected_together
from nlpstat_core.analysis.several_boards.partial_conjunction import COMBINATIONS
from nlpstat_core.analysis.several_boards.pooled import Pooled, pooled
from nlpstat_core.analysis.several_boards.replicability import replicability
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.board.preparation import refuse_undirected
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import AnalysisError, ConfigError, NlpstatError, shown, unknown
from nlpstat_core.readers.boards import EACH, Each, ScoreBoards
from nlpstat_core.report.wording.several_boards_notes import boards_notes, guessed_kind_note
from nlpstat_core.results.several_boards import BoardFamily, BoardsData, Combination
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.stopping import ShouldStop

FAMILIES: tuple[str, ...] = get_args(BoardFamily)
ROUNDS = {"metric": 1, "dataset": 3}  # data sets are tested again on either side
MOST_P_VALUES = 20_000_000  # one-sided p-values over all data sets: half a gigabyte with what comes of them


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Boards(BoardsData):
    """Several analyses with equal settings, and what they say together.

    Attributes
    ----------
    config : AnalysisConfig
    each : {"metric", "dataset"}
        What a board stands for.
    family : {"each", "all"}
        Whether every board is a family of its own, or all pairs of all boards are one.
    combination : {"bonferroni", "fisher"}
        How p-values of data sets are combined.
    analyses : mapping of str to Analysis
        In the file's order.
    agreement : Agreement
    pooled : Pooled or None
        None for metrics, and where the data sets can't be pooled.
    replicability : Replicability or None
        None for metrics, and for more than 20 million p-values.
    notes : tuple of Note
    reading : mapping
        Keywords of `read_boards` that read these boards.

    Examples
    --------
    >>> from nlpstat_core.readers import read_boards
    >>> text = b"system,item,bleu,ter\\nA,1,3,1\\nA,2,4,2\\nB,1,1,5\\nB,2,2,6\\n"
    >>> boards = analyse_boards(read_boards((text, "scores.csv"), each="metric"))
    >>> len(boards), boards["bleu"].leaderboard.system
    (2, ('A', 'B'))
    """

    analyses: Mapping[str, Analysis]
    pooled: Pooled | None

    def __getitem__(self, name: str) -> Analysis:
        """The analysis of one board."""
        if name not in self.analyses:
            raise AnalysisError(unknown(self.each, name, self.analyses))
        return self.analyses[name]

    def _repr_html_(self) -> str:
        from nlpstat_core.report.exports.documents.html import table_html
        from nlpstat_core.report.exports.tables.several_boards import overview_tables

        return "\n".join(table_html(table) for table in overview_tables(self))

    def _repr_markdown_(self) -> str:
        from nlpstat_core.report.exports.documents.markdown import table_md
        from nlpstat_core.report.exports.tables.several_boards import overview_tables

        return "\n\n".join(table_md(table) for table in overview_tables(self))

    def write(self, folder: str | Path, also: Iterable[str] = ()) -> tuple[Path, ...]:
        """Write boards.json, the overview and a folder for every board, all of them or none.

        Parameters
        ----------
        folder : str or Path
            Made where it isn't there; files of these names in it are replaced.
        also : sequence of str
            Further files of every board, as of `Analysis.write`.

        Returns
        -------
        tuple of Path
            What was written.

        Raises
        ------
        ConfigError
            No such further file.
        NlpstatError
            The folder can't be written.
        """
        from nlpstat_core.report.exports.several_boards_folder import write_boards

        return write_boards(self, Path(folder), [also] if isinstance(also, str) else also)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, in the shape of boards.json."""
        from nlpstat_core.report.exports.data.several_boards import boards_to_dict

        return boards_to_dict(self)


def analyse_boards(
    boards: Mapping[str, ScoreMatrix | Any],
    config: AnalysisConfig | None = None,
    *,
    each: Each | None = None,
    family: BoardFamily = "each",
    combination: Combination = "bonferroni",
    workers: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Boards:
    """Analyse several metrics, or several data sets, with the same settings.

    Null hypothesis, of every pair on every board: that of the chosen test.

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix or data frame
        At least one; from `read_boards`, or scores of your own by name, as `analyse` takes them.
    config : AnalysisConfig or None
        Settings; None means the defaults.
    each : {"metric", "dataset"} or None
        What a board stands for. None takes what `read_boards` found; of other mappings boards are data sets
        where they name their items and have none in common, else metrics.
    family : {"each", "all"}
        "each": every board is corrected by itself and doesn't depend on the others. "all": the correction
        goes over all pairs of all boards.
    combination : {"bonferroni", "fisher"}
        "fisher" only where the data sets are independent of each other.
    workers : int
        Threads; processes for long work where `should_stop` is None. The numbers don't depend on it.
    progress : callable (pairs done, pairs in all) or None
    should_stop : callable or None

    Returns
    -------
    Boards

    Raises
    ------
    ConfigError
        Unknown choices, or settings that a board can't take.
    AnalysisError
        A board that these settings can't analyse, by its name.
    Cancelled
        `should_stop` said so.

    Examples
    --------
    >>> from nlpstat_core.readers import read_boards
    >>> rows = [f"{s},{i},{i % 5 + k},{i % 3}" for k, s in enumerate("AB") for i in range(9)]
    >>> file = ("\\n".join(["system,item,bleu,ter", *rows]).encode(), "scores.csv")
    >>> found = analyse_boards(read_boards(file, each="metric"), family="all")
    >>> list(found.analyses), found.family_size, found["ter"].scores.lower_is_better
    (['bleu', 'ter'], 2, True)
    """
    config = checked_config(config)
    read = boards if isinstance(boards, ScoreBoards) else None
    boards = as_boards(boards, "analyse_boards")
    settled: Each = each or (_kind(tuple(boards.values())) if read is None else read.each)
    for what, value, valid in (
        ("kind of board", settled, EACH),
        ("family", family, FAMILIES),
        ("combination", combination, COMBINATIONS),
    ):
        if value not in valid:
            raise ConfigError(unknown(what, value, valid))
    if not boards:
        raise AnalysisError("There are no boards to analyse; give at least one.")
    total = ROUNDS[settled] * sum(_pair_count(scores, config) for scores in boards.values())
    analyses: dict[str, Analysis] = {}
    done = 0
    for name, scores in boards.items():
        analyses[name] = _analysed(
            name,
            scores,
            config,
            one_sided=settled == "dataset",
            workers=workers,
            progress=counted_from(progress, done, total),
            should_stop=should_stop,
        )
        done += len(analyses[name].pairs)
    used = {analysis.config.block_column for analysis in analyses.values()}
    if len(used) == 1:  # else every board has its own documents, or none
        config = replace(config, block_column=used.pop())
    if family == "all":
        joint = corrected_together(tuple(analyses.values()), config)
        analyses = dict(zip(analyses, joint, strict=True))
    agreed = agreement(tuple(analyses.values()))
    repeated = together = None
    if settled == "dataset" and len(analyses) > 1:
        if 2 * len(agreed) * len(analyses) <= MOST_P_VALUES:
            repeated = replicability(
                analyses,
                method=combination,
                progress=counted_from(progress, done, total),
                should_stop=should_stop,
            )
        if len({analysis.units.lower_is_better for analysis in analyses.values()}) == 1:
            together = pooled(analyses, config)
    found = Boards(
        config=config,
        each=settled,
        family=family,
        combination=combination,
        analyses=analyses,
        agreement=agreed,
        pooled=together,
        replicability=repeated,
        notes=(),
        reading={} if read is None else read.reading,
    )
    notes = boards_notes(found, {} if read is None else read.left_out)
    return replace(found, notes=notes if each or read else (*notes, guessed_kind_note(settled)))


def _kind(boards: Sequence[ScoreMatrix]) -> Each:
    """Data sets where all boards name their items and no two share one."""
    items = [set(scores.units or ()) for scores in boards]
    apart = len(boards) > 1 and all(items) and len(set().union(*items)) == sum(map(len, items))
    return "dataset" if apart else "metric"


def _pair_count(scores: ScoreMatrix, config: AnalysisConfig) -> int:
    systems = scores.n_systems
    return systems - 1 if config.baseline is not None else systems * (systems - 1) // 2


def _analysed(
    name: str,
    scores: ScoreMatrix,
    config: AnalysisConfig,
    *,
    one_sided: bool,
    workers: int,
    progress: Progress | None,
    should_stop: ShouldStop | None,
) -> Analysis:
    """One board; what can't be done carries its name."""
    try:
        refuse_undirected(scores, config)
        return analyse_side(
            scores,
            config,
            one_sided=one_sided,
            workers=workers,
            progress=progress,
            should_stop=should_stop,
        )
    except NlpstatError as error:
        raise type(error)(f"{shown(name)}: ", error.sentence) from None
