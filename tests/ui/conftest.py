"""A new session of the app for every test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from ui.driver import open_app


@pytest.fixture
def app() -> Iterator[AppTest]:
    """The landing page of a new session; the worker thread of the server goes with it."""
    yield open_app()
    st.cache_resource.clear()
