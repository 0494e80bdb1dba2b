"""The files of an analysis that the report page offers. No Streamlit in here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from nlpstat_core.exports.bundle import bundle, replay_json
from nlpstat_core.exports.excel import workbook
from nlpstat_core.exports.folder import FILES
from nlpstat_core.exports.participant import participant_sheets

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

MAKERS: dict[str, Callable[[Analysis], str | bytes]] = {
    **dict(FILES),
    "analysis.xlsx": workbook,
    "everything.zip": bundle,
    "participants.zip": participant_sheets,
    "participants-hidden-names.zip": partial(participant_sheets, hide_others=True),
    "replay.json": replay_json,
}


def made(analysis: Analysis, name: str) -> bytes:
    """One file.

    Parameters
    ----------
    analysis : Analysis
    name : str
        One of MAKERS.

    Returns
    -------
    bytes
    """
    content = MAKERS[name](analysis)
    return content.encode("utf-8") if isinstance(content, str) else content
