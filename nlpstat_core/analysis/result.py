"""The result of an analysis: everything pages, reports and exports are made from."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpstat_core.analysis.pair import PairResult, pair_result
from nlpstat_core.board.items import ItemTable
from nlpstat_core.errors import AnalysisError, shown
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.power.variation.results import Variation
from nlpstat_core.report import wording
from nlpstat_core.report.exports.figures.kinds import Figure
from nlpstat_core.results.analysis import AnalysisData

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Analysis(AnalysisData):
    """Everything one analysis found, column by column.

    Attributes
    ----------
    config : AnalysisConfig
    scores : ScoreMatrix
        The scores as given.
    units : ScoreMatrix
        The evaluation units that were compared.
    leaderboard : Leaderboard
    pairs : PairTable
    omnibus : Omnibus or None
    family_size : int
        p-values corrected together.
    notes : tuple of Note

    Examples
    --------
    >>> from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse
    >>> scores = ScoreMatrix(values=[[3, 1], [4, 3], [5, 3], [6, 5], [9, 5]], systems=["new", "old"])
    >>> analysis = analyse(scores, AnalysisConfig(test="t"))
    >>> analysis.pair("new", "old").better, analysis.pairs_frame().columns[0]
    ('new', 'system_a')
    """

    @property
    def headline(self) -> str:
        """The answer in one sentence, or why there is none yet."""
        return wording.headline(self)

    @property
    def top_group(self) -> tuple[str, ...]:
        """The systems whose rank interval begins at 1, best first: the headline's."""
        return wording.top_group(self.leaderboard)

    def pair(self, a: str, b: str) -> PairResult:
        """Everything about one pair, computed when asked: all effects, all intervals, diagnosis.

        Parameters
        ----------
        a, b : str
            Names of two systems in either order; the result keeps the table's order.

        Returns
        -------
        PairResult

        Raises
        ------
        ScoreError
            No system has this name.
        AnalysisError
            The pair was not compared.
        """
        row = self.pairs.find(self.units.index(a), self.units.index(b))
        if a == b:
            raise AnalysisError(f"{shown(a)} was named twice: name two systems that differ.")
        if row is None:
            raise AnalysisError(f"{shown(a)} and {shown(b)} were not compared in this analysis.")
        return self.pair_at(row)

    def pair_at(
        self, row: int, *, effect_keys: Collection[str] = EFFECTS.keys, estimated: bool = True
    ) -> PairResult:
        """Everything about the pair in one row of `pairs`, or a part of it.

        Parameters
        ----------
        row : int
        effect_keys : collection of str
            Effect sizes to compute.
        estimated : bool
            Whether the test's own estimate is computed; its interval may take a second.

        Returns
        -------
        PairResult
        """
        return pair_result(self, row, effect_keys=effect_keys, estimated=estimated)

    def variation(self) -> Variation:
        """What varies where systems have several runs: components, and what more items or runs would bring.

        Returns
        -------
        Variation

        Raises
        ------
        AnalysisError
            One run a system.
        """
        from nlpstat_core.power.variation.components import variation

        return variation(self.scores, self.config)

    def items(self) -> ItemTable:
        """Every item over the systems: difficulty, agreement with the rest, reliability of the ranking.

        Returns
        -------
        ItemTable
        """
        from nlpstat_core.board.items import item_table

        return item_table(self.units, seed=self.config.seed)

    def pairs_frame(self) -> pd.DataFrame:
        """All pairs as a pandas frame, one row each; where documents are compared with `n_documents`, too."""
        from nlpstat_core.report.exports.data.frames import pairs_frame

        return pairs_frame(self)

    def leaderboard_frame(self) -> pd.DataFrame:
        """The leaderboard as a pandas frame, best system first."""
        from nlpstat_core.report.exports.data.frames import leaderboard_frame

        return leaderboard_frame(self)

    def p_matrix(self, adjusted: bool = True) -> pd.DataFrame:
        """Symmetric matrix of p-values, systems in column order, NaN where not compared.

        Parameters
        ----------
        adjusted : bool
            Adjusted p-values, or the single-comparison ones.

        Returns
        -------
        pandas.DataFrame, shape (n_systems, n_systems)
        """
        from nlpstat_core.report.exports.data.frames import p_matrix

        return p_matrix(self, adjusted)

    def figure(self, kind: str = "board") -> Figure:
        """A vector figure that a notebook shows and `save` writes.

        Parameters
        ----------
        kind : {"board", "heatmap", "intervals", "critical-difference"}

        Returns
        -------
        Figure

        Raises
        ------
        ConfigError
            An unknown kind.
        """
        from nlpstat_core.report.exports.figures.kinds import figure

        return figure(self, kind)

    def __repr__(self) -> str:
        size = f"{self.units.n_systems:,} systems × {self.units.n_units:,} items"
        return f"<Analysis: {size}. {self.headline}>"

    def _repr_html_(self) -> str:
        from nlpstat_core.report.exports.documents.notebook import analysis_html

        return analysis_html(self)

    def _repr_markdown_(self) -> str:
        from nlpstat_core.report.exports.documents.notebook import analysis_md

        return analysis_md(self)

    def report_html(self) -> str:
        """The whole report as one HTML page that needs no other file."""
        from nlpstat_core.report.exports.documents.report import report_html

        return report_html(self)

    def write(self, folder: str | Path, also: Iterable[str] = ()) -> tuple[Path, ...]:
        """Write analysis.json, the tables and the reports into a folder, all of them or none.

        Parameters
        ----------
        folder : str or Path
            Made where it isn't there; files of these names in it are replaced.
        also : sequence of str
            Further files, as ``--also`` of the command line names them ("xlsx", "figures", "methods",
            "table", "zip" …), or "all".

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
        from nlpstat_core.report.exports.folder import write_folder

        return write_folder(self, Path(folder), [also] if isinstance(also, str) else also)

    def to_dict(self) -> dict[str, Any]:
        """The analysis as plain data, in the shape of analysis.json."""
        from nlpstat_core.report.exports.data.plain import analysis_to_dict

        return analysis_to_dict(self)
