"""The leaderboard: the answer and the table; pictures, and how firm all of it is, stand folded below.

The square of all pairs is on the Heatmap, where a cell opens its pair; the picture to publish has it, too.
"""

import streamlit as st

from dashboard.boards.page import link_to_several
from dashboard.items.cost import link_to_costs
from dashboard.leaderboard.audit import draw_audit
from dashboard.leaderboard.board_figure import draw_board_figure
from dashboard.leaderboard.by_label import draw_by_label
from dashboard.leaderboard.earlier import CHANGES, changes_label, draw_earlier
from dashboard.leaderboard.ranks import best_shares, draw_ranks, known_ranks
from dashboard.leaderboard.robustness import draw_robustness
from dashboard.leaderboard.simultaneous import draw_simultaneous
from dashboard.leaderboard.variation import draw_variation
from dashboard.parts.critical_difference import draw_average_ranks
from dashboard.parts.folded import folded
from dashboard.parts.leaderboard import draw_answer, draw_intervals, draw_omnibus, draw_table
from dashboard.parts.pairs_of_system import draw_pairs_of
from dashboard.parts.panels import current_analysis, show_problems, show_remarks, signature_line
from dashboard.parts.paper_sentence import draw_paper_sentence
from dashboard.parts.saving import link_to_saving
from dashboard.parts.setting_buttons import draw_documents
from dashboard.session.state import session
from nlpstat_core.report.wording import withheld
from nlpstat_core.report.wording.paper import PAPER_TITLE

ALL_ROWS = 60  # longer boards are scrolled

st.title("Leaderboard")
analysis = current_analysis()
if analysis is not None:
    draw_answer(analysis)
    with folded(PAPER_TITLE, "paper", expanded=withheld(analysis) is not None) as opened:
        if opened:
            draw_paper_sentence(analysis)
    draw_documents(analysis)
    show_problems(analysis.notes)
    ranks = known_ranks(analysis)
    best = best_shares(ranks, analysis)
    chosen = draw_table(analysis, "leaderboard table", most_rows=ALL_ROWS, best=best, search=True)
    if chosen is None:
        st.caption("Select a row to see the pairs of its system.")
    else:
        draw_pairs_of(analysis, chosen, "leaderboard")
    link_to_several(analysis)
    link_to_costs(analysis)
    link_to_saving()
    with folded("Scores with intervals", "intervals") as opened:
        if opened:
            draw_intervals(analysis, "leaderboard plot")
    with folded("The picture to publish: scores, intervals and all pairs", "board figure") as opened:
        if opened:
            draw_board_figure(analysis)
    draw_by_label(analysis)
    draw_simultaneous(analysis)
    draw_variation(analysis)
    if withheld(analysis) is None:
        with folded("Ranks on other test sets like this one", "ranks") as opened:
            if opened:
                draw_ranks(analysis, ranks)
        if analysis.omnibus is not None:
            with folded("Tests of all systems together", "omnibus") as opened:
                if opened:
                    draw_omnibus(analysis)
        draw_average_ranks(analysis)
        with folded(changes_label(), CHANGES, expanded=session().earlier is not None) as opened:
            if opened:
                draw_earlier(analysis)
        with folded("Would other choices change the board?", "robustness") as opened:
            if opened:
                draw_robustness(analysis)
        with folded("How often would this procedure err here?", "audit") as opened:
            if opened:
                draw_audit(analysis)
    show_remarks(analysis.notes)
    signature_line(analysis)
