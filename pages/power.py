"""Was the test set big enough, and how big should the next one be? Everything else stands folded below."""

import streamlit as st

from dashboard.pair.page import choose_pair
from dashboard.parts.folded import folded
from dashboard.parts.leaderboard import draw_withheld
from dashboard.parts.one_question import draw_chosen_from_data
from dashboard.parts.panels import current_analysis, signature_line
from dashboard.power.curves import draw_curve
from dashboard.power.page import board_of, draw_about, draw_answer, draw_board, draw_neighbours
from dashboard.power.plan_form import draw_planning
from dashboard.power.unit_sizes import draw_unit_sizes

st.title("Power")
analysis = current_analysis()
found = None if analysis is None or draw_withheld(analysis) else board_of(analysis)
if analysis is not None and found is not None:
    draw_answer(analysis, found[0])
    draw_chosen_from_data(analysis)
draw_planning(analysis, None if found is None else found[0])
if analysis is not None and found is not None:
    board, near = found
    with folded("How this is computed, and why there is no “observed power”", "power about") as opened:
        if opened:
            draw_about(board)
    with folded("Items needed to separate neighbours on the leaderboard", "power neighbours") as opened:
        if opened:
            draw_neighbours(near)
    with folded("What could be found in every pair", "power pairs") as opened:
        if opened:
            draw_board(analysis, board)
    with folded("One pair: power by the size of the test set, and rows per item", "power pair") as opened:
        if opened:
            a, b = choose_pair(analysis)
            draw_curve(analysis, board, a, b)
            draw_unit_sizes(analysis, a, b)
    signature_line(analysis)
