"""What tabs held is found again by the tab's secret, in the same browser, under the same login, in time."""

from __future__ import annotations

import pytest
from ui.driver import button, open_app, score_file, upload, words

from dashboard.server import kept_sessions as module
from dashboard.server.kept_sessions import Kept, KeptSessions, Owner, kept_sessions
from dashboard.session.state import Session

HERE = Owner(b"browser", None)


def kept(owner: Owner = HERE, name: str = "session", size: int = 1) -> Kept:
    return Kept(owner, name, what=f"of {name}", size=size, rest=lambda: None)


def test_a_secret_opens_what_its_tab_left_and_once() -> None:
    book = KeptSessions()
    book.keep("secret", kept())
    assert book.take("another", HERE) is None
    assert book.take("secret", HERE) == "of session"
    assert book.take("secret", HERE) is None
    book.keep("secret", kept())
    book.drop("secret")
    assert book.take("secret", HERE) is None
    assert b"secret" not in b"".join(book._kept)  # its hash stands there


@pytest.mark.parametrize(
    ("left", "comes", "may"),
    [
        (Owner(None, None), Owner(None, None), False),
        (Owner(b"x", None), Owner(b"x", None), True),
        (Owner(b"x", None), Owner(b"y", None), False),
        (Owner(b"x", None), Owner(None, None), False),
        (Owner(b"x", None), Owner(b"x", "ann"), True),  # whoever logs in keeps what stood in the tab
        (Owner(b"x", "ann"), Owner(b"x", "ann"), True),
        (Owner(b"x", "ann"), Owner(b"x", "bob"), False),
        (Owner(b"x", "ann"), Owner(b"x", None), False),
        (Owner(b"x", "ann"), Owner(b"y", "ann"), False),
    ],
)
def test_only_the_same_browser_and_login_may_have_it(left: Owner, comes: Owner, *, may: bool) -> None:
    book = KeptSessions()
    book.keep("secret", kept(left))
    assert (book.take("secret", comes) is not None) is may
    assert len(book) == (0 if may else 1)  # somebody else's try takes nothing away


def test_it_is_let_go_in_time_and_where_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    rested = []
    book = KeptSessions()
    book.keep("secret", Kept(HERE, "gone", "of gone", 1, lambda: rested.append("gone")))
    book.keep("other", kept(name="here"))
    assert not book.sweep({"gone", "here"}, {"gone", "here"}, now=0)
    assert not book.sweep({"here"}, {"here", "gone"}, now=10)  # left, not closed yet
    assert not rested
    assert not book.sweep({"here"}, {"here"}, now=20)
    assert rested == ["gone"]
    assert not book.sweep({"here"}, {"here"}, now=10 + 60 * module.MINUTES - 1)
    assert book.sweep({"here"}, {"here"}, now=10 + 60 * module.MINUTES)
    assert book.take("secret", HERE) is None
    assert book.take("other", HERE) == "of here"
    for place in range(module.MOST_KEPT + 5):
        book.keep(str(place), kept(name=str(place)))
        book.sweep(set(), set(), now=place)
    assert len(book) == module.MOST_KEPT
    assert book.take("4", HERE) is None  # the oldest go first
    assert book.take("5", HERE) == "of 5"
    book.keep("large", kept(name="large", size=module.MOST_BYTES))
    book.sweep(set(), set(), now=300)
    assert len(book) == 1
    monkeypatch.setenv(module.VARIABLE, "0")
    assert book.sweep(set(), set(), now=301)
    assert len(book) == 0


def test_a_login_that_is_over_takes_its_own_along() -> None:
    book = KeptSessions()
    book.keep("a", kept(Owner(b"x", "ann")))
    book.keep("b", kept(Owner(b"x", "bob")))
    book.drop_login("ann")
    assert book.take("a", Owner(b"x", "ann")) is None
    assert book.take("b", Owner(b"x", "bob")) is not None


def test_secrets_are_long_unlike_and_not_shown() -> None:
    secrets = {Session().secret for _ in range(100)}
    assert len(secrets) == 100
    assert all(len(secret) >= 43 for secret in secrets)  # 256 bits
    one = Session()
    assert one.secret not in repr(one)


def test_a_session_is_kept_while_it_holds_something_until_it_is_forgotten() -> None:
    before = len(kept_sessions())
    at = open_app()
    assert len(kept_sessions()) == before
    assert "within 30 minutes" in words(at)
    upload(at, score_file(3))
    secret = at.session_state["_session"].secret
    assert len(kept_sessions()) == before + 1
    button(at, "Forget my data")()
    assert len(kept_sessions()) == before
    assert at.session_state["_session"].secret == secret


def test_where_nothing_is_kept_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.VARIABLE, "0")
    before = len(kept_sessions())
    at = open_app()
    assert "deleted when you close or reload the tab" in words(at)
    upload(at, score_file(3))
    assert len(kept_sessions()) == before
