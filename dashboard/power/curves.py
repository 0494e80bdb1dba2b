"""Draws the power of one pair by the size of the test set, simulated in the background."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.background import power_tasks
from dashboard.parts.panels import delivered
from dashboard.parts.sidebar import KEEP
from dashboard.power.page import TARGET
from dashboard.session.results import Answer, ask
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.catalogue import TESTS
from nlpstat_core.errors import Sentence
from nlpstat_core.power import PowerCurve
from nlpstat_core.report.wording.power import curve_sentence, power_note

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.power import BoardPower

CURVE = "power curve"
DETECTABLE, OBSERVED, CHOSEN = "the smallest detectable one", "the observed one", "another"
# Test sets × units that are drawn and tested at ten sizes in less than a second, by tests without resampling.
CHEAP_DRAWS = 3_000_000
METHODS: dict[Literal["bootstrap", "normal"], str] = {
    "bootstrap": "the pair's own items",
    "normal": "normal differences",
}
MOST_ASKED = (2, 3, 5, 10, 20)  # numbers of runs
ITEMS_AND_RUNS = "items-and-runs"


def draw_curve(analysis: Analysis, board: BoardPower, a: str, b: str) -> None:
    """Power of one pair by the number of units (and of runs), simulated with the pair's own test."""
    row = analysis.pairs.find(analysis.units.index(a), analysis.units.index(b))
    if a == b or row is None:
        st.info("Choose two different systems that were compared.")
        return
    detectable = float(board.detectable[row])
    left, middle, right = st.columns(3)
    assumed = left.selectbox(
        "True difference to assume",
        (DETECTABLE, OBSERVED, CHOSEN),
        index=0 if np.isfinite(detectable) else 1,
        key="assumed difference",
        **KEEP,
    )
    over_runs = analysis.units.runs is not None
    if over_runs:
        numbers = _numbers_of_runs(middle, analysis, (a, b))
    else:
        method = middle.selectbox(
            "Test sets made from", tuple(METHODS), format_func=METHODS.__getitem__, key="curve method", **KEEP
        )
    iterations = right.number_input(
        "Test sets per size", 100, 10_000, 1000, step=100, key="curve iterations", **KEEP
    )
    shift: float | None = None
    if assumed == CHOSEN:
        shift = st.number_input("Difference A − B", value=1.0, format="%g", key="curve shift", **KEEP)
    elif assumed == DETECTABLE and np.isfinite(detectable):
        turn = 1.0 if analysis.pairs.left[row] == analysis.units.index(a) else -1.0
        shift = analysis.config.delta + turn * _direction(analysis, row) * detectable
    if over_runs:
        _over_runs(analysis, row, (a, b), shift, int(iterations), numbers)
        return
    answer = _ask_curve(analysis, row, (a, b), shift, method, int(iterations))
    curve = delivered(answer, "Simulating test sets")
    if curve is not None:
        _show_curve(curve)


def _direction(analysis: Analysis, row: int) -> float:
    """Where the smallest detectable difference lies: as observed, or as the alternative says."""
    if analysis.config.alternative != "two-sided":
        return 1.0 if analysis.config.alternative == "greater" else -1.0
    return -1.0 if analysis.pairs.difference[row] < analysis.config.delta else 1.0


def _numbers_of_runs(place: DeltaGenerator, analysis: Analysis, pair: tuple[str, str]) -> tuple[int, ...]:
    """The numbers of runs to draw a curve for; first those of the pair, half and twice as many."""
    runs = analysis.units.runs
    now = 2 if runs is None else max(2, *(int(runs.numbers[analysis.units.index(name)]) for name in pair))
    offered = sorted({*MOST_ASKED, now, 2 * now})
    chosen = place.multiselect(
        "Runs of each system",
        offered,
        default=sorted({2, now, 2 * now}),
        key=f"curve runs {now}",
        help="A curve for each.",
        **KEEP,
    )
    return tuple(sorted(chosen)) or (now,)


def _over_runs(
    analysis: Analysis,
    row: int,
    pair: tuple[str, str],
    shift: float | None,
    iterations: int,
    numbers: tuple[int, ...],
) -> None:
    """The curves over items, one for each number of runs."""
    code = int(analysis.pairs.test_code[row])
    if code < 0:
        st.info("No test could be used for this pair.")
        return
    config = replace(analysis.config, test=analysis.pairs.tests[code])
    key = (analysis.fingerprint, config, pair, shift, iterations, numbers)
    answer = ask(
        CURVE, key, power_tasks.runs_curves, analysis, pair, config, iterations, shift, numbers, quick=True
    )
    curves = delivered(answer, "Computing power over items and runs")
    if not curves:
        return
    from dashboard.figures.power import runs_power_figure

    sentences = [curve_sentence(curve) for curve in curves]
    st.plotly_chart(
        runs_power_figure(curves, target=TARGET),
        key="power curve",
        config=STILL_CONFIG,
        alt=f"Power by items and runs. {sentences[0]}",
    )
    st.caption(markdown(sentences[0] if len(curves) == 1 else _common(curves)))
    for code_ in curves[0].notes:
        if code_ == ITEMS_AND_RUNS:
            st.caption(power_note(code_))
        else:
            st.warning(power_note(code_), icon=":material/warning:")
    with st.expander("The curves as a table"):
        frame = pd.DataFrame({"Items": curves[0].sizes})
        for curve in curves:
            frame[_runs_title(curve)] = curve.power.round(3)
        st.table(frame, border="horizontal", hide_index=True)


def _runs_title(curve: PowerCurve) -> str:
    return f"{(curve.n_runs or (0, 0))[0]} runs"


def _common(curves: list[PowerCurve]) -> str:
    """What all of them share: the sentence without the number of runs."""
    first = curves[0].n_runs or (0, 0)
    numbers = ", ".join(str((curve.n_runs or (0, 0))[0]) for curve in curves)
    return curve_sentence(curves[0]).replace(f"({first[0]} runs per system)", f"({numbers} runs per system)")


def _ask_curve(
    analysis: Analysis,
    row: int,
    pair: tuple[str, str],
    shift: float | None,
    method: Literal["bootstrap", "normal"],
    iterations: int,
) -> Answer[PowerCurve]:
    code = int(analysis.pairs.test_code[row])
    if code < 0:
        return Answer(problem=Sentence("No test could be used for this pair."))
    # One pair gets the test it had on the board; corrections that need other tests stay what they were.
    config = replace(analysis.config, test=analysis.pairs.tests[code])

    cheap = TESTS[config.test].quick and iterations * analysis.units.n_units <= CHEAP_DRAWS
    key = (analysis.fingerprint, config, pair, shift, method, iterations)
    return ask(
        CURVE, key, power_tasks.power_curve, analysis, pair, config, iterations, method, shift, quick=cheap
    )


def _show_curve(curve: PowerCurve) -> None:
    from dashboard.figures.power import power_figure

    here = int(np.argmin(np.abs(curve.sizes - curve.n_units)))
    st.plotly_chart(
        power_figure(curve, target=TARGET),
        key="power curve",
        config=STILL_CONFIG,
        alt=f"Power by items; {curve.power[here]:.2f} with {int(curve.sizes[here]):,} items.",
    )
    st.caption(markdown(f"{curve_sentence(curve)} Shaded: 95 % band of the simulation."))
    for code in curve.notes:
        st.warning(power_note(code), icon=":material/warning:")
    with st.expander("The curve as a table"):
        frame = pd.DataFrame(
            {
                "Items": curve.sizes,
                "Power": curve.power.round(4),
                "Lower": curve.lower.round(4),
                "Upper": curve.upper.round(4),
            }
        )
        if curve.documents is not None:
            frame.insert(1, "Documents", curve.documents)
        st.table(frame, border="horizontal", hide_index=True)
