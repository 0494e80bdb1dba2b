"""The form that corrects how a file is read; a wrong correction changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.uploads import read

if TYPE_CHECKING:
    from nlpstat_core.scores import ScoreMatrix

FOUND = "found from the content"
DIRECTIONS = {None: FOUND, False: "higher is better", True: "lower is better"}
# Choices that are a name the user types, with what stands before them.
NAMES = {
    "metric": "Metric",
    "system_column": "Column of system names",
    "sheet": "Sheet or member of an archive",
}


def draw_correction_form(
    file: tuple[bytes, str], choices: Mapping[str, Any], scores: ScoreMatrix | None
) -> None:
    """Everything about the reading of a file that can be told, in one form.

    Parameters
    ----------
    file : tuple of bytes and str
        What is to be read again.
    choices : mapping
        Keywords of `read_scores` told so far.
    scores : ScoreMatrix or None
        What was read; None when the file could not be read, then columns are typed instead of chosen.
    """
    from nlpstat_core.readers import READERS

    labels = {None: FOUND} | {reader.key: reader.label for reader in READERS}
    columns = [] if scores is None else _columns(scores)
    kind = "refused" if scores is None else "read"
    with st.form(f"reading {kind}", border=False):
        left, right = st.columns(2)
        wanted: dict[str, Any] = {}
        wanted["format"] = left.selectbox(
            "Format",
            list(labels),
            index=list(labels).index(choices.get("format")),
            format_func=lambda key: labels[key],
        )
        wanted["lower_is_better"] = right.selectbox(
            "Direction",
            list(DIRECTIONS),
            index=list(DIRECTIONS).index(choices.get("lower_is_better")),
            format_func=lambda lower: DIRECTIONS[lower],
        )
        with left:
            wanted["id_column"] = _id_column(columns, choices.get("id_column"))
        with right:
            wanted["label_columns"] = _label_columns(columns, choices.get("label_columns"), scores)
        for place, (key, title) in enumerate(NAMES.items()):
            side = (left, right)[place % 2]
            wanted[key] = side.text_input(title, value=choices.get(key) or "", placeholder=FOUND) or None
        if st.form_submit_button("Read again"):
            kept = {key: choices[key] for key in ("dataset", "dataset_column") if key in choices}
            read(*file, **kept, **{key: value for key, value in wanted.items() if value is not None})
            st.rerun()


def _columns(scores: ScoreMatrix) -> list[str]:
    """Columns of the file as far as the scores tell them."""
    named = [scores.reading.get(key) for key in ("id_column", "system_column")]
    known = [name for name in named if isinstance(name, str)]
    return list(dict.fromkeys([*known, *scores.labels, *scores.systems]))


def _id_column(columns: list[str], told: Any) -> Any:
    title = "Column of unit ids"
    if not columns:
        return st.text_input(title, value=told or "", placeholder=FOUND) or None
    options: list[Any] = [None, False, *columns]
    return st.selectbox(
        title,
        options,
        index=options.index(told) if told in options else 0,
        format_func=lambda name: FOUND if name is None else "none" if name is False else name,
    )


def _label_columns(columns: list[str], told: Any, scores: ScoreMatrix | None) -> tuple[str, ...] | None:
    """The label columns, or None where the content is to decide."""
    title = "Label columns (documents, domains …)"
    if not columns or scores is None:
        text = st.text_input(title, value=", ".join(told or ()), placeholder=f"{FOUND}; separate by commas")
        return tuple(part.strip() for part in text.split(",") if part.strip()) or None
    found = tuple(scores.labels)
    chosen = tuple(st.multiselect(title, columns, default=list(found)))
    if chosen != found:
        return chosen
    return None if told is None else tuple(told)
