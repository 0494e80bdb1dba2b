"""The planning form: any of items, power, difference and level from the other three; needs no data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import streamlit as st

from dashboard.background import power_tasks
from dashboard.parts.panels import delivered
from dashboard.parts.sidebar import KEEP
from dashboard.power.plan_start import start_plan, start_sentence
from dashboard.session.requests import ask_variation
from dashboard.session.results import Answer, ask
from dashboard.text import markdown
from nlpstat_core.config import SETTINGS, Alternative
from nlpstat_core.errors import NlpstatError
from nlpstat_core.power import PowerPlan, plan
from nlpstat_core.power.models import planned_model, planned_tests, runs_test, yardstick
from nlpstat_core.power.planning import by_documents
from nlpstat_core.report.wording import label_of_test
from nlpstat_core.report.wording.power import (
    CURVE_NOTES,
    MODEL_LABELS,
    plan_sentence,
    runs_plan_sentence,
    swaps_phrase,
)

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from dashboard.background.power_tasks import Family, Planned, PlannedRuns
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.power import BoardPower

UNKNOWNS = {"units": "test items", "power": "power", "effect": "the difference", "alpha": "the level"}
OVER_RUNS = {
    "units": "test items",
    "runs": "runs of each system",
    **{key: UNKNOWNS[key] for key in ("power", "effect", "alpha")},
}
QUESTIONS = {
    "units": "How many items next time?",
    "runs": "How many runs next time?",
    "power": "How likely would a test set be to find the difference?",
    "effect": "How small a difference would a test set find?",
    "alpha": "At which level would a test set find the difference?",
}
PLAN = "plan"
TO_FIND, NARROW = "Difference to find, in metric points", 320
# Up to how many items, or from which share of wins beyond ½, exact power takes a moment.
AT_ONCE, PLAIN = 2_000, 0.05


def draw_planning(analysis: Analysis | None, board: BoardPower | None = None) -> None:
    """One question with its answer, and folded below it everything that the answer assumes.

    analysis: Gives the test, spread and number of comparisons to start from.
    board: Gives the difference to start from.
    """
    start, measure = None, ""
    if analysis is not None:
        measure = "" if analysis.units.measured is None else analysis.units.measured.label
        variation = None
        if analysis.units.runs is not None:
            answer = ask_variation(analysis)
            variation = delivered(answer, "Estimating what varies between items and runs")
            if answer.job is not None:
                return
        start = start_sentence(analysis, start_plan(analysis, board, variation))
    st.header(QUESTIONS[st.session_state.get("plan for", "units")], divider="grey", anchor=False)
    question, answered = st.container(), st.container()
    with st.expander("What the plan assumes: test, spread, power, level, comparisons, documents"):
        ask_plan = _assumptions(question, start, measure)
    with answered:
        ask_plan()


def _assumptions(question: DeltaGenerator, start: str | None, measure: str = "") -> Callable[[], None]:
    """The form of a plan.

    question: Where the difference to find is asked for.
    start: What the form was filled with.
    measure: That systems are compared by, where it is no mean.
    Returns: Draws the plan.
    """
    if start is not None:
        st.caption(markdown(start))
    first, second, third = st.columns(3)
    choices = (*planned_tests(), runs_test())

    def named(key: str) -> str:
        return swaps_phrase(measure) if measure and key == yardstick() else label_of_test(key)

    test = second.selectbox("With the", choices, format_func=named, key="plan test", **KEEP)
    unknowns = OVER_RUNS if test == runs_test() else UNKNOWNS
    if st.session_state.get("plan for") not in unknowns:
        st.session_state["plan for"] = "units"
    unknown = first.selectbox(
        "Compute", tuple(unknowns), format_func=unknowns.__getitem__, key="plan for", **KEEP
    )
    alternative: Alternative = third.selectbox(
        "Alternative of the plan",
        get_args(Alternative)[:2],
        format_func=lambda key: SETTINGS["alternative"].text(key).partition(":")[0],
        key="plan alternative",
        **KEEP,
    )
    over_runs = _numbers_over_runs(unknown, question) if test == runs_test() else None
    of_swaps = measure if test == yardstick() else ""
    to_find = f"Difference to find in {of_swaps}" if of_swaps else TO_FIND
    given, sd = _numbers(unknown, test, question, to_find) if over_runs is None else ({}, None)
    if over_runs is None and by_documents(test):
        given |= _documents()
    st.session_state.setdefault("plan comparisons", 1)
    comparisons = st.number_input(
        "Comparisons corrected together (1: a single one)",
        min_value=1,
        key="plan comparisons",
        help="S systems have S(S − 1)/2 pairs. The level of one comparison is α divided by this number, as "
        "in Bonferroni's correction and the strictest step of Holm's.",
        **KEEP,
    )
    family: Family = {
        "alternative": alternative,
        "correction": "bonferroni" if comparisons > 1 else "none",
        "comparisons": int(comparisons),
    }
    if over_runs is not None:
        return partial(_plan_over_runs, {**over_runs, **family})
    return partial(_plan, {**given, **family, "test": test}, sd, of_swaps)


def _plan(asked: Planned, sd: float | None, measure: str) -> None:
    """The answer to a plan of items; the spread where the difference is in metric points."""
    found = delivered(_answer(asked), "Planning")
    if found is not None:
        _show(found, sd, measure)


def _answer(asked: Planned) -> Answer[PowerPlan]:
    """The plan: at once where it takes a moment, else by a process, which sums up exact probabilities."""
    units, effect = asked["units"], asked["effect"]
    small = units <= AT_ONCE if units is not None else effect is not None and abs(effect) >= PLAIN
    if planned_model(asked["test"]).effect == "cohen-g" and not small:
        return ask(PLAN, tuple(sorted(asked.items(), key=str)), power_tasks.planned, asked, sort="plans")
    try:
        return Answer(value=plan(**asked))
    except NlpstatError as error:
        return Answer(problem=error.sentence)


def _numbers(unknown: str, test: str, question: DeltaGenerator, to_find: str) -> tuple[Planned, float | None]:
    """What the form gives, and the spread when the difference is in metric points.

    to_find: What the difference is called.
    """
    given: Planned = {"units": None, "power": None, "effect": None, "alpha": None, "decided": 1.0}
    sd = None
    places = iter(st.columns(4))

    def number(label: str, key: str, place: DeltaGenerator | None = None, **more: Any) -> float:
        if f"plan {key}" in st.session_state:  # what the board said, or the user
            more.pop("value", None)
        place = place or next(places)
        return float(place.number_input(label, key=f"plan {key}", format="%g", **more, **KEEP))

    by_wins = planned_model(test).effect == "cohen-g"
    if by_wins:
        if unknown != "effect":
            given["effect"] = (
                number(
                    "Share of wins to find, of the items that decide",
                    "share",
                    question,
                    value=0.6,
                    max_value=1.0,
                    step=0.05,
                    width=NARROW,
                )
                - 0.5
            )
        given["decided"] = number(
            "Share not tied", "decided", value=1.0, min_value=0.001, max_value=1.0, step=0.05
        )
    else:
        if unknown != "effect":
            delta = number(to_find, "difference", question, value=0.2, step=0.1, width=NARROW)
        sd = number("Standard deviation", "sd", value=1.0, min_value=1e-9, step=0.1)
        if unknown != "effect":
            given["effect"] = delta / sd
    if unknown != "units":
        given["units"] = int(next(places).number_input("Items", 2, value=1000, key="plan items", **KEEP))
    if unknown != "power":
        given["power"] = number("Power", "power", value=0.8, min_value=0.01, max_value=0.999, step=0.05)
    if unknown != "alpha":
        given["alpha"] = number("Level α", "alpha", value=0.05, min_value=1e-9, max_value=0.5, step=0.01)
    return given, sd


def _numbers_over_runs(unknown: str, question: DeltaGenerator) -> PlannedRuns:
    """What the form gives for items and runs."""
    given: PlannedRuns = {"units": None, "runs": None, "power": None, "difference": None, "alpha": None}
    spreads: dict[Literal["sd_items", "sd_runs", "sd_residual"], tuple[str, str, float, str]] = {
        "sd_items": ("SD of items × systems", "sd items", 0.3, "How much single items favour one system."),
        "sd_runs": ("SD of runs", "sd runs", 0.01, "Between the means of runs of one system."),
        "sd_residual": ("SD of the rest", "sd residual", 0.2, "Of a single score in a single run."),
    }
    for place, (name, (label, key, value, text)) in zip(st.columns(3), spreads.items(), strict=True):
        st.session_state.setdefault(f"plan {key}", value)
        given[name] = float(
            place.number_input(
                label, min_value=0.0, format="%g", step=0.01, key=f"plan {key}", help=text, **KEEP
            )
        )
    places = iter(st.columns(4))  # one of the five is computed
    if unknown != "effect":
        st.session_state.setdefault("plan difference", 0.2)
        given["difference"] = float(
            question.number_input(
                TO_FIND, format="%g", step=0.01, key="plan difference", width=NARROW, **KEEP
            )
        )
    if unknown != "units":
        st.session_state.setdefault("plan items", 1000)
        given["units"] = int(next(places).number_input("Items", 2, key="plan items", **KEEP))
    if unknown != "runs":
        st.session_state.setdefault("plan runs", 5)
        given["runs"] = int(next(places).number_input("Runs of each system", 2, key="plan runs", **KEEP))
    if unknown != "power":
        st.session_state.setdefault("plan power", 0.8)
        given["power"] = float(
            next(places).number_input("Power", 0.01, 0.999, step=0.05, format="%g", key="plan power", **KEEP)
        )
    if unknown != "alpha":
        st.session_state.setdefault("plan alpha", 0.05)
        given["alpha"] = float(
            next(places).number_input("Level α", 1e-9, 0.5, step=0.01, format="%g", key="plan alpha", **KEEP)
        )
    return given


def _plan_over_runs(asked: PlannedRuns) -> None:
    """The answer for items and runs, which a process computes within a second."""
    answer = ask(PLAN, tuple(sorted(asked.items(), key=str)), power_tasks.planned_runs, asked, sort="plans")
    found = delivered(answer, "Planning")
    if found is None:
        return
    with st.container(border=True):
        st.markdown(f"**{markdown(runs_plan_sentence(found))}**")
    st.caption(f"Computed by: {MODEL_LABELS['items-and-runs']}.")


def _documents() -> Planned:
    """How items come in documents."""
    left, right = st.columns(2)
    st.session_state.setdefault("plan per document", 1.0)
    st.session_state.setdefault("plan design effect", 1.0)
    per_document = left.number_input(
        "Items per document (1: items are independent)",
        min_value=1.0,
        step=1.0,
        format="%g",
        key="plan per document",
        help="Sentences of one document, or questions about one text, are alike, so each adds less "
        "information.",
        **KEEP,
    )
    effect = right.number_input(
        "Design effect of documents",
        min_value=0.001,
        step=0.1,
        format="%g",
        key="plan design effect",
        disabled=per_document == 1,
        help="Variance of the mean, divided by its variance with as many independent items: so many times "
        "more items are needed. With m items per document and intraclass correlation r it is 1 + (m − 1)·r.",
        **KEEP,
    )
    return {"per_document": float(per_document), "design_effect": float(effect) if per_document > 1 else 1.0}


def _show(found: PowerPlan, sd: float | None, measure: str) -> None:
    with st.container(border=True):
        st.markdown(f"**{markdown(plan_sentence(found, sd, measure))}**")
    how = f"{CURVE_NOTES['linearised']} With the spread of these swaps: " if measure else ""
    st.caption(markdown(f"{how}{'' if how else 'Computed by: '}{MODEL_LABELS[found.model]}."))
