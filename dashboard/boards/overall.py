"""Draws how several tracks become one ranking, before it is made the board of all pages and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.background.given import BoardsChoice, TracksChoice
from dashboard.boards.places import draw_places
from dashboard.navigation import page_path
from dashboard.parts.panels import as_information, delivered
from dashboard.parts.result_table import draw_frame, tall
from dashboard.parts.sidebar import KEEP
from dashboard.session.composed import back_to_tracks, show_composite
from dashboard.session.requests import ask_composed, ask_outlook, ask_tracks
from dashboard.session.state import session
from dashboard.text import NO_VALUE, markdown, printable
from dashboard.theme import STILL_CONFIG
from nlpstat_core.analysis.tracks.combining import WAYS
from nlpstat_core.report.wording.several_boards import KINDS
from nlpstat_core.report.wording.tracks import (
    CLAIMS,
    RULES,
    WHAT_SIGNAL_IS,
    WITHOUT_CHANCE,
    first_ranks,
    outlook_sentence,
    range_text,
    weights_told,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from nlpstat_core.analysis.tracks.means import TrackMeans
    from nlpstat_core.results.tracks import Outlook
    from nlpstat_core.scores.matrix import ScoreMatrix

LABEL = "One overall ranking"
BY_HAND = "hand"
WEIGHTS = {"equal": "Equal", "items": "By items", BY_HAND: "By hand"}
MOST_LISTED = 30


def draw_overall(scores: ScoreMatrix, chosen: BoardsChoice) -> None:
    """The rules of an overall ranking, what they make of the first ranks, and the click that shows it."""
    st.markdown(
        f"All {KINDS[chosen.each]} as one score: a composite board, with intervals and tests like any other."
    )
    # A measure that is no mean has no overall ranking; the rest of the page holds.
    means = delivered(ask_tracks(scores, chosen), f"Reading all {KINDS[chosen.each]}", refused=as_information)
    if means is None:
        return
    how = _rules(means, same_items=chosen.each == "metric" and scores.units is not None)
    found = delivered(ask_outlook(means, (scores.fingerprint, chosen), how), "Ranking over all of them")
    if found is None:
        return
    if found.missing:
        _draw_missing(found)
    st.markdown(f"**First ranks**: {markdown(first_ranks(found.systems))}")
    if how.by_places:
        draw_places(scores, chosen, how)
        draw_outlook(means, found)
        return
    st.button(
        "Show this ranking on all pages",
        type="primary",
        on_click=_compose,
        args=(how,),
        key="overall show",
        icon=":material/leaderboard:",
        help="Leaderboard, heatmap, pairs, items, power and report then show the composite; one click "
        "here brings the single boards back.",
    )
    draw_outlook(means, found)
    asked = session().composing
    if asked is not None:
        answer = ask_composed(scores, chosen, asked)
        if answer.cancelled or answer.problem is not None:
            session().composing = None
        read = delivered(answer, "Making the composite")
        if read is not None:
            show_composite(read, asked, means)
            st.rerun()


def _compose(how: TracksChoice) -> None:
    session().composing = how


def _rules(means: TrackMeans, *, same_items: bool) -> TracksChoice:
    """What the widgets say.

    same_items: Whether all tracks have the same items, as metrics of one output have.
    """
    tracks = st.radio(
        "The claim is about",
        tuple(CLAIMS),
        format_func=lambda key: CLAIMS[key][0],
        captions=[f"Claims hold for {claim}." for _, claim in CLAIMS.values()],
        key="overall tracks",
        **KEEP,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        combine = st.selectbox(
            "Combined by",
            list(WAYS),
            format_func=lambda key: WAYS[key].label,
            key=f"overall combine {tracks}",
            help="In a mean of raw scores, a track on 0–100 outweighs one on 0–1; z-scores and "
            "min–max scores put tracks on one scale. Ranks, points and shares of bests depend on all "
            "systems together: for these tracks they are ranked and tested here; for tracks like these "
            "all pages can show them.",
            **KEEP,
        )
        weights = st.segmented_control(
            "Weights",
            list(WEIGHTS),
            format_func=WEIGHTS.__getitem__,
            default="equal",
            required=True,
            key="overall weights",
            **KEEP,
        )
        shared = tracks == "fixed" and st.checkbox(
            "Items of one id in several tracks are one item",
            value=same_items,
            key=f"overall shared items {same_items}",
            help="For translations of one source, or several metrics of one output: they vary together.",
            **KEEP,
        )
    given = _table(means, editable=weights == BY_HAND)
    missing = None
    if not means.complete:
        missing = st.radio(
            "Systems that lack a track are",
            tuple(RULES),
            format_func=RULES.__getitem__,
            key="overall missing",
            **KEEP,
        )
    return TracksChoice(
        weights=tuple(given.items()) or ("items" if weights == "items" else None),
        combine=combine,
        tracks=tracks,
        missing_tracks=missing or "refuse",
        shared_items=bool(shared),
    )


def _table(means: TrackMeans, *, editable: bool) -> dict[str, float]:
    """What the tracks are; their weights, as far as they are given by hand."""
    frame = pd.DataFrame(
        {
            "Track": [printable(name) for name in means.boards],
            "Items": list(means.items.values()),
            "Systems": [means.n_systems(name) for name in means.boards],
            "Signal to noise": list(means.signal.values()),
        }
    )
    columns = {
        "Signal to noise": st.column_config.NumberColumn(format="%.2f", help=WHAT_SIGNAL_IS),
        "Weight": st.column_config.NumberColumn(min_value=0.0, required=True, help="0 drops a track."),
    }
    if not editable:
        draw_frame(frame, "The tracks.", column_config=columns)
        return {}
    frame.insert(1, "Weight", 1.0)
    edited = st.data_editor(
        frame,
        hide_index=True,
        column_config=columns,
        disabled=["Track", "Items", "Systems", "Signal to noise"],
        key=f"overall weights of {len(frame)}",
        placeholder=NO_VALUE,
    )
    return dict(zip(means.boards, map(float, edited["Weight"]), strict=True))


def _draw_missing(found: Outlook) -> None:
    """What each rule for systems that lack a track does to the first ranks."""
    lines = [f"* {RULES[rule]}: {markdown(first_ranks(order))}" for rule, order in found.missing.items()]
    st.markdown("\n".join(["Some systems lack a track. The first ranks under each rule:", *lines]))


def draw_outlook(means: TrackMeans, found: Outlook) -> None:
    """How firm the order is: one track fewer, other weights, what each track tells."""
    st.markdown("**How firm is this order?**")
    st.markdown(markdown(outlook_sentence(found)))
    frame = pd.DataFrame(
        {
            "Track": [printable(one.track) for one in found.ranges],
            "Share": [100 * one.share for one in found.ranges],
            "Signal to noise": [means.signal[one.track] for one in found.ranges],
            "Without it": [first_ranks(found.without.get(one.track, NO_VALUE)) for one in found.ranges],
            "First stays first at": [range_text(one) for one in found.ranges],
        }
    )
    draw_frame(
        frame,
        f"Every track: its share, and the order without it. {outlook_sentence(found)}",
        column_config={
            "Share": st.column_config.NumberColumn(format="%.1f %%"),
            "Signal to noise": st.column_config.NumberColumn(format="%.2f", help=WHAT_SIGNAL_IS),
        },
        height=tall(len(frame), MOST_LISTED),
    )
    if found.regions:
        from dashboard.figures.weights import weights_figure

        st.plotly_chart(
            weights_figure(found),
            key="overall regions",
            config=STILL_CONFIG,
            alt="Which system is first at which weights; the cross marks the chosen weights: "
            f"{weights_told(dict(zip(found.tracks, found.shares, strict=True)))}.",
        )
        st.caption(
            "Each area shows the weights at which a system is first; the cross marks the chosen weights."
        )
    st.caption(WITHOUT_CHANCE)


def draw_composed() -> None:
    """What the composite on all pages is made of, how firm its order is, and the way back."""
    here = session()
    composed = here.composed
    assert composed is not None
    assert here.scores is not None
    st.markdown(
        f"All pages show one overall ranking: the **{markdown(here.scores.metric or '')}**. Its claims are "
        f"about {CLAIMS[composed.how.tracks][1]}."
    )
    with st.container(horizontal=True):
        st.page_link(page_path("leaderboard"), label="Leaderboard", icon=":material/leaderboard:")
        st.button(
            f"Back to the single boards of {composed.scores.source or 'the upload'}",
            on_click=back_to_tracks,
            key="overall back",
            icon=":material/undo:",
        )
    key: Hashable = here.scores.fingerprint
    found = delivered(ask_outlook(composed.means, key, composed.how), "Ranking over all of them")
    if found is not None:
        draw_outlook(composed.means, found)
