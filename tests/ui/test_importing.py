"""A page and the thread that loads everything behind it import the same libraries at the same moment.

They once got half of pandas: "cannot import name 'get_option' from partially initialized module".
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest
from ui.driver import ROOT

# The thread begins when the page comes to pandas, or a moment later.
PROGRAM = """
import importlib.abc, sys, threading, time
import streamlit.testing.v1
from dashboard.background import import_turns
from dashboard.server import warm_up

class Notices(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "pandas":
            page_is_there.set()

def load():
    page_is_there.wait()
    time.sleep(float(sys.argv[1]))
    warm_up._load_the_rest()

failed, page_is_there = [], threading.Event()
sys.meta_path.insert(0, Notices())
threading.excepthook = lambda failure: failed.append(repr(failure.exc_value))
warm_up._HEAD_START_SECONDS = 0
warm_up._MORE = ("pandas.io.formats.style", *warm_up._MORE)
warm_up._begun.append(True)
loading = threading.Thread(target=load)
loading.start()
page = streamlit.testing.v1.AppTest.from_file("dashboard/app.py", default_timeout=120)
page.switch_page("../pages/leaderboard.py").run()
loading.join()
failed += [error.message for error in page.exception]
print(*failed, sep="\\n")
"""


def failures(*arguments: str) -> Sequence[str]:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return ran.stdout.split("\n")[:-1]


@pytest.mark.parametrize("seconds", ["0", "0.2"])
def test_a_page_and_the_loading_thread_import_together(seconds: str) -> None:
    assert [line for line in failures(seconds) if line] == []
