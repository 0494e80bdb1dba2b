"""Logins that are over: a login service's cookie is good for a month, wherever a copy of it has got to."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import delete

from nlpstat_core.saved_boards.codec import canonical, digest
from nlpstat_core.saved_boards.database import Database, as_text
from nlpstat_core.saved_boards.tables import insert_once, signed_out

# Streamlit takes a cookie for 31 days after it was signed.
COOKIE_DAYS = 32


def cookie_of(claims: Mapping[str, Any]) -> str:
    """What tells one login from another: the hash of all that the login service said.

    claims: Plain data. A service dates what it says, and repeats a number that was made for this login.
    """
    return digest(canonical(dict(claims)).encode())


def end_login(database: Database, cookie: str) -> None:
    """Have nobody see boards by a login any more, in whatever tab. `cookie`: of `cookie_of`."""
    forget_at = as_text(database.now() + timedelta(days=COOKIE_DAYS))
    with database.writing() as connection:
        connection.execute(delete(signed_out).where(signed_out.c.forget_at < database.time()))
        insert_once(connection, signed_out, cookie=cookie, forget_at=forget_at)
