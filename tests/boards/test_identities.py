"""Who is who: addresses that look alike, identities of two kinds, lists from before kinds were told apart."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select, text, update

from boards.cases import person, scores, shared_board
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards import comments, logins, members, saving, states
from nlpstat_core.saved_boards.access import LOCAL_USER, OPERATOR, Viewer, access, boards_of
from nlpstat_core.saved_boards.database import HEAD, change_revision
from nlpstat_core.saved_boards.errors import BoardError, NotThere, Refused
from nlpstat_core.saved_boards.identities import (
    THIS_MACHINES,
    Identity,
    address,
    from_tagged,
    from_untagged,
    is_address,
    known_identity,
    login,
)
from nlpstat_core.saved_boards.log import NOTHING, chained
from nlpstat_core.saved_boards.projection import overview
from nlpstat_core.saved_boards.tables import board, event, member
from nlpstat_core.saved_boards.verify import verify, verify_servers_log

BLANKS = (
    " \t\n\r\x0b\x00\x1f\x7f\x85\xa0\u1680\u2003\u2028\u202f\u205f\u3000"
    "\u115f\u2800\u3164\u200b\u200e\u202e\u2060\ufeff\ud800\ue000"
)
NO_ADDRESSES = (
    *("nobody", "@", "a@", "@b", "a@b@c", "a@.b", "a@b.", "a@b..c", "a@-b.c", "a@b-.c", "mailto:a@b.org"),
    *("<a@b.org>", "a,b@c.org", '"a"@b.org', "a@[127.0.0.1]", "a@b:1"),
    *("a@\u017f.org", "a@\u212a.org", "\u212a@example.org", "a@ｅｘ.org", "a@例え。jp", "a@☃.net"),
    *("e\u0301@example.org", "a@e\u0301.org", "a@\u0627a.org"),
    *("a@" + "x" * 64 + ".org", "a@" + "é" * 60 + ".org", "a@" + ".".join(["abcdefgh"] * 30)),
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob@Example.ORG", "bob@example.org"),
        ("bob@BÜCHER.example", "bob@bücher.example"),
        ("bob@bücher.example", "bob@xn--bcher-kva.example"),
        ("bob@straße.example", "bob@XN--STRAE-OQA.example"),
        ("ÉMILE@example.org", "émile@example.org"),
        (" bob@example.org\n", "bob@example.org"),
        ("ΑΒ@παράδειγμα.gr", "αβ@ΠΑΡΆΔΕΙΓΜΑ.gr"),
    ],
)
def test_the_same_address(one, other) -> None:
    assert known_identity(one) == known_identity(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bob@straße.example", "bob@strasse.example"),  # two domains since IDNA 2008
        ("\u017fam@example.org", "sam@example.org"),  # ſ
        ("stra\u00dfe@example.org", "strasse@example.org"),
        ("\ufb01n@example.org", "fin@example.org"),  # ﬁ, one letter
        ("bob@ex\u0430mple.org", "bob@example.org"),  # Cyrillic а
        ("ı@example.org", "i@example.org"),
        ("İ@example.org", "i@example.org"),
        ("\u1e9e@example.org", "\u00df@example.org"),  # ẞ, whose small letter has another capital
        ("bob@faß.de", "bob@fass.de"),
        ("ὀδυσσεύς@example.org", "ὀδυσσεύσ@example.org"),
    ],
)
def test_another_address(one, other) -> None:
    assert known_identity(one) != known_identity(other)


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("place", ["bo{}b@x.org", "bob{}@x.org", "bob@{}x.org", "bob@x{}y.org"])
def test_an_address_with_a_blank_is_refused_in_a_sentence(blank, place) -> None:
    with pytest.raises(BoardError, match=r"contains a space or a control character") as caught:
        known_identity(place.format(blank))
    assert "\n" not in str(caught.value)
    assert not is_address(place.format(blank))


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_what_is_no_address_is_refused_in_a_sentence(text) -> None:
    with pytest.raises(BoardError) as caught:
        known_identity(text)
    assert "\n" not in str(caught.value)


def test_an_identity_is_an_address_or_a_login_and_never_both() -> None:
    assert known_identity("https://a.example bob@example.org").kind == "login"
    assert known_identity("https://a.example b c") == login("https://a.example", "b c")
    assert known_identity("local local") is THIS_MACHINES
    assert login("local", "local") != THIS_MACHINES
    assert login("email:bob@example.org", "x").tagged != address("bob@example.org").tagged
    for issuer, subject in (
        ("", "x"),
        ("https://a b", "x"),
        ("https://a", ""),
        ("https://a", " "),
        ("a", "\n"),
    ):
        with pytest.raises(BoardError):
            login(issuer, subject)
    for kind in ("email", "login", "local"):
        assert from_tagged(f"{kind}:x") == Identity(kind, "x")
    for bad in ("x@y.org", "EMAIL:x", "", ":", "email"):
        with pytest.raises(BoardError):
            from_tagged(bad)


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_two_kinds_have_a_name_in_common(one, other) -> None:
    found = set()
    for make in (lambda: address(one), lambda: address(f"{one}@{other}"), lambda: login(one, other)):
        try:
            found.add(make())
        except BoardError:
            continue
    assert len({who.name for who in found}) == len({who.tagged for who in found}) == len(found)
    for who in found:
        assert who.checked() == who  # as strict the second time, and the same
        assert from_tagged(who.tagged) == who


@given(st.text(max_size=20), st.text(max_size=20))
def test_whoever_is_not_the_same_is_not_let_in(one, other) -> None:
    """By definition: the same letters, or capitals of them that have no other small letter."""
    texts = [f"{name}@example.org" for name in (one, other)]
    if not all(map(is_address, texts)) or address(texts[0]) != address(texts[1]):
        return
    for a, b in zip(one, other, strict=True):
        assert a == b or a.lower() == b.lower()


def test_of_all_letters_only_a_capital_and_its_own_small_letter_are_the_same() -> None:
    same: dict[str, list[str]] = {}
    for code in (*range(0xD800), *range(0xE000, 0x1F000)):
        if is_address(f"{chr(code)}@x.org"):
            same.setdefault(address(f"{chr(code)}@x.org").name, []).append(chr(code))
    pairs = [letters for letters in same.values() if len(letters) > 1]
    assert len(pairs) > 1000
    assert [letters for letters in pairs if len(letters) > 2] == []
    for capital, small in map(sorted, pairs):
        assert capital.lower() == small.lower()
        assert capital.upper() == small.upper()


def test_look_alikes_see_nothing(database) -> None:
    board_id = saving.save_board(database, person("owner"), "x", scores(), AnalysisConfig())
    for listed in ("sam@straße.example", "https://login.example.org 42"):
        members.set_member(database, person("owner"), board_id, listed, "reviewer", seen=None)
    open_review(database, board_id)
    assert boards_of(database, Viewer(email="SAM@Straße.example"))
    assert boards_of(database, Viewer(issuer="https://login.example.org", subject="42"))
    for stranger in (
        Viewer(email="sam@strasse.example"),
        Viewer(email="\u017fam@straße.example"),
        Viewer(email="https://login.example.org 42"),
        Viewer(email="sam@straße.example "),
        Viewer(issuer="email:sam@xn--strae-oqa.example", subject="x"),
        Viewer(issuer="https://login.example.org", subject="42 "),
        Viewer(issuer="https://LOGIN.example.org", subject="42"),
    ):
        assert boards_of(database, stranger) == (), stranger
        with pytest.raises(NotThere):
            overview(database, stranger, board_id)


def open_review(database, board_id: str) -> None:
    states.change_state(database, person("owner"), board_id, "review", seen=None)


def test_a_login_service_called_like_this_machine_is_not_its_user(database) -> None:
    saving.save_board(database, LOCAL_USER, "mine", scores(), AnalysisConfig())
    assert boards_of(database, LOCAL_USER)
    assert boards_of(database, Viewer(issuer="local", subject="local")) == ()


# --- what was kept before there were kinds


def as_before(database) -> str:
    """A board with members and a log as revision 0002 wrote them."""
    made = shared_board(database, state="review")
    change_revision(database, "0002")
    head = NOTHING
    old = {
        "https://login.example.org owner": ("owner", None),
        "bob@strasse.example": ("reviewer", None),  # straße, as it was folded then
        "eve@münchen.example": ("reviewer", None),
        "ada lovelace@example.org": ("reviewer", None),  # an address with a blank: taken for a login
        "odd@☃.example": ("reviewer", None),
        "local local": ("editor", None),
    }
    with database.writing() as connection:
        connection.execute(text("DELETE FROM member"))
        connection.execute(text("DELETE FROM event WHERE number > 2"))
        for name, (role, system) in old.items():
            row = {"identity": name, "role": role, "system": system}
            connection.execute(insert(member).values(board=made, **row))
        rows = connection.execute(select(event).order_by(event.c.number)).mappings().all()
        told = [(row["action"], json.loads(row["details"])) for row in rows]
        del told[0][1]["kind"]
        told += [
            ("member", {"identity": name, "role": role, "system": None}) for name, (role, _) in old.items()
        ][1:]
        told.append(("state", {"state": "review", "published": 0}))
        connection.execute(text("DELETE FROM event"))
        now = rows[0]["happened_at"]
        for number, (action, details) in enumerate(told, start=1):
            actor, written = rows[0]["actor"], json.dumps(details, sort_keys=True, separators=(",", ":"))
            given = {"happened_at": now, "actor": actor, "action": action, "details": written}
            made_hash = chained(head, made, number, now, actor, action, written)
            connection.execute(
                insert(event).values(board=made, number=number, previous=head, hash=made_hash, **given)
            )
            head = made_hash
        revision = 1 + len(told) - 2
        connection.execute(
            update(board).values(events=len(told), head=head, changed_at=now, revision=revision)
        )
    return made


def test_lists_of_the_last_version_get_kinds_and_their_log_stays(database) -> None:
    made = as_before(database)
    with database.reading() as connection:
        before = connection.execute(select(event).order_by(event.c.number)).all()
    change_revision(database, HEAD)
    found = {one.identity.tagged: one.role for one in overview(database, OPERATOR, made).members}
    assert found == {
        "login:https://login.example.org owner": "owner",
        "email:bob@strasse.example": "reviewer",
        "email:eve@xn--mnchen-3ya.example": "reviewer",
        "login:ada lovelace@example.org": "reviewer",
        "email:odd@☃.example": "reviewer",
        "local:local local": "editor",
    }
    with database.reading() as connection:
        assert connection.execute(select(event).order_by(event.c.number)).all() == before
    assert [one.problems for one in verify(database)] == [()]
    assert (verify_servers_log(database).events, verify_servers_log(database).problems) == (1, ())
    assert boards_of(database, Viewer(email="Eve@MÜNCHEN.example"))
    assert boards_of(database, LOCAL_USER)
    for nobody in (Viewer(email="bob@straße.example"), Viewer(email="odd@☃.example")):
        assert boards_of(database, nobody) == ()
    # The list goes on in the new way, and stays as logged.
    members.remove_member(database, person("owner"), made, "eve@münchen.example", seen=None)
    members.remove_member(database, person("owner"), made, Identity("email", "odd@☃.example"), seen=None)
    comments.add_comment(database, person("owner"), made, 1, ["board"], "x")
    assert [one.problems for one in verify(database)] == [()]


def test_and_back_again(database) -> None:
    made = shared_board(database)
    for listed in ("bob@straße.example", "x@xn--zzzzzzzz.example", "https://a.example b c"):
        members.set_member(database, person("owner"), made, listed, "reviewer", seen=None)
    members.set_member(database, person("owner"), made, "bob@strasse.example", "owner", seen=None)
    change_revision(database, "0002")
    with database.reading() as connection:
        kept = dict(connection.execute(text("SELECT identity, role FROM member")).all())
    assert kept == {
        "https://login.example.org owner": "owner",
        "editor@example.org": "editor",
        "reviewer@example.org": "reviewer",
        "participant@example.org": "participant",
        "bob@strasse.example": "reviewer",  # of two who were one then, the lesser role
        "x@xn--zzzzzzzz.example": "reviewer",
        "https://a.example b c": "reviewer",
    }
    change_revision(database, HEAD)
    assert len(overview(database, person("owner"), made).members) == 7


@given(st.text(max_size=20).filter(str.strip))
def test_whatever_a_list_held_has_a_kind(text_) -> None:
    who = from_untagged(text_)
    assert (who.kind == "login") is (" " in text_ and text_ != "local local")


# --- logins that are over


def test_a_login_that_is_over_sees_nothing_and_makes_nothing(database) -> None:
    made = shared_board(database, state="review")
    claims = {
        "iss": "https://login.example.org",
        "sub": "reviewer",
        "iat": 1,
        "nonce": "a",
        "email_verified": True,
    }
    cookies = [logins.cookie_of(claims), logins.cookie_of({**claims, "nonce": "b"})]
    first, second = (with_cookie(cookie) for cookie in cookies)
    for viewer in (first, second):
        assert boards_of(database, viewer)
    logins.end_login(database, cookies[0])
    logins.end_login(database, cookies[0])  # the second tab's button
    assert boards_of(database, first) == ()
    with pytest.raises(NotThere):
        overview(database, first, made)
    with pytest.raises(NotThere):
        comments.add_comment(database, first, made, 1, ["board"], "x")
    with pytest.raises(Refused, match="logged out"):
        saving.save_board(database, first, "x", scores(), AnalysisConfig())
    with database.reading() as connection:
        assert access(connection, second, made, database.time()).role == "reviewer"


def test_ended_logins_are_forgotten_when_their_cookies_are_no_good_any_more(database) -> None:
    from streamlit.web.server.starlette import starlette_app_utils

    assert logins.COOKIE_DAYS >= starlette_app_utils._DEFAULT_SIGNED_VALUE_MAX_AGE_DAYS
    old = replace(database, now=lambda: database.now() - timedelta(days=logins.COOKIE_DAYS + 1))
    logins.end_login(old, "a" * 64)
    logins.end_login(database, "b" * 64)
    with database.reading() as connection:
        assert connection.scalars(text("SELECT cookie FROM signed_out")).all() == ["b" * 64]


def with_cookie(cookie: str) -> Viewer:
    return replace(person("reviewer"), cookie=cookie)
