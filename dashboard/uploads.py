"""From an uploaded file or an example to scores; a file that can't be read changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.compute import drop_jobs
from dashboard.state import session
from nlpstat_core.errors import NlpstatError

DATA = Path(__file__).resolve().parent.parent / "data"
MOST_MEGABYTES = 50


def examples() -> list[dict[str, Any]]:
    """The example files the app offers, as data/examples.json lists them.

    Returns
    -------
    list of dict
        key, file, title, description, …
    """
    found: list[dict[str, Any]] = json.loads((DATA / "examples.json").read_text(encoding="utf-8"))
    return found


def uploader_key() -> str:
    """Key of the upload field; a new key is an empty field.

    Returns
    -------
    str
    """
    return f"upload-{session().uploader}"


def take_upload() -> None:
    """Read the file in the upload field; called when the field changes."""
    uploaded = st.session_state.get(uploader_key())
    if uploaded is not None:
        here = session()
        choices, here.reading = here.reading, {}  # those of a settings file are for one file
        read(uploaded.getvalue(), uploaded.name, **choices)


def take_example(example: dict[str, Any]) -> None:
    """Read one of the examples.

    Parameters
    ----------
    example : dict
        Entry of `examples()`.
    """
    if read((DATA / example["file"]).read_bytes(), example["file"]):
        session().example = example


def read(data: bytes, name: str, **choices: Any) -> bool:
    """Read a file and make it the data of every page; on failure say why and keep everything.

    Parameters
    ----------
    data : bytes
    name : str
    **choices
        Keywords of `read_scores`.

    Returns
    -------
    bool
        Whether the file could be read.
    """
    from nlpstat_core.readers import read_board

    here = session()
    try:
        scores = read_board((data, name), max_bytes=MOST_MEGABYTES * 1024 * 1024, **choices)
    except NlpstatError as error:
        here.problem = str(error)
        here.refused, here.refused_choices = (data, name), choices
        return False
    drop_jobs()
    same = here.raw == (data, name)  # an example read another way stays this example
    here.replace_scores(scores)
    here.raw, here.choices = (data, name), choices
    here.example = here.example if same else None
    if not same:
        here.lower = {}
    return True
