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
# Choices that are one name: what stands before them, and which names of the file they may be.
NAMES = {
    "metric": ("Metric", "metrics"),
    "system_column": ("Column of system names", "columns"),
    "sheet": ("Sheet of a workbook", "sheets"),
}
DELIMITERS = {None: FOUND, ",": "comma", ";": "semicolon", "\t": "tab", " ": "white space", "|": "|"}
ROWS = {None: "one row per test item", True: "one row per system"}


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
            wanted["id_column"] = _id_column(columns, choices.get("id_column"), scores)
        with right:
            wanted["label_columns"] = _label_columns(columns, choices.get("label_columns"), scores)
        wanted["systems_as_rows"] = left.selectbox(
            "Rows of a table with one column per system or item",
            list(ROWS),
            index=list(ROWS).index(choices.get("systems_as_rows")),
            format_func=lambda rows: ROWS[rows],
        )
        told = choices.get("delimiter")
        delimiters = DELIMITERS | {told: DELIMITERS.get(told, told)}
        wanted["delimiter"] = right.selectbox(
            "Between columns",
            list(delimiters),
            index=list(delimiters).index(told),
            format_func=lambda sign: str(delimiters[sign]),
        )
        for place, (key, (title, kind)) in enumerate(NAMES.items()):
            with (left, right)[place % 2]:
                wanted[key] = _name(title, choices.get(key), _menu(scores, kind))
        if st.form_submit_button("Read again"):
            kept = {key: choices[key] for key in ("dataset", "dataset_column") if key in choices}
            data, name = file
            read(data, name, **kept, **{key: value for key, value in wanted.items() if value is not None})
            st.rerun()


def _menu(scores: ScoreMatrix | None, kind: str) -> list[str]:
    """Columns, metrics or sheets of the file as far as its reading tells them."""
    return [] if scores is None else list(scores.reading.get(kind, ()))


def _name(title: str, told: Any, names: list[str]) -> str | None:
    """A name from a menu, or typed where the file's names aren't known."""
    if not names:
        return st.text_input(title, value=told or "", placeholder=FOUND) or None
    options: list[str | None] = [None, *dict.fromkeys([*names, *([told] if told else [])])]
    return st.selectbox(
        title, options, index=options.index(told), format_func=lambda name: FOUND if name is None else name
    )


def _columns(scores: ScoreMatrix) -> list[str]:
    """Columns of the file as far as the scores tell them."""
    listed = _menu(scores, "columns")
    if listed:
        return listed
    named = [scores.reading.get("system_column"), *_ids(scores.reading.get("id_column"))]
    known = [name for name in named if isinstance(name, str)]
    return list(dict.fromkeys([*known, *scores.labels, *scores.systems]))


def _ids(told: Any) -> tuple[str, ...]:
    """The columns of unit ids in a choice or a reading."""
    return tuple(told) if isinstance(told, list | tuple) else (told,) if isinstance(told, str) else ()


def _id_column(columns: list[str], told: Any, scores: ScoreMatrix | None) -> Any:
    """The column of unit ids; a label column and an id may make them together."""
    title = "Column of unit ids"
    if not columns or scores is None:
        typed = ", ".join(_ids(told)) or ("none" if told is False else "")
        return st.text_input(title, value=typed, placeholder=f"{FOUND}; or none; or doc, segment") or None
    now = _ids(scores.reading.get("id_column"))
    pairs = [(label, now[0]) for label in scores.labels if len(now) == 1 and label != now[0]]
    options: list[Any] = [None, False, *columns, *pairs]
    told = tuple(told) if isinstance(told, list) else told
    if told not in options:
        options.append(told)
    return st.selectbox(title, options, index=options.index(told), format_func=_id_text)


def _id_text(choice: Any) -> str:
    if choice is None or choice is False:
        return FOUND if choice is None else "none"
    return " with ".join(_ids(choice))


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
