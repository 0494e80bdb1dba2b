"""Every method the analysis can use, generated from the catalogues."""

import streamlit as st

from dashboard.catalogues import draw_calibration, draw_catalogue, draw_meanings
from nlpstat_core.categorical import CATEGORICAL
from nlpstat_core.corrections import CORRECTIONS
from nlpstat_core.diagnosis import DIAGNOSTICS
from nlpstat_core.effects import EFFECTS
from nlpstat_core.omnibus import OMNIBUS
from nlpstat_core.significance import TESTS

st.title("Methods")
st.markdown("What the numbers mean and where they come from. The pages use exactly these procedures.")
meanings, tests, corrections, effects, beside, calibration = st.tabs(
    ["How to read the numbers", "Tests", "Corrections", "Effect sizes", "Further tests", "Calibration"]
)
with meanings:
    draw_meanings()
with tests:
    draw_catalogue(TESTS)
with corrections:
    draw_catalogue(CORRECTIONS)
with effects:
    draw_catalogue(EFFECTS)
with beside:
    st.subheader("All systems at once")
    draw_catalogue(OMNIBUS)
    st.subheader("Diagnostics")
    draw_catalogue(DIAGNOSTICS)
    st.subheader("Counts in categories")
    draw_catalogue(CATEGORICAL)
with calibration:
    draw_calibration()
