"""The analysis as an Excel workbook: one sheet per table, text is never a formula or a link."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.formatting import format_p, on_its_side
from nlpstat_core.report.exports.data.frames import leaderboard_frame, origin, p_matrix, pairs_frame
from nlpstat_core.report.exports.data.names import visible, width
from nlpstat_core.report.exports.documents.bibtex import citation
from nlpstat_core.report.exports.tables.board import score_decimals, systems_table
from nlpstat_core.report.exports.tables.by_label import by_label_table
from nlpstat_core.report.exports.tables.table import Table
from nlpstat_core.report.wording.methods import methods
from nlpstat_core.results.analysis import AnalysisData

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 1_000_000
MOST_IN_MATRIX = 500
_OPTIONS = {
    "in_memory": True,  # uploads stay off the disk
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
_MADE = datetime(1980, 1, 1)  # the same analysis gives the same bytes
_SMALLEST = 2.3e-308  # Excel takes smaller numbers for 0, and p is never 0
_LONGEST_FOOTER = 240
_MOST_DECIMALS = 15  # Excel keeps so many digits
_WIDEST, _NARROWEST = 40, 8
SMALL_P = 0.001  # from here down in powers of ten
P_COLUMNS = ("p_value", "p_adjusted", "p_equivalence", "p_equivalence_adjusted")


def workbook(analysis: AnalysisData) -> bytes:
    """Leaderboard, pairs, matrix of adjusted p, systems, notes, methods and settings.

    Returns: An .xlsx file; undefined and infinite numbers are empty cells, pairs end after 1,000,000 rows.
        Signature and fingerprint stand in the last columns, the settings and the footer of every sheet.
    """
    import pandas as pd
    import xlsxwriter

    made = io.BytesIO()
    book = xlsxwriter.Workbook(made, _OPTIONS)
    text, alpha = origin(analysis), analysis.config.alpha
    levels = dict.fromkeys(P_COLUMNS, alpha) | {"normality_p": analysis.config.normality_alpha}
    book.set_properties({"created": _MADE, "comments": " ".join(text.values())})
    sheets = _Sheets(book, " ".join(text.values()), score_decimals(analysis), levels)
    sheets.add("Leaderboard", leaderboard_frame(analysis), names=2)
    sheets.add("Pairs", pairs_frame(analysis).head(MOST_ROWS), names=2)
    if analysis.units.n_systems <= MOST_IN_MATRIX:
        order = list(analysis.leaderboard.system)
        matrix = p_matrix(analysis).loc[order, order]
        matrix.insert(0, "", order)
        sheets.add(
            "Adjusted p",
            matrix,
            names=1,
            formats=dict.fromkeys(order, p_format(matrix[order].to_numpy(), alpha)),
        )
    if analysis.units.measured is None:  # else items have no scores
        sheets.add("Systems", _plain(analysis, systems_table(analysis, len(analysis.leaderboard))), names=1)
    by_label = by_label_table(analysis, MOST_ROWS)
    if by_label is not None:
        sheets.add("By label", _plain(analysis, by_label), names=2)
    notes = [(note.severity, note.text) for note in analysis.notes]
    sheets.add("Notes", pd.DataFrame(notes, columns=["severity", "note"]), wrapped="note")
    sentences = [
        (statement.heading, f"{statement.text}.", "; ".join(map(citation, statement.references)))
        for statement in methods(analysis)
    ]
    frame = pd.DataFrame(sentences, columns=["part", "sentence", "references"])
    sheets.add("Methods", frame, wrapped="sentence")
    settings = {**analysis.config.to_dict(), "reading": dict(analysis.scores.reading), **text}
    frame = pd.DataFrame({"setting": list(settings), "value": [str(value) for value in settings.values()]})
    sheets.add("Settings", frame, wrapped="value")
    book.close()
    return made.getvalue()


def p_format(p_values: FloatArray, alpha: float) -> str:
    """A number format in which every p of a column lies on its side of alpha.

    >>> p_format(np.array([0.2, 0.03]), 0.05), p_format(np.array([0.2, 0.050004]), 0.05)
    ('[<0.001]0.00E+00;0.0000', '[<0.001]0.00E+00;0.000000')
    """
    near = p_values[np.abs(p_values - alpha) < 1e-4]
    texts = [on_its_side(float(p), "{:.{}f}", 4, alpha) for p in near]
    plain = min(max((len(text) - 2 for text in texts), default=4), _MOST_DECIMALS)
    small = [on_its_side(float(p), "{:.{}e}", 2, alpha) for p in near if p < SMALL_P]
    mantissa = max((len(text.partition("e")[0]) - 2 for text in small), default=2)
    return f"[<{SMALL_P:g}]0.{'0' * min(mantissa, _MOST_DECIMALS)}E+00;0.{'0' * plain}"


def _plain(analysis: AnalysisData, table: Table) -> pd.DataFrame:
    """A table with its numbers in full precision, intervals as text."""
    import pandas as pd

    columns = {
        column.label.lower(): [cell.text if column.decimals is None else cell.key for cell in column.cells]
        for column in table.columns
    }
    frame = pd.DataFrame(columns)
    frame.attrs.update(origin(analysis))
    return frame


class _Sheets:
    """Writes frames as sheets with a frozen header, widths that fit and formats for numbers."""

    def __init__(self, book: Any, footer: str, decimals: int, levels: Mapping[str, float]) -> None:
        self.levels = levels
        self.book, self.footer = book, footer.replace("&", "&&")[:_LONGEST_FOOTER]
        self.head = book.add_format({"bold": True, "bottom": 1})
        self.lines = book.add_format({"text_wrap": True, "valign": "top"})
        self.score = "0." + "0" * decimals if 0 < decimals <= 8 else "General" if decimals else "0"
        self.formats: dict[str, Any] = {}

    def add(
        self,
        name: str,
        frame: pd.DataFrame,
        *,
        names: int = 0,
        wrapped: str | None = None,
        formats: Mapping[str, str] | None = None,
    ) -> None:
        """One sheet: `names` columns stay in sight, the column `wrapped` is wide and breaks its lines."""
        sheet = self.book.add_worksheet(name)
        sheet.freeze_panes(1, names)
        sheet.set_footer(f"&L&8{self.footer}")
        sheet.repeat_rows(0)
        signed = frame.assign(**{str(name): value for name, value in frame.attrs.items()})
        for column, label in enumerate(map(str, signed.columns)):
            sheet.write_string(0, column, visible(label), self.head)
            values = signed.iloc[:, column].tolist()
            for row, value in enumerate(values, start=1):
                _write(sheet, row, column, value)
            if label == wrapped:
                sheet.set_column(column, column, 100, self.lines)
                continue
            texts = (visible(value) for value in values[:1000] if isinstance(value, str))
            fits = max([width(visible(label)), *map(width, texts)]) + 2
            number = (formats or {}).get(label) or self._number_format(label, values)
            sheet.set_column(column, column, min(max(fits, _NARROWEST), _WIDEST), self._format(number))
        if names:
            sheet.autofilter(0, 0, len(signed), len(signed.columns) - 1)

    def _number_format(self, label: str, values: list[object]) -> str:
        if label in self.levels:
            return p_format(np.array(values, dtype=np.float64), self.levels[label])
        if not any(isinstance(value, float) for value in values[:1000]):
            return "#,##0" if any(isinstance(value, int) for value in values[:1000]) else "General"
        return self.score if label in _IN_POINTS else "General" if label == "statistic" else "0.0000"

    def _format(self, number: str) -> Any:
        if number not in self.formats:
            self.formats[number] = self.book.add_format({"num_format": number})
        return self.formats[number]


_IN_POINTS = frozenset(
    (
        *("score", "own_score", "score_a", "score_b", "difference", "interval_low", "interval_high"),
        *("interval_simultaneous_low", "interval_simultaneous_high"),
        *("mean", "sd", "minimum", "median", "maximum"),
    )
)


def _write(sheet: Any, row: int, column: int, value: object) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, (int, float)):
        if 0 < abs(value) < _SMALLEST:
            sheet.write_string(row, column, format_p(abs(value)))
        elif math.isfinite(value):
            sheet.write_number(row, column, value)
    elif isinstance(value, str) and value:
        sheet.write_string(row, column, visible(value)[:32_000])
