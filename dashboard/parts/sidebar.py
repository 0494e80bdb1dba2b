"""The sidebar: every setting of an analysis, the same on every page. Rare ones are folded away."""

from math import inf, isfinite
from typing import Literal, TypedDict

import streamlit as st

from dashboard.navigation import SAVED, page_path
from dashboard.parts.forget import draw_undo, forget
from dashboard.parts.link_problems import compare_with_link
from dashboard.server.kept_sessions import minutes
from dashboard.session.links import draw_expectation, draw_link
from dashboard.session.results import chosen_config
from dashboard.session.settings import adopt, reset_settings
from dashboard.session.settings_upload import draw_replay
from dashboard.session.state import names_of, session
from dashboard.text import markdown
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, SETTINGS
from nlpstat_core.errors import NlpstatError
from nlpstat_core.formatting import count_of
from nlpstat_core.presets import PRESETS
from nlpstat_core.report.wording.question import quantities, tests_by_question
from nlpstat_core.saved_boards import configured
from nlpstat_core.settings import Group, Kind, Setting


class Keep(TypedDict):
    """Keywords of a widget that keeps its value while other pages are shown."""

    persist_state: Literal["session"]


class Share(Keep):
    """The same of one whose value stands in the address."""

    bind: Literal["query-params"]


# Parts of the sidebar that are folded away.
FOLDED: dict[Group, str] = {
    "comparison": "Comparison",
    "units": "Items and missing scores",
    "effects": "Effect sizes and intervals",
    "details": "Resampling and details of tests",
}
# Settings that stand before the others of their part.
FIRST = (
    *("runs", "baseline", "block_column", "missing", "effects", "intervals"),
    *("resamples", "seed", "zero_method", "continuity", "mcnemar", "pooled_runs"),
)
# Settings without effect where every row is a unit.
OF_SEVERAL_ROWS = ("unit_metric", "unit_remainder", "shuffle_seed")
# What a field takes; the record says it of other kinds.
WITHIN: dict[Kind, tuple[float, float]] = {"probability": (1e-9, 1 - 1e-9), "limits": (0.0, inf)}
KEEP: Keep = {"persist_state": "session"}
# Every setting keeps its value over page changes and stands in the address when it is not at its default.
SHARE: Share = {"persist_state": "session", "bind": "query-params"}


def sidebar() -> None:
    """Draw the data card and all settings."""
    with st.sidebar:
        _data_card()
        draw_expectation()
        st.header("Settings", divider="grey")
        _draw_settings("main")
        for group, title in FOLDED.items():
            with st.expander(title):
                _draw_settings(group)
        compare_with_link()
        try:
            chosen_config()
        except NlpstatError as error:
            st.error(markdown(str(error)))
        draw_replay()
        _presets()
        draw_link("Link to this page")
        st.button("Reset settings", on_click=reset_settings, width="stretch")


def _presets() -> None:
    """Settings of published analyses, one click each."""
    with st.popover("Presets …", width="stretch"):
        for entry in PRESETS:
            st.button(entry.label, on_click=adopt, args=(entry.config,), width="stretch")
            st.caption(markdown(entry.summary))


def _data_card() -> None:
    scores = session().scores
    if scores is None:
        draw_undo()
        return
    shape = f"{count_of(scores.n_systems, 'system')}, {count_of(scores.n_units, 'item')}"
    with st.container(border=True):
        st.markdown(f"**{markdown(scores.source)}**  \n{shape}")
        if configured() is not None:
            st.page_link(page_path(SAVED), label="Save board …", icon=":material/bookmark_add:")
        st.button(
            "Forget my data",
            on_click=forget,
            width="stretch",
            help="Scores and results are kept in this server's memory for this browser tab only, never on "
            "disk. This button deletes them (you can undo it for ten seconds); else they are deleted "
            f"{_end()}.",
        )


def _end() -> str:
    """When scores that nobody forgets are gone."""
    kept = minutes()
    return f"{kept} minutes after the tab is closed" if kept else "when the tab is closed or reloaded"


def _draw_settings(group: Group) -> None:
    """The widgets of a part, each by the kind of its setting."""
    for setting in sorted(SETTINGS.values(), key=_place):
        if setting.group == group:
            _draw(setting)


def _place(setting: Setting) -> int:
    return FIRST.index(setting.name) if setting.name in FIRST else len(FIRST)


def _draw(setting: Setting) -> None:
    if setting.kind in ("choice", "system", "column"):
        _draw_menu(setting)
    elif setting.kind == "choices":
        st.multiselect(
            setting.label,
            setting.choices,
            default=list(setting.default),
            key=setting.name,
            format_func=setting.text,
            help=setting.hint or None,
            **SHARE,
        )
    elif setting.kind == "flag":
        st.checkbox(
            setting.label, value=setting.default, key=setting.name, help=setting.hint or None, **SHARE
        )
    else:
        _draw_numbers(setting)


def _draw_menu(setting: Setting) -> None:
    scores = session().scores
    if setting.name == "question" and scores is not None and scores.measured is not None:
        _draw_question_of(scores.measured.label)
        return
    options, hint = setting.choices, setting.hint
    if setting.is_name:
        options += names_of(session().scores)[setting.name]
    elif setting.name == "test":
        options, hint = (
            (*setting.words, *tests_by_question()),
            f"Grouped by what they ask.\n\n{_test_groups()}",
        )
    elif setting.name == "alternative" and not _one_sided():
        st.session_state["alternative"] = setting.default
        options = (setting.default,)
        hint = "A one-sided alternative is about the first system of a pair: choose a baseline first."
    chosen = st.selectbox(
        setting.label,
        options,
        index=options.index(setting.default),
        key=setting.name,
        format_func=setting.text,
        help=hint or None,
        disabled=_unused(setting.name),
        **SHARE,
    )
    if setting.catalogue is not None and chosen in setting.catalogue:
        method = setting.catalogue[chosen]
        about = f"**Asks about {method.quantity.title}.** " if setting.name == "test" else ""
        st.caption(about + markdown(method.summary))


def _draw_question_of(measure: str) -> None:
    """What the test asks where a measure of gold and outputs is no mean: there is nothing to choose."""
    st.selectbox(
        SETTINGS["question"].label,
        [f"Do systems differ in {measure}?"],
        disabled=True,
        help="The measure is not a mean of item scores, so the test is about the measure itself.",
    )


def _test_groups() -> str:
    """All tests under the question they answer, as a list."""
    groups = {about.title: [m.label for m in TESTS if m.quantity == about] for about in quantities()}
    return "\n".join(f"* **{title}**: {', '.join(labels)}" for title, labels in groups.items() if labels)


def _one_sided() -> bool:
    """Whether every pair has a first system: there are two systems, or a baseline."""
    scores = session().scores
    systems = () if scores is None else scores.systems
    named = st.session_state.get("baseline") is not None or session().wanted.get("baseline") in systems
    return scores is None or len(systems) == 2 or named


def _unused(name: str) -> bool:
    """Whether another setting leaves this one without effect."""
    if name == "question":
        return bool(st.session_state.get("test", RECOMMENDED) != RECOMMENDED)
    return name in OF_SEVERAL_ROWS and st.session_state.get("unit_size") == 1


def _draw_numbers(setting: Setting) -> None:
    """One field, or one for each of two limits."""
    whole = setting.kind == "whole"
    least, most = WITHIN.get(setting.kind, setting.bounds)
    defaults = setting.default if setting.parts else (setting.default,)
    for (key, label), default in zip(setting.labels.items(), defaults, strict=True):
        st.number_input(
            label,
            min_value=(int(least) if whole else float(least)) if isfinite(least) else None,
            max_value=None if whole or not isfinite(most) else float(most),
            value=default,
            step=max(1, (default or 0) // 10) if whole else 0.1 if setting.parts else 0.01,
            format=None if whole else "%g",
            key=key,
            help=setting.hint or None,
            disabled=_unused(setting.name),
            placeholder=setting.empty or None,
            **SHARE,
        )
