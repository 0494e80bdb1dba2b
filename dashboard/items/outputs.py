"""Draws the items of gold and outputs by what they do to the measure of the systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.background.outputs import ItemOutputs
from dashboard.parts.measure import in_front
from dashboard.parts.panels import delivered
from dashboard.parts.result_table import decimal_format, draw_frame, tall
from dashboard.session.state import session
from dashboard.session.submissions import ask_item_outputs
from dashboard.text import markdown, printable
from nlpstat_core.formatting import count_of

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.arrays import FloatArray

MOST_LISTED = 2_000


def draw_item_outputs(analysis: Analysis) -> bool:
    """The items that move the board most.

    Returns: Whether the rest of the page holds, which is about scores of items.
    """
    given = session().submitted
    if given is None:
        return True
    found = delivered(ask_item_outputs(), "Looking at the outputs")
    if found is None:
        return analysis.scores.measured is None
    name = in_front(str(analysis.scores.metric))
    st.header("Items that move the board most", divider="grey")
    st.caption(
        f"How much one item changes the difference in {markdown(str(analysis.scores.metric))} between two "
        "systems: the largest change over all pairs."
    )
    frame, titles = item_outputs_frame(analysis, found)
    if len(frame) > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED:,} of {len(frame):,} are listed.")
    formats = {"influence": decimal_format(frame.get("influence", ()), 3), "right": "%d"}
    helps = {
        "influence": f"{name} of one system minus that of another, with this item less without it.",
        "right": f"Of {count_of(len(analysis.scores.systems), 'system')}.",
    }
    draw_frame(
        frame.head(MOST_LISTED),
        "Items by how far they move differences between systems.",
        column_config={
            key: st.column_config.NumberColumn(title, format=formats[key], help=helps[key])
            if key in formats
            else st.column_config.TextColumn(title)
            for key, title in titles.items()
        },
        height=tall(len(frame)),
    )
    if analysis.scores.measured is None:
        return True
    means = given.outputs.means
    others = f"; a measure that is a mean, such as {means[0]}, has them" if means else ""
    st.caption(
        f"{name} is not a mean of item scores, so difficulty, correlations and reliability of items aren't "
        f"defined{others}."
    )
    return False


def largest_moves(analysis: Analysis) -> FloatArray:
    """For every item the largest change that it makes to a difference of two systems, shape (n_items,).

    A system's measure changes by (pseudo-value − measure)/(n − 1); of a mean, pseudo-values are the scores.
    """
    scores, board = analysis.scores, analysis.leaderboard
    value = np.full(scores.n_systems, np.nan)
    value[board.column] = board.score if board.own_score is None else board.own_score
    own = scores.present.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        moves = np.where(scores.present, (scores.values - value) / (own - 1), np.nan)
    high = np.max(np.where(np.isnan(moves), -np.inf, moves), axis=1)
    low = np.min(np.where(np.isnan(moves), np.inf, moves), axis=1)
    return np.where(np.isfinite(high - low), high - low, np.nan)


def item_outputs_frame(analysis: Analysis, found: ItemOutputs) -> tuple[pd.DataFrame, dict[str, str]]:
    """Items with gold, how many systems are right, and what they move; the largest first.

    Returns titles: By key of the column.
    """
    moves = largest_moves(analysis)
    given = session().submitted
    columns: dict[str, object] = {"item": list(found.items), "influence": moves, "gold": list(found.gold)}
    # What it is about stands next to the item, where a narrow screen has room.
    titles = {"item": "Item", "influence": "Moves a difference by", "gold": "Gold"}
    usual = "Answers"
    if found.right is not None:
        texts = given is not None and given.outputs.kind == "texts"  # where hardly two answers are the same
        columns["right"] = found.right
        titles["right"] = "Systems with gold's words" if texts else "Systems right"
        usual = "An answer" if texts else "Most frequent answer"
    columns["usual"], titles["usual"] = list(found.usual), usual
    for place, (name, cells) in enumerate(found.texts.items()):
        columns[f"text {place}"], titles[f"text {place}"] = list(cells), printable(name)
    order = np.argsort(-np.nan_to_num(moves, nan=-1.0), kind="stable")
    return pd.DataFrame(columns).iloc[order], titles
