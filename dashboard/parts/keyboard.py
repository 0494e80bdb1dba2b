"""The keyboard: a table is one stop of the Tab key, and the arrow keys go from cell to cell."""

import streamlit as st

# Streamlit's grid takes Tab for the next cell, so that a table would be as many stops as it has columns.
_ONE_STOP_A_TABLE = """
export default function () {
  if (window.onestopatable) return;
  window.onestopatable = true;
  const kinds = "a[href], button, input, textarea, select, summary, [tabindex]";
  document.addEventListener("keydown", (event) => {
    const grid = document.activeElement;
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (grid?.tagName !== "CANVAS" || !grid.closest("[data-testid=stDataFrame]")) return;
    const stops = [...document.querySelectorAll(kinds)].filter((one) => one.tabIndex >= 0 && !one.disabled
      && !grid.contains(one) && one !== grid
      && one.checkVisibility({ opacityProperty: false, visibilityProperty: true }));
    const side = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
    const found = stops.filter((one) => grid.compareDocumentPosition(one) & side);
    const next = event.shiftKey ? found.at(-1) : found[0];
    if (!next) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    next.focus();
  }, true);
}
"""
_keeper = st.components.v2.component("one_stop_a_table", js=_ONE_STOP_A_TABLE)


def one_stop_a_table() -> None:
    """Let Tab leave a table at once; every run draws it, the browser listens once."""
    _keeper(key="one stop a table")
