"""The analysis as an Excel workbook: one sheet a table, text is never a formula or a link."""

from __future__ import annotations

import io
import math
from datetime import datetime
from typing import TYPE_CHECKING, Any

from nlpstat_core.exports.frames import leaderboard_frame, p_matrix, pairs_frame
from nlpstat_core.exports.methods_text import methods_text
from nlpstat_core.exports.names import visible

if TYPE_CHECKING:
    import pandas as pd

    from nlpstat_core.analysis import Analysis

MOST_ROWS = 1_000_000
MOST_IN_MATRIX = 500
_OPTIONS = {
    "in_memory": True,  # uploads stay off the disk
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
_MADE = datetime(1980, 1, 1)  # the same analysis gives the same bytes


def workbook(analysis: Analysis) -> bytes:
    """Leaderboard, pairs, matrix of adjusted p, notes, methods and settings.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    bytes
        An .xlsx file; undefined and infinite numbers are empty cells, pairs end after 1,000,000 rows.
    """
    import pandas as pd
    import xlsxwriter

    made = io.BytesIO()
    book = xlsxwriter.Workbook(made, _OPTIONS)
    book.set_properties({"created": _MADE, "comments": f"{analysis.signature} {analysis.fingerprint}"})
    bold = book.add_format({"bold": True, "bottom": 1})
    _sheet(book, "Leaderboard", leaderboard_frame(analysis), bold)
    _sheet(book, "Pairs", pairs_frame(analysis).head(MOST_ROWS), bold)
    if analysis.units.n_systems <= MOST_IN_MATRIX:
        matrix = p_matrix(analysis)
        ordered = matrix.loc[list(analysis.leaderboard.system), list(analysis.leaderboard.system)]
        ordered.insert(0, "", list(ordered.index))
        _sheet(book, "Adjusted p", ordered, bold)
    notes = [(note.severity, note.text) for note in analysis.notes]
    _sheet(book, "Notes", pd.DataFrame(notes, columns=["severity", "note"]), bold)
    settings = {
        **analysis.config.to_dict(),
        "fingerprint": analysis.fingerprint,
        "signature": analysis.signature,
    }
    told = pd.DataFrame({"setting": list(settings), "value": [str(value) for value in settings.values()]})
    _sheet(book, "Settings", told, bold)
    _sheet(book, "Methods", pd.DataFrame({"methods": methods_text(analysis).split(". ")}), bold)
    book.close()
    return made.getvalue()


def _sheet(book: Any, name: str, frame: pd.DataFrame, bold: Any) -> None:
    sheet = book.add_worksheet(name)
    sheet.freeze_panes(1, 0)
    for column, label in enumerate(frame.columns):
        sheet.write_string(0, column, visible(str(label)), bold)
        for row, value in enumerate(frame.iloc[:, column].tolist(), start=1):
            _write(sheet, row, column, value)
    sheet.set_column(0, max(len(frame.columns) - 1, 0), 14)


def _write(sheet: Any, row: int, column: int, value: object) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, (int, float)):
        if math.isfinite(value):
            sheet.write_number(row, column, value)
    elif isinstance(value, str) and value:
        sheet.write_string(row, column, visible(value)[:32_000])
