"""Draws how ranks vary from test set to test set: the probability of every rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.background import tasks
from dashboard.parts.panels import as_information, delivered
from dashboard.parts.result_table import draw_frame, tall
from dashboard.session.results import Answer, ask
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.report.wording.ranks import BEST, best_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.results.ranks import RankDistribution

# Resamples × units × systems done in about two seconds of the worker; above, only on request.
CHEAP = 3e9
MOST_PLOTTED = 40
MIDDLE = 0.95
SWITCH = "rank probabilities"
RANKS = "ranks"


def known_ranks(analysis: Analysis) -> Answer[RankDistribution] | None:
    """The ranks over resamples, asked for at once where that is cheap.

    Returns: None where the user has to ask and has not.
    """
    units = analysis.units
    cost = float(analysis.config.resamples) * units.n_units * units.n_systems
    if cost > CHEAP and not st.session_state.get(SWITCH):
        return None
    return ask_ranks(analysis, quick=cost <= CHEAP)


def ask_ranks(analysis: Analysis, *, quick: bool = False) -> Answer[RankDistribution]:
    """How the ranks of an analysis vary over resamples.

    quick: Whether that takes about a second at most.
    """
    config = analysis.config  # only these settings matter, so that another level or test asks for nothing new
    key = (analysis.units.fingerprint, config.block_column, config.resamples, config.seed)
    return ask(RANKS, key, tasks.ranks, analysis, quick=quick)


def best_shares(answer: Answer[RankDistribution] | None, analysis: Analysis) -> FloatArray | None:
    """Probability of being best in the order of the leaderboard, as soon as it is known."""
    if answer is None or answer.value is None:
        return None
    shares: FloatArray = answer.value.best[analysis.leaderboard.column]
    return shares


def draw_ranks(analysis: Analysis, answer: Answer[RankDistribution] | None) -> None:
    """The plot of rank probabilities with its table. `answer`: Of `known_ranks`."""
    if answer is None:
        st.markdown(
            "Every system's rank in test sets resampled from these items. For this board this takes a while."
        )
        st.toggle("Compute the rank probabilities", key=SWITCH, persist_state="session")
        return
    found = delivered(answer, "Resampling test sets", refused=as_information)
    if found is not None:
        _draw(analysis, found)


def _draw(analysis: Analysis, found: RankDistribution) -> None:
    from dashboard.figures.ranks import ranks_figure

    board = analysis.leaderboard
    shares = found.shares[board.column]
    st.markdown(markdown(best_sentence(found)))
    shown = min(len(board), MOST_PLOTTED)
    if shown < len(board):
        st.caption(f"The plot shows the first {shown} of {len(board):,} systems; the table holds all.")
    st.plotly_chart(
        ranks_figure(board.system[:shown], shares[:shown]),
        key="rank probabilities plot",
        config=STILL_CONFIG,
        alt=f"Probability of every rank for every system. {best_sentence(found)}",
    )
    with st.expander("The same as a table"):
        draw_frame(
            ranks_table(analysis, found),
            f"Rank probabilities as a table. {best_sentence(found)}",
            height=tall(len(board)),
            column_config={
                "Best": st.column_config.NumberColumn(format="%.1f%%", help=BEST),
                "Mean rank": st.column_config.NumberColumn(format="%.2f"),
            },
        )


def ranks_table(analysis: Analysis, found: RankDistribution) -> pd.DataFrame:
    """One row per system, best first."""
    board = analysis.leaderboard
    low, high = found.middle(MIDDLE)[board.column].T
    return pd.DataFrame(
        {
            "System": list(board.system),
            "Rank on the board": board.rank,
            "Best": 100 * found.best[board.column],
            "Mean rank": found.mean_rank[board.column],
            f"Ranks in {100 * MIDDLE:g} % of the test sets": [
                f"{a}" if a == b else f"{a} to {b}" for a, b in zip(low, high, strict=True)
            ],
        }
    )
