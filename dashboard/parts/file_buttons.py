"""Buttons that give a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

MIME = {
    "json": "application/json",
    "csv": "text/csv",
    "html": "text/html",
    "md": "text/markdown",
    "svg": "image/svg+xml",
    "tex": "text/x-tex",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


def file_button(
    name: str,
    data: str | bytes | Callable[[], str] | Callable[[], bytes],
    *,
    label: str = "",
    key: str = "",
    help: str | None = None,
    width: Literal["content", "stretch"] = "content",
) -> None:
    """A button that gives one file.

    data: Its content, or what makes it on another thread when the button is pressed.
    label: Instead of the name.
    key: Of the button, where other files of the page are called the same.
    """
    st.download_button(
        label or name,
        data=data,
        file_name=name,
        mime=MIME.get(name.rpartition(".")[2], "text/plain"),
        key=key or f"download {name}",
        on_click="ignore",
        icon=":material/download:",
        help=help,
        width=width,
    )


def file_buttons(names: Sequence[str], files: Callable[[], Mapping[str, str]], key: str = "") -> None:
    """A button a file, side by side.

    files: The texts by their names, made when a button is pressed.
    key: In front of the names in the buttons' keys, where other files are called the same.
    """
    with st.container(horizontal=True):
        for name in names:
            file_button(name, partial(_text_of, files, name), key=f"download {key}{name}")


def _text_of(files: Callable[[], Mapping[str, str]], name: str) -> bytes:
    return files()[name].encode("utf-8")
