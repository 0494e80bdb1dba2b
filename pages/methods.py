"""Every method the analysis can use, generated from the catalogues."""

import streamlit as st

from dashboard.methods.catalogues import draw_calibration, draw_catalogue, draw_meanings, draw_models
from nlpstat_core.methods.categorical import CATEGORICAL
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.correlation import CORRELATION
from nlpstat_core.methods.diagnosis import DIAGNOSTICS
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.omnibus import OMNIBUS
from nlpstat_core.methods.significance import TESTS

st.title("Methods")
st.markdown("What the numbers mean and where they come from. The pages use exactly these procedures.")
meanings, tests, corrections, effects, beside, models, calibration = st.tabs(
    [
        "How to read the numbers",
        "Tests",
        "Corrections",
        "Effect sizes",
        "Further tests",
        "Bayesian models",
        "Calibration",
    ]
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
    st.header("All systems together")
    draw_catalogue(OMNIBUS)
    st.header("Diagnostics")
    draw_catalogue(DIAGNOSTICS)
    st.header("Counts in categories")
    draw_catalogue(CATEGORICAL)
    st.header("Metrics judged by people")
    draw_catalogue(CORRELATION)
with models:
    draw_models()
with calibration:
    draw_calibration()
