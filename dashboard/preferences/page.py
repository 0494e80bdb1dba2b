"""Draws battles and the board that is made of them: upload, answer, strengths, who beats whom."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.background.battled import ALL, CONNECTED, ReadBattles
from dashboard.navigation import LANDING, page_path
from dashboard.parts.panels import as_error, delivered, show_problems, show_remarks
from dashboard.parts.result_table import tall
from dashboard.parts.sidebar import KEEP
from dashboard.session.preferences import (
    AND,
    BASELINE,
    CLUSTERS,
    ENTRY,
    GROUP,
    NEITHER,
    TIES,
    Ranking,
    ask_ranked,
    correction_of,
    draw_reading_battles,
    field_key,
    forget_battles,
    ranking,
    read_with_baseline,
    take_battle_example,
    take_battles,
    take_refused_scores,
    take_scores_as_battles,
)
from dashboard.session.results import chosen_config
from dashboard.session.state import session
from dashboard.session.uploads import most_megabytes
from dashboard.text import in_app, markdown
from dashboard.theme import CHART_CONFIG, palette_of
from nlpstat_core.errors import NlpstatError, shown
from nlpstat_core.formatting import count_of

if TYPE_CHECKING:
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.results.preferences import Preferences

NEEDS = (
    "Battles say which of two systems was better on a prompt: an arena's log, people who compared outputs "
    "side by side, or a judge such as GPT-4. You get strengths with intervals, all pairs tested, and whether "
    "the strengths explain who beats whom."
)
FORMATS = (
    "Columns model_a, model_b and winner in CSV, JSON, JSON lines, Excel or Parquet (sides, names, ties and "
    "margins such as A>>B in the usual spellings); MT-bench's and Arena-Hard's judgements; WMT's relative "
    "rankings; exports of Pearmut and Appraise."
)
EXAMPLE = "model_a,model_b,winner,prompt\nsysA,sysB,model_a,q1\nsysB,sysC,tie,q1\nsysC,sysA,model_b,q2"
TIES_LABELS = {"half": "as half wins", "davidson": "with their own parameter"}
CONNECTED_HELP = (
    "Systems that beat or tied each other both ways, through others too. Strengths of two groups can't be "
    "compared."
)
SHARES = {False: "by strengths", True: "in their own battles"}
OBSERVED, NUMBER = "preferences observed", "preferences number"
MOST_DRAWN, MOST_SQUARE = 60, 40


def draw_preferences() -> None:
    """The whole page."""
    take_refused_scores()
    draw_reading_battles()
    here = session()
    given = here.battles
    if given is None:
        st.markdown(NEEDS)
    st.file_uploader(
        "Drop battles: one row per comparison of two systems",
        key=field_key(),
        on_change=take_battles,
        max_upload_size=most_megabytes(),
        accept_multiple_files=True,
        help=FORMATS,
    )
    _draw_problem()
    if given is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Try the example: an arena of 8 models", on_click=take_battle_example)
            if here.scores is not None:
                st.button(
                    "Make battles of the loaded scores",
                    on_click=take_scores_as_battles,
                    help="On every item the better of two systems wins; by how much isn't counted.",
                )
        st.caption(FORMATS)
        st.code(EXAMPLE, language=None)
        st.caption(
            "Battles stay in this server's memory for this browser tab only and are never written to disk."
        )
        return
    try:
        config = chosen_config()
    except NlpstatError as error:
        as_error(in_app(error.sentence))
        return
    _draw_summary(given)
    chosen = _choose(given, config)
    refused = partial(_refused, connected=CONNECTED in given.groups and chosen.only is None)
    board = delivered(ask_ranked(chosen), "Comparing all pairs of systems", refused=refused)
    if board is not None:
        _draw_board(board, chosen)


def _draw_problem() -> None:
    """Why the last battles can't be used, and the one question that some of them leave open."""
    here = session()
    if here.battles_problem is None:
        return
    kept = "" if here.battles is None else f" Still showing {markdown(here.battles.source)}."
    st.error(f"These battles can't be used. {markdown(in_app(here.battles_problem))}{kept}")
    st.page_link(
        page_path(LANDING),
        label="Load scores of single answers on the page Scores",
        icon=":material/upload_file:",
    )
    if here.refused_battles is not None and here.battles_problem.remedy("baseline") is not None:
        st.text_input("System that all others are compared with", key=BASELINE, on_change=read_with_baseline)


def _refused(problem: str, connected: bool) -> None:
    more = f" Choose *{CONNECTED}* under *Only battles of*." if connected else ""
    st.error(f"These battles can't be ranked. {markdown(problem)}{more}")


def _draw_summary(given: ReadBattles) -> None:
    ties = f"{100 * given.n_ties / given.n_battles:.0f} % ties"
    facts = [
        f"Read from **{markdown(given.source)}**" if given.source else "Read",
        f"**{count_of(len(given.systems), 'system')}**",
        f"**{count_of(given.n_battles, 'battle')}**",
        ties,
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(" · ".join(facts), width="content")
        st.button("Forget these battles", on_click=forget_battles, type="tertiary")
    show_problems(given.notes)


def _choose(given: ReadBattles, config: AnalysisConfig) -> Ranking:
    """How ties count, which battles belong together, and whether some of them are looked at alone."""
    clusters = [*given.clusters, *_both(given), NEITHER]
    if st.session_state.get(CLUSTERS) not in clusters:
        st.session_state[CLUSTERS] = given.likely or NEITHER
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Ties count",
            list(TIES_LABELS),
            format_func=TIES_LABELS.__getitem__,
            default="half",
            required=True,
            key=TIES,
            help="The two scales differ: don't compare strengths of one with those of the other.",
            **KEEP,
        )
        st.selectbox(
            "Battles are grouped by",
            clusters,
            key=CLUSTERS,
            help="Battles on one prompt, or by one rater, are not independent: standard errors are by group.",
            **KEEP,
        )
        if given.groups:
            group = st.selectbox(
                "Only battles of",
                [ALL, *given.groups],
                format_func=lambda name: name or "everything",
                key=GROUP,
                **KEEP,
            )
            if group:
                st.selectbox(
                    "that of" if group == CONNECTED else "that is",
                    list(given.groups[group]),
                    key=ENTRY,
                    help=CONNECTED_HELP if group == CONNECTED else None,
                    **KEEP,
                )
    if correction_of(config) != config.correction:
        st.caption("Pairs are corrected by Holm here: the correction chosen in the sidebar needs scores.")
    return ranking(given, config)


def _both(given: ReadBattles) -> list[str]:
    """Two columns that count together: prompts and raters."""
    from nlpstat_core.scores.battle_columns import RATERS

    raters = [name for name in given.clusters if name.casefold() in RATERS]
    return [f"{given.likely}{AND}{name}" for name in raters if given.likely and name != given.likely]


def _draw_board(board: Preferences, chosen: Ranking) -> None:
    from dashboard.figures.preferences import observed_shares, shares_figure, strengths_figure
    from dashboard.parts.chart_table import draw_chart
    from dashboard.parts.result_table import draw_result
    from dashboard.preferences.closer import draw_checks, draw_elo, draw_pair
    from nlpstat_core.report.exports.tables.preferences import preference_tables
    from nlpstat_core.report.wording.preferences import preference_headline, settings_line

    if board.n_battles < chosen.given.n_battles:
        st.caption(
            f"{board.n_battles:,} of {chosen.given.n_battles:,} battles: {_which(chosen.only)}"
            if chosen.only
            else ""
        )
    with st.container(border=True):
        st.markdown(f"**{markdown(preference_headline(board))}**")
        st.caption(markdown(f"{count_of(board.n_battles, 'battle')}; {settings_line(board)}."))
    told = {*chosen.given.notes}
    notes = [note for note in board.notes if note not in told and note.code != "some-battles"]
    show_problems(notes)
    systems, pairs = preference_tables(board)
    st.header("Leaderboard", divider="grey")
    draw_result(
        systems, alt="Systems with their strengths, the strongest first.", height=tall(len(board.systems))
    )
    st.caption(
        "Strengths are log odds with mean 0: a system that is 1 stronger wins 2.7 times as often as it "
        "loses. ●: no other system is found to be stronger. Systems that share a letter are not found to "
        "differ."
    )
    draw_chart(
        strengths_figure(board, MOST_DRAWN),
        key="preferences strengths",
        config=CHART_CONFIG,
        alt=preference_headline(board),
        table=board.leaderboard_frame(),
    )
    show_remarks(notes, about="on the board")
    st.header("Who beats whom", divider="grey")
    seen = st.segmented_control(
        "Share of the row's points",
        list(SHARES),
        format_func=SHARES.__getitem__,
        default=False,
        required=True,
        key=OBSERVED,
        **KEEP,
    )
    names = [board.systems[i] for i in board.order]
    shares = observed_shares(board)[0] if seen else board.share
    draw_chart(
        shares_figure(board, MOST_SQUARE, observed=bool(seen), palette=palette_of(st.context.theme.type)),
        key="preferences shares",
        config=CHART_CONFIG,
        alt="How likely the row's system is to beat the column's.",
        table=pd.DataFrame(shares[board.order][:, board.order], index=names, columns=names),
    )
    if len(names) > MOST_SQUARE:
        st.caption(f"The first {MOST_SQUARE} of {len(names):,} systems.")
    with st.expander("All pairs as a table"):
        draw_result(pairs, alt="Every pair of systems with its test.", height=tall(len(board.p_value)))
    draw_pair(board, chosen)
    draw_checks(board, chosen)
    draw_elo(board, chosen)


def _which(only: tuple[str, str]) -> str:
    """Which battles were chosen."""
    column, entry = (markdown(shown(one)) for one in only)
    if only[0] == CONNECTED:
        return f"those among the systems that wins and ties connect with {entry} both ways."
    return f"those whose {column} is {entry}."
