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
    from nlpstat_core.exports.folder import FILES, extras

    makers = (*FILES, *extras(("xlsx", "figures", "methods", "replay")))
    made = ((name, make(analysis)) for name, make in makers)
    return zipped(
        {name: content.encode("utf-8") if isinstance(content, str) else content for name, content in made}
    )
