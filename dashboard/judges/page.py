"""Draws a judge's board corrected by people: the answer, who moves and why, pairs, and what it rests on."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.judges.checks import draw_bias, draw_checks
from dashboard.judges.itself import draw_itself, draw_raters
from dashboard.judges.label_plan import draw_label_plan
from dashboard.parts.chart_table import draw_chart
from dashboard.parts.file_buttons import file_buttons
from dashboard.parts.panels import as_error, delivered, show_problems, show_remarks
from dashboard.parts.result_table import draw_result, tall
from dashboard.parts.several_metrics import guessed_human, metrics_or_needs
from dashboard.parts.sidebar import KEEP
from dashboard.session.judged_metrics import HUMAN
from dashboard.session.judges import (
    JUDGE,
    NO_DOCUMENTS,
    OTHER_RATERS,
    STANDARDISED,
    THESE_RATERS,
    ask_corrected,
    column_keys,
    corrected_by,
    likely_documents,
    likely_judge,
    likely_strata,
    raters_key,
)
from dashboard.session.results import chosen_config
from dashboard.session.state import session
from dashboard.text import in_app, markdown, note_in_app
from dashboard.theme import CHART_CONFIG, STILL_CONFIG, palette_of
from nlpstat_core.errors import NlpstatError, shown
from nlpstat_core.notes import doubts
from nlpstat_core.report.wording.judge import (
    BOARD_LEGEND,
    PAIRS_LEGEND,
    apart_sentence,
    counted_sentence,
    headline,
    labels_phrase,
    moves,
    worth_sentence,
)
from nlpstat_core.report.wording.judge_command import judge_command

if TYPE_CHECKING:
    from dashboard.background.given import Correcting
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.results.judge import JudgedBoard
    from nlpstat_core.scores.matrix import ScoreMatrix

NEEDS = (
    "This page needs two metrics for the same systems and items: a model's scores of every item, and "
    "people's scores of some of them, drawn at random; leave people's cells empty on the other items. A few "
    "labels then correct the judge's scores of the whole board."
)
EXAMPLE = "system,item,ESA,GEMBA\nsysA,1,82,90\nsysB,1,75,91\nsysA,2,,88\nsysB,2,,79"
MOST_DRAWN = 40  # systems of a chart
MOST_MOVES = 5
FILES = ("judge.json", "judge.csv", "judge_pairs.csv", "judge_checks.csv", "judge.tex")
_RATERS = {
    THESE_RATERS: "these raters only",
    OTHER_RATERS: "other raters, too",
    STANDARDISED: "other raters, ratings standardised by rater",
}


def draw_judges() -> None:
    """The whole page."""
    names = metrics_or_needs(NEEDS, EXAMPLE)
    scores = session().scores
    if not names or scores is None:
        return
    try:
        config = chosen_config()
    except NlpstatError as error:
        as_error(in_app(error.sentence))
        return
    if not _choose(scores, names, config):
        return
    correcting = corrected_by(scores, config)
    assert correcting is not None
    if correcting.settings["correction"] != config.correction:
        st.caption("Pairs are corrected by Holm here: the correction chosen in the sidebar isn't available.")
    if config.unit_size > 1:
        st.caption("Here every row of the file is an item; only the other pages join rows into items.")
    found = delivered(ask_corrected(scores, correcting), "Correcting the judge by people")
    if found is not None:
        _draw_found(found)
    draw_label_plan(scores, correcting, config.seed)
    if found is not None:
        _draw_files(found, correcting)


def _choose(scores: ScoreMatrix, names: list[str], config: AnalysisConfig) -> bool:
    """The metric of people, the judge and the documents; whether the first is known."""
    guess, why = guessed_human(names)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        human: str | None = st.selectbox("Given by people", names, index=guess, key=HUMAN, **KEEP)
        if human is not None:
            others = [name for name in names if name != human]
            if st.session_state.get(JUDGE) not in others:
                st.session_state[JUDGE] = likely_judge(names, human)
            st.selectbox("The judge, with every item", others, key=JUDGE, **KEEP)
    if human is not None:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _choose_errors(scores, config)
    if guess is None or human == names[guess]:
        st.caption(markdown(why))
    return human is not None


def _choose_errors(scores: ScoreMatrix, config: AnalysisConfig) -> None:
    """What errors are about: documents, how labels were drawn, raters."""
    columns, (documents, strata) = [NO_DOCUMENTS, *scores.labels], column_keys(scores)
    if len(columns) > 1:
        if st.session_state.get(documents) not in columns:
            st.session_state[documents] = likely_documents(scores, config)
        st.selectbox(
            "Items are grouped by",
            columns,
            format_func=lambda name: name or "nothing: they are independent",
            key=documents,
            help="Items of one document are not independent: standard errors are then by document.",
            disabled=bool(st.session_state.get(strata, likely_strata(scores))),
            **KEEP,
        )
        if st.session_state.get(strata) not in columns:
            st.session_state[strata] = likely_strata(scores)
        st.selectbox(
            "Labels were drawn",
            columns,
            format_func=lambda name: f"within strata: {name}" if name else "from all items alike",
            key=strata,
            help="If drawn within the strata of a plan (below), every label is weighted by its probability.",
            **KEEP,
        )
    if scores.ratings is not None:
        st.selectbox(
            "Generalise to",
            list(_RATERS),
            format_func=_RATERS.__getitem__,
            key=raters_key(scores.ratings.column),
            help=f"{scores.ratings.column} names the raters. Other raters would rate differently: the "
            "variance between raters is then part of the standard errors.",
            **KEEP,
        )


def _draw_found(found: JudgedBoard) -> None:
    if doubts(found.notes):
        as_error(note_in_app(headline(found)))
        show_problems(found.notes)
        return
    with st.container(border=True):
        st.markdown(f"**{markdown(headline(found))}**")
        st.markdown(markdown(counted_sentence(found)))
        st.caption(
            markdown(
                f"{shown(found.human)}: {labels_phrase(found)} of {found.n_items:,} items; "
                f"{shown(found.judge)} on all. {worth_sentence(found)} {apart_sentence(found)}"
            )
        )
    show_remarks(found.notes, about="on the judge")
    _draw_board(found)
    _draw_moves(found)
    _draw_pairs(found)
    draw_checks(found)
    draw_bias(found)
    draw_itself(found)
    draw_raters(found)


def _draw_board(found: JudgedBoard) -> None:
    from dashboard.figures.judges import means_figure, ranks_moved_figure
    from nlpstat_core.report.exports.tables.judge import board_table

    table = board_table(found)
    draw_result(
        table,
        alt=f"Systems by corrected means. {headline(found)}",
        height=tall(len(found.systems), 12),
    )
    st.caption(BOARD_LEGEND)
    shown_systems = min(len(found.systems), MOST_DRAWN)
    if shown_systems < len(found.systems):
        st.caption(f"The chart shows the first {shown_systems:,} systems.")
    left, right = st.columns([3, 2])
    with left:
        draw_chart(
            means_figure(found, shown_systems),
            key="judges means",
            config=STILL_CONFIG,
            alt="Corrected means with intervals beside those of people's labels alone.",
            table=found.leaderboard_frame()[
                ["system", "estimate", "lower", "upper", "people", "people_lower", "people_upper"]
            ].set_index("system"),
        )
    with right:
        draw_chart(
            ranks_moved_figure(found),
            key="judges ranks",
            config=STILL_CONFIG,
            alt="Ranks by the judge alone, by people alone, and corrected.",
            table=found.leaderboard_frame()[["system", "rank_judge", "rank_people", "rank"]].set_index(
                "system"
            ),
        )


def _draw_moves(found: JudgedBoard) -> None:
    st.header("Who moves, and why", divider="grey")
    every = list(moves(found))
    if not every:
        st.markdown("Nobody: the judge alone gives the same ranks.")
    for text in islice(every, MOST_MOVES):
        st.markdown(f"* {markdown(text)}")
    if len(every) > MOST_MOVES:
        with st.expander(f"{len(every) - MOST_MOVES:,} more"):
            for text in every[MOST_MOVES:]:
                st.markdown(f"* {markdown(text)}")


def _draw_pairs(found: JudgedBoard) -> None:
    from dashboard.figures.metrics import metric_pairs_figure
    from nlpstat_core.report.exports.tables.judge import pairs_table

    st.header("System against system", divider="grey")
    order, n = found.order, len(found.systems)
    p, better = np.full((n, n), np.nan), np.zeros((n, n), dtype=bool)
    left, right, pairs = found.left, found.right, found.corrected
    ahead = (-1.0 if found.lower_is_better else 1.0) * pairs.difference > 0
    p[left, right] = p[right, left] = pairs.p_adjusted
    better[left, right], better[right, left] = ahead, ~ahead
    names, p, better = (
        [found.systems[i] for i in order],
        p[np.ix_(order, order)],
        better[np.ix_(order, order)],
    )
    if n <= MOST_DRAWN:
        st.caption("Blue: the two are found to differ. ▲ the row is better, ▼ the column.")
        draw_chart(
            metric_pairs_figure(names, p, found.alpha, better, palette_of(st.context.theme.type)),
            key="judges pairs",
            config=CHART_CONFIG,
            alt=f"Adjusted p of all pairs of systems. {counted_sentence(found)}",
            table=pd.DataFrame(p, index=names, columns=names),
        )
    draw_result(
        pairs_table(found),
        alt=f"All pairs. {counted_sentence(found)}",
        height=tall(found.left.size),
    )
    st.caption(
        "Better: which of A and B is found to be better, corrected, by people alone, by the judge alone. "
        + PAIRS_LEGEND
    )


def _draw_files(found: JudgedBoard, correcting: Correcting) -> None:
    """A button a file, and the command line that gives the same."""
    from nlpstat_core.report.exports.documents.judge import judge_files

    st.header("Files", divider="grey")
    file_buttons(FILES, lambda: judge_files(found))
    st.markdown("The same on the command line:")
    given = correcting.given
    command = judge_command(found, (given.raw[1],), given.choices, given.chosen.lower)
    st.code(command, language=None, wrap_lines=True)
