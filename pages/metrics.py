"""Which metric ranks and separates systems as people do?"""

import streamlit as st

from dashboard.metrics.page import draw_metrics

st.title("Metrics")
draw_metrics()
