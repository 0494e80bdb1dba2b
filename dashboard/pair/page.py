"""Draws one pair: the data, the choice of a test with reasons, the result, everything beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from dashboard.pair.solved_units import share_text
from dashboard.pair.tables import estimate_text, simultaneous_facts
from dashboard.parts.folded import fold
from dashboard.parts.leaderboard import draw_withheld
from dashboard.parts.measure import in_front, measure_name
from dashboard.parts.panels import show_problems, show_remarks
from dashboard.parts.result_table import frame_of
from dashboard.session.address import name_pair, take_pair
from dashboard.session.state import PAIR_A, PAIR_B
from dashboard.text import markdown, short
from nlpstat_core.formatting import format_interval, format_p, format_score
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.report.exports.tables.pairs import effects_table
from nlpstat_core.report.wording import (
    CAUTION,
    achieved_text,
    hypothesis_text,
    label_of_test,
    null_hypothesis,
    pair_headline,
)
from nlpstat_core.report.wording.computed import computed_text

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis


# Names of systems are longer than a card is wide, and a number that is cut is none.
WHOLE_CARDS = (
    "<style>.st-key-pair-cards [data-testid=stMetricValue] {font-size: 1.5rem} "
    ".st-key-pair-cards :is([data-testid=stMetricLabel], [data-testid=stMetricLabel] *) "
    "{white-space: normal; overflow: visible; overflow-wrap: anywhere} "
    # On a phone two beside each other: five below each other are a screen and a half.
    "@media (max-width: 640px) {.st-key-pair-cards [data-testid=stColumn] "
    "{min-width: calc(50% - 1rem) !important; flex: 1 1 calc(50% - 1rem) !important}}</style>"
)


def choose_pair(analysis: Analysis) -> tuple[str, str]:
    """Two menus, best systems first; they follow the address and the address follows them."""
    systems = list(analysis.leaderboard.system)
    take_pair(systems)
    left, right = st.columns(2)
    a = left.selectbox("First system", systems, key=PAIR_A, persist_state="session")
    b = right.selectbox("Second system", systems, key=PAIR_B, persist_state="session")
    name_pair(a, b)
    return a, b


def draw_verdict(pair: PairResult, analysis: Analysis, board: Analysis) -> None:
    """The answer for the pair and its main numbers: p of this question alone beside that of the family.

    analysis: With the pair in the order that was chosen.
    board: The whole board, whose means may be over other units.
    """
    if not draw_withheld(board):
        with st.container(border=True):
            st.header(
                markdown(pair_headline(pair, analysis.config, family=analysis.family_size)), anchor=False
            )
    level = f"{100 * analysis.config.level:g}%"
    adjusted = analysis.config.correction != "none"
    with st.container(key="pair-cards"):
        st.html(WHOLE_CARDS)
        columns = st.columns(5 if adjusted else 4)
    card: dict[str, Any] = {"border": True, "width": "stretch"}
    score = share_text if analysis.units.solved_or_not else format_score
    name = measure_name(analysis.scores)
    called = "Mean" if name is None else in_front(name)
    columns[0].metric(
        markdown(f"{called} of {short(pair.system_a)}"),
        score(pair.score_a),
        help=f"Over its {pair.n_a:,} items ({pair.n_b:,} of the other system)."
        if pair.diagnosis.variances
        else f"Over the {pair.n_units:,} shared items.",
        **card,
    )
    columns[1].metric(markdown(f"{called} of {short(pair.system_b)}"), score(pair.score_b), **card)
    gap, ends = format_score(pair.difference), format_interval(*pair.interval)
    if analysis.units.solved_or_not:
        gap = f"{100 * pair.difference:.3g} pp"
        ends = f"{format_interval(*(100 * end for end in pair.interval))} percentage points"
    gap_of = "of means" if name is None else f"in {markdown(name)}"
    columns[2].metric(f"Difference {gap_of}", gap, help=f"{level} interval, not adjusted: {ends}", **card)
    columns[3].metric(
        "p, this pair alone" if adjusted else "p",
        format_p(pair.p_value, alpha=analysis.config.alpha),
        help="For the one question whether these two differ, asked before looking at the board."
        if adjusted
        else "Not corrected for the number of pairs.",
        **card,
    )
    if adjusted:
        columns[4].metric(
            "Adjusted p",
            format_p(pair.p_adjusted, alpha=analysis.config.alpha),
            help=f"For the family: {CORRECTIONS[analysis.config.correction].label} over all "
            f"{analysis.family_size:,} pairs. The decision is by this one.",
            **card,
        )
    for line in moments(pair, analysis, board):
        st.caption(markdown(line))
    show_problems(pair.notes)
    show_remarks(pair.notes, about="on this pair")


def moments(pair: PairResult, analysis: Analysis, board: Analysis) -> list[str]:
    """Which units and which moment the cards are about, where that differs from the board or the test."""
    lines = []
    if pair.estimate is not None and pair.estimate.of != "mean":
        lines.append(
            f"The test is about {hypothesis_text(pair.hypothesis, analysis.config.delta)}: "
            f"{estimate_text(pair.estimate)}. The cards show means."
        )
    found = board.leaderboard
    for name, own in ((pair.system_a, pair.score_a), (pair.system_b, pair.score_b)):
        place = found.system.index(name)
        whole = float(found.score[place])
        if not np.isclose(whole, own, rtol=1e-9, atol=1e-12, equal_nan=True):
            lines.append(
                f"The board shows {format_score(whole)} for {name}, from {int(found.n_units[place]):,} "
                f"items; here it is the mean over the {pair.n_units:,} items of this pair."
            )
    return lines


def draw_result(pair: PairResult, analysis: Analysis) -> None:
    """Step 3: the test of the analysis with its hypothesis, p-values and estimate."""
    st.header("3. The test", divider="grey")
    if pair.test is None:
        st.info("No test can be used for this pair.")
        return
    config = analysis.config
    st.markdown(f"**{markdown(label_of_test(pair.test))}**")
    st.markdown(markdown(null_hypothesis(pair.test, pair.system_a, pair.system_b, config.delta)))
    corrected = f"{CORRECTIONS[config.correction].label}, {analysis.family_size:,} pairs"
    facts = {
        "Alternative": config.alternative,
        "Statistic": format_score(pair.statistic),
        "p, this comparison alone": format_p(pair.p_value, pair.log10_p, alpha=config.alpha),
        f"p, adjusted ({corrected})": format_p(pair.p_adjusted, alpha=config.alpha),
        "How p was computed": computed_text(pair.p_kind, long=True),
        f"{_gap(analysis)}, {100 * config.level:g}% interval": f"{format_score(pair.difference)} "
        f"{format_interval(*pair.interval)}",
        **simultaneous_facts(pair, config.level),
    }
    if pair.estimate is not None and pair.estimate.of != "mean":
        about = f"What the test is about ({hypothesis_text(pair.hypothesis, config.delta)})"
        facts[about] = estimate_text(pair.estimate) + achieved_text(pair.estimate)
    if pair.p_equivalence is not None:
        margin = f"within ±{config.equivalence_margin:g}"
        facts[f"Equivalence {margin}: p, the larger of the two one-sided tests"] = format_p(
            pair.p_equivalence, alpha=config.alpha
        )
        facts[f"Equivalence {margin}: p, adjusted together with the differences"] = format_p(
            pair.p_equivalence_adjusted or 0.0, alpha=config.alpha
        )
    st.table(facts, border="horizontal", hide_header=True)
    if config.equivalence_margin is not None:
        draw_margin(pair, config.equivalence_margin, config.level)


def _gap(analysis: Analysis) -> str:
    """What a difference is one of."""
    name = measure_name(analysis.scores)
    return "Mean difference" if name is None else f"Difference in {name}"


def draw_margin(pair: PairResult, margin: float, level: float) -> None:
    """The difference, its interval and the equivalence margin in one picture. `margin`: Metric points."""
    from dashboard.figures.margin import margin_figure

    low, high = pair.interval
    st.plotly_chart(
        margin_figure(pair.difference, pair.interval, margin),
        key="margin",
        config={"displayModeBar": False},
        alt=f"Difference {format_score(pair.difference)}, {100 * level:g} % interval "
        f"{format_interval(low, high)}, margin ±{margin:g}.",
    )
    st.caption(
        f"The grey band is the margin ±{margin:g}. Equivalent means that both one-sided tests place the "
        "difference inside it; claims of difference and of equivalence share one error rate."
    )


def draw_effects(pair: PairResult, analysis: Analysis) -> None:
    """Step 4: the effect sizes of the settings with their intervals, all others folded away."""
    config = analysis.config
    st.header("4. How large is the difference?", divider="grey")
    if not pair.effects:
        gap, ends = format_score(pair.difference), format_interval(*pair.interval)
        about = f"{_gap(analysis)}: {gap}, {100 * config.level:g}% interval {ends}."
        st.markdown(markdown(about))
        return
    chosen = [key for key in pair.effects if key in config.effects] or list(pair.effects)
    _draw_effects(pair, chosen, "effect-table")
    if config.block_column is not None:
        text = f"All intervals take whole documents ({config.block_column}), not items, as independent."
        st.caption(markdown(text))
    st.caption(CAUTION)
    if rest := [key for key in pair.effects if key not in chosen]:
        fold(
            f"{len(rest)} more effect sizes",
            "other effects",
            _draw_effects,
            pair,
            rest,
            "effect-table-others",
        )


def _draw_effects(pair: PairResult, keys: Sequence[str], key: str) -> None:
    """Some effect sizes as a table. `keys`: Which of them. `key`: Of the container."""
    with st.container(key=key):
        # On a phone the last column would hold one word a line: there the table is scrolled sideways.
        st.html(
            f"<style>.st-key-{key} [data-testid=stTable] {{overflow-x: auto}} "
            f".st-key-{key} table {{min-width: 36rem}}</style>"
        )
        some = replace(pair, effects={name: pair.effects[name] for name in keys})
        st.table(frame_of(effects_table(some).columns), border="horizontal", hide_index=True)
