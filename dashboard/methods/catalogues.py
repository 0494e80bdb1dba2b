"""Draws a catalogue of methods: what each does, assumes, computes, and who described it."""

from collections.abc import Iterable

import streamlit as st

from dashboard.parts.folded import fold
from dashboard.text import markdown
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.methods.references import REFERENCES
from nlpstat_core.records import Procedure
from nlpstat_core.report.wording.audit import PITFALLS
from nlpstat_core.report.wording.calibration import findings_about, findings_by_procedure
from nlpstat_core.report.wording.meanings import MEANINGS
from nlpstat_core.report.wording.posterior import NOT_P, WHICH_ONE
from nlpstat_core.report.wording.sentences import null_text


def draw_catalogue(catalogue: Iterable[Procedure]) -> None:
    """Every method of a catalogue, in its order, folded up."""
    for method in catalogue:
        text = f"**{markdown(method.label)}**: {markdown(method.summary)}"
        fold(text, method.key, draw_method, method)


def draw_meanings() -> None:
    """What the numbers mean and what they don't."""
    for meaning in MEANINGS:
        listed = "\n".join(f"* {markdown(sentence)}" for sentence in meaning.is_not)
        st.markdown(f"**{meaning.name.capitalize()}.** {markdown(meaning.is_this)}\n\n{listed}")


def draw_models() -> None:
    """The Bayesian models, and when to report which answer."""
    st.markdown(markdown(WHICH_ONE))
    st.markdown(markdown(NOT_P))
    draw_catalogue(MODELS)
    st.markdown("**What an audit of the procedure doesn't detect**")
    st.markdown("\n".join(f"* {markdown(sentence)}" for sentence in PITFALLS))


def draw_calibration() -> None:
    """Everything that simulations found where a procedure is not exactly as good as it promises."""
    st.markdown(
        "Procedures not named here kept their level, or their intervals had the stated coverage, in every "
        "simulated situation; the figures are in tests/calibration/RESULTS.md."
    )
    for name, sentences in findings_by_procedure().items():
        text = "\n".join(f"* {markdown(sentence)}" for sentence in sentences)
        st.markdown(f"**{markdown(name)}**\n{text}")


def draw_method(method: Procedure) -> None:
    """One method in full."""
    st.markdown(f"Key `{method.key}`")
    if method.null:
        null = null_text(method.null, "a", "b")
        st.markdown(f"**Null hypothesis.** {markdown(null)}.")
    if method.error_rate:
        st.markdown(f"**Controls.** {markdown(method.error_rate)}")
    if method.assumptions:
        listed = "\n".join(f"* {markdown(assumption)}" for assumption in method.assumptions)
        st.markdown(f"**Assumes**\n{listed}")
    found = findings_about(method.key)
    if found:
        text = "\n".join(f"* {markdown(sentence)}" for sentence in found)
        st.markdown(f"**In simulations**\n{text}")
    if method.formula:
        st.latex(method.formula)
    for key in method.references:
        if key in REFERENCES:
            reference = REFERENCES[key]
            link = (
                f" [doi:{markdown(reference.doi)}](https://doi.org/{reference.doi})" if reference.doi else ""
            )
            text = f"{reference.authors} ({reference.year}). {reference.title}. {reference.venue}."
            st.markdown(f"{markdown(text)}{link}")
