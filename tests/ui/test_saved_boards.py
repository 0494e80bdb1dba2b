"""Saved boards in the app's own harness, and that nothing changes where no database is configured."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest
from ui.driver import ROOT, AppTest, button, finished, open_app, score_file, upload, words

from dashboard.navigation import SAVED, SHARED, page_path

needs_packages = pytest.mark.skipif(
    importlib.util.find_spec("sqlalchemy") is None, reason="the packages of nlpstat[boards] are not installed"
)


@pytest.fixture
def keeping(tmp_path, monkeypatch) -> str:
    """A database that boards are saved in."""
    target = str(tmp_path / "boards.sqlite")
    monkeypatch.setenv("NLPSTAT_DATABASE", target)
    monkeypatch.setenv("NLPSTAT_LOCAL_USER", "1")  # the harness has no connection whose other end is here
    return target


def go_saved(at: AppTest, name: str = SAVED) -> AppTest:
    return finished(at.switch_page(str(page_path(name))).run())


def part(at: AppTest, name: str) -> AppTest:
    return finished(at.segmented_control(key="saved part").set_value(name).run())


def test_without_a_database_nothing_is_loaded_and_nothing_is_offered(app) -> None:
    upload(app, score_file(3))
    assert not any("Save board" in str(item.proto) for item in app.sidebar.get("page_link"))
    code = (
        "import sys, dashboard.navigation, dashboard.parts.sidebar, dashboard.server.warm_up\n"
        "import nlpstat_core.cli.program\n"
        "from dashboard.server.warm_up import _modules\n"
        "from pathlib import Path\n"
        "print(sorted({'sqlalchemy', 'alembic', 'psycopg'} & set(sys.modules)),"
        " [name for name in _modules(Path('dashboard'), 'dashboard') if 'saved' in name])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] []"


@needs_packages
def test_save_comment_compare_and_delete(keeping) -> None:
    at = open_app()
    upload(at, score_file(4))
    go_saved(at)
    assert "No boards yet" in words(at)
    at.text_input[0].set_value("*My* board")
    button(at, "Save board")()
    assert not at.exception
    assert "Saved as a draft" in at.success[0].value
    assert "pairs are found to differ" in words(at)
    part(at, "Comments")
    finished(at.selectbox(key="saved anchor").set_value("pair").run())
    at.text_area[0].set_value("# no heading\n[no](link)")
    button(at, "Comment")()
    assert "\\[no\\](link)" in words(at)
    button(at, "Resolve")()
    assert "No open comments." in words(at)
    upload(go_first(at), score_file(5))
    go_saved(at)
    part(at, "Board")
    next(box for box in at.main.selectbox if box.label == "As").set_value(board_of(keeping))
    button(at, "Save board")()
    assert "Saved as version 2." in at.success[0].value
    part(at, "What changed")
    assert "Added: sys004." in words(at)
    assert [item.label for item in at.get("download_button")] == ["changes.txt", "changes.json"]
    # Somebody else saves between what is drawn and what is pressed: told, and nothing overwritten.
    from nlpstat_core.saved_boards.access import LOCAL_USER
    from nlpstat_core.saved_boards.database import open_database
    from nlpstat_core.saved_boards.states import rename_board

    other = open_database(keeping)
    part(at, "State")
    rename_board(other, LOCAL_USER, board_of(keeping), "Theirs", seen=None)
    at.text_input[-1].set_value("Mine")
    button(at, "Apply")()
    assert "Somebody else has changed this board" in at.error[0].value
    assert at.text_input[-1].value == "Theirs"
    button(at, "Delete everything")()
    assert "No boards yet" in words(at)
    other.close()


def go_first(at: AppTest) -> AppTest:
    return finished(at.switch_page("../pages/scores.py").run())


def board_of(target: str) -> str:
    from nlpstat_core.saved_boards.access import OPERATOR, boards_of
    from nlpstat_core.saved_boards.database import shared_database

    return boards_of(shared_database(target), OPERATOR)[0].board


@needs_packages
def test_a_link_shows_its_sheet_and_nothing_else(keeping) -> None:
    from boards.cases import OTHERS, OWN, scores

    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.saved_boards import links, states
    from nlpstat_core.saved_boards.access import LOCAL_USER
    from nlpstat_core.saved_boards.database import shared_database
    from nlpstat_core.saved_boards.saving import save_board

    database = shared_database(keeping)
    board = save_board(database, LOCAL_USER, "WMT", scores(), AnalysisConfig())
    states.change_state(database, LOCAL_USER, board, "published", seen=None)
    token = links.make_link(database, LOCAL_USER, board, "sheet", system=OWN, hide_names=True, seen=None)
    at = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=60)
    at.query_params["link"] = token
    go_saved(at, SHARED)
    assert not at.exception
    assert f"{OWN}" in words(at)
    text = words(at) + "".join(table.value.to_string() for table in at.dataframe)
    assert not [name for name in OTHERS if name in text]
    assert "the system on rank 1" in text
    assert not any(item.label == "Question" for item in at.selectbox)  # there is nothing to set
    assert not at.warning
    at.query_params["link"] = "guess"
    finished(at.run())
    assert "leads nowhere" in at.error[0].value
