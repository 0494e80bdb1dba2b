"""The Bayesian answer: how probable a difference that matters is, and who is probably best."""

import streamlit as st

from dashboard.parts.leaderboard import draw_withheld
from dashboard.parts.panels import current_analysis, signature_line
from dashboard.posterior.page import (
    choose_model,
    draw_files,
    draw_pairs,
    draw_systems,
    draw_words,
    posterior_of,
)

st.title("Posterior")
analysis = current_analysis()
if analysis is not None and not draw_withheld(analysis):
    model = choose_model(analysis)
    found = posterior_of(analysis, model)
    if found is not None:
        draw_words(found)
        st.header("Every pair", divider="grey")
        draw_pairs(analysis, found)
        st.header("Scores and ranks", divider="grey")
        draw_systems(found)
        draw_files(found)
        signature_line(analysis)
