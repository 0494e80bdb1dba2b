"""Draws the tables of the report on a page: numbers stay numbers, with the decimals of their column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.text import NO_VALUE, markdown
from nlpstat_core.formatting import MOST_DECIMALS, common_decimals

if TYPE_CHECKING:
    from nlpstat_core.report.exports.tables.table import Column, Table


TALL, ROW = 420, 35  # pixels


def frame_of(columns: Sequence[Column]) -> pd.DataFrame:
    """Columns of a result as a frame: numbers that share their decimals as numbers, all else as text."""
    return pd.DataFrame({column.label: _values(column) for column in columns})


def _values(column: Column) -> object:
    if column.decimals is None:
        return [cell.text for cell in column.cells]
    values = np.array([cell.key for cell in column.cells])
    if column.decimals:
        return values
    whole = np.rint(values)  # as the report writes them: 39.6 labels are 40
    return whole.astype(np.int64) if np.isfinite(whole).all() else whole


def decimal_format(values: Iterable[float], digits: int = 4, *, sign: str = "") -> str:
    """The format that shows every number of a column with the same decimals.

    digits: Significant ones of a typical value.
    sign: "+" where differences are shown.
    """
    return f"%{sign}.{min(common_decimals(values, digits), MOST_DECIMALS)}f"


def tall(rows: int, most: int = 10) -> int | Literal["content"]:
    """The height of a table: that of its rows, unless there are more than `most`; then it is scrolled."""
    return TALL if rows > most else "content"


def first_rows_high(rows: int, most: int) -> int:
    """The height of a table that shows the first of its rows; the others are scrolled to."""
    return ROW * (min(rows, most) + 1) + 3


def draw_frame(frame: pd.DataFrame, alt: str | None = None, **how: Any) -> None:
    """A table without numbers of rows, with a dash where there is no number."""
    st.dataframe(frame, hide_index=True, alt=alt, placeholder=NO_VALUE, **how)


def draw_result(table: Table, alt: str | None = None, **how: Any) -> None:
    """A table of the report with its remark."""
    formats = {
        column.label: st.column_config.NumberColumn(
            format=f"%.{column.decimals}f" if column.decimals else "localized"
        )
        for column in table.columns
        if column.decimals is not None
    }
    draw_frame(frame_of(table.columns), alt, column_config=formats, **how)
    if table.remark:
        st.caption(markdown(table.remark))
