"""The Streamlit application: state, controls, drawing. Numbers come from nlpstat_core only."""
