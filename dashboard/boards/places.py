"""Draws systems ranked by their places in several tracks, with claims about other items of these tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background import upload_tasks
from dashboard.background.workers import Task
from dashboard.parts.downloads import deferred
from dashboard.parts.file_buttons import file_button
from dashboard.parts.panels import delivered, show_problems, show_remarks
from dashboard.parts.result_table import draw_result, tall
from dashboard.session.requests import ask_placed
from dashboard.session.results import chosen_config
from dashboard.session.settings import settings
from dashboard.text import markdown
from dashboard.theme import CHART_CONFIG
from nlpstat_core.analysis.tracks.combining import SETTINGS_OF_PLACES
from nlpstat_core.config import AUTO, AnalysisConfig
from nlpstat_core.methods.corrections import CORRECTIONS

if TYPE_CHECKING:
    from dashboard.background.given import BoardsChoice, TracksChoice
    from nlpstat_core.results.tracks import TrackRanking
    from nlpstat_core.scores.matrix import ScoreMatrix

MOST_DRAWN = 40
NO_BOARD = (
    "A place depends on all systems together, so single items have no score here: the other pages can't show "
    "this ranking, and it can't be saved, gated or planned for. The files below hold everything, "
    "and `nlpstat composite FILES --config ranking.json` reproduces it."
)


def draw_places(scores: ScoreMatrix, chosen: BoardsChoice, how: TracksChoice) -> None:
    """The ranking, how firm its places are, and which pairs are found to differ."""
    config, instead = config_of_places(chosen_config())
    if instead:
        st.caption("Pairs are corrected by Holm here: the correction chosen in the sidebar needs scores.")
    found = delivered(ask_placed(scores, chosen, how, config), "Ranking by places, with resampled items")
    if found is not None:
        draw_ranking(found)


def config_of_places(config: AnalysisConfig) -> tuple[AnalysisConfig, bool]:
    """Of the settings at the side those that a ranking by places uses, and whether Holm stands in."""
    kept = {name: getattr(config, name) for name in SETTINGS_OF_PLACES}
    # Every track has its own documents, unless a column was named, or none.
    kept["block_column"] = settings().get("block_column", AUTO)
    method = CORRECTIONS[config.correction]
    fits = method.p_values_only and not method.all_pairs_of_a_board
    if not fits:
        kept["correction"] = "holm"
    return AnalysisConfig(**kept), not fits


def draw_ranking(found: TrackRanking) -> None:
    """A ranking by places."""
    from dashboard.figures.ranks import ranks_figure
    from dashboard.parts.chart_table import draw_chart
    from nlpstat_core.report.exports.tables.tracks import ranking_pairs_table, ranking_table
    from nlpstat_core.report.wording.tracks import (
        ranking_headline,
        ranking_legend,
        ranking_method,
        ranking_pairs_legend,
        separated_sentence,
    )

    headline = ranking_headline(found)
    with st.container(border=True):
        st.markdown(f"**{markdown(headline)}**")
        st.caption(markdown(f"{separated_sentence(found)} {ranking_method(found)}"))
    show_problems(found.notes)
    draw_result(ranking_table(found), headline, height=tall(len(found.systems)))
    st.caption(markdown(ranking_legend(found)))
    few = min(len(found.systems), MOST_DRAWN)
    draw_chart(
        ranks_figure(found.systems[:few], found.ranks.shares[:few]),
        key="overall places ranks",
        config=CHART_CONFIG,
        alt=f"How often each system takes each rank when items are resampled. {headline}",
        table=found.leaderboard_frame(),
    )
    st.markdown("**Which pairs differ?**")
    draw_result(
        ranking_pairs_table(found),
        f"Every pair with its difference in {found.metric}, p and adjusted p.",
        height=tall(found.p_value.size),
    )
    st.caption(markdown(ranking_pairs_legend(found)))
    show_remarks(found.notes, about="on this ranking")
    file_button(
        "ranking.zip",
        deferred("ranking.zip", Task(upload_tasks.placed_archive, (found,))),
        help="ranking.json, the report as HTML, Markdown and LaTeX, and both tables as CSV.",
    )
    st.caption(NO_BOARD)
