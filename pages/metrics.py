"""Which metric ranks and separates systems as people do?"""

import streamlit as st

from dashboard.metrics import draw_metrics

st.title("Metrics")
draw_metrics()
