"""Public data that are not part of the project: a folder, or a skipped test."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2] / "../shared/data/submissions"
DATA = Path(os.environ.get("NLPSTAT_SHARED_TASKS") or HERE)


def fetched(name):
    """The folder or file of this name below NLPSTAT_SHARED_TASKS."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not in {DATA}")
    return path
