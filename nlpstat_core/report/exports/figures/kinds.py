"""Figures of an analysis by name, for notebooks and scripts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nlpstat_core.errors import AnalysisError, ConfigError, NlpstatError, shown, unknown
from nlpstat_core.methods.omnibus.nemenyi import nemenyi
from nlpstat_core.report.exports.figures import critical_difference
from nlpstat_core.report.exports.figures.board import board_svg
from nlpstat_core.report.exports.figures.intervals import interval_svg
from nlpstat_core.report.exports.figures.matrix import matrix_svg
from nlpstat_core.results.analysis import AnalysisData


@dataclass(frozen=True)
class Figure:
    """A vector figure that a notebook shows by itself."""

    svg: str

    def __repr__(self) -> str:
        return f"<Figure: SVG of {len(self.svg):,} characters; .save('figure.svg') writes it>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the SVG document.

        Raises ConfigError: The name is that of another format.
        Raises NlpstatError: The file can't be written.
        """
        if Path(path).suffix.lower() not in ("", ".svg"):
            better = Path(path).with_suffix(".svg").name
            raise ConfigError(f"A figure is an SVG document; name the file {shown(better)}.")
        try:
            Path(path).write_text(self.svg, encoding="utf-8")
        except OSError as error:
            raise NlpstatError(f"{shown(path)} can't be written: {error.strerror}.") from error


def _critical(analysis: AnalysisData) -> str:
    most = critical_difference.MOST_SYSTEMS
    if analysis.units.n_systems > most:
        raise AnalysisError(
            f"The critical-difference diagram holds up to {most} systems, and there are "
            f"{analysis.units.n_systems:,}; 'board' and 'heatmap' show more."
        )
    return critical_difference.critical_svg(nemenyi(analysis.units, analysis.config.alpha))


FIGURES: dict[str, Callable[[AnalysisData], str]] = {
    "board": board_svg,
    "heatmap": matrix_svg,
    "intervals": interval_svg,
    "critical-difference": _critical,
}


def figure(analysis: AnalysisData, kind: str) -> Figure:
    """A figure of an analysis.

    Raises ConfigError: An unknown kind, with the nearest one that exists.
    Raises AnalysisError: More systems than the diagram of critical differences can hold, or too few complete
        units.
    """
    if kind not in FIGURES:
        raise ConfigError(unknown("figure", kind, list(FIGURES)))
    return Figure(FIGURES[kind](analysis))
