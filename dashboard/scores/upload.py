"""Draws the landing page's first half: the upload field, examples, and what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.navigation import page_path
from dashboard.parts.doubts import offer_statistics, turn_button
from dashboard.parts.panels import show_problems, show_remarks
from dashboard.scores.reading_form import draw_correction
from dashboard.scores.repairs import draw_repairs, second_look
from dashboard.server.kept_sessions import minutes
from dashboard.session.facts import known_facts
from dashboard.session.state import session
from dashboard.session.submissions import take_outputs_example
from dashboard.session.uploads import (
    Example,
    examples,
    most_megabytes,
    prepare_reading,
    read,
    take_example,
    take_upload,
    uploader_key,
)
from dashboard.text import NO_VALUE, in_app, markdown
from nlpstat_core.config import AUTO, NONE
from nlpstat_core.errors import Sentence
from nlpstat_core.formatting import count_of, format_score
from nlpstat_core.notes import doubts
from nlpstat_core.scores.matrix import ScoreMatrix

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

PROMINENT = 2
MOST_MISSING = 200
# A system's column in the first rows: letters of a name from which on it is this wide, in pixels.
LONG_NAME, NARROW = 16, 130
# Notes that stand elsewhere on the page: with a button, as the menu of sheets and data sets, or on the pairs.
ELSEWHERE = ("sheet-chosen", "dataset-chosen", "disjoint-pairs")
READ_AS = "how-the-file-was-read"  # part of the address of that section
PROPOSED = "block-column-proposed"  # to compare whole documents
DIRECTION_NOTES = ("direction-guessed", "direction-doubtful", "lower-is-better")
_PRIVACY = (
    "Your scores stay in this server's memory for this browser tab only and are never written to disk. "
    "“Forget my data” deletes them immediately; {after}"
)
_KEPT = "they are deleted within {minutes} minutes after you close the tab (a reload until then finds them)."
_NOT_KEPT = "they are deleted when you close or reload the tab."


def draw_upload() -> None:
    """The upload field and the examples; both act at once."""
    here = session()
    prepare_reading()
    st.file_uploader(
        "Drop a score file (one row per test item, one column per system), or one file per system together",
        key=uploader_key(),
        on_change=take_upload,
        max_upload_size=most_megabytes(),
        accept_multiple_files=True,
        help="CSV, TSV, Excel, Parquet, JSON, JSONL, the score files of WMT and trec_eval, columns without a "
        "header, any of them as .gz; or one file per system, dropped together or as a zip. The format is "
        "detected from the content.",
    )
    if here.scores is None:
        st.caption(privacy_text())
    if here.problem is not None and not here.asked:
        kept = "" if here.scores is None else f" Still showing {markdown(here.scores.source)}."
        said = st.empty()
        _say_refused(said, here.problem, kept)
        if here.refused is not None:
            seen = second_look(here.refused, here.problem, here.refused_choices)
            _say_refused(said, seen.found.problem, kept)
            draw_repairs(seen)
            if here.problem.remedy("preferences"):
                st.page_link(
                    page_path("preferences"),
                    label="Rank the systems by these preferences",
                    icon=":material/swords:",
                )
            if here.problem.remedy("systems_as_rows"):
                turn_button(here.refused, here.refused_choices)
            draw_correction(here.refused, here.refused_choices, None)
    offered = examples()
    with st.container(horizontal=True, vertical_alignment="center"):
        prominent = PROMINENT if here.scores is None else 0  # with data, the answer needs the room
        if prominent:
            st.markdown("Or look at an example:")
        for example in offered[:prominent]:
            _example_button(example)
        with st.popover("More examples" if prominent else "Look at an example"):
            for example in offered[prominent:]:
                _example_button(example)


def privacy_text() -> str:
    """What becomes of the scores."""
    kept = minutes()
    return _PRIVACY.format(after=_KEPT.format(minutes=kept) if kept else _NOT_KEPT)


def _say_refused(place: DeltaGenerator, problem: Sentence, kept: str) -> None:
    place.error(f"This file can't be used. {markdown(in_app(problem))}{kept}")


def _example_button(example: Example) -> None:
    st.button(
        example["title"],
        on_click=take_outputs_example if "measures" in example else take_example,
        args=(example,),
        key=f"example {example['key']}",
        help=markdown(example["description"]),
    )


def draw_summary(scores: ScoreMatrix) -> None:
    """What was read in one line: shape, range, missing scores, direction."""
    here = session()
    missing = int(np.count_nonzero(~scores.present))
    values = scores.values[scores.present]
    facts = [
        f"Read from **{markdown(scores.source)}**" if scores.source else "Read",
        f"**{count_of(scores.n_systems, 'system')}**",
        f"**{count_of(scores.n_units, 'item')}**",
        f"scores from **{format_score(float(values.min()))}** to **{format_score(float(values.max()))}**",
        "no score missing" if not missing else f"**{missing:,}** of {scores.values.size:,} scores missing",
        "lower is better" if scores.lower_is_better else "higher is better",
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{' · '.join(facts)} · [How it was read](#{READ_AS})", width="content")
        if here.raw is not None:
            other = "higher" if scores.lower_is_better else "lower"
            st.button(
                f"No, {other} is better",
                on_click=_flip,
                key="flip direction",
                type="tertiary",
                help=_why(scores),
            )


def _flip() -> None:
    """Read the data again with the other direction."""
    here = session()
    if here.scores is not None and here.raw is not None:
        read(here.raw, {**here.choices, "lower_is_better": not here.scores.lower_is_better})


def _why(scores: ScoreMatrix) -> str:
    """Why the direction is what it is."""
    lines = [note.text for note in scores.notes if note.code in DIRECTION_NOTES]
    return markdown(lines[0]) if lines else "Neither the metric nor the file has a name of errors or losses."


def draw_notes(scores: ScoreMatrix) -> None:
    """What is to be said about the file before its results, questions that stand elsewhere left out."""
    # A proposal that has been taken up is none any more.
    settled = () if st.session_state.get("block_column") in (NONE, AUTO) else (PROPOSED,)
    asked = doubts(scores.notes)
    notes = [note for note in scores.notes if note not in asked and note.code not in (*ELSEWHERE, *settled)]
    show_problems(notes)
    offer_statistics(scores)
    show_remarks(notes, about="on the file")


def draw_details(scores: ScoreMatrix) -> None:
    """How the file was understood: format with its reason, first rows, the form that corrects it."""
    from dashboard.parts.tables import first_rows  # loads pandas, which the empty page doesn't need

    here = session()
    st.header("How the file was read", divider="grey", anchor=READ_AS)
    if here.example is not None:
        st.caption(markdown(here.example["description"]))
    reason = scores.reading.get("reason")
    text = str(scores.reading.get("format", "")) + (f": {reason}" if reason else "")
    labels = ", ".join(scores.labels) or "none"
    st.caption(markdown(f"Format: {text}. Test items named by: {_id_name(scores)}. Label columns: {labels}."))
    _draw_missing(scores)
    rows = first_rows(scores)
    # Numbers stand at the right of their column: below a long name a phone would show none.
    narrow = {str(name): st.column_config.Column(width=NARROW) for name in rows if len(str(name)) > LONG_NAME}
    st.dataframe(
        rows,
        height="content",
        column_config=narrow,
        alt="The first rows as they were understood.",
        placeholder=NO_VALUE,
    )
    if here.raw is not None:
        draw_correction(here.raw, here.choices, scores)


def _draw_missing(scores: ScoreMatrix) -> None:
    """How many scores each system lacks, and the pairs that share the fewest units."""
    if not scores.has_missing:
        return
    from dashboard.parts.result_table import draw_frame
    from dashboard.parts.tables import missing_table

    with st.expander("Missing scores by system and pair"):
        pairs = [
            f"{markdown(a)} and {markdown(b)}: {count_of(n_units, 'item')}"
            for a, b, n_units in known_facts(scores).fewest_shared
        ]
        if pairs:
            st.markdown("Fewest items shared by a pair · " + " · ".join(pairs))
        table = missing_table(scores).head(MOST_MISSING)
        draw_frame(table, "Missing scores of each system.", height="content")


def _id_name(scores: ScoreMatrix) -> str:
    if scores.units is None:
        return "none"
    text = scores.reading.get("id_column") or "from the file"
    return text if isinstance(text, str) else " with ".join(text)
