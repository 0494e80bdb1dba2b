"""Which metric ranks and separates systems as people do?"""

import streamlit as st

from dashboard.metrics.page import draw_metrics
from dashboard.navigation import page_title

st.title(page_title("metrics"))
draw_metrics()
