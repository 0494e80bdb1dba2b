"""Draws the Bayesian answer for one pair, when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.panels import delivered
from dashboard.session.requests import ask_pair_posterior
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.report.wording.bayes_factor import factor_sentence
from nlpstat_core.report.wording.posterior import NOT_P, pair_sentence, within_text
from nlpstat_core.report.wording.probabilities import probability

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis


def draw_pair_posterior(pair: PairResult, asked: Analysis) -> None:
    """The posterior with its region shaded, the Bayes factor, and how both differ from p.

    asked: With the pair in the order that was chosen.
    """
    st.header("How probable is a difference that matters?", divider="grey")
    if not st.toggle("Show the Bayesian answer", key="pair posterior", persist_state="session"):
        return
    answer = ask_pair_posterior(asked, pair.system_a, pair.system_b)
    value = delivered(answer, "Computing the posterior")
    if value is None:
        return
    found, row, x, density = value
    pairs = found.pairs
    st.markdown(f"**{markdown(pair_sentence(found, row))}**")
    if x.size:
        from dashboard.figures.posterior import density_figure

        st.plotly_chart(
            density_figure(x, density, found.margin, pair.system_a, pair.system_b),
            key="pair density",
            config=STILL_CONFIG,
            alt=f"Posterior of the difference. {pair_sentence(found, row)}",
        )
    low, high = (float(end) for end in pairs.interval[row])
    difference = f"{format_score(float(pairs.estimate[row]))} {format_interval(low, high)}"
    facts = {
        f"P({pair.system_a} larger)": probability(float(pairs.greater[row])),
        "P(practically equivalent)": within_text(found, row),
        f"P({pair.system_b} larger)": probability(float(pairs.less[row])),
        f"Difference, {100 * asked.config.level:g} % credible interval": difference,
    }
    st.table(
        {markdown(name): markdown(text) for name, text in facts.items()},
        border="horizontal",
        hide_header=True,
    )
    st.markdown(markdown(factor_sentence(found, row)))
    st.caption(markdown(NOT_P))
