"""The files that `--out` writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nlpstat_core.errors import NlpstatError, shown
from nlpstat_core.exports.frames import leaderboard_frame, pairs_frame
from nlpstat_core.exports.html import report_html
from nlpstat_core.exports.latex import report_tex
from nlpstat_core.exports.markdown import report_md
from nlpstat_core.exports.plain import analysis_to_dict, json_text
from nlpstat_core.exports.tables import csv_text

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

# One line per file; the order is the order they are written in.
FILES: tuple[tuple[str, Callable[[Analysis], str]], ...] = (
    ("analysis.json", lambda analysis: json_text(analysis_to_dict(analysis))),
    ("leaderboard.csv", lambda analysis: csv_text(leaderboard_frame(analysis))),
    ("pairs.csv", lambda analysis: csv_text(pairs_frame(analysis))),
    ("report.html", report_html),
    ("report.md", report_md),
    ("report.tex", report_tex),
)


def write_folder(analysis: Analysis, folder: Path) -> tuple[Path, ...]:
    """Write every file of an analysis; all texts are made before the first is written.

    Parameters
    ----------
    analysis : Analysis
    folder : Path
        Created when it does not exist.

    Returns
    -------
    tuple of Path

    Raises
    ------
    NlpstatError
        The folder can't be written.
    """
    texts = [(folder / name, render(analysis)) for name, render in FILES]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts:
            path.write_text(text + ("" if text.endswith("\n") else "\n"), encoding="utf-8", newline="\n")
    except OSError as error:
        raise NlpstatError(f"The folder {shown(folder)} can't be written: {error.strerror}.") from error
    return tuple(path for path, _ in texts)
