"""The files of an analysis that the report page offers. No Streamlit in here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from nlpstat_core.report.exports.data.plain import replay_json
from nlpstat_core.report.exports.documents.blocks import Section
from nlpstat_core.report.exports.documents.excel import workbook
from nlpstat_core.report.exports.documents.participant import participant_sheets
from nlpstat_core.report.exports.folder import FILES, Maker, bundle, sectioned
from nlpstat_core.report.exports.paper.table import paper_table

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.results.analysis import AnalysisData


def _sheets(analysis: AnalysisData, *, hide_others: bool) -> bytes:
    """Participants' sheets with today's date: the app knows the day, the core's files are the same on any."""
    return participant_sheets(analysis, hide_others=hide_others, dated=date.today().isoformat())


MAKERS: dict[str, Maker] = {
    **dict(FILES),
    "table.tex": paper_table,
    "analysis.xlsx": workbook,
    "everything.zip": bundle,
    "participants.zip": partial(_sheets, hide_others=False),
    "participants-hidden-names.zip": partial(_sheets, hide_others=True),
    "replay.json": replay_json,
}


def made(analysis: Analysis, name: str, sections: Sequence[Section] = ()) -> bytes:
    """One file. `name`: One of MAKERS, or a file of a section."""
    content = dict(sectioned(MAKERS.items(), sections))[name](analysis)
    return content.encode("utf-8") if isinstance(content, str) else content
