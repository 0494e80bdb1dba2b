"""Saved boards in the browser, with a login: from the first save to what changed in the next version."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from app.driver import ROOT, drop, running_server, score_file, settle, wait_for_heatmap

from nlpstat_core import read_scores

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in ("sqlalchemy", "oidc_provider_mock")),
        reason="the packages of nlpstat[boards], or oidc-provider-mock, are not installed",
    ),
    pytest.mark.timeout(900),  # four people on a busy machine
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PEOPLE = (
    {"sub": "ada", "name": "Ada", "email": "ada@example.org", "email_verified": True},
    {"sub": "bob", "name": "Bob", "email": "bob@example.org", "email_verified": True},
    {"sub": "mallory", "name": "Mallory", "email": "bob@example.org", "email_verified": False},
)
WMT24 = ROOT.parent / "shared" / "data" / "wmt24_ende_chrf.csv"
SECRETS = """[auth]
redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
cookie_secret = "{secret}"
client_id = "nlpstat"
client_secret = "{secret}"
server_metadata_url = "{provider}/.well-known/openid-configuration"
"""


@dataclass(frozen=True, kw_only=True)
class Walk:
    """A board to walk through, and what is to be seen on the way."""

    scores: bytes
    next_scores: bytes  # of the next version, with one system more
    participant: str
    added: str

    @property
    def systems(self) -> list[str]:
        """Names of the first version, as the reader finds them."""
        return list(read_scores((self.scores, "scores.csv")).systems)

    @property
    def rank(self) -> str:
        """The participant's place among the means."""
        board = read_scores((self.scores, "scores.csv"))
        means = board.values.mean(axis=0)
        place = 1 + int((means > means[board.systems.index(self.participant)]).sum())
        return f"Rank {place} of {board.n_systems}"


def walk() -> Walk:
    """The shared task itself, where it is; the next version has one more system, the best with noise."""
    if not WMT24.exists():
        return Walk(scores=score_file(), next_scores=score_file(7), participant="sys1", added="sys6")
    table = pd.read_csv(WMT24)
    noise = np.random.default_rng(3).normal(1, 5, len(table))
    newer = table.assign(Newcomer=(table["Unbabel-Tower70B"] + noise).round(4))
    return Walk(
        scores=WMT24.read_bytes(),
        next_scores=newer.to_csv(index=False).encode(),
        participant="Dubformer",
        added="Newcomer",
    )


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real OpenID Connect provider in a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    users = [word for one in PEOPLE for word in ("--user-claims", json.dumps(one))]
    command = [sys.executable, "-m", "oidc_provider_mock", "-p", str(port), *users]
    address = f"http://127.0.0.1:{port}"
    log = tmp_path_factory.mktemp("provider") / "log.txt"
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{address}/.well-known/openid-configuration", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            pytest.fail(f"The provider did not start:\n{log.read_text()}")
        yield address
        process.terminate()


@pytest.fixture(scope="module")
def saving_server(provider: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Address of a server that keeps boards and has a login, and its folder."""
    folder = tmp_path_factory.mktemp("saving")
    (folder / ".streamlit").mkdir()
    text = SECRETS.format(secret=secrets.token_hex(32), provider=provider)
    (folder / ".streamlit" / "secrets.toml").write_text(text, encoding="utf-8")
    environment = {"NLPSTAT_DATABASE": "boards.sqlite", "NLPSTAT_LOG": "1"}
    launcher = (str(ROOT / "dashboard"),)
    # Reachable by others, which a server that keeps boards may be with a login only.
    with running_server(
        folder / "log.txt", launcher, everywhere=True, folder=folder, environment=environment
    ) as address:
        yield address, folder


def opened(chromium: Any, **screen: Any) -> Any:
    context = chromium.new_context(**(screen or {"viewport": {"width": 1280, "height": 900}}))
    context.set_default_timeout(120_000)
    return context.new_page()


def log_in(page: Any, address: str, who: str) -> None:
    page.goto(f"{address}/saved")
    page.get_by_test_id("stMain").get_by_role("button", name="Log in").click()
    page.get_by_role("button", name=who, exact=True).first.click()
    page.get_by_text("Logged in as").or_(
        page.get_by_role("heading", name="Which systems really differ?")
    ).first.wait_for()
    settle(page)
    if page.get_by_text("Logged in as").count() == 0:  # the provider leads back to the first page
        page.goto(f"{address}/saved")
    page.get_by_text("Logged in as").wait_for()
    settle(page)


def load(page: Any, data: bytes) -> None:
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Scores", exact=True).click()
    page.get_by_role("heading", name="Which systems really differ?").wait_for()
    drop(page, data, "wmt24.csv")
    wait_for_heatmap(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Save board").click()
    page.get_by_role("heading", name="Saved boards", level=1, exact=True).wait_for()
    settle(page)


def part(page: Any, name: str) -> None:
    page.get_by_test_id("stButtonGroup").get_by_text(name, exact=True).click()
    settle(page)


def choose(page: Any, label: str, option: str) -> None:
    """Open a list and take an option; a list that a run of the page closed meanwhile is opened again."""
    from playwright.sync_api import TimeoutError as TooLate

    wanted = page.get_by_role("option", name=option, exact=True)
    for _ in range(10):
        page.get_by_label(label, exact=True).click()
        page.keyboard.type(option)  # of long lists only a part is drawn
        try:
            wanted.click(timeout=3_000)
        except TooLate:
            page.keyboard.press("Escape")
            settle(page)
        else:
            break
    else:
        raise AssertionError(f"{label} never offered {option}")
    settle(page)


def press(page: Any, name: str, text: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_text(text).first.wait_for()
    settle(page)


def test_a_board_from_the_first_save_to_the_next_version(
    chromium: Any, saving_server: tuple[str, Path]
) -> None:
    address, folder = saving_server
    # A second try, after one that a busy machine let fail, finds the first one's board on the same server.
    board, title = walk(), f"wmt24 <b>en-de</b> {secrets.token_hex(3)}"
    systems, pairs = board.systems, len(board.systems) * (len(board.systems) - 1) // 2
    organizer = opened(chromium)
    log_in(organizer, address, "ada")
    load(organizer, board.scores)
    wanted = organizer.get_by_label("Title of a new board")
    if not wanted.is_visible():  # folded where there are boards already
        organizer.get_by_text("Save what is on screen").click()
        settle(organizer)
        choose(organizer, "As", "a new board")
    wanted.fill(title)
    press(organizer, "Save board", "Saved as a draft")
    organizer.get_by_text("pairs are found to differ").first.wait_for()
    part(organizer, "Members")
    organizer.get_by_label("E-mail address, or issuer and subject separated by a space").fill(
        "Bob@example.org"
    )
    press(organizer, "Add or change", "The list is changed.")
    part(organizer, "State")
    organizer.get_by_text("Published: participants").click()
    press(organizer, "Apply", "Changed.")

    reviewer = opened(chromium)
    log_in(reviewer, address, "bob")
    choose(reviewer, "Board", f"{title} (published)")
    reviewer.get_by_text("you are reviewer").wait_for()
    part(reviewer, "Comments")
    choose(reviewer, "Comment on", "a pair")
    choose(reviewer, "System", systems[2])
    reviewer.get_by_label("Comment (plain text)").fill("<img src=x onerror=alert(1)> **why?**")
    press(reviewer, "Comment", "Your comment is saved.")
    reviewer.get_by_text("<img src=x onerror=alert(1)> **why?**").wait_for()
    assert reviewer.get_by_test_id("stMain").locator("img[src=x]").count() == 0
    assert reviewer.get_by_test_id("stButtonGroup").get_by_text("Links", exact=True).count() == 0

    # Whoever says to have this address, but never proved it, is nobody.
    stranger = opened(chromium)
    log_in(stranger, address, "mallory")
    stranger.get_by_text("No boards yet").wait_for()
    assert title not in stranger.content()

    part(organizer, "Links")
    choose(organizer, "What it shows", "one participant's sheet")
    choose(organizer, "Participant (for a sheet)", board.participant)
    organizer.get_by_text("Hide the names of other systems").click()
    press(organizer, "Make link", "Copy this link now")
    link = organizer.get_by_test_id("stMain").get_by_test_id("stCode").first.inner_text().strip()
    token = link.rpartition("=")[2]
    assert len(token) == 43

    phone = opened(chromium, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    sent: list[str] = []
    phone.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(repr(data))))
    phone.goto(link)
    phone.get_by_text("Against the others").wait_for()
    phone.get_by_text(board.rank).wait_for()
    settle(phone)
    for menu in ("stSidebar", "stExpandSidebarButton"):  # who was sent a link has no other page to go to
        assert not phone.get_by_test_id(menu).is_visible()
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= 390
    received = "".join(sent)  # tables are drawn on a canvas: what came over the wire is what can be seen
    assert [name for name in systems if name in received] == [board.participant]
    for bad in (link[:-4] + "AAAA", f"{address}/shared?link=guess"):
        phone.goto(bad)
        phone.get_by_text("leads nowhere").wait_for()

    load(organizer, board.next_scores)
    if not organizer.get_by_role("button", name="Save board", exact=True).is_visible():
        organizer.get_by_text("Save what is on screen").click()
        settle(organizer)
    choose(organizer, "As", f"the next version of {title}")
    press(organizer, "Save board", "Saved as version 2.")
    part(organizer, "What changed")
    organizer.get_by_text(f"Added: {board.added}.").wait_for()
    organizer.get_by_text(f"comparisons are corrected together, {pairs} before").wait_for()
    phone.goto(link)  # nothing of it is published yet
    phone.get_by_text(board.rank).wait_for()

    log = (folder / "log.txt").read_text()
    assert "Traceback" not in log
    for kept in (log.encode(), *(file.read_bytes() for file in folder.glob("boards.sqlite*"))):
        assert token.encode() not in kept
    assert (folder / "boards.sqlite").exists(), "the worker processes use the same file as the server"
    for page in (organizer, reviewer, stranger, phone):
        page.context.close()


def refused(page: Any, name: str) -> None:
    """A file that isn't made any more."""
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_text("Failed to generate file").first.wait_for()


def taken(page: Any, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return bytes(Path(download.value.path()).read_bytes())


def test_open_tabs_give_nothing_to_who_lost_access_or_logged_out(
    chromium: Any, saving_server: tuple[str, Path]
) -> None:
    from boards.cases import scores

    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.saved_boards import links, members, saving, states
    from nlpstat_core.saved_boards.access import OPERATOR
    from nlpstat_core.saved_boards.database import open_database
    from nlpstat_core.saved_boards.projection import overview

    address, folder = saving_server
    database = open_database(str(folder / "boards.sqlite"))
    title = f"Whose is it {secrets.token_hex(3)}"
    board = saving.save_board(database, OPERATOR, title, scores(), AnalysisConfig())
    members.set_member(database, OPERATOR, board, "BOB@example.org", "reviewer", seen=None)
    states.change_state(database, OPERATOR, board, "published", seen=None)
    token = links.make_link(database, OPERATOR, board, "read", seen=None)
    shown = f"{title} (published)"

    # A link that is withdrawn while its page is open.
    reader = opened(chromium)
    reader.goto(f"{address}/shared?link={token}")
    reader.get_by_text("Files", exact=True).click()
    settle(reader)
    assert taken(reader, "leaderboard.csv").startswith(b"rank")
    (made,) = overview(database, OPERATOR, board).links
    links.revoke_link(database, OPERATOR, board, made.id, seen=None)
    refused(reader, "pairs.csv")

    # Two tabs and a stolen cookie; logging out in one ends all.
    first = opened(chromium)
    log_in(first, address, "bob")
    second = first.context.new_page()
    second.goto(f"{address}/saved")
    choose(second, "Board", shown)
    part(second, "Files")
    assert taken(second, "leaderboard.csv").startswith(b"rank")
    thief = opened(chromium)
    thief.context.add_cookies(first.context.cookies())
    thief.goto(f"{address}/saved")
    thief.get_by_text("Logged in as").wait_for()
    first.get_by_role("button", name="Log out").click()
    second.get_by_text("Log in to see your boards").wait_for()  # nobody touched it
    assert title not in second.content()
    thief.get_by_text("Log in to see your boards").wait_for()
    thief.goto(f"{address}/saved")
    thief.get_by_text("You have logged out, here or in another tab.").wait_for()
    assert title not in thief.content()

    # A member who is removed while the files are on screen.
    log_in(first, address, "bob")
    choose(first, "Board", shown)
    part(first, "Files")
    assert taken(first, "leaderboard.csv").startswith(b"rank")
    members.remove_member(database, OPERATOR, board, "bob@example.org", seen=None)
    refused(first, "pairs.csv")
    first.goto(f"{address}/saved")
    first.get_by_text("Logged in as").wait_for()
    settle(first)
    assert title not in first.content()
    database.close()
    for page in (reader, first, thief):
        page.context.close()


def test_a_server_for_others_without_a_login_does_not_start(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "dashboard"), "--server.address", "0.0.0.0"]
    environment = {**os.environ, "NLPSTAT_DATABASE": str(tmp_path / "boards.sqlite")}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "nobody has to log in" in done.stderr
