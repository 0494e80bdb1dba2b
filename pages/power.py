"""Was the test set big enough, and how big should the next one be? Everything else stands folded below."""

import streamlit as st

from dashboard.pair.page import choose_pair
from dashboard.parts.folded import fold, folded
from dashboard.parts.leaderboard import draw_withheld
from dashboard.parts.panels import current_analysis, signature_line
from dashboard.parts.setting_buttons import draw_chosen_from_data
from dashboard.power.curves import draw_curve
from dashboard.power.page import draw_about, draw_board, draw_known, draw_neighbours
from dashboard.power.plan_form import draw_planning
from dashboard.power.unit_sizes import draw_unit_sizes
from dashboard.session.state import session

st.title("Power")
analysis = current_analysis()
if session().scores is None:
    draw_planning(None)
elif analysis is not None and not draw_withheld(analysis):
    known = draw_known(analysis)
    if known.board is not None:
        draw_chosen_from_data(analysis)
    if known.board is not None or not known.coming:  # no guess while an answer is coming
        draw_planning(analysis, known.board)
    if known.board is not None and known.near is not None:
        fold(
            "How this is computed, and why there is no “observed power”",
            "power about",
            draw_about,
            known.board,
        )
        fold(
            "Items needed to separate neighbours on the leaderboard",
            "power neighbours",
            draw_neighbours,
            known.near,
        )
        fold("Detectable difference of every pair", "power pairs", draw_board, analysis, known.board)
        with folded("One pair: power by the size of the test set, and rows per item", "power pair") as opened:
            if opened:
                a, b = choose_pair(analysis)
                draw_curve(analysis, known.board, a, b)
                draw_unit_sizes(analysis, a, b)
        signature_line(analysis)
