"""One pair of systems, in the four steps of the procedure."""

import streamlit as st

from dashboard.pair.closer_look import draw_exploration
from dashboard.pair.diagnosis import draw_data, draw_diagnosis
from dashboard.pair.other_procedures import draw_others
from dashboard.pair.outputs import draw_outputs
from dashboard.pair.page import choose_pair, draw_effects, draw_result, draw_verdict
from dashboard.pair.posterior import draw_pair_posterior
from dashboard.pair.tracks import draw_tracks
from dashboard.parts.panels import current_analysis, delivered, signature_line
from dashboard.parts.setting_buttons import draw_chosen_from_data
from dashboard.session.links import draw_link
from dashboard.session.requests import ask_pair
from dashboard.text import markdown
from nlpstat_core.report.wording import withheld

st.title("Pair")
analysis = current_analysis()
if analysis is not None:
    a, b = choose_pair(analysis)
    columns = (analysis.units.index(a), analysis.units.index(b))
    if a == b:
        st.info("Choose two different systems.")
    elif analysis.pairs.find(*columns) is None:
        st.info(f"Only comparisons with the baseline {markdown(str(analysis.config.baseline))} were made.")
    else:
        found = delivered(ask_pair(analysis, a, b), "Looking at this pair")
        if found is not None:
            asked, pair, u, v = found  # the analysis with this pair in the order that was chosen
            names = f"{markdown(pair.system_a)} minus {markdown(pair.system_b)}"
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"Differences are {names}.")
                draw_link("Link to this pair", (a, b))
            draw_verdict(pair, asked, analysis)
            draw_chosen_from_data(analysis)
            draw_outputs(pair, asked)
            draw_tracks(pair, asked)
            lower = analysis.scores.lower_is_better
            if analysis.units.measured is None:
                draw_data(pair, u, v, solved=analysis.units.solved_or_not, lower_is_better=lower)
            draw_diagnosis(pair, asked)
            if withheld(analysis) is None:
                draw_result(pair, asked)
                draw_effects(pair, analysis)
                draw_exploration(pair, asked)
                draw_pair_posterior(pair, asked)
                draw_others(pair, asked, analysis)
            signature_line(analysis)
