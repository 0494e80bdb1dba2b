"""Draws a catalogue of methods: what each does, assumes, computes, and who described it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.text import markdown
from nlpstat_core.catalogue import Catalogue, Method
from nlpstat_core.references import REFERENCES
from nlpstat_core.wording.calibration import findings_about, findings_by_procedure
from nlpstat_core.wording.meanings import MEANINGS


def draw_catalogue(catalogue: Catalogue[Any]) -> None:
    """Every method of a catalogue, in its order, folded up.

    Parameters
    ----------
    catalogue : Catalogue
    """
    for method in catalogue:
        with st.expander(f"**{markdown(method.label)}**: {markdown(method.summary)}"):
            draw_method(method)


def draw_meanings() -> None:
    """What the numbers mean and what they don't."""
    for meaning in MEANINGS:
        listed = "\n".join(f"* {markdown(sentence)}" for sentence in meaning.is_not)
        st.markdown(f"**{meaning.name.capitalize()}.** {markdown(meaning.is_this)}\n\n{listed}")


def draw_calibration() -> None:
    """Everything that simulations found where a procedure is not exactly as good as it promises."""
    st.markdown(
        "Procedures that are not named here kept their level, or their intervals held the truth as often as "
        "they say, in every situation that was simulated; the figures stand in tests/calibration/RESULTS.md."
    )
    for name, sentences in findings_by_procedure().items():
        told = "\n".join(f"* {markdown(sentence)}" for sentence in sentences)
        st.markdown(f"**{markdown(name)}**\n{told}")


def draw_method(method: Method[Any]) -> None:
    """One method in full.

    Parameters
    ----------
    method : Method
    """
    st.markdown(f"Key `{method.key}`")
    if method.null:
        null = method.null.format(delta="δ", a="a", b="b")
        st.markdown(f"**Null hypothesis.** {markdown(null)}.")
    if method.error_rate:
        st.markdown(f"**Controls.** {markdown(method.error_rate)}")
    if method.assumptions:
        listed = "\n".join(f"* {markdown(assumption)}" for assumption in method.assumptions)
        st.markdown(f"**Assumes**\n{listed}")
    found = findings_about(method.key)
    if found:
        told = "\n".join(f"* {markdown(sentence)}" for sentence in found)
        st.markdown(f"**In simulations**\n{told}")
    if method.formula:
        st.latex(method.formula)
    for key in method.references:
        if key in REFERENCES:
            reference = REFERENCES[key]
            link = (
                f" [doi:{markdown(reference.doi)}](https://doi.org/{reference.doi})" if reference.doi else ""
            )
            told = f"{reference.authors} ({reference.year}). {reference.title}. {reference.venue}."
            st.markdown(f"{markdown(told)}{link}")
