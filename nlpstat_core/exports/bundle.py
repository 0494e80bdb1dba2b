"""Everything of one analysis in one zip, the same bytes for the same analysis."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

_MADE = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files in one archive, with a fixed date.

    Parameters
    ----------
    files : mapping of str to bytes
        By name inside the archive.

    Returns
    -------
    bytes
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _MADE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return made.getvalue()


def replay_json(analysis: Analysis) -> str:
    """The settings and reading choices as a file for --config.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    from nlpstat_core.exports.plain import json_text

    return json_text({**analysis.config.to_dict(), "reading": dict(analysis.scores.reading)})


def bundle(analysis: Analysis) -> bytes:
    """Every file of an analysis: tables, reports, figures, workbook, methods, references, replay file.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    bytes
        A zip archive.
    """
    from nlpstat_core.exports.excel import workbook
    from nlpstat_core.exports.folder import FILES
    from nlpstat_core.exports.interval_figure import interval_svg
    from nlpstat_core.exports.matrix_figure import matrix_svg
    from nlpstat_core.exports.methods_text import methods_text, references_bib

    more = (
        *(("leaderboard.svg", interval_svg), ("pairs.svg", matrix_svg), ("methods.txt", methods_text)),
        *(("references.bib", references_bib), ("replay.json", replay_json)),
    )
    texts = {name: make(analysis).encode("utf-8") for name, make in (*FILES, *more)}
    return zipped({**texts, "analysis.xlsx": workbook(analysis)})
