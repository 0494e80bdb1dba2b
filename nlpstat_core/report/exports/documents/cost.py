"""Scores against costs as plain data and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.plain import json_text
from nlpstat_core.report.exports.documents.latex import tabular
from nlpstat_core.report.exports.documents.latex_text import text
from nlpstat_core.report.exports.tables.cost import front_table
from nlpstat_core.report.wording.cost import front_headline
from nlpstat_core.results.cost import CostFront

if TYPE_CHECKING:
    import pandas as pd


def cost_frame(found: Sequence[CostFront]) -> pd.DataFrame:
    """One row a system and cost."""
    import pandas as pd

    frames = []
    for one in found:
        frame = one.to_frame()
        frame.insert(0, "of", one.cost)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def cost_tex(found: Sequence[CostFront]) -> str:
    """A LaTeX table of every cost (booktabs), with what it shows."""
    parts = []
    for one in found:
        table = front_table(one)
        heads = [text(column.label) for column in table.columns]
        spec = "".join("r" if column.numbers else "l" for column in table.columns)
        parts.append(f"{tabular(table, spec, heads)}\n\n{text(front_headline(one))}")
    return "\n\n".join(parts) + "\n"


def cost_files(found: Sequence[CostFront]) -> dict[str, str]:
    """Every file of scores against costs by its name."""
    return {
        "cost.json": json_text([one.to_dict() for one in found]),
        "cost.csv": csv_text(cost_frame(found)),
        "cost.tex": cost_tex(found),
    }
