"""From an uploaded file or an example to scores; a file that can't be read changes nothing."""

import io
import json
import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NotRequired, TypedDict

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard.background import readings
from dashboard.background.failures import RolesAsked, UnforeseenError
from dashboard.background.looks import File, Read
from dashboard.background.workers import work_queue
from dashboard.server.privacy import MEGABYTE, forget_uploads, given_files
from dashboard.server.upload_bounds import whole, why_refused
from dashboard.session.reading import READING, Pending, begin, draw_stopped, draw_waiting, settled
from dashboard.session.results import drop_jobs
from dashboard.session.state import session
from dashboard.text import in_app, markdown
from nlpstat_core.errors import BoundsExceeded, NlpstatError, ScoreFileError, Sentence, shown
from nlpstat_core.served import OPEN

DATA = Path(__file__).resolve().parents[2] / "data"
# Bounds of what is read, beside server.maxUploadSize of Streamlit's configuration.
BOUNDS = {
    "NLPSTAT_MAX_UNPACKED_BYTES": "max_unpacked_bytes",
    "NLPSTAT_MAX_ROWS": "max_rows",
    "NLPSTAT_MAX_COLUMNS": "max_columns",
    "NLPSTAT_MAX_CELLS": "max_cells",
}
LONGEST_NAME = 200
MOST_SECONDS = 120  # of reading one upload


class Example(TypedDict):
    """What the app uses of an entry of data/examples.json.

    measures: Of gold and outputs; no such entry where the file holds scores.
    """

    key: str
    file: str
    title: str
    description: str
    measures: NotRequired[list[str]]


def examples() -> list[Example]:
    """The example files the app offers, as data/examples.json lists them.

    Returns: key, file, title, description, ….
    """
    found: list[Example] = json.loads((DATA / "examples.json").read_text(encoding="utf-8"))
    return found


def uploader_key() -> str:
    """Key of the upload field; a new key is an empty field."""
    return f"upload-{session().uploader}"


def most_megabytes() -> int:
    """Size of the largest file that is taken, as the server is configured."""
    return int(st.get_option("server.maxUploadSize"))


def bounds() -> dict[str, int]:
    """Bounds of what is read, as keywords of `read_scores`.

    Raises ConfigError: An environment variable that is no whole number.
    """
    found = {"max_bytes": most_megabytes() * 1024 * 1024}
    for variable, keyword in BOUNDS.items():
        number = whole(variable)
        if number is not None:
            found[keyword] = number
    return found


def most_seconds() -> int:
    """How long reading a file may take: NLPSTAT_MAX_SECONDS, else two minutes.

    Raises ConfigError: An environment variable that is no whole number.
    """
    seconds = whole("NLPSTAT_MAX_SECONDS")
    return MOST_SECONDS if seconds is None else seconds


def take_upload() -> None:
    """Read what was dropped on the upload field; called when the field changes.

    The field is emptied: the next drop is another board, not an addition to this one.
    """
    uploaded = given_files(st.session_state.get(uploader_key()))
    if uploaded:
        here = session()
        choices, here.reading = here.reading, {}  # those of a settings file are for one file
        try:
            file = taken(uploaded)
        except ScoreFileError as error:
            here.problem, here.refused, here.asked = error.sentence, None, False
            return
        if choices or not here.linked_board:
            read(file, choices, after=partial(_keep_choices, choices))
        else:
            read_as_linked(file)


def _keep_choices(choices: dict[str, object], could: bool) -> None:
    """A file that wasn't read uses up no settings file: the next one is read with it."""
    here = session()
    if here.stopped is not None:
        here.reading = choices


def taken(uploaded: Sequence[UploadedFile]) -> tuple[bytes, str]:
    """What was dropped on an upload field, which is emptied; several files as one.

    Raises ScoreFileError: More than may be uploaded.
    """
    files = [(file.getvalue(), file.name) for file in uploaded]
    forget_uploads(uploaded)
    session().uploader += 1
    most = most_megabytes()
    if len(files) > 1 and sum(len(data) for data, _ in files) > most * MEGABYTE:
        raise ScoreFileError(f"The files are larger than {most:,} MB together; give fewer files.")
    return packed(files)


def read_as_linked(file: File) -> None:
    """Read a file as the link says that the session began with; where the two don't fit, by its content."""
    from dashboard.session.links import short_fingerprint

    here = session()
    choices, here.linked_board = here.linked_board, {}
    expected = here.linked

    def checked(could: bool) -> None:
        if here.stopped is not None:
            here.linked_board = choices
            return
        if not could:
            why = "" if here.problem is None else in_app(here.problem)
            here.ignored.append(f"The file was read without what the link says of it: {why}")
            here.problem = here.refused = None
            here.asked = False
        elif here.scores is None or expected in (None, short_fingerprint(here.scores.fingerprint)):
            return  # else what the link says is about a file that isn't here
        read(file)

    read(file, choices, after=checked)


def packed(files: Sequence[tuple[bytes, str]]) -> tuple[bytes, str]:
    """Several files as an archive in memory, so that the rest of the app knows one kind of upload only.

    files (sequence of (bytes, name)): At least one; a lone one stays as it is.
    """
    if len(files) == 1:
        return files[0]
    target, names = io.BytesIO(), [_writable(name) for _, name in files]
    with zipfile.ZipFile(target, "w") as archive:
        for place, ((data, _), name) in enumerate(zip(files, names, strict=True)):
            # Files of one name come from several folders.
            inside = name if names.count(name) == 1 else f"{place + 1}/{name}"
            archive.writestr(zipfile.ZipInfo(inside), data)
    return target.getvalue(), f"{names[0]} and {len(names) - 1} more"


def _writable(name: str) -> str:
    """A file's name as an archive can hold it: no half of a sign, not too long, its ending kept."""
    return name.encode("utf-8", "replace").decode().replace("\0", "?")[-LONGEST_NAME:]


def take_example(example: Example) -> None:
    """Read one of the examples, as any other file."""
    file = ((DATA / example["file"]).read_bytes(), example["file"])

    def told(could: bool) -> None:
        here = session()
        if could:
            here.example = example
        else:  # the bounds of this server are for smaller files
            here.refused = None

    read(file, after=told)


def open_served() -> None:
    """In a new session, read the file that `nlpstat serve FILE` named; once, so that Forget holds."""
    given = os.environ.get(OPEN)
    if given is None or st.session_state.get("served"):
        return
    st.session_state["served"] = True
    try:
        data = Path(given).read_bytes()
    except OSError as error:
        session().problem = Sentence(f"{shown(Path(given).name)} can't be opened ({error.strerror}).")
        return
    read((data, Path(given).name))


def read(
    file: File, choices: Mapping[str, object] | None = None, *, after: Callable[[bool], None] | None = None
) -> None:
    """Have a file read and made the data of every page; on failure say why and keep everything.

    Most files are there at once; while a longer one is read, pages show what they showed, and how to stop it.

    after: Called with whether it could be read, once that is known.
    """
    here, choices = session(), choices or {}
    try:
        keywords, seconds = {**bounds(), **choices}, most_seconds()
    except NlpstatError as error:
        here.problem, here.refused, here.asked = error.sentence, None, False
        return
    job = begin(READING, readings.read, file, keywords, seconds)
    here.submitting = here.stopped = None
    here.pending = Pending(file, choices, job, after)
    settle()


def settle() -> None:
    """Take what has been read meanwhile; called before anything of a page is drawn."""
    here = session()
    pending = here.pending
    if pending is None or not pending.job.ended:
        return
    here.pending = None
    found, problem = settled(pending, READING)
    if found is not None:
        take(pending.file, pending.choices, found)
    elif problem is not None:
        here.problem = problem.sentence
        here.refused, here.refused_choices = pending.file, pending.choices
        here.asked = isinstance(problem, RolesAsked)
        here.spent = isinstance(problem, (BoundsExceeded, UnforeseenError))
    if pending.after is not None:
        pending.after(found is not None)


@cache
def prepare_reading() -> None:
    """Start the process that reads, once per server: whoever drops a file doesn't wait for its imports."""
    reading = work_queue("reading")
    reading.pool.submit(reading.worker.start)


def draw_pending() -> None:
    """Which file is being read, with a way to stop it, or that it was stopped."""
    draw_stopped()
    pending = session().pending
    if pending is not None:
        draw_waiting(pending.job, READING, f"Reading {markdown(pending.file[1])}")


def draw_refused_upload() -> None:
    """Why an upload was refused before it came here."""
    context = get_script_run_ctx()
    problem = None if context is None else why_refused(context.session_id)
    if problem is not None:
        st.error(markdown(problem))


def take(file: tuple[bytes, str], choices: Mapping[str, object], found: Read) -> None:
    """Make the scores of a file the data of every page."""
    here = session()
    drop_jobs()
    same = here.raw == file  # an example read another way stays this example
    here.replace_scores(found.scores, found.facts)
    here.raw, here.choices = file, choices
    here.example = here.example if same else None
    if not same:
        here.lower = {}
