"""How a file was read, and what corrects it: a panel of roles, and a form for the rest."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.background.looks import names_in
from dashboard.background.roles import can_choose
from dashboard.scores.roles_panel import TITLE, draw_columns
from dashboard.session.uploads import read
from dashboard.text import markdown
from nlpstat_core.scores.matrix import ScoreMatrix

Key = TypeVar("Key")
FOUND = "detected from the content"
OPEN_READ, OPEN_REFUSED = "columns of the data", "columns of what was refused"
MOST_SHEETS = 12
DIRECTIONS = {None: FOUND, False: "higher is better", True: "lower is better"}
# Choices that are one name: what stands before them, and which names of the file they may be.
NAMES = {
    "metric": ("Metric", "metrics"),
    "system_column": ("Column of system names", "columns"),
    "sheet": ("Sheet of a workbook", "sheets"),
}
DELIMITERS = {None: FOUND, ",": "comma", ";": "semicolon", "\t": "tab", " ": "white space", "|": "|"}
REPEATS = {
    None: "are an error",
    "first": "count once: the first",
    "last": "count once: the last",
    "mean": "are averaged",
}
BAD_CELLS = {None: "is an error", "missing": "counts as a missing score"}


def draw_correction(
    file: tuple[bytes, str], choices: Mapping[str, object], scores: ScoreMatrix | None
) -> None:
    """The roles of the columns, and everything else that can be told of a file, folded away.

    file, choices, scores: As for `draw_correction_form`.
    """
    # Looking at the columns means reading the file once more, so it is done for those who ask.
    key = OPEN_REFUSED if scores is None else OPEN_READ
    panel = st.expander(TITLE if scores is not None else "Read it another way", key=key, on_change="rerun")
    if not panel.open:
        return
    with panel:
        seen = draw_columns(file, choices)
        if seen is None:  # not yet
            return
        if scores is None:  # else the sheets are a menu beside the data
            _sheet_buttons(file, choices, seen.sheets)
        st.markdown("**Other choices**")
        draw_correction_form(file, choices, scores, by_name=not can_choose(seen), formats=seen.formats)


def _sheet_buttons(file: tuple[bytes, str], choices: Mapping[str, object], sheets: Sequence[str]) -> None:
    """One click reads another sheet of a workbook that was refused."""
    if len(sheets) < 2:
        return
    st.markdown("Sheets of this workbook:")
    with st.container(horizontal=True):
        for place, sheet in enumerate(sheets[:MOST_SHEETS]):
            kept = {**choices, "sheet": sheet}
            st.button(markdown(sheet), on_click=read, args=(file, kept), key=f"sheet {place}")


def draw_correction_form(
    file: tuple[bytes, str],
    choices: Mapping[str, object],
    scores: ScoreMatrix | None,
    *,
    by_name: bool,
    formats: Mapping[str, str],
) -> None:
    """What can be told of a file beside the roles of its columns, in one form.

    scores: What was read; None when the file could not be read, then columns are typed instead of chosen.
    by_name: Whether columns are told here, because the file has no table whose roles could be chosen.
    formats: Every format that can be told, with its label.
    """
    labels: dict[str | None, str] = {None: FOUND}
    labels.update((name, name) for name in names_in(choices.get("format")))
    labels.update(formats.items())
    delimiters: dict[str | None, str] = DELIMITERS | {
        sign: DELIMITERS.get(sign, sign) for sign in names_in(choices.get("delimiter"))
    }
    by_item = False if choices.get("systems_as_rows") is False else None  # told so, or left to the content
    shapes = {by_item: "one row per test item", True: "one row per system"}
    columns = [] if scores is None else _columns(scores)
    kind = "refused" if scores is None else "read"
    with st.form(f"reading {kind}", border=False):
        left, right = st.columns(2)
        wanted: dict[str, object] = {}
        wanted["format"] = _choice(left, "Format", labels, choices.get("format"))
        wanted["lower_is_better"] = _choice(right, "Direction", DIRECTIONS, choices.get("lower_is_better"))
        if by_name:
            with left:
                wanted["id_column"] = _id_column(columns, choices.get("id_column"), scores)
            with right:
                wanted["label_columns"] = _label_columns(columns, choices.get("label_columns"), scores)
        wanted["systems_as_rows"] = _choice(
            left, "Rows of a table with one column per system or item", shapes, choices.get("systems_as_rows")
        )
        wanted["delimiter"] = _choice(right, "Between columns", delimiters, choices.get("delimiter"))
        names = {key: given for key, given in NAMES.items() if by_name or key != "system_column"}
        for place, (key, (title, kind)) in enumerate(names.items()):
            with (left, right)[place % 2]:
                wanted[key] = _name(title, choices.get(key), _menu(scores, kind))
        told = choices.get("header_row")
        header = left.number_input(
            "Line of the header", 1, value=None if told is None else int(str(told)), placeholder=FOUND
        )
        wanted["header_row"] = None if header is None else int(header)
        wanted["bad_cells"] = _choice(
            right, "Text where a number should stand", BAD_CELLS, choices.get("bad_cells")
        )
        wanted["repeats"] = _choice(
            right, "Rows of one test item and system", REPEATS, choices.get("repeats")
        )
        rows = left.text_input(
            "Rows to leave out",
            value=", ".join(names_in(choices.get("drop_rows"))),
            placeholder="none; ids, separate by commas",
        )
        wanted["drop_rows"] = tuple(part.strip() for part in rows.split(",") if part.strip()) or None
        if st.form_submit_button("Read again"):
            kept = {key: value for key, value in choices.items() if key not in wanted}
            if by_name or wanted["systems_as_rows"] != choices.get("systems_as_rows"):
                kept.pop("roles", None)  # columns are told by name, or were told of a table of another shape
            read(file, kept | {key: value for key, value in wanted.items() if value is not None})
            st.rerun()


def _place(menu: Mapping[Key, str], given: object) -> int:
    """Where a choice stands in its menu; first where it says the same as the first."""
    return next((place for place, key in enumerate(menu) if key == given), 0)


def _choice(place: DeltaGenerator, title: str, menu: Mapping[Key, str], given: object) -> Key:
    return place.selectbox(title, list(menu), index=_place(menu, given), format_func=menu.__getitem__)


def _menu(scores: ScoreMatrix | None, kind: str) -> list[str]:
    """Columns, metrics or sheets of the file as far as its reading tells them."""
    return [] if scores is None else list(scores.reading.get(kind, ()))


def _name(title: str, given: object, names: list[str]) -> str | None:
    """A name from a menu, or typed where the file's names aren't known."""
    told = tuple(filter(None, names_in(given)))
    if not names:
        return st.text_input(title, value="".join(told), placeholder=FOUND) or None
    labels: dict[str | None, str] = {None: FOUND} | {name: name for name in (*names, *told)}
    return st.selectbox(title, list(labels), index=_place(labels, given), format_func=labels.__getitem__)


def _columns(scores: ScoreMatrix) -> list[str]:
    """Columns of the file as far as the scores tell them."""
    listed = _menu(scores, "columns")
    if listed:
        return listed
    named = [scores.reading.get("system_column"), *names_in(scores.reading.get("id_column"))]
    known = [name for name in named if isinstance(name, str)]
    return list(dict.fromkeys([*known, *scores.labels, *scores.systems]))


def _id_column(columns: list[str], given: object, scores: ScoreMatrix | None) -> object:
    """The column of unit ids; a label column and an id may make them together."""
    title = "Column of item ids"
    if not columns or scores is None:
        typed = ", ".join(names_in(given)) or ("none" if given is False else "")
        return st.text_input(title, value=typed, placeholder=f"{FOUND}; or none; or doc, segment") or None
    now = names_in(scores.reading.get("id_column"))
    pairs = [(label, now[0]) for label in scores.labels if len(now) == 1 and label != now[0]]
    options: list[object] = [None, False, *columns, *pairs]
    given = tuple(given) if isinstance(given, list) else given
    if given not in options:
        options.append(given)
    return st.selectbox(title, options, index=options.index(given), format_func=_id_text)


def _id_text(choice: object) -> str:
    if choice is None or choice is False:
        return FOUND if choice is None else "none"
    return " with ".join(names_in(choice))


def _label_columns(columns: list[str], given: object, scores: ScoreMatrix | None) -> tuple[str, ...] | None:
    """The label columns, or None where the content is to decide."""
    title = "Label columns (documents, domains …)"
    if not columns or scores is None:
        text = st.text_input(
            title, value=", ".join(names_in(given)), placeholder=f"{FOUND}; separate by commas"
        )
        return tuple(part.strip() for part in text.split(",") if part.strip()) or None
    found = tuple(scores.labels)
    chosen = tuple(st.multiselect(title, columns, default=list(found)))
    if chosen != found:
        return chosen
    return None if given is None else names_in(given)
