"""Draws what several metrics or data sets of one upload say together, computed when asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.background import upload_tasks
from dashboard.background.given import BoardsChoice
from dashboard.background.workers import Task
from dashboard.boards.overall import LABEL as OVERALL
from dashboard.boards.overall import draw_overall
from dashboard.boards.together import draw_pooled, draw_replicability
from dashboard.parts.downloads import deferred
from dashboard.parts.file_buttons import file_button
from dashboard.parts.folded import fold
from dashboard.parts.panels import delivered, show_problems, show_remarks
from dashboard.parts.result_table import decimal_format, draw_frame, draw_result, first_rows_high, tall
from dashboard.parts.sidebar import KEEP
from dashboard.session.facts import columns_of, kinds_of, known_facts
from dashboard.session.requests import ask_boards, ask_means
from dashboard.session.settings import settings
from dashboard.session.state import session
from dashboard.text import markdown, printable
from nlpstat_core.config import AUTO, RECOMMENDED
from nlpstat_core.installed import own_command
from nlpstat_core.report.exports.tables.several_boards import boards_table
from nlpstat_core.report.wording.several_boards import (
    KINDS,
    ONE,
    boards_headline,
    boards_waiting,
    family_phrase,
)

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.analysis.several_boards.boards import Boards

EACH = {"metric": "Every metric", "dataset": "Every data set"}
FAMILY: dict[Literal["each", "all"], str] = {
    "each": "each corrected by itself",
    "all": "one correction over all",
}
MOST_LISTED = 5_000


def draw_across(analysis: Analysis) -> bool:
    """Several metrics or data sets together.

    analysis: Of the board on screen; its settings are used for all.
    Returns: Whether the upload holds several boards; if not, nothing is drawn.
    """
    if not session().can_read_again:
        return False
    if not kinds_of(analysis.scores, known_facts(analysis.scores), analysis.config.block_column):
        return False
    st.markdown(
        "The same analysis for every metric or every data set of the upload, and what they say together."
    )
    chosen = _choose(analysis)
    fold(OVERALL, "overall", draw_overall, analysis.scores, chosen, expanded=session().composing is not None)
    if not st.toggle("Compare them", value=True, key="across", **KEEP):
        return True
    # Every board has its own documents, unless a column was named, or none; a measure that is no mean of
    # item scores has settled on its own test, without effect sizes of item scores.
    told = settings()
    config = replace(
        analysis.config,
        block_column=told.get("block_column", AUTO),
        test=told.get("test", RECOMMENDED),  # which test suits them may differ, too
        effects=told.get("effects", analysis.config.effects),
    )
    answer = ask_boards(analysis.scores, config, chosen)
    if answer.job is not None:
        _draw_means(analysis, chosen)
    boards = delivered(answer, f"Analysing all {KINDS[chosen.each]}")
    if boards is not None:
        draw_boards(boards)
    return True


def _draw_means(analysis: Analysis, chosen: BoardsChoice) -> None:
    """What is known before the boards have been analysed: the mean of every system on each of them."""
    answer = ask_means(analysis.scores, chosen)
    if answer is None:
        return
    if answer.job is not None:
        delivered(answer, f"Reading all {KINDS[chosen.each]}")
    means = answer.value
    if not means:
        return
    boards = list(dict.fromkeys(name for of_system in means.values() for name in of_system))
    frame = pd.DataFrame(
        {printable(name): [of_system.get(name) for of_system in means.values()] for name in boards},
        index=list(means),
        dtype=float,
    )
    st.caption(
        f"So far: the mean scores on all {KINDS[chosen.each]}. Which systems differ is still being computed."
    )
    draw_frame(
        frame.rename_axis("System").reset_index(),
        f"Mean score of every system on all {KINDS[chosen.each]}.",
        column_config={
            str(name): st.column_config.NumberColumn(format=decimal_format(frame[name])) for name in frame
        },
    )


def draw_only_one() -> None:
    """What is said where the upload holds one board."""
    st.info(
        "This upload has one metric and one data set. If you load several (as columns, sheets, or one "
        "file for each, dropped together), they are compared here."
    )


def _choose(analysis: Analysis) -> BoardsChoice:
    """What the widgets of the section stand at."""
    blocks = analysis.config.block_column
    facts = known_facts(analysis.scores)
    kinds = kinds_of(analysis.scores, facts, blocks)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        each = st.segmented_control(
            "Boards",
            kinds,
            format_func=EACH.__getitem__,
            default=kinds[0],
            required=True,
            key="across each",
            **KEEP,
        )
        family = st.segmented_control(
            "Correction",
            list(FAMILY),
            format_func=FAMILY.__getitem__,
            default="each",
            required=True,
            key="across family",
            help="One correction over all boards controls the probability of a false difference on any of "
            "them; each by itself finds more and doesn't depend on which other boards there are.",
            **KEEP,
        )
        column = None
        combination: Literal["bonferroni", "fisher"] = "bonferroni"
        if each == "dataset":
            columns = () if "sheets" in analysis.scores.several else columns_of(facts, blocks)
            if columns:
                column = st.selectbox("Data sets are named by", columns, key="across column", **KEEP)
            if st.checkbox(
                "The data sets are independent of each other",
                key="across independent",
                help="Then p-values are combined by Fisher's method, which finds more. Test sets with shared "
                "sources, documents or annotators are not independent.",
                **KEEP,
            ):
                combination = "fisher"
    lower = session().lower.get(str(each))
    return BoardsChoice(each=each, family=family, combination=combination, column=column, lower=lower)


def draw_boards(boards: Boards) -> None:
    """Everything several boards say together."""
    from dashboard.boards.tables import agreement_table

    with st.container(border=True):
        st.markdown(f"**{markdown(boards_headline(boards))}**")
        st.caption(markdown(family_phrase(boards)))
    show_problems(boards.notes)
    if boards_waiting(boards):
        return
    draw_systems_by_board(boards)
    one = ONE[boards.each].capitalize()
    shown = (one, "Better", "Systems", "Items", "Pairs found to differ", "Top group")
    draw_result(
        boards_table(boards).under(shown),
        f"All {KINDS[boards.each]}. {boards_headline(boards)}",
        height=tall(len(boards), 12),
    )
    if boards.each == "metric":
        _draw_directions(boards)
    if boards.replicability is not None:
        draw_replicability(boards.replicability)
    if boards.pooled is not None:
        draw_pooled(boards.pooled)
    frame = agreement_table(boards)
    against = int(np.count_nonzero(boards.agreement.contradicting))
    st.markdown(
        f"**Pair by pair**: on how many {KINDS[boards.each]} each system of a pair is significantly better; "
        f"{against:,} of {len(frame):,} pairs are decided in opposite directions."
    )
    draw_frame(
        frame.head(MOST_LISTED),
        f"Agreement of {len(boards)} {KINDS[boards.each]} on each pair, disagreement first.",
        height=tall(len(frame)),
    )
    show_remarks(boards.notes, about=f"on the {KINDS[boards.each]}")
    _draw_download(boards)


def draw_systems_by_board(boards: Boards) -> None:
    """Every system on every board: score, rank, and a mark where it is significantly worse than the best."""
    from dashboard.boards.tables import systems_frame
    from dashboard.parts.paper_table import draw_boards_table

    frame = systems_frame(boards)
    what = "data set" if boards.each == "dataset" else "metric"
    draw_frame(
        frame,
        f"Score and rank of every system on every {what}.",
        height=first_rows_high(len(frame), 30),
        key="systems by board",
    )
    st.caption(
        f"Score (rank) of every system on every {what}. †: significantly worse than the best system of the "
        f"column, by the {markdown(correction_words(boards))} of all pairs there."
    )
    draw_boards_table(boards)


def correction_words(boards: Boards) -> str:
    """How p-values were adjusted, for the line under the table."""
    from nlpstat_core.methods.corrections import CORRECTIONS

    config = next(iter(boards.analyses.values())).config
    if config.correction == "none":
        return f"uncorrected p at {config.alpha:g}"
    return f"p adjusted by {CORRECTIONS[config.correction].label} at {config.alpha:g}"


def _draw_directions(boards: Boards) -> None:
    """The direction of every metric, guessed from its name until it is told."""
    names = list(boards.analyses)
    found = [name for name, analysis in boards.analyses.items() if analysis.scores.lower_is_better]
    st.multiselect(
        "Lower scores are better for",
        names,
        default=found,
        key="across lower",
        on_change=_tell_directions,
        args=(boards.each,),
        help="Guessed from the names; correct it here.",
    )


def _tell_directions(each: str) -> None:
    session().lower[each] = tuple(st.session_state["across lower"])


def _draw_download(boards: Boards) -> None:
    """Everything as one archive, and the settings that make it again."""
    from nlpstat_core.report.exports.data.plain import json_text
    from nlpstat_core.report.exports.data.several_boards import replay_of_boards

    with st.container(horizontal=True):
        file_button(
            "boards.zip",
            deferred("boards.zip", Task(upload_tasks.boards_archive, (boards,))),
            help="boards.json, an overview as HTML and Markdown, tables, and all files of every board.",
        )
        file_button(
            "boards-replay.json",
            lambda: json_text(replay_of_boards(boards)),
            help=f"These settings, for `{own_command()} analyse FILE --config boards-replay.json`.",
        )
