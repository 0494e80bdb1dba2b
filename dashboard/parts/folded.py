"""What stands folded on a page: it is drawn, and sent to the browser, once somebody opens it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVarTuple

import streamlit as st

Arguments = TypeVarTuple("Arguments")
FOLD = "fold {}"


@contextmanager
def folded(label: str, key: str, *, expanded: bool = False) -> Iterator[bool]:
    """A fold. Streamlit builds the contents of a closed one, too, charts and all: so they are left out.

    label: Markdown.
    key: Its own name in the session; the state of `FOLD` with it says whether it is open.
    expanded: Whether it is open when it is first drawn; another label or another value here is another fold.
    Yields: Whether it is open, that is whether anything has to be drawn.
    """
    panel = st.expander(label, expanded, key=FOLD.format(key), on_change="rerun")
    with panel:
        yield bool(panel.open)


def fold(
    label: str,
    key: str,
    draw: Callable[[*Arguments], object],
    *arguments: *Arguments,
    expanded: bool = False,
) -> None:
    """A fold with what one call draws; the arguments are there, closed or open."""
    with folded(label, key, expanded=expanded) as opened:
        if opened:
            draw(*arguments)
