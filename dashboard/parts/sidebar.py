"""The sidebar: every setting of an analysis, the same on every page. Rare ones are folded away."""

from __future__ import annotations

from typing import Literal, TypedDict, get_args

import streamlit as st

from dashboard.navigation import SAVED, page_path
from dashboard.parts.forget import draw_undo, forget
from dashboard.parts.link_problems import compare_with_link
from dashboard.session.links import draw_expectation, draw_link, label_of
from dashboard.session.results import chosen_config
from dashboard.session.settings_upload import draw_replay
from dashboard.session.state import SKEW_HIGH, SKEW_SLIGHT, adopt, names_of, reset_settings, session
from dashboard.text import markdown
from nlpstat_core import config as core
from nlpstat_core.errors import NlpstatError
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.presets import PRESETS
from nlpstat_core.report.wording.question import quantities, tests_by_question
from nlpstat_core.saved_boards import configured


class Keep(TypedDict):
    """Keywords of a widget that keeps its value while other pages are shown."""

    persist_state: Literal["session"]


class Share(Keep):
    """The same of one whose value stands in the address."""

    bind: Literal["query-params"]


DEFAULTS = core.AnalysisConfig()
SMALLEST = 1e-9  # of a probability between 0 and 1
KEEP: Keep = {"persist_state": "session"}
# Every setting keeps its value over page changes and stands in the address when it is not at its default.
SHARE: Share = {"persist_state": "session", "bind": "query-params"}


def sidebar() -> None:
    """Draw the data card and all settings."""
    with st.sidebar:
        _data_card()
        draw_expectation()
        st.subheader("Settings", divider="grey")
        _main_settings()
        with st.expander("Comparison"):
            _comparison()
        with st.expander("Units and missing scores"):
            _units()
        with st.expander("Effect sizes and intervals"):
            _effects()
        with st.expander("Resampling and details of tests"):
            _details()
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
    shape = f"{count_of(scores.n_systems, 'system')}, {count_of(scores.n_units, 'row')}"
    with st.container(border=True):
        st.markdown(f"**{markdown(scores.source)}**  \n{shape}")
        if configured() is not None:
            st.page_link(page_path(SAVED), label="Save board …", icon=":material/bookmark_add:")
        st.button(
            "Forget my data",
            on_click=forget,
            width="stretch",
            help="Scores and results are held in this server's memory for this browser tab only, never on "
            "disk. They go when the tab is closed or reloaded, or with this button, which can be undone for "
            "ten seconds.",
        )


def _main_settings() -> None:
    fixed = st.session_state.get("test", core.RECOMMENDED) != core.RECOMMENDED
    _choice(
        "Question",
        "question",
        core.Question,
        disabled=fixed,
        help="What the recommended tests ask. The board is sorted by the mean, so tests of the mean can't "
        "contradict it; NLPStatTest's procedure chooses each pair's test from its data instead.",
    )
    test = st.selectbox(
        "Test",
        (core.RECOMMENDED, *tests_by_question()),
        key="test",
        format_func=lambda key: label_of("test", key),
        help="Grouped by what they ask.\n\n" + markdown_groups(),
        **SHARE,
    )
    if test in TESTS:
        asked = TESTS[test].quantity.title
        st.caption(f"**Asks about {asked}.** {markdown(TESTS[test].summary)}")
    correction = st.selectbox(
        "Correction for many comparisons",
        CORRECTIONS.keys,
        index=CORRECTIONS.keys.index(DEFAULTS.correction),
        key="correction",
        format_func=lambda key: CORRECTIONS[key].label,
        **SHARE,
    )
    if correction in CORRECTIONS:
        st.caption(markdown(CORRECTIONS[correction].summary))
    st.number_input(
        "Significance level α",
        min_value=SMALLEST,
        max_value=1 - SMALLEST,
        value=DEFAULTS.alpha,
        step=0.01,
        format="%g",
        key="alpha",
        help="The error rate that the correction keeps for the whole family of pairs. "
        "A pair counts as different when its adjusted p is at most α.",
        **SHARE,
    )


def markdown_groups() -> str:
    """All tests under the question they answer, as a list."""
    groups = {about.title: [m.label for m in TESTS if m.quantity == about] for about in quantities()}
    return "\n".join(f"* **{title}**: {', '.join(labels)}" for title, labels in groups.items() if labels)


def _comparison() -> None:
    scores = session().scores
    systems = () if scores is None else scores.systems
    _choice(
        "Several runs of a system are",
        "runs",
        core.RunsKind,
        help="Matters only where systems have several runs. Trainings: results should hold for other runs "
        "too. Samples: runs are averaged, and results hold for these runs only.",
    )
    _menu(
        "Baseline",
        "baseline",
        (None, *systems),
        none="none: all pairs",
        help="Compare every system with this one only.",
    )
    named = st.session_state.get("baseline") is not None or session().wanted.get("baseline") in systems
    _alternative(one_sided=scores is None or len(systems) == 2 or named)
    _number("Hypothesised difference δ", "delta", help="a − b under the null hypothesis, metric points.")
    _number(
        "Equivalence margin",
        "equivalence_margin",
        placeholder="none",
        min_value=0.0,
        help="Differences smaller than this don't matter, metric points.",
    )


def _alternative(*, one_sided: bool) -> None:
    """One-sided alternatives where every pair has a first system: two systems, or a baseline."""
    if one_sided:
        _choice("Alternative", "alternative", core.Alternative, help="About the first system of a pair, a.")
        return
    st.session_state["alternative"] = DEFAULTS.alternative
    st.selectbox(
        "Alternative",
        [DEFAULTS.alternative],
        key="alternative",
        format_func=lambda value: label_of("alternative", value),
        help="One-sided alternatives are about the first system of a pair; choose a baseline for them.",
        **SHARE,
    )


def _units() -> None:
    _menu(
        "Documents (blocks)",
        "block_column",
        (core.AUTO, core.NONE, *names_of(session().scores)["block_column"]),
        none=core.NONE,
        help="Label column of the file whose values are documents. auto: under the recommended test the "
        "column that is called so, where it names ten documents or more. none: all units are independent.",
    )
    _choice("Missing scores", "missing", core.MissingPolicy)
    size = _whole("Rows per evaluation unit", "unit_size", least=1, help="Adjacent rows are taken together.")
    alone = size == 1
    _choice("Score of a unit", "unit_metric", core.UnitMetric, disabled=alone)
    _choice("Left-over rows", "unit_remainder", core.UnitRemainder, disabled=alone)
    _whole(
        "Shuffle rows first (seed)",
        "shuffle_seed",
        least=0,
        disabled=alone,
        placeholder="keep the order",
        help="Shuffling hides that neighbouring rows are alike; leave it empty unless you know why.",
    )


def _effects() -> None:
    st.multiselect(
        "Effect sizes for all pairs",
        EFFECTS.keys,
        default=list(DEFAULTS.effects),
        key="effects",
        format_func=lambda key: label_of("effects", key),
        help="The pair page shows all of them anyway.",
        **SHARE,
    )
    st.multiselect(
        "Further intervals for all pairs",
        (core.ESTIMATE, core.SIMULTANEOUS, *EFFECTS.keys),
        default=list(DEFAULTS.intervals),
        key="intervals",
        format_func=lambda key: label_of("intervals", key),
        help="The pair page shows all of them anyway, except the simultaneous ones: those hold for all pairs "
        "at once at the confidence level.",
        **SHARE,
    )
    _number(
        "Confidence level",
        "confidence_level",
        placeholder="1 − α",
        min_value=SMALLEST,
        max_value=1 - SMALLEST,
        help="Of all intervals; empty means 1 − α.",
    )


def _details() -> None:
    _whole("Resamples", "resamples", least=1, step=1000, help="Bootstrap, max-T and Monte Carlo.")
    _whole("Seed", "seed", least=0, help="The same seed gives the same numbers.")
    _choice("Zeros in Wilcoxon's test", "zero_method", core.ZeroMethod)
    st.checkbox("Continuity correction (Wilcoxon)", value=DEFAULTS.continuity, key="continuity", **SHARE)
    _choice("McNemar's test", "mcnemar", core.McNemarVariant)
    st.checkbox(
        "Pool the variance of runs",
        value=DEFAULTS.pooled_runs,
        key="pooled_runs",
        help="Gives a system with one training run the variance of the other systems' runs.",
        **SHARE,
    )
    _number("Level of the normality test", "normality_alpha", min_value=SMALLEST, max_value=1 - SMALLEST)
    slight, high = DEFAULTS.skewness_limits
    st.number_input("Slightly skewed from", min_value=0.0, value=slight, step=0.1, key=SKEW_SLIGHT, **SHARE)
    st.number_input("Highly skewed from", min_value=0.0, value=high, step=0.1, key=SKEW_HIGH, **SHARE)


def _menu(label: str, key: str, options: tuple[str | None, ...], *, none: str, help: str) -> None:
    st.selectbox(
        label, options, key=key, format_func=lambda name: none if name is None else name, help=help, **SHARE
    )


def _choice(label: str, key: str, kind: object, *, help: str | None = None, disabled: bool = False) -> None:
    options = get_args(kind)
    index = options.index(getattr(DEFAULTS, key))
    st.selectbox(
        label,
        options,
        index=index,
        key=key,
        format_func=lambda value: label_of(key, value),
        help=help,
        disabled=disabled,
        **SHARE,
    )


def _number(
    label: str,
    key: str,
    *,
    min_value: float | None = None,
    max_value: float | None = None,
    placeholder: str | None = None,
    help: str | None = None,
) -> None:
    st.number_input(
        label,
        min_value=min_value,
        max_value=max_value,
        value=getattr(DEFAULTS, key),
        step=0.01,
        format="%g",
        key=key,
        help=help,
        placeholder=placeholder,
        **SHARE,
    )


def _whole(
    label: str,
    key: str,
    *,
    least: int,
    step: int = 1,
    disabled: bool = False,
    placeholder: str | None = None,
    help: str | None = None,
) -> int | None:
    default: int | None = getattr(DEFAULTS, key)
    value: int | None = st.number_input(
        label,
        min_value=least,
        value=default,
        step=step,
        key=key,
        help=help,
        disabled=disabled,
        placeholder=placeholder,
        **SHARE,
    )
    return value
