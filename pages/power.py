"""Was the test set big enough, and how big should the next one be?"""

import streamlit as st

from dashboard.pair.page import choose_pair
from dashboard.parts.leaderboard import draw_withheld
from dashboard.parts.one_question import draw_chosen_from_data
from dashboard.parts.panels import current_analysis, signature_line
from dashboard.power.curves import draw_curve
from dashboard.power.page import board_of, draw_answer, draw_board, draw_neighbours
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
    st.subheader("Power of one pair by the size of the test set", divider="grey")
    a, b = choose_pair(analysis)
    draw_curve(analysis, board, a, b)
    draw_board(analysis, board)
    draw_neighbours(near)
    draw_unit_sizes(analysis, a, b)
    signature_line(analysis)
