"""The empty landing page loads none of the heavy libraries."""

import subprocess
import sys

from ui.driver import ROOT

PROGRAM = """
import sys
from dashboard.server import warm_up
from streamlit.testing.v1 import AppTest
warm_up._begun.append(True)  # what is loaded behind the page is another matter
at = AppTest.from_file("dashboard/app.py", default_timeout=60).run()
assert not at.exception
print(*sorted({"pandas", "scipy.stats", "statsmodels", "joblib"} & set(sys.modules)))
"""


def test_the_empty_page_is_light() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == []
