"""The landing page: drop a file, see the answer, what was read, the leaderboard and the heatmap."""

import streamlit as st

from dashboard.navigation import page_path
from dashboard.parts.doubts import draw_doubts
from dashboard.parts.panels import current_analysis, show_problems, show_remarks, signature_line
from dashboard.scores.preload import prepare_charts
from dashboard.scores.roles_panel import draw_question
from dashboard.scores.submissions import (
    draw_outputs_details,
    draw_outputs_notes,
    draw_outputs_summary,
    draw_outputs_upload,
)
from dashboard.scores.upload import draw_details, draw_notes, draw_summary, draw_upload
from dashboard.session.state import session

st.title("Which systems really differ?")
scores = session().scores
if scores is None:
    st.markdown(
        "Drop the scores of several systems on the same test items. You get a leaderboard that says which "
        "differences are real, with paired tests, corrected for the number of comparisons."
    )
draw_upload()
draw_outputs_upload()
submitted = session().submitted
if session().asked:
    draw_question()
elif scores is None:
    prepare_charts()
else:
    # Tables and figures are loaded only now: the empty page opens without them.
    from dashboard.heatmap.page import draw_heatmap
    from dashboard.parts.board_switch import draw_switch
    from dashboard.parts.leaderboard import draw_headline, draw_table
    from dashboard.parts.setting_buttons import draw_documents
    from dashboard.scores.runs_question import draw_runs_question

    if submitted is None:
        draw_summary(scores)
    else:
        draw_outputs_summary(scores, submitted.outputs)
    draw_switch(scores)
    draw_doubts(scores)
    analysis = current_analysis()
    if analysis is not None:
        draw_runs_question(scores, analysis.config.runs)
        draw_headline(analysis)
        draw_documents(analysis)
    if submitted is None:
        draw_notes(scores)
    else:
        draw_outputs_notes(scores)
    if analysis is not None:
        # What concerns the file stands above already, if perhaps in other words.
        shown = {note.code for note in scores.notes}
        notes = [note for note in analysis.notes if note.code not in shown]
        show_problems(notes)
        st.header("Leaderboard", divider="grey")
        draw_table(analysis, "landing table")
        show_remarks(notes)
        more = "More, and what changed since an earlier board"
        st.page_link(page_path("leaderboard"), label=more)
        st.header("All pairs", divider="grey")
        draw_heatmap(analysis, "landing heatmap")
    if submitted is None:
        draw_details(scores)
    else:
        draw_outputs_details(submitted.outputs)
    if analysis is not None:
        signature_line(analysis)
