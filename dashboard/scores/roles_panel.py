"""The panel "How the columns were read": first rows, a menu on every column, what becomes of them."""

from collections.abc import Mapping

import streamlit as st

from dashboard.background import readings
from dashboard.background.looks import Look, Read
from dashboard.background.roles import (
    MOST_SHOWN,
    NO_COLUMN,
    WORDS,
    becomes,
    can_choose,
    choices_for,
    column_rows,
    default_metric,
    guessed_words,
    head_rows,
    metrics_among,
    rows_are_systems,
)
from dashboard.session.held import Opened
from dashboard.session.reading import LOOKING, TRYING, Pending, begin, draw_waiting, outcome
from dashboard.session.state import session
from dashboard.session.uploads import bounds, most_seconds, read, take
from dashboard.text import in_app, markdown
from nlpstat_core.errors import Sentence

TITLE = "How the columns were read"
EDITOR = "roles of columns"
CANCEL = "Cancel, don't read this file"
STOPPED = Sentence("Examining the columns was cancelled.")
ROW_PIXELS, MOST_ROWS = 35, 12
HELP = (
    "A *system* column names the systems; in a table with one column per system it holds that system's "
    "scores. A *test item* column identifies the items; several such columns together form the id. "
    "*Runs* and *raters* are averaged."
)


def draw_question() -> None:
    """The panel of a file that can't be read for sure, in the place of any result; former data stay."""
    here = session()
    if here.refused is None or here.problem is None:
        return
    st.header("What are these columns?")
    question = in_app(here.problem).rstrip(".")
    st.warning(
        f"{markdown(question)}. Check the roles below; nothing is computed until you have.",
        icon=":material/help:",
    )
    if here.problem.remedy("run_column"):
        none = {**here.refused_choices, "run_column": NO_COLUMN}
        st.button(
            "Each of these columns is a system", on_click=read, args=(here.refused, none), key="no runs"
        )
    _draw(here.refused, here.refused_choices, asked=True)
    if here.scores is not None:
        st.caption(f"Cancel keeps {markdown(here.scores.source)} with all its settings.")


def draw_columns(file: tuple[bytes, str], choices: Mapping[str, object]) -> Look | None:
    """The panel of the data on the page, or of a file that was refused: other roles may do.

    Returns: What was seen of the file; None as long as it is being looked at.
    """
    return _draw(file, choices, asked=False)


def cancel() -> None:
    """Put a file aside that couldn't be read; the data that were there stay."""
    here = session()
    here.problem = here.refused = here.opened_columns = None
    here.refused_choices, here.asked = {}, False


def _draw(file: tuple[bytes, str], choices: Mapping[str, object], *, asked: bool) -> Look | None:
    now = _opened(file, choices)
    if now is None:
        return None
    seen = now.seen
    if not can_choose(seen):
        st.caption(
            STOPPED if seen.problem == STOPPED else "The columns of this file have no names to choose by."
        )
        if asked:
            st.button(CANCEL, on_click=cancel, key="cancel roles")
        return seen
    import pandas as pd  # not needed before a panel is open

    words = guessed_words(seen)
    rows = column_rows(seen, words)
    key = f"{EDITOR} {now.number}"
    shown = st.container()
    edited = st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        disabled=[name for name in rows if name != "Role"],
        height=ROW_PIXELS * (min(len(words), MOST_ROWS) + 1) + 3,
        column_config={
            "Column": st.column_config.TextColumn(width=120, pinned=True),
            "Role": st.column_config.SelectboxColumn(
                options=list(WORDS.values()), required=True, width=130, help="Double-click to change it."
            ),
            "First values": st.column_config.TextColumn(width="medium"),
            "Why it was guessed": st.column_config.TextColumn(width="medium"),
        },
        alt="Every column of the file with its role; the roles are menus.",
    )
    chosen = [str(word) for word in edited["Role"]]
    with shown:
        _draw_head(seen, chosen)
    kept = choices_for(seen, chosen, choices)
    metrics = metrics_among(seen, chosen)
    another = bool(metrics) and _draw_metric(metrics, kept, now)
    changed = asked or another or chosen != words
    scores, problem = seen.scores, seen.problem
    if changed:
        found = _tried(now, kept)
        if found is None:
            return seen
        scores, problem = None if found[0] is None else found[0].scores, found[1]
    if scores is not None:
        st.markdown(f"{'This becomes' if changed else 'This is'} {becomes(scores)}.")
    elif problem and (changed or not asked):
        st.warning(f"{markdown(in_app(problem))}", icon=":material/warning:")
    if changed:
        with st.container(horizontal=True):
            st.button(
                "Read the file with these roles",
                type="primary",
                disabled=scores is None,
                on_click=_apply,
                args=(now, kept),
                key="apply roles",
            )
            if asked:
                st.button(CANCEL, on_click=cancel, key="cancel roles")
            else:
                st.button("Undo changes", on_click=_start_again, key="undo roles")
    return seen


def _draw_head(seen: Look, words: list[str]) -> None:
    import pandas as pd

    if rows_are_systems(seen):
        st.caption("Every row was read as one system, and every other column as a test item.")
    st.dataframe(
        pd.DataFrame(head_rows(seen, words)),
        hide_index=True,
        height="content",
        alt="The first rows, every column under its role and name.",
        placeholder="",
    )
    many = f" The first {MOST_SHOWN} of {len(words):,} columns." if len(words) > MOST_SHOWN else ""
    st.caption(
        f"The first rows, with the role of each column.{many} To change a role, double-click it below.",
        help=HELP,
    )


def _draw_metric(metrics: list[str], given: dict[str, object], now: Opened) -> bool:
    """Which of several columns of scores to read; whether it is another than is read now."""
    scores = now.seen.scores
    told = given.get("metric")
    wanted = told if isinstance(told, str) and told else None if scores is None else scores.metric
    first = default_metric(metrics, wanted, now.seen.called_score)
    found = st.selectbox(
        "Scores to look at first",
        metrics,
        index=metrics.index(first),
        key=f"metric of {EDITOR} {now.number} {' '.join(metrics)}",
        help="The others stay one click away.",
    )
    given["metric"] = found
    return scores is not None and found != scores.metric


def _opened(file: tuple[bytes, str], choices: Mapping[str, object]) -> Opened | None:
    """The panel as it was left, or a new one for another file or reading; None while that is looked at."""
    here = session()
    now = here.opened_columns
    if now is not None and now.file == file and now.choices == choices:
        return now
    looking = here.looking
    if looking is None or looking.file != file or looking.choices != choices:
        with st.spinner("Looking at the columns …"):
            job = begin(LOOKING, readings.looked_at, file, {**bounds(), **choices}, most_seconds())
        looking = here.looking = Pending(file, dict(choices), job)
    if not looking.job.ended:
        draw_waiting(looking.job, LOOKING, "Looking at the columns")
        return None
    here.looking = None
    seen, problem = outcome(looking.job)
    if seen is None:
        seen = Look(problem=STOPPED if problem is None else problem.sentence)
    here.counted += 1
    now = here.opened_columns = Opened(file, dict(choices), seen, here.counted)
    return now


def _tried(now: Opened, given: Mapping[str, object]) -> tuple[Read | None, Sentence] | None:
    """What the file becomes under these choices, or why nothing; None until that is known."""
    if now.tried is None or now.tried[0] != given:
        if now.trying is None or now.trying[0] != given:
            now.trying = (
                given,
                begin(TRYING, readings.read, now.file, {**bounds(), **given}, most_seconds()),
            )
        job = now.trying[1]
        if not job.ended:
            draw_waiting(job, TRYING, "Reading the columns so")
            return None
        found, problem = outcome(job)
        why = Sentence("Cancelled.") if problem is None else problem.sentence
        now.tried, now.trying = (given, found, why), None
    return now.tried[1], now.tried[2]


def _apply(now: Opened, given: Mapping[str, object]) -> None:
    """Read the file so; what was tried already needn't be read again."""
    if now.tried is not None and now.tried[0] == given and now.tried[1] is not None:
        take(now.file, given, now.tried[1])
    else:
        read(now.file, given)


def _start_again() -> None:
    session().opened_columns = None
