"""The leaderboard: the answer and the table; pictures, and how firm all of it is, stand folded below.

The square of all pairs is on the Heatmap, where a cell opens its pair; the picture to publish has it, too.
"""

import streamlit as st

from dashboard.items.cost import link_to_costs
from dashboard.leaderboard.audit import draw_audit
from dashboard.leaderboard.board_figure import draw_board_figure
from dashboard.leaderboard.by_label import draw_by_label
from dashboard.leaderboard.earlier import CHANGES, changes_label, draw_earlier
from dashboard.leaderboard.ranks import best_shares, draw_ranks, known_ranks
from dashboard.leaderboard.robustness import draw_robustness
from dashboard.leaderboard.simultaneous import draw_simultaneous
from dashboard.leaderboard.variation import draw_variation
from dashboard.parts.board_switch import link_to_all
from dashboard.parts.critical_difference import draw_average_ranks
from dashboard.parts.folded import fold
from dashboard.parts.leaderboard import draw_answer, draw_intervals, draw_omnibus, draw_table
from dashboard.parts.pairs_of_system import draw_pairs_of
from dashboard.parts.panels import (
    current_analysis,
    link_to_saving,
    show_problems,
    show_remarks,
    signature_line,
)
from dashboard.parts.paper_sentence import draw_paper_sentence
from dashboard.parts.setting_buttons import draw_documents
from dashboard.session.state import session
from nlpstat_core.report.wording import withheld
from nlpstat_core.report.wording.paper import PAPER_TITLE

ALL_ROWS = 60  # longer boards are scrolled

st.title("Leaderboard")
analysis = current_analysis()
if analysis is not None:
    draw_answer(analysis)
    fold(PAPER_TITLE, "paper", draw_paper_sentence, analysis, expanded=withheld(analysis) is not None)
    draw_documents(analysis)
    show_problems(analysis.notes)
    ranks = known_ranks(analysis)
    best = best_shares(ranks, analysis)
    chosen = draw_table(analysis, "leaderboard table", most_rows=ALL_ROWS, best=best, search=True)
    if chosen is None:
        st.caption("Select a row to see the pairs of its system.")
    else:
        draw_pairs_of(analysis, chosen, "leaderboard")
    link_to_all(analysis.scores)
    link_to_costs(analysis)
    link_to_saving()
    fold("Scores with intervals", "intervals", draw_intervals, analysis, "leaderboard plot")
    fold(
        "The picture to publish: scores, intervals and all pairs", "board figure", draw_board_figure, analysis
    )
    draw_by_label(analysis)
    draw_simultaneous(analysis)
    draw_variation(analysis)
    if withheld(analysis) is None:
        fold("Ranks on other test sets like this one", "ranks", draw_ranks, analysis, ranks)
        if analysis.omnibus is not None:
            fold("Tests of all systems together", "omnibus", draw_omnibus, analysis)
        draw_average_ranks(analysis)
        fold(changes_label(), CHANGES, draw_earlier, analysis, expanded=session().earlier is not None)
        fold("Would other choices change the board?", "robustness", draw_robustness, analysis)
        fold("How often would this procedure err here?", "audit", draw_audit, analysis)
    show_remarks(analysis.notes)
    signature_line(analysis)
