"""Draws what Bayesian models say of a board: the square of all pairs, ranks, shrunken scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.parts.file_buttons import file_buttons
from dashboard.parts.folded import folded
from dashboard.parts.panels import delivered, show_problems, show_remarks
from dashboard.parts.result_table import draw_result
from dashboard.parts.square import draw_square
from dashboard.parts.system_choice import choose_systems
from dashboard.parts.tables import cells_table
from dashboard.posterior.cells import posterior_cells
from dashboard.session.address import link_to_pair
from dashboard.session.requests import ask_posterior
from dashboard.session.state import session
from dashboard.text import NO_VALUE, markdown, short
from dashboard.theme import LIST_ON_A_PHONE, MOST_ON_A_PHONE, STILL_CONFIG
from nlpstat_core.config import RECOMMENDED
from nlpstat_core.formatting import format_score
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.report.exports.data.posterior import board_order
from nlpstat_core.report.exports.tables.posterior import posterior_systems
from nlpstat_core.report.exports.tables.square import SIGNS
from nlpstat_core.report.wording.posterior import NOT_P, WHICH_ONE, board_sentence, prior_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.posterior import Posterior
    from nlpstat_core.analysis.result import Analysis

PAGE_MODELS = {
    RECOMMENDED: "What suits each pair",
    "mean": "Mean difference",
    "partial-pooling": "Partial pooling",
    "bayesian-bootstrap": "Bayesian bootstrap",
}
MOST_DRAWN = 60
FILES = ("posterior.json", "posterior-systems.csv", "posterior-pairs.csv", "posterior.tex")


def choose_model(analysis: Analysis) -> str:
    """Which model the pairs' probabilities come from."""
    st.markdown(
        "A Bayesian complement to the tests: the probability that one system is better than another by an "
        "amount that matters. Nothing here changes the leaderboard or the report."
    )
    model = st.segmented_control(
        "Model",
        list(PAGE_MODELS),
        default=RECOMMENDED,
        required=True,
        key="posterior model",
        format_func=lambda key: PAGE_MODELS[key],
        persist_state="session",
    )
    if model not in PAGE_MODELS:
        model = RECOMMENDED
    if model != RECOMMENDED:
        st.caption(markdown(MODELS[model].summary))
    margin = analysis.config.equivalence_margin
    if margin is None:
        st.caption(
            "No region of practical equivalence: set “Equivalence margin” in the settings to ask for "
            "differences that matter."
        )
    else:
        st.caption(f"Region of practical equivalence: ±{format_score(margin)}, the equivalence margin.")
    return str(model)


def posterior_of(analysis: Analysis, model: str) -> Posterior | None:
    """The posterior, or None after drawing why there is none yet."""
    return delivered(ask_posterior(analysis, model), "Computing posterior probabilities")


def draw_words(found: Posterior) -> None:
    """The answer in a sentence, and what to mind."""
    st.markdown(f"**{markdown(board_sentence(found))}**")
    show_problems(found.notes)
    with st.expander("Is that a p-value? Which one do I report?"):
        st.markdown(markdown(NOT_P))
        st.markdown(markdown(WHICH_ONE))
        st.markdown(markdown(prior_sentence(found)))
    show_remarks(found.notes, about="on the posterior")


def draw_pairs(analysis: Analysis, found: Posterior) -> None:
    """The square of all pairs with three states, and the same as a table."""
    shown = choose_systems(analysis, "posterior")
    if len(shown) < 2:
        st.info("Choose at least two systems.")
        return
    key = ("posterior cells", found.signature, found.analysis.fingerprint, tuple(shown))
    square = session().drawing(key, lambda: posterior_cells(analysis, found, shown))
    worded = {"▲": "row is better", "▼": "row is worse", "≈": "practically equivalent"}
    used = [SIGNS[code] for code in np.unique(square.verdict) if SIGNS[code]]
    signs = " · ".join(f"{sign} {worded[sign]}" for sign in used)
    with st.container(key="posterior legend"):
        st.caption(
            f"{signs + ' · ' if signs else ''}without a sign: undecided. A sign stands for a probability of "
            f"{found.threshold:g} or more. Select a cell for its sentence and a link to its pair."
        )
    if square.size > MOST_ON_A_PHONE:
        st.html(LIST_ON_A_PHONE.format(key="posterior"))
        with st.container(key="posterior list"):
            st.caption("The square needs a wider screen: the table below holds every pair.")
    cell = draw_square(
        square, "posterior chart", f"Square of all pairs, {square.label}. {board_sentence(found)}"
    )
    if cell is not None and square.has_pair(*cell):
        a, b = (square.names[place] for place in cell)
        st.markdown(markdown(square.sentence[cell]))
        link_to_pair(f"Open the pair {markdown(short(a))} and {markdown(short(b))}", a, b)
    with folded("The same as a table: probability that the row is better", "posterior") as opened:
        if opened:
            st.dataframe(cells_table(square), alt=f"{square.label}, one row per system", placeholder=NO_VALUE)


def draw_systems(found: Posterior) -> None:
    """P(best), expected ranks and shrunken scores, as a figure and a table."""
    from dashboard.figures.posterior import shrinkage_figure

    if found.board is None:
        st.info("These scores have no model of the whole board; the notes above say why.")
        return
    order = board_order(found)
    top = order[:MOST_DRAWN]
    pooled = found.board.model == "partial-pooling"
    st.caption(
        "Filled: posterior mean with its credible interval. Hollow: the raw score."
        + (" Partial pooling shrinks scores towards the board's mean." if pooled else "")
        + (f" The first {MOST_DRAWN} of {len(order)} systems." if len(order) > MOST_DRAWN else "")
    )
    st.plotly_chart(
        shrinkage_figure(
            [found.board.ranks.systems[column] for column in top],
            found.board.score[top],
            found.board.estimate[top],
            found.board.interval[top],
        ),
        key="posterior scores",
        config=STILL_CONFIG,
        alt=f"Scores and posterior means. {board_sentence(found)}",
    )
    systems = posterior_systems(found)
    assert systems is not None
    draw_result(systems, "Ranks and scores of all systems")


def draw_files(found: Posterior) -> None:
    """What can be taken away."""
    from nlpstat_core.report.exports.documents.posterior import posterior_files

    file_buttons(FILES, lambda: posterior_files(found))
