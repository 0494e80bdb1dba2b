"""Draws gold and outputs on the landing page: the two fields, how they were read, their measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background.outputs import OPTIONS, POSITIVE, SHOWN, Files, Outputs
from dashboard.parts.folded import folded
from dashboard.parts.panels import show_problems, show_remarks
from dashboard.scores.measures import FOUND, POSITIVE_LABEL, draw_measures
from dashboard.scores.upload import READ_AS
from dashboard.session.state import session
from dashboard.session.submissions import (
    Choices,
    drop_again,
    field_key,
    read_dropped,
    read_outputs,
    take_dropped,
)
from dashboard.session.uploads import most_megabytes
from dashboard.text import in_app, markdown, printable
from nlpstat_core.formatting import count_of
from nlpstat_core.scores.submissions import kind_in_words

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix

TITLE = "Gold and outputs instead of scores: accuracy, macro-F1, BLEU, correlation …"
KINDS = {
    FOUND: FOUND,
    "labels": "labels",
    "label-sets": "labels, several per item",
    "numbers": "numbers",
    "texts": "texts",
    "tags": "tags (CoNLL columns)",
    "trees": "dependency trees (CoNLL-U)",
}
MISSING = {
    "refuse": "are an error",
    "wrong": "count as wrong",
    "leave-out": "are left out of the system's pairs",
}
ATTEMPTS = {
    "last": "the last by its name counts",
    "first": "the first by its name counts",
    "best": "the best by the official measure counts",
    "all": "each is a separate system",
}
# What mends a refusal: keyword and value of the remedy, and the button.
BUTTONS = {
    ("missing_outputs", "wrong"): "Count missing outputs as wrong",
    ("missing_outputs", "leave-out"): "Leave these items out of the system's pairs",
}
COLUMNS = {
    "id_column": "Column of item ids",
    "gold_column": "Column of gold",
    "output_column": "Column of outputs",
    "file": "Name of the file with the answers",
    POSITIVE: POSITIVE_LABEL,
}
FIELDS = "gold and outputs"


def draw_outputs_upload() -> None:
    """The fields for gold and outputs, folded away until they are used."""
    here = session()
    waiting = here.dropped != Files()
    said = here.outputs_problem is not None or here.uncompared is not None
    # Another label is another fold: one that has something to say stands open.
    title = TITLE if not (waiting or said) else "Gold and outputs"
    with folded(title, FIELDS, expanded=waiting or said) as opened:
        if not opened:
            return
        st.caption(
            "For shared tasks: the gold answer of each item, and what every system answered. Both may be in "
            "one table with a column for each system."
        )
        left, right = st.columns(2)
        _field(left, "gold", "Gold (several files: references of the same texts)")
        _field(right, "outputs", "Outputs: one file per system, a platform's zip, or one table")
        _draw_waiting_files(here.dropped)
        _draw_refused()
        _draw_uncompared()


def _field(place: st.delta_generator.DeltaGenerator, what: str, label: str) -> None:
    place.file_uploader(
        label,
        key=field_key(what),
        on_change=take_dropped,
        args=(what,),
        max_upload_size=most_megabytes(),
        accept_multiple_files=True,
        help="CSV, TSV, JSONL, one answer per line, CoNLL columns or CoNLL-U, detected from the content. "
        "Pack folders into a zip; a zip of zips, as competition platforms export it, can be dropped as it "
        "is.",
    )


def _draw_waiting_files(dropped: Files) -> None:
    if dropped == Files() or session().submitting is not None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if dropped.gold and dropped.outputs is None:
            st.markdown(
                f"**{markdown(dropped.name)}** is loaded as gold. Now drop the outputs.", width="content"
            )
            st.button("It also has the outputs: read it", on_click=read_dropped, key="gold alone")
        elif not dropped.gold:
            st.markdown(
                f"**{markdown(dropped.name)}** is loaded as outputs. Now drop the gold file.", width="content"
            )
            st.button("It also has gold: read it", on_click=read_dropped, key="outputs alone")
        st.button("Start again", on_click=drop_again, key="drop again", type="tertiary")


def _draw_refused() -> None:
    """Why gold and outputs can't be used, with what mends it."""
    here = session()
    if here.outputs_problem is None:
        return
    kept = "" if here.scores is None else f" Still showing {markdown(here.scores.source)}."
    st.error(f"These outputs can't be used. {markdown(in_app(here.outputs_problem))}{kept}")
    if here.refused_outputs is None:
        return
    files, choices = here.refused_outputs
    with st.container(horizontal=True):
        for place, remedy in enumerate(here.outputs_problem.remedies):
            label = BUTTONS.get((remedy.keyword, str(remedy.value)))
            if label is not None:
                mended = {**choices, remedy.keyword: remedy.value}
                st.button(label, on_click=read_outputs, args=(files, mended), key=f"mend outputs {place}")
    _draw_form(files, choices, None)


def _draw_uncompared() -> None:
    """The measures of one system alone: there is nothing to compare."""
    here = session()
    if here.uncompared is None:
        return
    files, choices, found = here.uncompared.files, here.uncompared.choices, here.uncompared.found
    st.info(markdown(in_app(found.problem)))
    _draw_values(found.outputs)
    st.button("Start again", on_click=drop_again, key="drop uncompared")
    _draw_form(files, choices, found.outputs)


def draw_outputs_summary(scores: ScoreMatrix, outputs: Outputs) -> None:
    """What was read in one line, and the choice of measures."""
    facts = [
        f"Read from **{markdown(outputs.source)}**" if outputs.source else "Read",
        f"**{count_of(len(outputs.systems), 'system')}**",
        f"**{count_of(outputs.n_items, 'item')}** with {kind_in_words(outputs.kind)}",
        _joined(outputs),
        _missing(outputs),
        f"by **{markdown(outputs.title)}** ({'lower' if scores.lower_is_better else 'higher'} is better)",
    ]
    st.markdown(f"{' · '.join(facts)} · [How it was read](#{READ_AS})")
    given = session().submitted
    assert given is not None
    draw_measures(given.files, given.choices, outputs, scores.fingerprint)


def _joined(outputs: Outputs) -> str:
    by_order = len(outputs.by_order)
    if not by_order:
        return "joined sentence by sentence" if outputs.by_sentence else "joined by ids"
    return (
        "joined by order"
        if by_order == len(outputs.systems)
        else f"{by_order:,} joined by order, the others by ids"
    )


def _missing(outputs: Outputs) -> str:
    missing = sum(outputs.missing.values())
    whole = outputs.n_items * len(outputs.systems)
    return f"**{missing:,}** of {whole:,} outputs missing" if missing else "no output missing"


def draw_outputs_notes(scores: ScoreMatrix) -> None:
    """What is to be said about gold and outputs before their results."""
    show_problems(scores.notes)
    show_remarks(scores.notes, about="on gold and outputs")


def draw_outputs_details(outputs: Outputs) -> None:
    """How gold and outputs were understood, the first items, and the form that corrects it."""
    import pandas as pd  # not needed by the empty page

    from dashboard.parts.result_table import draw_frame

    here = session()
    given = here.submitted
    assert given is not None
    st.header("How it was read", divider="grey", anchor=READ_AS)
    if here.example is not None:
        st.caption(markdown(here.example["description"]))
    labels = ", ".join(outputs.label_columns) or "none"
    st.caption(markdown(f"{outputs.kind.capitalize()}: {outputs.reason}. Label columns: {labels}."))
    if len(outputs.measures) > 1:
        _draw_values(outputs)
    names = {name: printable(name.removeprefix("system ")) for name in outputs.head}
    draw_frame(
        pd.DataFrame({name: list(cells) for name, cells in outputs.head.items()}),
        "The first items with gold and outputs as they were read.",
        column_config={name: st.column_config.TextColumn(label) for name, label in names.items()},
    )
    if outputs.missing:
        st.caption(
            "Items without an output: "
            + ", ".join(f"{markdown(name)} {gone:,}" for name, gone in outputs.missing.items())
        )
    st.caption(
        "Links and settings files record how gold and outputs were read and measured, but never include "
        "them: whoever opens one has to load the same files. A saved board keeps item scores, not the "
        "outputs."
    )
    _draw_form(given.files, given.choices, outputs)


def _draw_values(outputs: Outputs) -> None:
    """Every measure of every system, the best by the official one first."""
    import pandas as pd

    from dashboard.parts.result_table import draw_frame

    columns: dict[str, object] = {"System": list(outputs.systems)}
    columns |= {outputs.titles[key]: outputs.values[:, place] for place, key in enumerate(outputs.measures)}
    frame = pd.DataFrame(columns)
    first = outputs.titles[outputs.measures[0]]
    draw_frame(
        frame.sort_values(first, ascending=outputs.lower[0], kind="stable"),
        "The measures of every system.",
        column_config={
            outputs.titles[key]: st.column_config.NumberColumn(
                format="%.4f", help="Lower is better." if lower else "Higher is better."
            )
            for key, lower in zip(outputs.measures, outputs.lower, strict=True)
        },
    )


def _draw_form(files: Files, choices: Choices, outputs: Outputs | None) -> None:
    """What can be told of gold and outputs beside their measures.

    outputs: What was read; None where nothing could be.
    """
    kind = "refused" if outputs is None or session().uncompared is not None else "read"
    # What was refused is put right here, by what the refusal asks for.
    opened = outputs is None
    with st.expander("Read it another way", expanded=opened), st.form(f"outputs {kind}", border=False):
        left, right = st.columns(2)
        wanted: dict[str, object] = {
            "kind": _menu(left, "Outputs are", KINDS, choices.get("kind")),
            "missing_outputs": _menu(
                right, "Items without an output", MISSING, choices.get("missing_outputs")
            ),
            "attempts": _menu(left, "Several attempts of a team", ATTEMPTS, choices.get("attempts")),
        }
        for place, (name, title) in enumerate(COLUMNS.items()):
            told = choices.get(name)
            text = (right, left)[place % 2].text_input(
                title, value="" if told is None else str(told), placeholder=FOUND
            )
            wanted[name] = text.strip() or None
        if st.form_submit_button("Read again"):
            kept = {name: value for name, value in choices.items() if name not in wanted}
            if wanted["kind"] != choices.get("kind"):  # a measure is one of a kind
                kept = {
                    name: value for name, value in kept.items() if name not in ("measure", SHOWN, *OPTIONS)
                }
            read_outputs(files, kept | {name: value for name, value in wanted.items() if value is not None})
            st.rerun()


def _menu(
    place: st.delta_generator.DeltaGenerator, title: str, menu: Mapping[str, str], now: object
) -> str | None:
    """A choice of the form; the first of its menu is what holds unless told."""
    options = list(menu)
    chosen = place.selectbox(
        title,
        options,
        index=next((i for i, key in enumerate(options) if key == now), 0),
        format_func=menu.__getitem__,
    )
    return None if chosen == options[0] else chosen
