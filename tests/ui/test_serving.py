"""Who counts as this machine's user, who sees the operator's figures, and what every answer says."""

from __future__ import annotations

import asyncio
import sys

import pytest
import streamlit as st

from dashboard.background.workers import check_settings
from dashboard.server import guards, operator_figures, start
from dashboard.server.local_user import is_local_user
from nlpstat_core.errors import ConfigError
from nlpstat_core.installed import missing_packages

HERE = {"host": "127.0.0.1:8501"}
USUAL = {
    "server.address": "127.0.0.1",
    "server.baseUrlPath": "",
    "server.trustedUserHeaders": {},
    "server.corsAllowedOrigins": [],
    "server.allowedHosts": [],
    "browser.serverAddress": "localhost",
}


@pytest.fixture
def options(monkeypatch) -> dict[str, object]:
    """Options of Streamlit as the app sets them; tests change them."""
    for name in ("NLPSTAT_LOCAL_USER", "NLPSTAT_ALLOWED_HOSTS", "NLPSTAT_DATABASE", "FORWARDED_ALLOW_IPS"):
        monkeypatch.delenv(name, raising=False)
    found = dict(USUAL)
    monkeypatch.setattr(st, "get_option", found.__getitem__)
    return found


@pytest.mark.parametrize(
    ("peer", "headers", "here"),
    [
        ("127.0.0.1", HERE, True),
        ("::1", {"host": "[::1]:8501"}, True),
        ("127.0.0.1", {"host": "localhost"}, True),
        ("192.0.2.7", HERE, False),
        ("192.0.2.7", {"host": "localhost"}, False),
        (None, HERE, False),
        ("127.0.0.1", {}, False),
        ("127.0.0.1", {"host": "scores.example.org"}, False),
        ("127.0.0.1", {**HERE, "x-forwarded-for": "127.0.0.1"}, False),
        ("127.0.0.1", {**HERE, "x-forwarded-proto": "https"}, False),
        ("127.0.0.1", {**HERE, "forwarded": "for=127.0.0.1"}, False),
        ("127.0.0.1", {**HERE, "via": "1.1 proxy"}, False),
        ("127.0.0.1", {**HERE, "x-real-ip": "127.0.0.1"}, False),
    ],
)
def test_only_this_machines_own_connections_are_its_users(options, peer, headers, here) -> None:
    assert is_local_user(peer, headers) is here


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("server.address", "0.0.0.0"),
        ("server.address", None),
        ("server.baseUrlPath", "stats"),
        ("server.trustedUserHeaders", {"X-User": "email"}),
        ("server.corsAllowedOrigins", ["https://scores.example.org"]),
        ("server.allowedHosts", ["scores.example.org"]),
        ("browser.serverAddress", "scores.example.org"),
    ],
)
def test_no_missing_header_makes_a_proxys_visitor_the_user_of_this_machine(options, option, value) -> None:
    """A proxy on this machine that sends neither its visitor's address nor the name it was asked for."""
    assert is_local_user("127.0.0.1", HERE)
    options[option] = value
    assert not is_local_user("127.0.0.1", HERE)


@pytest.mark.parametrize("variable", ["NLPSTAT_ALLOWED_HOSTS", "FORWARDED_ALLOW_IPS"])
def test_nor_where_a_variable_speaks_of_a_proxy(options, monkeypatch, variable) -> None:
    monkeypatch.setenv(variable, "*")
    assert not is_local_user("127.0.0.1", HERE)


def test_the_operators_word_counts_before_everything(options, monkeypatch) -> None:
    monkeypatch.setenv("NLPSTAT_LOCAL_USER", "1")
    assert is_local_user("192.0.2.7", {"host": "scores.example.org", "x-forwarded-for": "192.0.2.8"})
    monkeypatch.setenv("NLPSTAT_LOCAL_USER", "0")
    assert not is_local_user("127.0.0.1", HERE)
    monkeypatch.setenv("NLPSTAT_LOCAL_USER", "yes")
    with pytest.raises(ConfigError, match="must be 1"):
        is_local_user("127.0.0.1", HERE)


def test_a_server_for_others_starts_only_with_a_login_or_by_the_operators_word(options, monkeypatch) -> None:
    monkeypatch.setenv("NLPSTAT_DATABASE", "boards.sqlite")
    assert "nobody has to log in" in (start.open_to_others(["--server.address", "0.0.0.0"]) or "")
    assert start.open_to_others(["--server.address=127.0.0.1"]) is None
    monkeypatch.setenv("NLPSTAT_LOCAL_USER", "1")
    assert start.open_to_others(["--server.address", "0.0.0.0"]) is None


def test_figures_are_for_this_machine_or_for_who_knows_the_password(monkeypatch) -> None:
    monkeypatch.delenv("NLPSTAT_METRICS", raising=False)
    assert not operator_figures.allowed(True, "")
    monkeypatch.setenv("NLPSTAT_METRICS", "1")
    assert operator_figures.allowed(True, "")
    assert not operator_figures.allowed(False, "Bearer 1")
    monkeypatch.setenv("NLPSTAT_METRICS", "all")
    assert operator_figures.allowed(False, "")
    word = "correct-horse-battery"
    monkeypatch.setenv("NLPSTAT_METRICS", word)
    assert operator_figures.allowed(False, f"Bearer {word}")
    for wrong in ("", word, "Bearer ", f"Bearer {word}x", "Bearer é"):
        assert not operator_figures.allowed(True, wrong)


def answered(app) -> list[tuple[bytes, bytes]]:
    sent = []

    async def send(message) -> None:
        sent.append(message)

    asyncio.run(app({"type": "http"}, None, send))
    return sent[0]["headers"]


def test_every_answer_says_who_may_frame_it_and_that_it_is_what_it_says(monkeypatch) -> None:
    monkeypatch.delenv("NLPSTAT_FRAME_ANCESTORS", raising=False)
    given = [
        (b"content-type", b"text/csv"),
        (b"X-Content-Type-Options", b"sniff"),
        (b"content-security-policy", b"sandbox"),
    ]

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": given})

    assert answered(guards.SafeHeaders(app)) == [
        (b"content-type", b"text/csv"),
        (b"content-security-policy", b"sandbox"),
        (b"content-security-policy", b"frame-ancestors 'self'"),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
    ]
    monkeypatch.setenv("NLPSTAT_FRAME_ANCESTORS", "https://huggingface.co https://*.hf.space")
    policies = [value for name, value in answered(guards.SafeHeaders(app)) if b"policy" in name]
    assert b"frame-ancestors https://huggingface.co https://*.hf.space" in policies
    for bad in ("a; script-src *", "a\r\nset-cookie: b", "é"):
        monkeypatch.setenv("NLPSTAT_FRAME_ANCESTORS", bad)
        with pytest.raises(ConfigError, match="must name origins"):
            guards.SafeHeaders(app)


def test_a_database_without_the_packages_of_saved_boards_is_told_before_the_first_visitor(monkeypatch):
    monkeypatch.setenv("NLPSTAT_DATABASE", "boards.sqlite")
    monkeypatch.setitem(sys.modules, "alembic", None)
    missing_packages.cache_clear()
    try:
        with pytest.raises(ConfigError, match=r"needs packages .* \(alembic\).*nlpstat\[boards\]"):
            check_settings()
    finally:
        missing_packages.cache_clear()
